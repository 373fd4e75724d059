package import Foundation
package import KuraBytes
package import KuraChecking
package import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
package import KuraValues
import Synchronization

/// What a statement knows besides the graph: one for a whole statement.
package struct FetchEnvironment: Sendable {
  /// What `$name` means.
  package var variables: [String: Value]
  /// The predicates that `$name` means.
  package var predicates: [String: NamedPredicate] = [:]
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
  /// By which `year(d)`, `month(d)` and `day(d)` count; nil: the Gregorian one.
  package var calendar: Calendar.Identifier?
  /// Where `random()` takes its bits from.
  package var random: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  /// In which `format` writes where it is told no other; nil: none was chosen.
  package var writtenLocale: Locale?
  /// The statement's text, to see how a word was spelled; nil for a request that was built.
  package var source: SourceText?
  /// Who hears of what is perhaps not meant; nil: nobody.
  package var warnings: WarningList?
  /// The hash tables of SUBQUERYs over nested fetches.
  let subqueries = SubqueryIndexes()
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
    warnings: WarningList? = nil, cancel: CancelFlag = .current, progress: WorkProgress = .none
  ) {
    self.variables = variables
    self.entities = entities
    self.lastFetch = lastFetch
    self.now = now
    self.rules = rules
    self.locale = locale
    self.source = source
    self.warnings = warnings
    self.cancel = cancel
    self.progress = progress
  }

  /// What the reference evaluator is told where no data is asked.
  fileprivate var evaluationWithoutFetches: EvaluationContext {
    var context = EvaluationContext(
      variables: variables, now: now, zone: rules, locale: locale, nilArithmeticIsNil: true,
      lenientOrdering: true, random: random, cancel: cancel)
    (context.writtenLocale, context.calendar) = (writtenLocale, calendar)
    return context
  }

  /// What the reference evaluator is told: in a fetch arithmetic over nil is nil.
  var evaluation: EvaluationContext {
    var context = evaluationWithoutFetches
    context.fetches = snapshot.map { NestedFetches(snapshot: $0, environment: self) }
    context.subqueries = subqueries
    return context
  }

  /// The same outside a fetch, where arithmetic over nil is an error.
  var evaluationOutsideFetch: EvaluationContext {
    var evaluation = evaluation
    evaluation.nilArithmeticIsNil = false
    return evaluation
  }
}

/// What a statement asks and perhaps does not mean, each once.
package final class WarningList: Sendable {
  private let noted = Mutex<[Diagnostic]>([])

  package init() {}

  func note(_ problems: some Sequence<Diagnostic>, in source: SourceText?) {
    for var problem in problems where problem.severity == .warning {
      problem.source = problem.source ?? source
      noted.withLock { noted in
        let isKnown = noted.contains {
          $0.span == problem.span && $0.facts.sentence == problem.facts.sentence
        }
        if !isKnown { noted.append(problem) }
      }
    }
  }

  /// What was noted, which is forgotten then.
  package func take() -> [Diagnostic] {
    noted.withLock { noted in
      defer { noted = [] }
      return noted
    }
  }
}

/// What a statement knows, behind one reference: who checks, plans and runs it copies none of it.
final class SharedEnvironment: Sendable {
  let environment: FetchEnvironment
  /// The same for the check, which knows no data.
  let checking: CheckContext

  init(_ environment: FetchEnvironment, _ model: Model) {
    self.environment = environment
    var checking = CheckContext(
      model, evaluation: environment.evaluationWithoutFetches, entities: environment.entities,
      lastEntity: environment.lastFetch?.entity, source: environment.source)
    checking.predicates = environment.predicates
    self.checking = checking
  }
}
