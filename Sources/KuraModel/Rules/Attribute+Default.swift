import Foundation
import KuraDiagnostics
package import KuraPredicates
package import KuraValues

extension Attribute {
  /// Whether objects that are given nothing have something.
  package var hasDefault: Bool { defaultValue != nil || defaultExpression != nil }

  /// What a new object has that was given nothing; nil where there is no default.
  ///
  /// An expression is computed by the call: two objects have two moments, or two UUIDs.
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

/// Why a default gives no value.
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
  /// What in a default no new object has: a key, a variable, a fetch.
  var partOfAnObject: ExpressionTree? {
    first { tree in
      switch tree.kind {
      case .keyPath(let path): return path.base == nil
      case .evaluatedObject, .variable, .fetch, .anyKey, .objectOrQuotient: return true
      case .constant, .function, .message, .index, .indexAfterDot, .aggregate, .subquery, .ternary,
        .setOperation, .assignment, .predicate:
        return false
      }
    }
  }
}
