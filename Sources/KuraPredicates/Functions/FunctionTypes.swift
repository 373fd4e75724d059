package import KuraDiagnostics
import KuraValues

extension PredicateFunction {
  /// What a function takes.
  public enum Operands: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One for each: `now()`, `length(s)`, `modulus:by:(a, b)`
    case each([OperandKind])
    /// A list of these or the elements as arguments: `sum({1, 2})`, `sum(1, 2)`
    case list(of: OperandKind)
    /// One or more: `concat(a, b, …)`
    case several(OperandKind)
    /// One for each, of which those behind the first so many may be left out: `format(d, "d.M.")`
    case optional([OperandKind], from: Int)

    /// One for each.
    public init(arrayLiteral elements: OperandKind...) { self = .each(elements) }
  }

  /// What an operand may be.
  public enum OperandKind: Sendable, Hashable {
    /// Any value.
    case any
    /// A number, with a fraction or without.
    case number
    /// A number without a fraction.
    case integer
    /// A string or a URI.
    case text
    /// A date, or a text that writes one.
    case date
    /// A list, a set or a dictionary.
    case collection
    /// One of these texts.
    case word(of: [String])
    /// How a date or a number is written: `"yyyy-MM-dd"`, `"#,##0.00"`, `"long"`.
    case pattern
    /// The name of a locale: `"ja_JP"`.
    case locale
  }

  /// What a function gives.
  public enum ResultType: Sendable, Hashable {
    /// `length(s)`
    case number
    /// A number, which is a decimal if the elements are: `sum(list)`
    case numberLikeElements
    /// `trim(s)`
    case string
    /// `now()`
    case date
    /// YES or NO
    case boolean
    /// `uuid()`
    case uuid
    /// What its argument is: `noindex(x)`
    case argument
    /// What the first of its arguments is of which more is known than its text: `coalesce(a, b)`
    case firstTyped
    /// An element of its argument, or the argument itself: `max(list)`
    case element
    /// What an index takes from its first argument: `objectFrom:withIndex:(list, 1)`
    case member
    /// A list of elements of its argument: `mode(list)`
    case collection
    /// A number, or a list of them: `timeBetween(a, b, "months days")`
    case numberOrList
    /// A URI, data, a set or a dictionary
    case other
    /// What its last argument names: `CAST(x, "NSDate")`
    case castTarget
    /// Known when it is computed.
    case unknown
  }

  /// What a value may depend on besides the arguments.
  ///
  /// A function that depends on none may be computed wherever its arguments are known; all but
  /// chance stands still as long as a statement runs.
  public struct Circumstances: OptionSet, Sendable, Hashable {
    /// A bit for each.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The time: `now()`
    public static let clock = Circumstances(rawValue: 1)
    /// The time zone: `year(d)`
    public static let zone = Circumstances(rawValue: 2)
    /// Chance: `random()`
    public static let chance = Circumstances(rawValue: 4)
    /// The locale that was chosen for what is written: `format(d, "long")`
    public static let locale = Circumstances(rawValue: 8)
  }
}

extension PredicateFunction.Operands {
  /// Whether so many arguments will do.
  package func accept(_ count: Int) -> Bool {
    switch self {
    case .each(let kinds): count == kinds.count
    case .optional(let kinds, let least): (least...kinds.count).contains(count)
    case .list, .several: count >= 1
    }
  }

  /// What the argument at a place may be, from 0; nil where there is no such argument.
  ///
  /// The one argument of a function of lists may also be the list.
  public func kind(at place: Int) -> PredicateFunction.OperandKind? {
    switch self {
    case .each(let kinds), .optional(let kinds, from: _):
      kinds.indices.contains(place) ? kinds[place] : nil
    case .list(let kind), .several(let kind): kind
    }
  }
}

extension PredicateFunction {
  /// How many arguments it takes.
  public var arguments: Arguments {
    switch operands {
    case .each(let kinds): .exactly(kinds.count)
    case .optional(let kinds, let least): .between(least, kinds.count)
    case .list: .collection
    case .several: .atLeast(1)
    }
  }

  /// How many arguments a function takes.
  public enum Arguments: Sendable, Hashable {
    /// `now()`, `length(s)`, `modulus:by:(a, b)`
    case exactly(Int)
    /// `sum({1, 2})`, which is also `sum(1, 2)`
    case collection
    /// `concat(a, b, …)`
    case atLeast(Int)
    /// `format(d, "long")`, which also takes a locale
    case between(Int, Int)
  }
}

extension FunctionCall {
  /// Makes a call of a function.
  package init(
    _ function: PredicateFunction, _ arguments: [ExpressionTree], nameSpan: SourceSpan = .none
  ) {
    self.init(function.selector, arguments, nameSpan: nameSpan)
  }

  /// Whether it calls this function.
  package func calls(_ function: PredicateFunction) -> Bool { selector == function.selector }

  /// The function that it calls; nil where there is none.
  package var function: PredicateFunction? { .of(selector) }

  /// What it gives, as far as it shows.
  package var resultType: PredicateFunction.ResultType {
    guard let function else { return .unknown }
    guard function.result == .castTarget else { return function.result }
    guard case .constant(let name)? = arguments.last?.kind, case .string(let text) = name.value,
      let type = CastType(rawValue: text)
    else { return .unknown }
    return type.result
  }

  /// Whether its value depends on one of these besides its arguments.
  package func depends(on circumstances: PredicateFunction.Circumstances) -> Bool {
    !(function?.circumstances.isDisjoint(with: circumstances) ?? true)
  }
}
