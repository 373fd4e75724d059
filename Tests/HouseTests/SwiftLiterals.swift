/// The string literals of a Swift file, with `%1` for the first interpolated value.
struct SwiftLiterals {
  /// A literal, and the code before it, without spaces and the content of strings.
  struct Literal: Sendable {
    let template: String
    let code: String
  }

  private(set) var all: [Literal] = []
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = ArraySlice(text.utf8)
    readCode(toBracket: false)
  }
}

extension SwiftLiterals {
  /// Reads code up to the closing bracket, or to the end.
  private mutating func readCode(toBracket: Bool) {
    var (code, depth) = ([UInt8](), 0)
    while let first = rest.first {
      if rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if let quote {
        readLiteral(quote, after: String(decoding: code, as: UTF8.self))
        code += "\"\"".utf8
      } else {
        rest = rest.dropFirst()
        if first == UInt8(ascii: "(") { depth += 1 }
        if first == UInt8(ascii: ")") { depth -= 1 }
        if toBracket, depth < 0 { return }
        if first > 0x20 { code.append(first) }
      }
    }
  }

  /// The opening quote of the string that begins here: `"`, `"""`, `#"`
  private var quote: (hashes: Int, isLong: Bool)? {
    let hashes = rest.prefix { $0 == UInt8(ascii: "#") }.count
    let after = rest.dropFirst(hashes)
    guard after.first == UInt8(ascii: "\"") else { return nil }
    return (hashes, after.starts(with: "\"\"\"".utf8))
  }

  private mutating func readLiteral(_ quote: (hashes: Int, isLong: Bool), after code: String) {
    let hashes = String(repeating: "#", count: quote.hashes)
    let end = Array(((quote.isLong ? "\"\"\"" : "\"") + hashes).utf8)
    let escape = Array(("\\" + hashes).utf8)
    rest = rest.dropFirst(end.count)
    var (text, count) = ([UInt8](), 0)
    while !rest.isEmpty, !rest.starts(with: end) {
      guard rest.starts(with: escape) else {
        text.append(rest.removeFirst())
        continue
      }
      rest = rest.dropFirst(escape.count)
      if rest.first == UInt8(ascii: "(") {
        rest = rest.dropFirst()
        readCode(toBracket: true)
        count += 1
        text += "%\(count)".utf8
      } else {
        text += readEscape().utf8
      }
    }
    rest = rest.dropFirst(end.count)
    let template = String(decoding: text, as: UTF8.self)
    all.append(Literal(template: quote.isLong ? Self.unindented(template) : template, code: code))
  }

  private mutating func readEscape() -> String {
    let letter = Unicode.Scalar(rest.removeFirst())
    switch letter {
    case "n": return "\n"
    case "t": return "\t"
    case "u":
      let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
      rest = rest.dropFirst(digits.count + 2)
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
    case "\n": return ""
    default: return String(Character(letter))
    }
  }

  /// Returns a text of several lines without the indentation of its last one.
  private static func unindented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let indentation = lines.last?.count ?? 0
    return lines.dropLast().map { $0.dropFirst(min(indentation, $0.prefix { $0 == " " }.count)) }
      .joined(separator: "\n")
  }
}
