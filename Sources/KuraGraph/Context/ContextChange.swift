import KuraValues

/// What one act did to the graph of a context.
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
    /// What others have saved came in below the unsaved changes.
    case merged
    /// The changes of a scratch context came in.
    case committed
    /// The model is another one, and with it what the objects hold.
    case changedModel
    /// What is derived from the moment of a save was computed.
    case derived
    /// Everything is as it was at an earlier time, history and all.
    case reset
    /// Another store is open.
    case opened
  }

  package var act: Act
  /// What the history calls it: `insert Category`; empty where that has no name for it.
  package var name: String
  /// All of it as one step: objects before and after, or two states of the graph where the models
  /// are two.
  package var change: GraphChange
}

/// Somebody who is told of the changes of a context.
package struct ContextObserver: Sendable {
  package typealias ID = Int
  package typealias Body = @Sendable (ContextChange, Graph) -> Void
  let id: ID
  let body: Body
}

extension GraphChange {
  /// Steps that ended in a graph, as one; nil where nothing came of them.
  static func net(of steps: [GraphChange], endingIn after: Graph) -> GraphChange? {
    guard let before = before(steps) else {
      let change = ChangeSet.net(of: steps.compactMap(\.objects), in: after.model)
      return change.isEmpty ? nil : .objects(change)
    }
    guard before.model == after.model else { return .model(before: before, after: after) }
    let change = before.difference(to: after)
    return change.isEmpty ? nil : .objects(change)
  }

  /// The graph before steps of which one changed the model.
  private static func before(_ steps: [GraphChange]) -> Graph? {
    for (i, step) in steps.enumerated() {
      guard case .model(var graph, _) = step else { continue }
      for step in steps[..<i].reversed() { graph.apply(step.inverted) }
      return graph
    }
    return nil
  }

  private var objects: ChangeSet? {
    switch self {
    case .objects(let change): change
    case .model: nil
    }
  }
}

/// A change since the last save, under its group's token.
struct UnsavedStep: Sendable {
  var token: Int
  var change: GraphChange
}

extension UnsavedStep: RunStep {
  init(_ run: InsertedRun, _ place: Int) {
    self.init(token: run.firstToken + place, change: .objects(run.change(place..<place + 1)))
  }

  var insertion: InsertSteps? { InsertSteps("", token, change) }
}
