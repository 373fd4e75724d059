import KuraValues

/// The effect of one operation on the graph of a context.
///
///     context.observe { change, graph in
///       print(change.act, change.name)     // undone insert Category
///     }
package struct ContextChange: Sendable {
  package enum Act: Sendable, CaseIterable {
    /// A statement changed objects.
    case performed
    case undone
    case redone
    case rolledBack
    /// Saves of other sessions were merged; the unsaved changes are on top of them.
    case merged
    /// The changes of a scratch context were added.
    case committed
    /// The model was changed, and with it the content of objects.
    case changedModel
    /// Derived attributes were computed at a save.
    case derived
    /// The context was restored to an earlier state, including the history.
    case reset
    /// Another store was opened.
    case opened
  }

  package var act: Act
  /// The name in the history, such as `insert Category`; empty if it has none.
  package var name: String
  /// The change as one step: of objects, or from one graph to another if the model changed.
  package var change: GraphChange
}

package struct ContextObserver: Sendable {
  package typealias ID = Int
  package typealias Body = @Sendable (ContextChange, Graph) -> Void
  let id: ID
  let body: Body
}

extension GraphChange {
  /// Returns the net change of steps that ended in a graph; nil if there is none.
  static func net(of steps: [GraphChange], endingIn after: Graph) -> GraphChange? {
    guard let before = before(steps) else {
      let change = ChangeSet.net(of: steps.compactMap(\.objects), in: after.model)
      return change.isEmpty ? nil : .objects(change)
    }
    guard before.model == after.model else { return .model(before: before, after: after) }
    let change = before.difference(to: after)
    return change.isEmpty ? nil : .objects(change)
  }

  /// Returns the graph before steps that changed the model; nil if none did.
  private static func before(_ steps: [GraphChange]) -> Graph? {
    for (i, step) in steps.enumerated() {
      guard case .model(var graph, _) = step else { continue }
      for step in steps[..<i].reversed() { graph.apply(step.inverted) }
      return graph
    }
    return nil
  }

  /// The change of objects; nil for a change of the model.
  var objects: ChangeSet? { if case .objects(let change) = self { change } else { nil } }
}

/// A change since the last save, with the token of its group.
struct UnsavedStep: Sendable {
  var token: Int
  var change: GraphChange
}

extension UnsavedStep: RunStep {
  init(_ run: InsertedRun, _ place: Int) {
    self.init(token: run.firstToken + place, change: .objects(run.change(place..<place + 1)))
  }

  var insertion: InsertedRun? { InsertedRun("", token, change) }
}
