import Foundation
import KuraDiagnostics
package import KuraPredicates
package import KuraValues

extension Attribute {
  package var hasDefault: Bool { defaultValue != nil || defaultExpression != nil }

  /// Returns the default of a new object; nil if there is none.
  ///
  /// An expression is computed at each call, so that two objects have different moments or UUIDs.
  package func newValue(in context: EvaluationContext) throws(DefaultFailure) -> Value? {
    guard let tree = defaultExpression else { return defaultValue }
    let value: Value
    do { value = try tree.evaluate(on: .null, in: context) } catch {
      throw .failed(error.facts.sentence)
    }
    if value.isNull || type.holds(value) { return value.isNull ? nil : value }
    do throws(ValueMismatch) {
      if case .decimal(let number) = value, type.isNumeric {
        return try type.value(ofDigits: number.description)
      }
      return try type.value(of: Constant(value), in: context.zone)
    } catch { throw .mismatch(error) }
  }
}

/// A reason why a default has no value.
package enum DefaultFailure: Error, Sendable, Hashable {
  /// `= 1 / 0`
  case failed(String)
  /// `created: date = random()`
  case mismatch(ValueMismatch)

  package var sentence: String {
    switch self {
    case .failed(let sentence): sentence
    case .mismatch(let mismatch): mismatch.sentence
    }
  }
}

extension ExpressionTree {
  /// The first part of a default that needs an object: a key, a variable or a fetch.
  var partOfAnObject: ExpressionTree? {
    first { tree in
      switch tree.kind {
      case .keyPath(let path): return path.base == nil
      case .evaluatedObject, .variable, .fetch, .anyKey, .objectOrQuotient: return true
      case .constant, .function, .message, .index, .indexAfterDot, .aggregate, .subquery, .mapped,
        .ternary, .setOperation, .assignment, .predicate:
        return false
      }
    }
  }
}
