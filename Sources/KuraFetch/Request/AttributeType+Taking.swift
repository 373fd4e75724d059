import Foundation
package import KuraDiagnostics
package import KuraModel
import KuraPredicates
package import KuraValues

extension AttributeType {
  /// A computed value as this type: `3` as a double, a variable's string as a date.
  package func taking(
    _ value: Value, in environment: FetchEnvironment, at span: SourceSpan? = nil
  ) throws(Diagnostic) -> Value {
    if holds(value) { return value }
    do {
      if case .decimal(let number) = value, isNumeric {
        return try self.value(ofDigits: number.description)
      }
      return try self.value(
        of: Constant(value), in: environment.rules, from: .person(now: environment.now))
    } catch {
      throw Diagnostic(error, at: span)
    }
  }
}
