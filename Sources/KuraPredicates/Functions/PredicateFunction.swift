public import Foundation
import KuraDiagnostics
public import KuraValues
import Synchronization

/// A function of the predicate language: how it is called, what it takes, gives and depends on,
/// what there is to say of it, and what it computes.
///
/// Parser, check, folding, help, completion and manual ask this value; no other list says anything
/// of a function. A class, for an evaluation finds it once for each row, and need not copy it.
public final class PredicateFunction: Sendable {
  /// What it computes of its arguments, which are as many as it takes.
  package typealias Body = @Sendable ([Value], EvaluationContext) throws(EvaluationFacts) -> Value

  /// What a `FunctionCall` carries: `sum:`, `add:to:`, `daysBetween`.
  public let selector: String
  /// What it may be called by, the usual name first: `average`, `average:`. None where only
  /// FUNCTION reaches it.
  public let names: [String]
  /// What it takes.
  public let operands: Operands
  /// What its value is, as far as that is known before it is computed.
  public let result: ResultType
  /// What its value depends on besides its arguments.
  public let circumstances: Circumstances
  /// One line of help.
  public let summary: String
  /// A call, `sum({1, 2, 3})`, and what it gives, `6`.
  public let example: (call: String, result: String)
  /// The least and the greatest number that it gives, where they are known: 1 and 12 for `month`.
  package let range: ClosedRange<Double>?
  /// Whether it is Kura's own, which no Apple platform has.
  public let isOwn: Bool
  /// What other languages call it, for the message where someone does.
  let foreignNames: [String]
  private let body: Body

  private init(
    _ selector: String, names: [String], _ operands: Operands, _ result: ResultType,
    _ summary: String, _ example: Example, isOwn: Bool, circumstances: Circumstances = [],
    foreignNames: [String] = [], range: ClosedRange<Double>? = nil, _ body: @escaping Body
  ) {
    self.selector = selector
    self.names = names
    self.operands = operands
    self.result = result
    self.circumstances = circumstances
    self.summary = summary
    self.example = example
    self.isOwn = isOwn
    self.foreignNames = foreignNames
    self.range = range
    self.body = body
  }
}

/// The name by which a function was known as long as its meaning stood elsewhere.
public typealias FunctionSignature = PredicateFunction

extension PredicateFunction {
  /// What it gives. Throws where it does not take so many arguments.
  package func value(
    of arguments: [Value], in context: EvaluationContext
  ) throws(EvaluationFacts) -> Value {
    guard operands.accept(arguments.count) else {
      throw .argumentCount(selector, arguments.count)
    }
    return try body(arguments, context)
  }

  /// Whether it makes one value of many: of a list or, in a fetch with groups, of a group.
  public var isAggregate: Bool { if case .list = operands { true } else { false } }
}

extension PredicateFunction: Hashable {
  /// Equal by selector.
  public static func == (a: PredicateFunction, b: PredicateFunction) -> Bool {
    a.selector == b.selector
  }

  /// Hashes the selector.
  public func hash(into hasher: inout Hasher) { hasher.combine(selector) }
}

// How the functions of this folder are written down.
extension PredicateFunction {
  typealias Example = (call: String, result: String)

  /// A function of NSExpression; the name without its colon is one too if it has one argument.
  static func apple(
    _ selector: String, _ operands: Operands, _ result: ResultType, _ summary: String,
    _ example: Example, _ body: @escaping Body
  ) -> PredicateFunction {
    let isShort = selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1
    let short = isShort ? [String(selector.dropLast())] : []
    return PredicateFunction(
      selector, names: short + [selector], operands, result, summary, example, isOwn: false, body)
  }

  /// A function of Kura's own.
  package static func own(
    _ name: String, _ operands: Operands, _ result: ResultType, _ summary: String,
    _ example: (call: String, result: String), _ body: @escaping Body
  ) -> PredicateFunction {
    PredicateFunction(
      name, names: [name], operands, result, summary, example, isOwn: true, body)
  }

  /// The same with further names.
  func called(_ others: String...) -> PredicateFunction { with(names: names + others) }

  /// The same without a name: only FUNCTION reaches it.
  var unnamed: PredicateFunction { with(names: []) }

  /// The same, which other languages call so.
  func knownElsewhere(as names: String...) -> PredicateFunction { with(foreignNames: names) }

  /// The same, whose value depends on these.
  package func depending(on circumstances: Circumstances) -> PredicateFunction {
    with(circumstances: circumstances)
  }

  /// The same, whose numbers are in a range.
  func within(_ range: ClosedRange<Double>) -> PredicateFunction { with(range: range) }

  private func with(
    names: [String]? = nil, circumstances: Circumstances? = nil, foreignNames: [String]? = nil,
    range: ClosedRange<Double>? = nil
  ) -> PredicateFunction {
    PredicateFunction(
      selector, names: names ?? self.names, operands, result, summary, example, isOwn: isOwn,
      circumstances: circumstances ?? self.circumstances,
      foreignNames: foreignNames ?? self.foreignNames, range: range ?? self.range, body)
  }
}

extension PredicateFunction {
  /// The body of a function of one argument that is nil for nil.
  static func unlessNil(
    _ body: @escaping @Sendable (Value, EvaluationContext) throws(EvaluationFacts) -> Value
  ) -> Body {
    { (arguments, context) throws(EvaluationFacts) in
      arguments[0].isNull ? .null : try body(arguments[0], context)
    }
  }
}

extension PredicateFunction {
  /// Adds a function of a program's own to the language, for all predicates of the process.
  ///
  ///     try PredicateFunction.register("distance", arguments: 2...2) { values in
  ///       .double(abs((values[0].doubleValue ?? 0) - (values[1].doubleValue ?? 0)))
  ///     }
  ///     try places.filter(by: "distance(x, 3) < 10")
  ///
  /// It is called for each object; an error that it throws becomes a diagnostic at the call. Linear
  /// in the greatest number of arguments. Throws a `FunctionNameError` for a name that is no
  /// identifier or that the language has itself; a function that was registered under the name
  /// before is replaced.
  public static func register(
    _ name: String, arguments: ClosedRange<Int>, summary: String = "",
    _ body: @escaping @Sendable ([Value]) throws -> Value
  ) throws(FunctionNameError) {
    guard name.isIdentifier, Keyword(word: name) == nil else {
      throw FunctionNameError(name: name, isTaken: false)
    }
    guard !isBuiltIn(name) else { throw FunctionNameError(name: name, isTaken: true) }
    let kinds = Array(repeating: OperandKind.any, count: Swift.max(arguments.upperBound, 0))
    // What it depends on nobody knows: so it is never computed once for all objects.
    let function = own(
      name, .optional(kinds, from: Swift.max(arguments.lowerBound, 0)), .unknown, summary, ("", "")
    ) { (values, _) throws(EvaluationFacts) in
      do { return try body(values) } catch { throw .failedFunction(name, "\(error)") }
    }.depending(on: [.chance, .clock, .zone, .locale])
    registered.withLock { $0[name.lowercased()] = function }
  }

  /// Takes a function of a program's own out of the language again.
  public static func unregister(_ name: String) {
    registered.withLock { $0[name.lowercased()] = nil }
  }

  private static let registered = Mutex<[String: PredicateFunction]>([:])

  /// The functions of a program's own, by their names.
  static var ownOfProgram: [PredicateFunction] {
    registered.withLock { $0.values.sorted { $0.selector < $1.selector } }
  }

  static func ownOfProgram(_ name: String) -> PredicateFunction? {
    registered.withLock { $0[name.lowercased()] }
  }
}

/// A name that no function of a program's own can have.
public struct FunctionNameError: Error, Sendable, CustomStringConvertible {
  /// The name.
  public let name: String
  /// Whether the language has a function of this name; else it is no identifier.
  public let isTaken: Bool

  /// `there is a function "sum" already`
  public var description: String {
    isTaken ? "there is a function \"\(name)\" already" : "\"\(name)\" is no name of a function"
  }
}

extension FunctionNameError: LocalizedError {
  /// What `description` says: for alerts and logs.
  public var errorDescription: String? { description }
}
