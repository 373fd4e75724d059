import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues

/// The statements of scripts that have changed objects since the last save, for a save that finds
/// what they have broken.
///
/// The changes are those that the history keeps too, so they cost nothing more.
struct ChangeTrace {
  private var steps: [Step] = []

  private struct Step {
    var place: StatementPlace
    var change: ChangeSet
  }
}

/// Where a statement stands.
struct StatementPlace {
  var span: SourceSpan
  var source: SourceText

  init(_ span: SourceSpan, in source: SourceText) {
    self.span = span
    self.source = source
  }
}

extension ChangeTrace {
  var count: Int { steps.count }

  /// Nobody looks up what was typed by its line: only texts with a name are kept.
  mutating func add(_ change: ChangeSet, at place: StatementPlace) {
    guard place.source.name != nil else { return }
    steps.append(Step(place: place, change: change))
  }

  mutating func keepFirst(_ count: Int) { steps.removeLast(max(0, steps.count - count)) }

  mutating func removeAll() { steps = [] }
}

extension ChangeTrace {
  /// The failures, each at the statement that gave its object's key the value that it has; where
  /// none did, at the last one that changed the object. Linear in the changes.
  func placed(_ failures: [ValidationFailure], in graph: Graph) -> [Diagnostic] {
    if failures.isEmpty { return [] }
    let touching = places(of: Set(failures.map(\.object)), in: graph)
    return failures.map { failure in
      let steps = touching[failure.object] ?? []
      let step = steps.last { $0.keys?.isDisjoint(with: failure.keys) != true } ?? steps.last
      var diagnostic = Diagnostic(ChangeFacts.invalid(failure), at: step?.step.place.span)
      diagnostic.source = step?.step.place.source
      diagnostic.isBrief = true
      return diagnostic
    }
  }

  /// By object the steps that changed it, each with the keys; nil of those where it came or went.
  private func places(
    of objects: Set<ObjectID>, in graph: Graph
  ) -> [ObjectID: [(step: Step, keys: Set<String>?)]] {
    var result: [ObjectID: [(step: Step, keys: Set<String>?)]] = [:]
    for step in steps {
      let change = step.change
      let whole = (change.inserted + change.deleted).map {
        (entity: $0.entity, numbers: $0.numbers, keys: Set<String>?.none)
      }
      let parts = change.updated.map {
        (entity: $0.entity, numbers: $0.numbers, keys: Optional(Set($0.columns.map(\.key))))
      }
      for (entity, numbers, keys) in whole + parts {
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
  /// `title` and `parentCategory`, where they are unique together.
  fileprivate var keys: [String] { key.components(separatedBy: ", ") }
}
