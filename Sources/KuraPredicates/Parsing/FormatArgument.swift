public import KuraValues

/// What takes the place of a specifier in a format string.
public enum FormatArgument: Sendable, Hashable {
  /// A value for `%@` or `%d`; for `%K` a string that is a key path.
  case value(Value)
  /// An expression, which `%@` puts into the tree as it is.
  case expression(ExpressionTree)
  /// A predicate, which `%@` puts into the tree as it is.
  case predicate(PredicateTree)
}

/// What a specifier wants.
enum FormatSpecifier {
  /// `%@`
  case object
  /// `%K`
  case key
  /// `%d`, `%llu`, `%x`
  case integer
  /// `%f`, `%g`
  case double
  /// `%s`
  case string
  /// `%c`
  case character

  init?(_ text: String) {
    switch text.last {
    case "@" where text == "%@": self = .object
    case "K" where text == "%K": self = .key
    case "d", "D", "i", "u", "U", "x", "X", "o", "O": self = .integer
    case "f", "F", "g", "G", "e", "E", "a", "A": self = .double
    case "s", "S": self = .string
    case "c", "C": self = .character
    default: return nil
    }
  }

  var wanted: String {
    switch self {
    case .object: "a value"
    case .key: "a string with a key path"
    case .integer: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .character: "a character, or its number"
    }
  }

  /// The value as this specifier reads it, or nil.
  func value(of value: Value) -> Value? {
    switch (self, value) {
    case (.object, _): value
    case (.key, .string), (.string, .string): value
    case (.integer, .integer): value
    case (.integer, .boolean(let yes)): .integer(yes ? 1 : 0)
    case (.double, .double), (.double, .decimal): value
    case (.double, .integer(let number)): .double(Double(number))
    case (.character, .integer(let number)):
      UInt32(exactly: number).flatMap { Unicode.Scalar($0) }.map { .string(String($0)) }
    case (.character, .string(let text)): text.count == 1 ? value : nil
    default: nil
    }
  }
}
