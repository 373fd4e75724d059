package import KuraDiagnostics
import KuraSentences
package import KuraValues
import Synchronization

/// Counts values that an operator does not accept as nil, for JSON whose rows have different types.
///
/// Without it, the evaluation fails at such a value.
package struct OtherKinds: Sendable {
  private let list: List?
  /// The text of the statement, for the warning.
  package var source: SourceText?

  private final class List: Sendable {
    let found = Mutex(Found())
  }

  private struct Found {
    var places: [SourceSpan: Place] = [:]
    /// The number of values; one object can have several.
    var count = 0
    var source: SourceText?
  }

  /// An operator that did not accept a value: the first object with such a value, and all of them.
  private struct Place {
    var error: EvaluationError
    var first: ObjectID?
    var objects: Set<ObjectID> = []

    mutating func add(_ error: EvaluationError, in object: ObjectID?) {
      guard let object else { return }
      objects.insert(object)
      // Keep the lowest number, so that the result does not depend on the order of the cores.
      if object.number < first?.number ?? .max { (self.error, first) = (error, object) }
    }
  }

  /// Creates a list that collects the values.
  package init() { list = List() }

  /// Treats the values as nil, and does not collect them.
  package static let uncollected = OtherKinds(list: nil)

  private init(list: List?) { self.list = list }
}

extension OtherKinds {
  /// Adds a value that the operator at `span` did not accept, and the object that has the value.
  package func note(_ error: EvaluationError, at span: SourceSpan, in object: ObjectID?) {
    guard let list else { return }
    list.found.withLock { found in
      found.source = source
      found.count += 1
      // In place: a copy of the set for each object would take quadratic time.
      found.places[span, default: Place(error: error, first: object)].add(error, in: object)
    }
  }

  /// The number of values that were noted; nil if they are not collected.
  package var count: Int? { list?.found.withLock { $0.count } }

  /// Returns one warning per operator that did not accept a value, and clears the list. Operators
  /// with equal sentences share one warning.
  package func takeWarnings() -> [Diagnostic] {
    guard let list else { return [] }
    return list.found.withLock { found in
      defer { found.places = [:] }
      var said: Set<String> = []
      let places = found.places.sorted { ($0.key.start, $0.key.end) < ($1.key.start, $1.key.end) }
      return places.compactMap { span, place in
        let others = max(0, place.objects.count - 1)
        let facts = OtherKindsCounted(error: place.error, object: place.first, others: others)
        var warning = Diagnostic(facts, at: span, severity: .warning)
        warning.source = found.source
        return said.insert(facts.sentence).inserted ? warning : nil
      }
    }
  }
}

/// The warning `LIKE compares strings, but this is an integer, in Note/2 and 4 other objects; such a
/// value counts as nil`.
private struct OtherKindsCounted: DiagnosticFacts {
  let error: EvaluationError
  let object: ObjectID?
  let others: Int

  var sentence: String {
    switch (object, others) {
    case (let object?, 0): localized("\(error.sentence), in \(object); the value counts as nil")
    case (let object?, 1):
      localized("\(error.sentence), in \(object) and 1 other object; such a value counts as nil")
    case (let object?, _):
      localized(
        "\(error.sentence), in \(object) and \(others) other objects; such a value counts as nil")
    case (nil, _): localized("\(error.sentence); the value counts as nil")
    }
  }

  /// The error's help; nil for a list in an aggregate, where the advice to add elements is useless.
  var help: String? { error == .notANumber(.list) ? nil : error.help }
  var kind: Diagnostic.Kind { error.kind }
}

extension EvaluationError {
  /// Whether an index is beyond the end of a list. Lists in JSON have different lengths.
  var isAfterEnd: Bool { if case .indexOutOfRange(0..., _) = self { true } else { false } }

  /// Whether an operator did not accept the kind of a value. Nil, and text that cannot be read, do
  /// not count.
  var isAboutKind: Bool {
    switch self {
    case .notText(_, let kind), .notACollection(_, let kind), .noContainer(_, let kind),
      .notANumber(let kind), .wrongArgument(_, let kind), .cannotCast(let kind, _),
      .noTruth(let kind), .badIndex(let kind), .keyOfScalar(_, let kind):
      kind != .null
    case .unordered, .notAnInteger, .notTwoBounds(nil): true
    case .notTwoBounds, .divisionByZero, .overflow, .badPattern, .matchLimit, .badDate,
      .unboundVariable, .noKey, .unreadableKey, .unknownOperator, .operatorNeedsKey,
      .indexOutOfRange, .indexAfterDot, .unknownFunction, .unknownSelector, .argumentCount,
      .unreadableNumber, .unreadableText, .failedFunction, .notPositive, .notInRange, .unknownType,
      .unknownUnit, .badFormat, .unsupported, .outsideSelect, .tooLarge, .overTime, .stopped:
      false
    }
  }
}
