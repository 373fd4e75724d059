// Comments, words and keys without quotes.
extension JSONRepair {
  /// Removes a comment, except its line breaks.
  mutating func comment() -> Status {
    let start = position
    var end = start
    if begins(Array("/*".utf8)) {
      end += 2
      while end + 1 < bytes.count,
        bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/")
      {
        end += 1
      }
      guard end + 1 < bytes.count else { return .needsMore }
      end += 2
    } else {
      if start + 1 == bytes.count, !isLast { return .needsMore }
      guard bytes[start] == UInt8(ascii: "#") || begins(Array("//".utf8)) else {
        return isInCutFile(after: start + 1) ? .needsMore : .failed(at: start)
      }
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      if end == bytes.count, !isLast { return .needsMore }
    }
    let breaks = bytes[start..<end].filter { $0 == 0x0A }
    edits.append(Edit(place: start..<end, text: breaks, kind: .comment))
    position = end
    return .done
  }

  /// Reads a number or a word.
  mutating func word() -> Status {
    let start = position
    while position < bytes.count, !Self.isEndOfWord(bytes[position], source) { position += 1 }
    if isCut { return .needsMore }
    guard position > start else { return .failed(at: start) }
    let bytes = bytes[start..<position]
    if Self.words.contains(where: { bytes.elementsEqual($0.utf8) }) { return .done }
    if isNumber(bytes) {
      // Before the end, more digits may be missing.
      return isInCutFile(after: position) ? .needsMore : .done
    }
    let word = String(decoding: bytes, as: UTF8.self)
    if Self.notFinite.contains(word) {
      replace(start..<position, "null", .notFinite)
    } else if let meant = Self.meant(word, source) {
      replace(start..<position, meant, .word)
    } else if source == .statement {
      replace(start..<position, Self.quoted(word), .typed)
    } else {
      return isInCutFile(after: position) ? .needsMore : .failed(at: start)
    }
    return .done
  }

  /// Whether a file ends at a place inside a value, so that the rest of a token may be missing.
  private func isInCutFile(after end: Int) -> Bool {
    end == bytes.count && source == .file && !open.isEmpty
  }

  private static let words = ["true", "false", "null"]
  private static let notFinite: Set = [
    "NaN", "-NaN", "nan", "-nan", "Infinity", "-Infinity", "+Infinity", "inf", "-inf", "Inf",
    "-Inf",
  ]

  /// Returns what a word of another language means in JSON; nil for other words.
  private static func meant(_ word: String, _ source: Source) -> String? {
    switch word {
    case "True", "TRUE": return "true"
    case "False", "FALSE": return "false"
    case "None", "undefined", "nil", "NULL", "Null": return "null"
    default: break
    }
    guard source == .statement else { return nil }
    switch word.lowercased() {
    case "true", "yes", "on": return "true"
    case "false", "no", "off": return "false"
    case "null", "nil", "none", "undefined": return "null"
    default: return nil
    }
  }

  private static func isEndOfWord(_ byte: UInt8, _ source: Source) -> Bool {
    switch byte {
    case 0...0x20, 0x22, 0x27, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: true
    case UInt8(ascii: ";"), UInt8(ascii: "="): source == .statement
    case UInt8(ascii: "/"): source == .file
    default: false
    }
  }

  private func isNumber(_ digits: ArraySlice<UInt8>) -> Bool {
    guard let first = digits.first, first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
      return false
    }
    return digits.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes, from: 0)
      return (try? reader.number()) != nil && reader.offset == bytes.count
    }
  }

  /// Puts a key in quotes: a name in a file, any word in a statement.
  mutating func bareKey() -> Status {
    let start = position
    while position < bytes.count, !Self.isEndOfWord(bytes[position], source) { position += 1 }
    if isCut { return .needsMore }
    let word = bytes[start..<position]
    let isName = word.allSatisfy { byte in
      byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F
        || byte == 0x24
        || byte == 0x2D
    }
    guard !word.isEmpty, isName || source == .statement,
      let text = String(validating: word, as: UTF8.self)
    else { return .failed(at: start) }
    replace(start..<position, Self.quoted(text), source == .file ? .bareKey : .typed)
    return .done
  }

  /// Returns a word as a JSON string, without quotation marks of other scripts.
  private static func quoted(_ word: String) -> String {
    let marks = "「」『』“”｢｣‘’"
    let inner = String(
      String(word.drop { marks.contains($0) }.reversed()).drop { marks.contains($0) }.reversed())
    return "\"\(inner.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}

// Strings.
extension JSONRepair {
  /// Reads a string in either kind of quotes.
  mutating func string(_ quote: UInt8) -> Status {
    let isSingle = quote == 0x27
    if isSingle { replace(position..<position + 1, "\"", .singleQuotes) }
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case quote:
        if isSingle { replace(position..<position + 1, "\"", nil) }
        position += 1
        return .done
      case 0x22:
        replace(position..<position + 1, "\\\"", nil)
        position += 1
      case 0x5C:
        let status = escape()
        guard status == .done else { return status }
      case 0..<0x20:
        let digits = String(bytes[position], radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        replace(position..<position + 1, "\\u\(zeros)\(digits)", .controlCharacter)
        position += 1
      case 0x20..<0x80: position += 1
      default:
        guard scalar() else { return .needsMore }
      }
    }
    return .needsMore
  }

  /// Reads an escape. A lone surrogate becomes U+FFFD, and `\'` an apostrophe.
  private mutating func escape() -> Status {
    guard position + 1 < bytes.count else { return .needsMore }
    switch bytes[position + 1] {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
      position += 2
      return .done
    case 0x27:
      replace(position..<position + 1, "", nil)
      position += 2
      return .done
    case 0x75: return numberedEscape()
    default: return .failed(at: position)
    }
  }

  private mutating func numberedEscape() -> Status {
    let start = position
    guard start + 6 <= bytes.count else { return .needsMore }
    guard let first = unit(at: start) else { return .failed(at: start) }
    position += 6
    guard (0xD800..<0xE000).contains(first) else { return .done }
    if first < 0xDC00, start + 12 <= bytes.count, let second = unit(at: start + 6),
      (0xDC00..<0xE000).contains(second)
    {
      position += 6
      return .done
    }
    // The other half may follow.
    if first < 0xDC00, start + 12 > bytes.count, bytes[position...].first ?? 0x5C == 0x5C, !isLast {
      return .needsMore
    }
    replace(start..<start + 6, "\\ufffd", .loneSurrogate)
    return .done
  }

  private func unit(at place: Int) -> Int? {
    guard bytes[place] == 0x5C, bytes[place + 1] == 0x75 else { return nil }
    return bytes[place + 2..<place + 6].reduce(0 as Int?) { unit, digit in
      guard let unit, let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      return unit << 4 | value
    }
  }

  /// Reads a scalar of several bytes. An invalid sequence becomes U+FFFD, as the Unicode Standard recommends: its
  /// longest beginning of a valid sequence is replaced as one. Returns false if the bytes end inside it.
  private mutating func scalar() -> Bool {
    let start = position
    let lead = bytes[start]
    let length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1
    var end = start + 1
    while end < start + length, end < bytes.count, Self.continues(bytes[end], lead, end - start) {
      end += 1
    }
    if end == bytes.count, end < start + length { return false }
    position = end
    if length == 1 || end < start + length { replace(start..<end, "\u{FFFD}", .invalidUTF8) }
    return true
  }

  /// Returns whether a byte may be the one at a place of a sequence with this first byte (table 3-7).
  private static func continues(_ byte: UInt8, _ lead: UInt8, _ place: Int) -> Bool {
    guard place == 1 else { return byte & 0xC0 == 0x80 }
    return switch lead {
    case 0xE0: (0xA0...0xBF).contains(byte)
    case 0xED: (0x80...0x9F).contains(byte)
    case 0xF0: (0x90...0xBF).contains(byte)
    case 0xF4: (0x80...0x8F).contains(byte)
    default: byte & 0xC0 == 0x80
    }
  }
}

// The output.
extension JSONRepair {
  /// The number of bytes that are complete: up to the last row, or everything between values.
  private var complete: Int {
    if open.isEmpty, expected == .top { return position }
    return rowEnd?.position ?? 0
  }

  /// Returns the repaired bytes up to the last complete row, and removes them.
  package mutating func take() -> Taken { take(upTo: complete) }

  /// Returns all bytes, repaired as far as they were read, and removes them.
  package mutating func takeAll() -> Taken { take(upTo: bytes.count) }

  /// The brackets that close what is open after the last complete row; nil without such a row.
  package var closing: [UInt8]? {
    rowEnd.map { open.prefix($0.depth).reversed().map { $0 + 2 } }
  }

  /// A beginning of the bytes.
  package struct Taken {
    /// The repaired bytes.
    package var output: [UInt8] = []
    /// The places of the repairs, by their offsets in the original bytes.
    package var places: [Place] = []
    /// The number of original bytes and of line feeds in them.
    package var count = 0
    package var lineFeeds = 0
  }

  /// A place that was repaired.
  package struct Place: Sendable {
    package var kind: Kind
    package var range: Range<Int>
    /// The number of line feeds before it.
    package var lineFeeds: Int
    /// The original text, or its beginning.
    package var text: String

    package init(_ kind: Kind, _ range: Range<Int>, lineFeeds: Int, text: String = "") {
      (self.kind, self.range, self.lineFeeds, self.text) = (kind, range, lineFeeds, text)
    }
  }

  private mutating func take(upTo end: Int) -> Taken {
    var taken = Taken()
    taken.output.reserveCapacity(end)
    let complete = edits.prefix { $0.place.upperBound <= end }
    for edit in complete {
      copy(taken.count..<edit.place.lowerBound, to: &taken)
      if let kind = edit.kind {
        let text = String(decoding: bytes[edit.place].prefix(16), as: UTF8.self)
        taken.places.append(Place(kind, edit.place, lineFeeds: taken.lineFeeds, text: text))
      }
      taken.lineFeeds += bytes[edit.place].count { $0 == 0x0A }
      taken.output += edit.text
      taken.count = edit.place.upperBound
    }
    copy(taken.count..<end, to: &taken)
    edits.removeFirst(complete.count)
    for i in edits.indices {
      let place = edits[i].place
      edits[i].place = place.lowerBound - end..<place.upperBound - end
    }
    bytes.removeFirst(end)
    position = max(0, position - end)
    comma = comma.map { $0 - end }
    endOfValue = max(0, endOfValue - end)
    if let row = rowEnd { rowEnd = (max(0, row.position - end), row.depth) }
    return taken
  }

  private func copy(_ range: Range<Int>, to taken: inout Taken) {
    taken.output += bytes[range]
    taken.lineFeeds += bytes[range].count { $0 == 0x0A }
    taken.count = range.upperBound
  }
}
