/// Finds corrections that turn a text that was meant as JSON into valid JSON.
///
///     LenientJSON("{title: 'x', done: True,}").corrections
///     // "title" and "x" in double quotes, true for True, no comma before the end
package struct LenientJSON {
  /// A range of bytes of the text, and its replacement.
  package typealias Correction = (place: Range<Int>, text: String)

  private let bytes: [UInt8]
  private var position = 0
  private var corrections: [Correction] = []
  /// The end of the member or element that has just ended; nil otherwise.
  private var endOfValue: Int?
  private var isKey = false

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the corrections in order. The result can still be invalid; a JSON parser must check
  /// it.
  package static func corrections(of text: String) -> [Correction] {
    var reader = LenientJSON(text)
    while reader.position < reader.bytes.count { reader.takeNext() }
    return reader.corrections
  }
}

extension LenientJSON {
  private mutating func takeNext() {
    let start = position
    switch bytes[position] {
    case 0x20, 0x09, 0x0A, 0x0D: position += 1
    case UInt8(ascii: "{"), UInt8(ascii: "["): beginValue(until: start + 1)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): endBracket()
    case UInt8(ascii: ","), UInt8(ascii: ";"): takeComma()
    case UInt8(ascii: ":"), UInt8(ascii: "="): takeColon()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): takeString(bytes[position])
    case UInt8(ascii: "/"): takeComment()
    default: takeWord()
    }
  }

  /// Inserts a missing comma before a value, and moves to `end`.
  private mutating func beginValue(until end: Int) {
    if let place = endOfValue { corrections.append((place..<place, ",")) }
    endOfValue = nil
    position = end
  }

  private mutating func endBracket() {
    position += 1
    endOfValue = position
  }

  private mutating func takeComma() {
    let start = position
    position += 1
    var next = position
    while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
    let isLast = next >= bytes.count || bytes[next] == 0x7D || bytes[next] == 0x5D
    if isLast {
      corrections.append((start..<position, ""))
    } else {
      if bytes[start] != UInt8(ascii: ",") { corrections.append((start..<position, ",")) }
      endOfValue = nil
    }
  }

  /// Reads `:`, or `=` or `=>` instead of it.
  private mutating func takeColon() {
    let start = position
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: ">") { position += 1 }
    if bytes[start] != UInt8(ascii: ":") { corrections.append((start..<position, ":")) }
    endOfValue = nil
  }

  private mutating func takeComment() {
    let start = position
    if bytes[position...].starts(with: "//".utf8) {
      position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    } else {
      position += 1
    }
    corrections.append((start..<position, ""))
  }

  private mutating func takeString(_ quote: UInt8) {
    let start = position
    beginValue(until: start + 1)
    while position < bytes.count, bytes[position] != quote {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
    endOfValue = position
    if quote == UInt8(ascii: "'"), position - start > 1 {
      let inner = String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
      corrections.append((start..<position, Self.quoted(inner.replacing("\\'", with: "'"))))
    }
  }

  /// Reads a number or word: a key, a text, or another language's `true`, `false` and `null`.
  private mutating func takeWord() {
    let start = position
    beginValue(until: start + 1)
    while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
    endOfValue = position
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    let isKey = bytes[position...].first { $0 > 0x20 } == UInt8(ascii: ":")
    guard isKey || Double(word) == nil, let meant = isKey ? Self.quoted(word) : Self.value(word)
    else { return }
    corrections.append((start..<position, meant))
  }

  private static let ends = Set(" \t\r\n,:;={}[]\"'".utf8)

  /// Returns a word as JSON; nil if it is JSON already.
  private static func value(_ word: String) -> String? {
    let meant =
      switch word.lowercased() {
      case "true", "yes", "on": "true"
      case "false", "no", "off": "false"
      case "null", "nil", "none", "undefined", "nan": "null"
      default: quoted(word)
      }
    return meant == word ? nil : meant
  }

  private static func quoted(_ text: String) -> String {
    let marks = "「」『』“”｢｣‘’"
    let inner = String(
      String(text.drop { marks.contains($0) }.reversed()).drop { marks.contains($0) }.reversed())
    return "\"\(inner.replacing("\"", with: "\\\""))\""
  }
}
