/// An operator between two operands.
enum InfixOperator {
  /// `AND`, `&&`
  case and
  /// `OR`, `||`
  case or
  /// `==`, `CONTAINS`
  case comparison(ComparisonOperator)
  /// `:=`
  case assignment
  /// `UNION`
  case set(SetOperation)
  /// `+`
  case arithmetic(BuiltInFunction)

  var precedence: Precedence {
    switch self {
    case .and: .and
    case .or: .or
    case .comparison: .comparison
    case .assignment: .assignment
    case .set: .set
    case .arithmetic(let function): function.sign?.precedence ?? .unary
    }
  }

  /// Creates the operator for a token; nil if there is none. `PredicateParser` finds selectors.
  init?(_ token: Token) {
    switch token.kind {
    case .symbol(let symbol): self.init(symbol)
    case .word: self.init(token.keyword)
    default: return nil
    }
  }

  private init?(_ symbol: Symbol) {
    switch symbol {
    case .doubleAmpersand: self = .and
    case .doubleBar: self = .or
    case .assign: self = .assignment
    case .equal, .doubleEqual: self = .comparison(.equal)
    case .bangEqual, .lessGreater: self = .comparison(.notEqual)
    case .less: self = .comparison(.less)
    case .lessEqual, .equalLess: self = .comparison(.lessOrEqual)
    case .greater: self = .comparison(.greater)
    case .greaterEqual, .equalGreater: self = .comparison(.greaterOrEqual)
    case .doubleStar: self = .arithmetic(.raise)
    case .star: self = .arithmetic(.multiply)
    case .slash: self = .arithmetic(.divide)
    case .plus: self = .arithmetic(.add)
    case .minus: self = .arithmetic(.subtract)
    case .doubleLess: self = .arithmetic(.leftShift)
    case .doubleGreater: self = .arithmetic(.rightShift)
    case .ampersand: self = .arithmetic(.bitwiseAnd)
    case .caret: self = .arithmetic(.bitwiseXor)
    case .bar: self = .arithmetic(.bitwiseOr)
    default: return nil
    }
  }

  private init?(_ keyword: Keyword?) {
    switch keyword {
    case .and: self = .and
    case .or: self = .or
    case .union: self = .set(.union)
    case .intersect: self = .set(.intersect)
    case .minus: self = .set(.minus)
    case let keyword?:
      guard let operation = ComparisonOperator(keyword) else { return nil }
      self = .comparison(operation)
    case nil: return nil
    }
  }
}

extension ComparisonOperator {
  init?(_ keyword: Keyword) {
    switch keyword {
    case .in: self = .in
    case .like: self = .like
    case .matches: self = .matches
    case .contains: self = .contains
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .between: self = .between
    case .tokenMatches, .utiConformsTo, .utiEquals: self = .unsupported(keyword.rawValue)
    default: return nil
    }
  }
}

extension ComparisonOptions {
  /// The letters in printed order: `cd`.
  package var letters: String {
    Self.byLetter.filter { contains($0.option) }.map { String($0.letter) }.joined()
  }

  /// Returns the options for letters, or the first invalid letter.
  static func reading(_ letters: String) -> (options: ComparisonOptions, wrong: Character?) {
    var options: ComparisonOptions = []
    for letter in letters {
      let known = byLetter.first { String($0.letter) == letter.lowercased() }
      guard let known else { return (options, letter) }
      options.insert(known.option)
    }
    return (options, nil)
  }

  private static let byLetter: [(letter: Character, option: ComparisonOptions)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]
}

extension BuiltInFunction {
  /// The sign between its two operands, and the precedence; nil for functions without a sign.
  var sign: (text: String, precedence: Precedence)? {
    switch self {
    case .raise: ("**", .power)
    case .multiply: ("*", .product)
    case .divide: ("/", .product)
    case .add: ("+", .sum)
    case .subtract: ("-", .sum)
    case .leftShift: ("<<", .shift)
    case .rightShift: (">>", .shift)
    case .bitwiseAnd: ("&", .bitwiseAnd)
    case .bitwiseXor: ("^", .bitwiseXor)
    case .bitwiseOr: ("|", .bitwiseOr)
    default: nil
    }
  }
}

extension FunctionCall {
  /// The sign between its two arguments; nil if it has none.
  var sign: String? { arguments.count == 2 ? builtIn?.sign?.text : nil }
}

/// The precedence of operators, in ascending order.
enum Precedence: Int, Comparable {
  case or, and, not, comparison, assignment, set
  case bitwiseOr, bitwiseXor, bitwiseAnd, shift, sum, product, power
  case unary

  static func < (a: Precedence, b: Precedence) -> Bool { a.rawValue < b.rawValue }

  /// The next higher precedence.
  var tighter: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }
}
