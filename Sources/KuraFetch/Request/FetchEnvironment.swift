package import Foundation
package import KuraBytes
package import KuraChecking
package import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
package import KuraValues
import Synchronization

/// The input of a statement besides the graph; one per statement.
package struct FetchEnvironment: Sendable {
  package var variables: [String: Value]
  /// The variable that names the evaluated object in nested fetches.
  var objectName: String?
  /// The variables that have elements or objects of the surrounding fetch.
  var elementVariables: Set<String> = []
  /// The named predicates.
  package var predicates: [String: NamedPredicate] = [:]
  /// The entities of the objects in variables, for empty collections.
  package var entities: [String: String]
  /// The value of `_`: the objects of the last fetch, and their entity.
  package var lastFetch: LastFetch?
  /// The value of `now()`.
  package var now: Timestamp
  /// The zone of date literals and calendar days.
  package var rules: ZoneRules
  /// The locale of `[l]`.
  package var locale: Locale
  /// The calendar of `year(d)`, `month(d)` and `day(d)`; nil for the Gregorian one.
  package var calendar: Calendar.Identifier?
  /// The source of bits for `random()`.
  package var random: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  /// The default locale of `format`; nil if none was chosen.
  package var writtenLocale: Locale?
  /// The statement's text, for the spelling of words; nil for a request built in code.
  package var source: SourceText?
  /// Collects warnings about probable mistakes; nil ignores them.
  package var warnings: WarningList?
  /// Whether JSON of a kind that an operator does not accept counts as nil. True for queries, false for values to
  /// store.
  var takesOtherKinds = true
  /// The tables for `fetch Category.items`; nil if there are none.
  package var elements: ElementTables?
  /// The hash tables of SUBQUERYs over nested fetches.
  let subqueries = SubqueryIndexes()
  /// A mode of the engine that a test forces; nil for none.
  var forced: ForcedMode?
  /// The graph for nested fetches.
  var snapshot: GraphSnapshot?
  package var cancel: CancelFlag
  /// Reports the progress of a long scan.
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

  /// The reference evaluator's context without data.
  fileprivate var evaluationWithoutFetches: EvaluationContext {
    var context = EvaluationContext(
      variables: variables, now: now, zone: rules, locale: locale, nilArithmeticIsNil: true,
      lenientOrdering: true, random: random, cancel: cancel)
    context.elementVariables = elementVariables
    (context.writtenLocale, context.calendar) = (writtenLocale, calendar)
    return context
  }

  /// The reference evaluator's context in a fetch, in which arithmetic with nil is nil.
  var evaluation: EvaluationContext {
    var context = evaluationWithoutFetches
    context.fetches = snapshot.map { NestedFetches(snapshot: $0, environment: self) }
    context.subqueries = subqueries
    context.objectName = objectName
    return context
  }

  /// The context for the objects of a fetch. If the model has JSON, values of a kind that an operator does not accept
  /// are collected for a warning.
  var evaluationOfObjects: EvaluationContext {
    var context = evaluation
    if takesOtherKinds, snapshot?.graph.layout.hasJSON == true {
      context.otherKinds = warnings?.otherKinds ?? .uncollected
      context.otherKinds?.source = source
    }
    return context
  }

  /// The environment of values to store, in which JSON of a kind that an operator does not accept is an error.
  var ofStoredValues: FetchEnvironment {
    var result = self
    result.takesOtherKinds = false
    return result
  }

  /// The context outside a fetch, in which arithmetic with nil is an error.
  var evaluationOutsideFetch: EvaluationContext {
    var evaluation = evaluation
    evaluation.nilArithmeticIsNil = false
    return evaluation
  }
}

/// Warnings about probable mistakes in a statement, each once.
package final class WarningList: Sendable {
  private let noted = Mutex<[Diagnostic]>([])
  /// Values of kinds that operators do not accept.
  let otherKinds = OtherKinds()

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

  /// Returns and removes the warnings.
  package func take() -> [Diagnostic] {
    let counted = otherKinds.takeWarnings()
    return noted.withLock { noted in
      defer { noted = [] }
      // Another warning about the same place gives the reason.
      return noted + counted.filter { other in !noted.contains { $0.overlaps(other) } }
    }
  }
}

extension Diagnostic {
  fileprivate func overlaps(_ other: Diagnostic) -> Bool {
    guard let span, let place = other.span else { return false }
    return span.start < place.end && place.start < span.end
  }
}

/// A shared reference to the environment, which avoids copies in checking, planning and running.
final class SharedEnvironment: Sendable {
  let environment: FetchEnvironment
  /// The context of the check, without data.
  let checking: CheckContext

  init(_ environment: FetchEnvironment, _ model: Model) {
    self.environment = environment
    var checking = CheckContext(
      model, evaluation: environment.evaluationWithoutFetches, entities: environment.entities,
      lastEntity: environment.lastFetch?.entity, source: environment.source)
    checking.predicates = environment.predicates
    if let elements = environment.elements, let snapshot = environment.snapshot {
      checking.elements = { path in try? elements.snapshot(snapshot, with: path).graph.model }
    }
    self.checking = checking
  }

  /// The environment in which a value of a kind that an operator does not accept is an error.
  var ofStrictKinds: SharedEnvironment {
    SharedEnvironment(environment.ofStoredValues, checking.model)
  }
}

extension FetchEnvironment {
  /// Returns the source text at a span; nil if there is none, or if it is the name of a predicate.
  func written(_ span: SourceSpan) -> String? {
    guard span != .none, let text = source?.text(span), !text.isEmpty,
      predicates[String(text.dropFirst())] == nil
    else { return nil }
    return text
  }

  /// Returns an expression as written.
  func text(of tree: ExpressionTree) -> String { written(tree.span) ?? tree.expressionFormat }
}
