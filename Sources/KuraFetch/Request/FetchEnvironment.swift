package import Foundation
package import KuraBytes
package import KuraDiagnostics
import KuraPredicates
package import KuraValues

/// What a statement knows besides the graph: one for a whole statement.
package struct FetchEnvironment: Sendable {
  /// What `$name` means.
  package var variables: [String: Value]
  /// What `now()` gives.
  package var now: Timestamp
  /// Where date literals are read and dates have a day.
  package var rules: ZoneRules
  /// What `[l]` goes by.
  package var locale: Locale
  /// The statement's text, to see how a word was spelled; nil for a request that was built.
  package var source: SourceText?
  /// Who asks for it ends the fetch.
  package var cancel: CancelFlag

  package init(
    variables: [String: Value] = [:], now: Timestamp, rules: ZoneRules = .utc,
    locale: Locale = Locale(identifier: "en_US_POSIX"), source: SourceText? = nil,
    cancel: CancelFlag = .current
  ) {
    self.variables = variables
    self.now = now
    self.rules = rules
    self.locale = locale
    self.source = source
    self.cancel = cancel
  }

  /// What the reference evaluator is told: in a fetch arithmetic over nil is nil.
  var evaluation: EvaluationContext {
    EvaluationContext(
      variables: variables, now: now, zone: rules, locale: locale, nilArithmeticIsNil: true,
      lenientOrdering: true, cancel: cancel)
  }
}
