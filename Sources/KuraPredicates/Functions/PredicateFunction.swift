public import Foundation
import KuraDiagnostics
public import KuraValues
import Synchronization

/// A function of the predicate language, with its names, operands, result, dependencies,
/// documentation and implementation.
///
/// Parser, checker, constant folding, help, completion and manual all use this value, the only
/// description of a function. It is a class because an evaluation looks it up for each row and
/// should not copy it.
public final class PredicateFunction: Sendable {
  /// Computes the result from a valid number of arguments.
  package typealias Body = @Sendable ([Value], EvaluationContext) throws(EvaluationError) -> Value

  /// The case of a built-in function; nil for a custom function.
  package let builtIn: BuiltInFunction?
  /// The selector that a `FunctionCall` contains: `sum:`, `add:to:`, `daysBetween`.
  public let selector: String
  /// The names for calls, the usual one first: `average`, `average:`. Empty if only FUNCTION can
  /// call it.
  public let names: [String]
  /// The operands.
  public let operands: Operands
  /// The type of the result, as far as it is known before evaluation.
  public let result: ResultType
  /// The circumstances that the result depends on in addition to the arguments.
  public let circumstances: Circumstances
  /// A one-line description for the help.
  public let summary: String
  /// An example call, such as `sum({1, 2, 3})`, and its result, `6`.
  public let example: (call: String, result: String)
  /// The range of its results, if known: 1 to 12 for `month`.
  package let range: ClosedRange<Double>?
  /// Whether it is Kura's own, and does not exist on Apple platforms.
  public let isOwn: Bool
  /// Whether its first argument, a list, can be the values of a group, as in `joined(title, ", ")`.
  package let takesGroups: Bool
  /// Its names in other languages, for error messages.
  let foreignNames: [String]
  private let body: Body

  private init(
    _ builtIn: BuiltInFunction?, _ selector: String, names: [String], _ operands: Operands,
    _ result: ResultType,
    _ summary: String, _ example: Example, isOwn: Bool, takesGroups: Bool = false,
    circumstances: Circumstances = [], foreignNames: [String] = [],
    range: ClosedRange<Double>? = nil, _ body: @escaping Body
  ) {
    self.builtIn = builtIn
    self.selector = selector
    self.names = names
    self.operands = operands
    self.result = result
    self.circumstances = circumstances
    self.summary = summary
    self.example = example
    self.isOwn = isOwn
    self.takesGroups = takesGroups
    self.foreignNames = foreignNames
    self.range = range
    self.body = body
  }
}

/// The former name of the type.
public typealias FunctionSignature = PredicateFunction

extension PredicateFunction {
  /// Returns the result. Throws if the number of arguments is invalid.
  package func value(
    of arguments: [Value], in context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    guard operands.accept(arguments.count) || isWindow else {
      throw .argumentCount(selector, arguments.count)
    }
    return try body(arguments, context)
  }

  /// Whether it combines many values into one: the values of a list or, in a fetch with groups, of
  /// a group.
  public var isAggregate: Bool { if case .list = operands { true } else { false } }

  /// Whether it combines a list, or the values of a group, into one value.
  package var summarizes: Bool { isAggregate || takesGroups }
}

extension PredicateFunction: Hashable {
  /// Returns whether both have the same selector.
  public static func == (a: PredicateFunction, b: PredicateFunction) -> Bool {
    a === b || a.selector == b.selector
  }

  /// Hashes the selector.
  public func hash(into hasher: inout Hasher) { hasher.combine(selector) }
}

// Builders for the functions in this folder
extension PredicateFunction {
  typealias Example = (call: String, result: String)

  /// Creates a function of NSExpression. If it has one argument, the name without its colon is
  /// valid too.
  static func apple(
    _ builtIn: BuiltInFunction, _ selector: String, _ operands: Operands, _ result: ResultType,
    _ summary: String, _ example: Example, _ body: @escaping Body
  ) -> PredicateFunction {
    let isShort = selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1
    let short = isShort ? [String(selector.dropLast())] : []
    return PredicateFunction(
      builtIn, selector, names: short + [selector], operands, result, summary, example,
      isOwn: false, body)
  }

  /// Creates a function of Kura; nil creates a custom function.
  package static func own(
    _ builtIn: BuiltInFunction?, _ name: String, _ operands: Operands, _ result: ResultType,
    _ summary: String, _ example: (call: String, result: String), _ body: @escaping Body
  ) -> PredicateFunction {
    PredicateFunction(
      builtIn, name, names: [name], operands, result, summary, example, isOwn: true, body)
  }

  /// Returns the function with additional names.
  func called(_ others: String...) -> PredicateFunction { with(names: names + others) }

  /// Returns the function without a name; only FUNCTION can call it.
  var unnamed: PredicateFunction { with(names: []) }

  /// Returns the function with its names in other languages.
  func knownElsewhere(as names: String...) -> PredicateFunction { with(foreignNames: names) }

  /// Returns the function with its dependencies.
  package func depending(on circumstances: Circumstances) -> PredicateFunction {
    with(circumstances: circumstances)
  }

  /// Returns the function with the range of its results.
  func within(_ range: ClosedRange<Double>) -> PredicateFunction { with(range: range) }

  /// The same function; its list can also be the values of a group.
  var ofGroups: PredicateFunction { with(takesGroups: true) }

  private func with(
    names: [String]? = nil, takesGroups: Bool? = nil, circumstances: Circumstances? = nil,
    foreignNames: [String]? = nil, range: ClosedRange<Double>? = nil
  ) -> PredicateFunction {
    PredicateFunction(
      builtIn, selector, names: names ?? self.names, operands, result, summary, example,
      isOwn: isOwn,
      takesGroups: takesGroups ?? self.takesGroups,
      circumstances: circumstances ?? self.circumstances,
      foreignNames: foreignNames ?? self.foreignNames, range: range ?? self.range, body)
  }
}

extension PredicateFunction {
  /// Creates the body of a function of one argument, which returns nil for nil.
  static func unlessNil(
    _ body: @escaping @Sendable (Value, EvaluationContext) throws(EvaluationError) -> Value
  ) -> Body {
    { (arguments, context) throws(EvaluationError) in
      arguments[0].isNull ? .null : try body(arguments[0], context)
    }
  }
}

extension PredicateFunction {
  /// Registers a custom function for all predicates of the process.
  ///
  ///     try PredicateFunction.register("distance", arguments: 2...2) { values in
  ///       .double(abs((values[0].doubleValue ?? 0) - (values[1].doubleValue ?? 0)))
  ///     }
  ///     try places.filter(by: "distance(x, 3) < 10")
  ///
  /// The function is called for each object; an error that it throws becomes a diagnostic at the
  /// call. A function that was registered under the same name is replaced. Linear in the maximum
  /// number of arguments. Throws a `FunctionNameError` if the name is not an identifier, or belongs
  /// to a built-in function.
  public static func register(
    _ name: String, arguments: ClosedRange<Int>, summary: String = "",
    _ body: @escaping @Sendable ([Value]) throws -> Value
  ) throws(FunctionNameError) {
    guard name.isIdentifier, Keyword(word: name) == nil else {
      throw FunctionNameError(name: name, isTaken: false)
    }
    guard !isBuiltIn(name) else { throw FunctionNameError(name: name, isTaken: true) }
    let kinds = Array(repeating: OperandKind.any, count: Swift.max(arguments.upperBound, 0))
    // Its dependencies are unknown, so it is never computed once for all objects.
    let function = own(
      nil, name, .optional(kinds, from: Swift.max(arguments.lowerBound, 0)), .unknown, summary,
      ("", "")
    ) { (values, _) throws(EvaluationError) in
      do { return try body(values) } catch { throw .failedFunction(name, "\(error)") }
    }.depending(on: [.chance, .clock, .zone, .locale])
    registered.withLock { $0[name.lowercased()] = function }
  }

  /// Removes a custom function from the language.
  public static func unregister(_ name: String) {
    registered.withLock { $0[name.lowercased()] = nil }
  }

  private static let registered = Mutex<[String: PredicateFunction]>([:])

  /// The registered functions, sorted by selector.
  static var ownOfProgram: [PredicateFunction] {
    registered.withLock { $0.values.sorted { $0.selector < $1.selector } }
  }

  static func ownOfProgram(_ name: String) -> PredicateFunction? {
    registered.withLock { $0[name.lowercased()] }
  }
}

/// A name that a custom function cannot have.
public struct FunctionNameError: Error, Sendable, CustomStringConvertible {
  /// The name.
  public let name: String
  /// Whether the name belongs to a built-in function. Otherwise it is not an identifier.
  public let isTaken: Bool

  /// `the function "sum" already exists`
  public var description: String {
    isTaken
      ? "the function \"\(name)\" already exists" : "\"\(name)\" is not a valid function name"
  }
}

extension FunctionNameError: LocalizedError {
  /// The `description`, for alerts and logs.
  public var errorDescription: String? { description }
}
