import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraValues

/// The statements of scripts that have changed objects since the last save, so that a save can name
/// the statement that broke a rule.
///
/// The changes are shared with the history and cost nothing more. For an object that was inserted
/// alone, as many scripts do it, only the number is stored.
struct ChangeTrace {
  private var steps: [Step] = []
  /// The number of steps after the last pruning.
  private var pruned = 0

  private struct Step {
    var place: Place
    var change: Change
  }

  private enum Place {
    case statement(StatementPlace)
    /// The same span in each of several lines.
    case lines(RepeatedLines, SourceSpan)
  }

  fileprivate enum Change {
    /// Objects that were inserted alone, by one statement or by one line each.
    case inserted(Range<Int64>, of: String)
    case any(ChangeSet)
    /// The rest of another change: its objects, and which of their keys.
    case touched([TouchedKeys])
  }

  /// Objects with the keys that were changed; nil for inserted and deleted objects.
  fileprivate typealias TouchedKeys = (entity: String, numbers: [Int64], keys: Set<String>?)
}

extension ChangeTrace {
  var count: Int { steps.count }

  /// Adds a change by a statement of a named text; statements that were typed are not traced.
  mutating func add(_ change: ChangeSet, at place: StatementPlace) {
    guard place.source.name != nil else { return }
    steps.append(Step(place: .statement(place), change: Change(change)))
  }

  /// Adds objects that lines have inserted, one each.
  mutating func add(
    _ numbers: Range<Int64>, of entity: String, at span: SourceSpan, in lines: RepeatedLines
  ) {
    guard lines.text.name != nil else { return }
    steps.append(Step(place: .lines(lines, span), change: .inserted(numbers, of: entity)))
  }

  mutating func keepFirst(_ count: Int) {
    steps.removeLast(max(0, steps.count - count))
  }

  mutating func removeAll() { self = ChangeTrace() }
}

extension ChangeTrace.Change {
  fileprivate init(_ change: ChangeSet) {
    self = .any(change)
    guard change.updated.isEmpty, change.deleted.isEmpty, change.inserted.count == 1,
      change.inserted[0].numbers.count == 1
    else { return }
    let number = change.inserted[0].numbers[0]
    self = .inserted(number..<number + 1, of: change.inserted[0].entity)
  }

  fileprivate var objects: [ChangeTrace.TouchedKeys] {
    switch self {
    case .inserted(let numbers, let entity): [(entity, Array(numbers), nil)]
    case .any(let change):
      (change.inserted + change.deleted).map { ($0.entity, $0.numbers, nil) }
        + change.updated.map { ($0.entity, $0.numbers, Set($0.columns.map(\.key))) }
    case .touched(let objects): objects
    }
  }
}

// Pruning
extension ChangeTrace {
  /// The number of new steps from which pruning is worth its time.
  private static let leastPruned = 4096

  /// Removes steps that are no longer needed, if there are many new ones: steps whose objects are
  /// gone, or whose keys a later step has changed too. The first steps stay, because a scratch
  /// context counts them.
  mutating func prune(after first: Int, in graph: Graph) {
    guard steps.count - first >= 2 * pruned + Self.leastPruned else { return }
    var later = LaterKeys(graph)
    let needed = steps[first...].reversed().compactMap { step -> Step? in
      let objects = later.missing(step.change.objects)
      guard !objects.isEmpty else { return nil }
      guard case .any = step.change else { return step }
      return Step(place: step.place, change: .touched(objects))
    }
    steps.replaceSubrange(first..., with: needed.reversed())
    pruned = steps.count - first
  }
}

/// The keys of objects that later steps have changed.
private struct LaterKeys {
  private let graph: Graph
  private var keys: [ObjectID: Set<String>] = [:]
  /// The objects that were inserted or deleted later.
  private var whole: Set<ObjectID> = []

  init(_ graph: Graph) { self.graph = graph }

  /// Returns the objects of an earlier step that exist and whose keys are not all changed by later
  /// steps.
  mutating func missing(_ objects: [ChangeTrace.TouchedKeys]) -> [ChangeTrace.TouchedKeys] {
    objects.compactMap { batch in
      let numbers = batch.numbers.filter { isMissing(batch.entity, $0, batch.keys) }
      return numbers.isEmpty ? nil : (batch.entity, numbers, batch.keys)
    }
  }

  private mutating func isMissing(
    _ entity: String, _ number: Int64, _ changed: Set<String>?
  ) -> Bool {
    let id = graph.id(entity, number)
    guard graph.find(id) != nil, !whole.contains(id) else { return false }
    guard let changed else {
      whole.insert(id)
      return true
    }
    let known = keys[id] ?? []
    keys[id] = known.union(changed)
    return !changed.isSubset(of: known)
  }
}

extension ChangeTrace {
  /// Returns the failures, each with the statement that set its object's key; if none did, with the
  /// last one that changed the object. Linear in the changes.
  func placed(_ failures: [ValidationFailure], in graph: Graph) -> [Diagnostic] {
    if failures.isEmpty { return [] }
    let touching = places(of: Set(failures.map(\.object)), in: graph)
    return failures.map { failure in
      let steps = touching[failure.object] ?? []
      let step = steps.last { $0.keys?.isDisjoint(with: failure.keys) != true } ?? steps.last
      let place = step.map { self.place(of: failure.object.number, $0.step) }
      var diagnostic = Diagnostic(ChangeProblem.invalid(failure), at: place?.span)
      diagnostic.source = place?.source
      diagnostic.isBrief = true
      return diagnostic
    }
  }

  /// Returns the place of the statement that changed an object in a step.
  private func place(of number: Int64, _ step: Step) -> StatementPlace {
    switch (step.place, step.change) {
    case (.statement(let place), _): place
    case (.lines(let lines, let span), .inserted(let numbers, _)):
      StatementPlace(span, in: lines.line(Int(number - numbers.lowerBound)))
    case (.lines(let lines, let span), _): StatementPlace(span, in: lines.text)
    }
  }

  /// Returns the steps that changed each object, with the keys; nil keys if the step inserted or
  /// deleted it.
  private func places(
    of objects: Set<ObjectID>, in graph: Graph
  ) -> [ObjectID: [(step: Step, keys: Set<String>?)]] {
    var result: [ObjectID: [(step: Step, keys: Set<String>?)]] = [:]
    for step in steps {
      for (entity, numbers, keys) in step.change.objects {
        let root = graph.model.root(of: entity)
        for number in numbers {
          let id = ObjectID(entity: entity, root: root, number: number)
          if objects.contains(id) { result[id, default: []].append((step, keys)) }
        }
      }
    }
    return result
  }
}

extension ValidationFailure {
  /// The keys: `title` and `parentCategory`, if they are unique together.
  fileprivate var keys: [String] { key.components(separatedBy: ", ") }
}

/// The place of a statement.
struct StatementPlace {
  var span: SourceSpan
  var source: SourceText

  init(_ span: SourceSpan, in source: SourceText) {
    self.span = span
    self.source = source
  }
}
