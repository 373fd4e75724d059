import KuraModel

extension ManagedObjectContext {
  /// Unsaved steps that no group of the history represents are kept as their net change.
  ///
  /// Under `.undo levels` the memory depends on what a save would write, and not on how many statements
  /// led there.
  mutating func condenseUnsaved() {
    guard let oldest = history.oldestToken else { return }
    let (unsaved, model) = (pending, graph.model)
    pending.condense(where: { $0.token < oldest }) { old in
      guard let last = old.last, old.mayCondense else { return nil }
      let after = unsaved.parts(behind: old.endIndex).lazy.compactMap(\.modelBefore).first ?? model
      let changes = old.map(\.change).condensed(endingIn: after)
      let token = last[last.count - 1].token
      return (
        changes.map { UnsavedStep(token: token, change: $0) }, changes.reduce(0) { $0 + $1.size }
      )
    }
  }
}

extension ArraySlice<StepList<UnsavedStep>.Part> {
  /// Whether it is likely that less is left: what inserts alone is kept as cells of the tables, which is
  /// the least.
  fileprivate var mayCondense: Bool {
    let steps = reduce(0) { $0 + $1.count }
    return count { !$0.inserts } * 4 >= steps
  }
}

extension StepList<UnsavedStep>.Part {
  fileprivate var inserts: Bool {
    switch self {
    case .run: true
    case .step(let step): step.change.inserts
    }
  }

  fileprivate var change: GraphChange {
    switch self {
    case .run(let run, let places): .objects(run.change(places))
    case .step(let step): step.change
    }
  }

  /// The model before a step that changed it.
  fileprivate var modelBefore: Model? {
    guard case .step(let step) = self, case .model(let before, _) = step.change else { return nil }
    return before.model
  }
}

extension GraphChange {
  fileprivate var inserts: Bool {
    guard case .objects(let change) = self else { return false }
    return change.updated.isEmpty && change.deleted.isEmpty
  }

  /// How many objects it names.
  fileprivate var size: Int {
    guard case .objects(let change) = self else { return 1 }
    let counts = change.counts
    return counts.inserted + counts.updated + counts.deleted
  }
}

extension [GraphChange] {
  /// The same changes as fewer ones: successive changes of objects become one.
  fileprivate func condensed(endingIn model: Model) -> [GraphChange] {
    var result: [GraphChange] = []
    var objects: [ChangeSet] = []
    for change in withoutCircles {
      switch change {
      case .objects(let change): objects.append(change)
      case .model(let before, _):
        result += Self.net(objects, in: before.model) + [change]
        objects = []
      }
    }
    return result + Self.net(objects, in: model)
  }

  private static func net(_ changes: [ChangeSet], in model: Model) -> [GraphChange] {
    let net = ChangeSet.net(of: changes, in: model)
    return net.isEmpty ? [] : [.objects(net)]
  }

  /// Changes that lead from a model back to the same one are a change of objects: each state of the model
  /// between them holds a whole graph.
  private var withoutCircles: [GraphChange] {
    var result: [GraphChange] = []
    var next = startIndex
    while next < endIndex {
      defer { next += 1 }
      guard case .model(let before, _) = self[next],
        let end = lastReturn(to: before.model, from: next), case .model(_, let after) = self[end]
      else {
        result.append(self[next])
        continue
      }
      let change = before.difference(to: after)
      if !change.isEmpty { result.append(.objects(change)) }
      next = end
    }
    return result
  }

  private func lastReturn(to model: Model, from start: Int) -> Int? {
    indices[start...].last { place in
      if case .model(_, let after) = self[place] { after.model == model } else { false }
    }
  }
}
