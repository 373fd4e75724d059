/// A symbol of the predicate language or of the statements around it, as it is written.
package enum Symbol: String, Sendable, Hashable, CaseIterable {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBracket = "["
  case rightBracket = "]"
  case leftBrace = "{"
  case rightBrace = "}"
  case comma = ","
  case dot = "."
  case colon = ":"
  case assign = ":="
  case semicolon = ";"
  case question = "?"
  case backslash = "\\"
  case percent = "%"
  case equal = "="
  case doubleEqual = "=="
  case tripleEqual = "==="
  case bangEqual = "!="
  case bangDoubleEqual = "!=="
  case lessGreater = "<>"
  case less = "<"
  case lessEqual = "<="
  case equalLess = "=<"
  case greater = ">"
  case greaterEqual = ">="
  case equalGreater = "=>"
  case doubleLess = "<<"
  case doubleGreater = ">>"
  case doubleAmpersand = "&&"
  case ampersand = "&"
  case doubleBar = "||"
  case bar = "|"
  case bang = "!"
  case tilde = "~"
  case caret = "^"
  case doubleStar = "**"
  case star = "*"
  case plus = "+"
  case minus = "-"
  case slash = "/"
}

extension Symbol {
  /// The bracket that closes this one.
  package var closing: Symbol? {
    switch self {
    case .leftParenthesis: .rightParenthesis
    case .leftBracket: .rightBracket
    case .leftBrace: .rightBrace
    default: nil
    }
  }

  package var closes: Bool {
    self == .rightParenthesis || self == .rightBracket || self == .rightBrace
  }

  /// The longest symbol that begins with these bytes; zero stands for the text's end.
  static func longest(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Symbol? {
    three(a, b, c) ?? two(a, b) ?? one(a)
  }

  private static func three(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Symbol? {
    guard b == UInt8(ascii: "="), c == b else { return nil }
    return a == b ? .tripleEqual : a == UInt8(ascii: "!") ? .bangDoubleEqual : nil
  }

  private static func two(_ a: UInt8, _ b: UInt8) -> Symbol? {
    followers[Int(b)] ? doubles.first { $0.bytes == (a, b) }?.symbol : nil
  }

  private static let doubles: [(bytes: (UInt8, UInt8), symbol: Symbol)] = allCases.compactMap {
    let bytes = Array($0.rawValue.utf8)
    return bytes.count == 2 ? ((bytes[0], bytes[1]), $0) : nil
  }

  private static let followers: [Bool] = (0...255).map { byte in
    doubles.contains { $0.bytes.1 == byte }
  }

  private static func one(_ a: UInt8) -> Symbol? {
    a < 0x80 ? singles[Int(a)] : nil
  }

  private static let singles: [Symbol?] = (0..<128).map {
    Symbol(rawValue: String(Unicode.Scalar(UInt8($0))))
  }
}
