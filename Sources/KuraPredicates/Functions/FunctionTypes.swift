package import KuraDiagnostics
import KuraValues

extension PredicateFunction {
  /// The operands of a function.
  public enum Operands: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// Exactly one argument per operand: `now()`, `length(s)`, `modulus:by:(a, b)`
    case each([OperandKind])
    /// A list of such elements, or the elements as arguments: `sum({1, 2})`, `sum(1, 2)`
    case list(of: OperandKind)
    /// One or more arguments: `concat(a, b, …)`
    case several(OperandKind)
    /// One argument per operand; those after the first `from` are optional: `format(d, "d.M.")`
    case optional([OperandKind], from: Int)

    /// Creates operands with exactly one argument each.
    public init(arrayLiteral elements: OperandKind...) { self = .each(elements) }
  }

  /// The kind of an operand.
  public enum OperandKind: Sendable, Hashable {
    /// Any value.
    case any
    /// A number, with or without a fraction.
    case number
    /// A number without a fraction.
    case integer
    /// A string or a URI.
    case text
    /// A date, or a text that is a date.
    case date
    /// A list, a set or a dictionary.
    case collection
    /// One of these texts.
    case word(of: [String])
    /// A pattern for a date or number: `"yyyy-MM-dd"`, `"#,##0.00"`, `"long"`.
    case pattern
    /// The name of a locale: `"ja_JP"`.
    case locale
    /// The form of a text or number that is a date: `"MM/dd/yyyy"`, `"unix"`, `"milliseconds"`.
    case dateForm
  }

  /// The type of a function's result.
  public enum ResultType: Sendable, Hashable {
    /// `length(s)`
    case number
    /// A number; a decimal if the elements are decimals: `sum(list)`
    case numberLikeElements
    /// `trim(s)`
    case string
    /// `now()`
    case date
    /// YES or NO
    case boolean
    /// `uuid()`
    case uuid
    /// The type of its argument: `noindex(x)`
    case argument
    /// The type of the first argument whose type is known, other than a literal text: `coalesce(a,
    /// b)`
    case firstTyped
    /// An element of its argument, or the argument itself: `max(list)`
    case element
    /// An element of its first argument at an index or key: `objectFrom:withIndex:(list, 1)`
    case member
    /// A list of elements of its argument: `mode(list)`
    case collection
    /// A list of texts: `split(s, ",")`
    case strings
    /// A number, or a list of numbers: `timeBetween(a, b, "months days")`
    case numberOrList
    /// A URI, data, a set or a dictionary
    case other
    /// The type that its last argument names: `CAST(x, "NSDate")`
    case castTarget
    /// Unknown until it is computed.
    case unknown
  }

  /// The circumstances that a result depends on in addition to the arguments.
  ///
  /// A function without dependencies can be computed wherever its arguments are known. All of these
  /// except chance stay constant while a statement runs.
  public struct Circumstances: OptionSet, Sendable, Hashable {
    /// One bit per dependency.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The current time: `now()`
    public static let clock = Circumstances(rawValue: 1)
    /// The time zone: `year(d)`
    public static let zone = Circumstances(rawValue: 2)
    /// The random source: `random()`
    public static let chance = Circumstances(rawValue: 4)
    /// The chosen locale for output: `format(d, "long")`
    public static let locale = Circumstances(rawValue: 8)
    /// The other rows of the result: `rank()`
    public static let rows = Circumstances(rawValue: 16)
  }
}

extension PredicateFunction.Operands {
  /// Returns whether this number of arguments is valid.
  package func accept(_ count: Int) -> Bool {
    switch self {
    case .each(let kinds): count == kinds.count
    case .optional(let kinds, let least): (least...kinds.count).contains(count)
    case .list, .several: count >= 1
    }
  }

  /// Returns the kind of the argument at an index of a call with this number of arguments.
  ///
  /// With a form, a date can be any value: `date(n, "unix")`.
  package func kind(at place: Int, of count: Int) -> PredicateFunction.OperandKind? {
    place + 1 < count && kind(at: place + 1) == .dateForm ? .any : kind(at: place)
  }

  /// Returns the kind of the argument at an index; nil if there is no such argument.
  ///
  /// If a function of lists has one argument, that argument can also be the list.
  public func kind(at place: Int) -> PredicateFunction.OperandKind? {
    switch self {
    case .each(let kinds), .optional(let kinds, from: _):
      kinds.indices.contains(place) ? kinds[place] : nil
    case .list(let kind), .several(let kind): kind
    }
  }
}

extension PredicateFunction {
  /// The number of arguments.
  public var arguments: Arguments {
    switch operands {
    case .each(let kinds): .exactly(kinds.count)
    case .optional(let kinds, let least): .between(least, kinds.count)
    case .list: .collection
    case .several: .atLeast(1)
    }
  }

  /// The number of arguments of a function.
  public enum Arguments: Sendable, Hashable {
    /// `now()`, `length(s)`, `modulus:by:(a, b)`
    case exactly(Int)
    /// `sum({1, 2})`, which is also `sum(1, 2)`
    case collection
    /// `concat(a, b, …)`
    case atLeast(Int)
    /// `format(d, "long")`, which also accepts a locale
    case between(Int, Int)
  }
}

extension FunctionCall {
  /// Creates a call of a function.
  package init(
    _ function: PredicateFunction, _ arguments: [ExpressionTree], nameSpan: SourceSpan = .none
  ) {
    self.init(function.selector, arguments, nameSpan: nameSpan)
  }

  /// Creates a call of a built-in function.
  package init(
    _ builtIn: BuiltInFunction, _ arguments: [ExpressionTree], nameSpan: SourceSpan = .none
  ) {
    self.init(builtIn.entry, arguments, nameSpan: nameSpan)
  }

  /// The function that it calls; nil if there is no such function.
  package var function: PredicateFunction? { builtIn?.entry ?? .custom(selector) }

  /// The type of its result, as far as it is known.
  package var resultType: PredicateFunction.ResultType {
    guard let function else { return .unknown }
    guard function.result == .castTarget else { return function.result }
    guard case .constant(let name)? = arguments.last?.kind, case .string(let text) = name.value,
      let type = CastType(text)
    else { return .unknown }
    return type.result
  }

  /// Returns whether its value depends on one of these in addition to its arguments.
  package func depends(on circumstances: PredicateFunction.Circumstances) -> Bool {
    !(function?.circumstances.isDisjoint(with: circumstances) ?? true)
  }
}
