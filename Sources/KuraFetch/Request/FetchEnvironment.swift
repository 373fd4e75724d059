package import Foundation
package import KuraBytes
package import KuraDiagnostics
import KuraGraph
import KuraPredicates
package import KuraValues

/// What a statement knows besides the graph: one for a whole statement.
package struct FetchEnvironment: Sendable {
  /// What `$name` means.
  package var variables: [String: Value]
  /// The entity of the objects in a variable, which an empty collection does not say itself.
  package var entities: [String: String]
  /// What `_` means: the objects of the last fetch, and their entity.
  package var lastFetch: LastFetch?
  /// What `now()` gives.
  package var now: Timestamp
  /// Where date literals are read and dates have a day.
  package var rules: ZoneRules
  /// What `[l]` goes by.
  package var locale: Locale
  /// The statement's text, to see how a word was spelled; nil for a request that was built.
  package var source: SourceText?
  /// The graph that fetches in brackets ask.
  var snapshot: GraphSnapshot?
  /// Who asks for it ends the fetch.
  package var cancel: CancelFlag
  /// Who watches a long scan.
  package var progress: WorkProgress

  package init(
    variables: [String: Value] = [:], entities: [String: String] = [:],
    lastFetch: LastFetch? = nil, now: Timestamp, rules: ZoneRules = .utc,
    locale: Locale = Locale(identifier: "en_US_POSIX"), source: SourceText? = nil,
    cancel: CancelFlag = .current, progress: WorkProgress = .none
  ) {
    self.variables = variables
    self.entities = entities
    self.lastFetch = lastFetch
    self.now = now
    self.rules = rules
    self.locale = locale
    self.source = source
    self.cancel = cancel
    self.progress = progress
  }

  /// What the reference evaluator is told: in a fetch arithmetic over nil is nil.
  var evaluation: EvaluationContext {
    var context = EvaluationContext(
      variables: variables, now: now, zone: rules, locale: locale, nilArithmeticIsNil: true,
      lenientOrdering: true, cancel: cancel)
    context.fetches = snapshot.map { NestedFetches(snapshot: $0, environment: self) }
    return context
  }

  /// The same outside a fetch, where arithmetic over nil is an error.
  var evaluationOutsideFetch: EvaluationContext {
    var evaluation = evaluation
    evaluation.nilArithmeticIsNil = false
    return evaluation
  }
}
