public import Foundation
import KuraDiagnostics
public import KuraValues
import Synchronization

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
