import Foundation
import KuraValues

// `sqrt(9)`, `ceiling(1.2)`, `random()`
extension PredicateFunction {
  static let numbers = [
    apple(
      .sqrt, "sqrt:", [.number], .number, "the square root", ("sqrt(9)", "3.0"),
      ofReal { $0.squareRoot() }
    ).within(0 ... .infinity),
    apple(
      .log, "log:", [.number], .number, "the logarithm to base 10", ("log(1000)", "3.0"),
      ofReal { log10($0) }
    ).knownElsewhere(as: "log10"),
    apple(
      .ln, "ln:", [.number], .number, "the natural logarithm", ("ln(1)", "0.0"), ofReal { log($0) }),
    apple(
      .exp, "exp:", [.number], .number, "e raised to this power", ("exp(0)", "1.0"),
      ofReal { exp($0) }),
    apple(
      .abs, "abs:", [.number], .number, "the absolute value", ("abs(-2)", "2"),
      ofNumber { value throws(ValueError) in
        (value.approximateNumber ?? 0) < 0 ? try Value.compute(.subtract, 0, value) : value
      }
    ).within(0 ... .infinity),
    apple(
      .ceiling, "ceiling:", [.number], .number, "the number rounded up to an integer",
      ("ceiling(1.2)", "2"),
      ofNumber { $0.rounded(.up) }),
    apple(
      .floor, "floor:", [.number], .number, "the number rounded down to an integer",
      ("floor(-1.2)", "-2"),
      ofNumber { $0.rounded(.down) }),
    apple(
      .trunc, "trunc:", [.number], .number, "the number without its fraction",
      ("trunc(-1.8)", "-1"),
      ofNumber { $0.rounded(.towardZero) }
    ).knownElsewhere(as: "truncate"),
    apple(.random, "random", [], .number, "a random number from 0 to 1", ("random()", "0.27…")) {
      _, context in
      // A double holds 53 bits.
      .double(Double(context.random() >> 11) / Double((UInt64(1) << 53) - 1))
    }.depending(on: .chance).knownElsewhere(as: "rand"),
    apple(
      .randomn, "randomn:", [.integer], .number, "a random integer from 0 to the number minus 1",
      ("randomn(6)", "4"),
      unlessNil { (value, context) throws(EvaluationError) in
        let limit = try evaluating { () throws(ValueError) in try value.wholePart() }
        guard limit > 0 else { throw .notPositive(limit) }
        return .integer(Int64(context.random() % UInt64(limit)))
      }
    ).depending(on: .chance),
  ]

  /// Functions of Kura
  static let round = own(
    .round, "round", .optional([.number, .integer], from: 1), .number,
    "the nearest integer, or number with some decimal places; halves round away from zero",
    ("round(1234.567, 2)", "1234.57")
  ) { (arguments, context) throws(EvaluationError) in
    if context.nilArithmeticIsNil, arguments.contains(where: \.isNull) { return .null }
    let number = try evaluating { () throws(ValueError) in try arguments[0].number() }
    guard arguments.count > 1 else { return number.rounded(.toNearestOrAwayFromZero) }
    let places = Int(clamping: try arguments[1].integer())
    guard Value.decimalPlaces.contains(places) else {
      throw .notInRange(Double(places), Value.decimalPlaces)
    }
    return number.rounded(toPlaces: places)
  }

  /// Creates the body of a function that returns a double; a result that is not finite is an error.
  private static func ofReal(_ body: @escaping @Sendable (Double) -> Double) -> Body {
    ofNumber { value throws(ValueError) in
      try Value.finite(body(value.approximateNumber ?? .nan))
    }
  }

  /// Creates the body of a function of a number. In a fetch, nil gives nil; elsewhere it is an
  /// error.
  static func ofNumber(
    _ body: @escaping @Sendable (Value) throws(ValueError) -> Value
  ) -> Body {
    { (arguments, context) throws(EvaluationError) in
      if context.nilArithmeticIsNil, arguments[0].isNull { return .null }
      return try evaluating { () throws(ValueError) in try body(arguments[0].number()) }
    }
  }
}

extension Value {
  /// Returns the number rounded to an integer; beyond 64 bits it remains a double.
  func rounded(_ rule: FloatingPointRoundingRule) -> Value {
    switch self {
    case .double(let x):
      let whole = x.rounded(rule)
      return Int64(exactly: whole).map(Value.integer) ?? .double(whole)
    case .decimal(let x): return x.rounded(to: rule).map(Value.decimal) ?? self
    default: return self
    }
  }
}

// Numbers at the beginning of a string, after blanks, as NSString reads them
extension String {
  /// The number at the beginning of the string, or 0: 1000 for "1e3", 0.5 for ".5 kg".
  var leadingNumber: Value {
    let text = beginning
    var rest = text.afterSign.drop(while: \.isDigit)
    if rest.first == 0x2E, rest.dropFirst().first?.isDigit == true {
      rest = rest.dropFirst().drop(while: \.isDigit)
    }
    let digits = text[..<(rest.endOfExponent ?? rest.startIndex)]
    guard text.afterSign.first == 0x2E else { return NumberText.number(Substring(digits)) ?? 0 }
    let sign = text.first == 0x2D ? "-" : ""
    return NumberText.number(sign + "0" + Substring(digits.afterSign)) ?? 0
  }

  /// The digits at the beginning of the string, without a fraction or exponent: 1 for "1e3", 0 for
  /// ".5".
  var leadingInteger: Value {
    let text = beginning
    let digits = text[..<text.afterSign.drop(while: \.isDigit).startIndex]
    return NumberText.number(Substring(digits)) ?? 0
  }

  /// 1 if the string begins with Y, y, T, t or a nonzero digit, after a sign and zeros; otherwise
  /// 0.
  var leadingTruth: Value {
    let rest = beginning.afterSign.drop { $0 == 0x30 }
    guard let first = rest.first else { return 0 }
    return [0x59, 0x79, 0x54, 0x74].contains(first) || first.isDigit ? 1 : 0
  }

  private var beginning: Substring.UTF8View { drop(while: \.isWhitespace).utf8 }
}

extension Substring.UTF8View {
  fileprivate var afterSign: Substring.UTF8View {
    first == 0x2B || first == 0x2D ? dropFirst() : self
  }

  /// The end of an exponent that begins here; nil if there is none.
  fileprivate var endOfExponent: Index? {
    guard let first, first | 0x20 == 0x65 else { return nil }
    var rest = dropFirst()
    if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() }
    guard rest.first?.isDigit == true else { return nil }
    return rest.drop(while: \.isDigit).startIndex
  }
}
