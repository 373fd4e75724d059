import KuraValues

/// The changes of a statement, with the name that `undo list` shows.
package struct UndoGroup: Sendable {
  /// The name, such as `insert Category`.
  package var name: String
  package var changes: [GraphChange]
  /// A number that distinguishes a redone group from the original one.
  var token: Int
  /// An object for which other sessions have saved the group's change or a later one.
  var shared: ObjectID?

  /// The changes that undo the group, in order.
  var inverted: [GraphChange] { changes.reversed().map(\.inverted) }
}

extension UndoGroup: RunStep {
  init(_ run: InsertedRun, _ place: Int) { self = run.group(place) }

  var insertion: InsertedRun? {
    changes.count == 1 && shared == nil ? InsertedRun(name, token, changes[0]) : nil
  }
}

/// The groups that can be undone and redone.
package struct UndoHistory: Sendable {
  /// The groups to undo; the last one is next.
  private var undoable = StepList<UndoGroup>()
  /// The groups to redo; the last one is next.
  private var redoable: [UndoGroup] = []
  /// The maximum number of groups; 0 means no limit.
  package var levels = 0 { didSet { trim() } }

  package init() {}

  package var canUndo: Bool { !undoable.isEmpty }
  package var canRedo: Bool { !redoable.isEmpty }
  package var isEmpty: Bool { !canUndo && !canRedo }
}

extension UndoHistory {
  /// The names of the groups that can be undone; the last one is next.
  package var undoableNames: [String] { undoableNames { _ in true } }

  /// The names of the groups that can be redone; the last one is next.
  package var redoableNames: [String] { redoable.map(\.name) }

  /// Returns the names of the groups with certain tokens.
  func undoableNames(_ isWanted: (Int) -> Bool) -> [String] {
    undoable.mapParts(
      step: { isWanted($0.token) ? [$0.name] : [] },
      run: { run, places in
        places.filter { isWanted(run.firstToken + $0) }.map { _ in run.name }
      }
    ).flatMap(\.self)
  }

  func redoableNames(_ isWanted: (Int) -> Bool) -> [String] {
    redoable.filter { isWanted($0.token) }.map(\.name)
  }

  /// The lowest token of all groups; nil if there are none.
  var oldestToken: Int? {
    (redoable.map(\.token) + [undoable.first?.token].compactMap(\.self)).min()
  }

  /// All changes, in no particular order; a run of insertions is one change.
  var changes: [GraphChange] {
    undoable.mapParts(step: \.changes, run: { [.objects($0.change($1))] }).flatMap(\.self)
      + redoable.flatMap(\.changes)
  }

  /// Adds a group, or a run of insertions each of which is a group, that led to a graph. Discards
  /// the groups to redo.
  mutating func add(_ part: StepList<UndoGroup>.Part, in graph: Graph) {
    redoable = []
    undoable.append(part, in: graph)
    trim()
  }

  mutating func removeAll() {
    undoable = StepList()
    redoable = []
  }

  /// Discards the groups up to the last change of the model, which contains a whole graph. Returns
  /// whether there was one.
  mutating func removeModelChanges() -> Bool {
    let steps = undoable.count + redoable.count
    undoable.removeFirst(undoable.count - undoable.all.behindModelChanges.count)
    redoable = redoable.behindModelChanges
    return undoable.count + redoable.count < steps
  }

  mutating func takeUndoable() -> UndoGroup? { undoable.popLast() }
  mutating func takeRedoable() -> UndoGroup? { redoable.popLast() }
  mutating func putUndone(_ group: UndoGroup) { redoable.append(group) }

  mutating func putRedone(_ group: UndoGroup, in graph: Graph) {
    undoable.append(.step(group), in: graph)
    trim()
  }

  /// Maps all changes, for example to new object numbers.
  mutating func mapChanges(_ transform: (GraphChange) -> GraphChange) {
    undoable.mapAll { group in
      var group = group
      group.changes = group.changes.map(transform)
      return group
    }
    for i in redoable.indices { redoable[i].changes = redoable[i].changes.map(transform) }
  }

  /// Marks groups that share objects with edits of other sessions, and cannot be undone here.
  mutating func note(_ edits: SharedEdits, in graph: Graph) {
    if edits.isEmpty { return }
    undoable.mapAll { group in
      var group = group
      if group.shared == nil { group.shared = edits.object(in: group.changes, graph) }
      return group
    }
  }

  private mutating func trim() {
    if levels > 0, undoable.count > levels { undoable.removeFirst(undoable.count - levels) }
  }
}

extension [UndoGroup] {
  /// The groups after the last one that changed the model.
  fileprivate var behindModelChanges: [UndoGroup] {
    let last = lastIndex { $0.changes.contains(where: \.isOfModel) }
    return Array(dropFirst(last.map { $0 + 1 } ?? 0))
  }
}

/// A step from one state of the graph to the next.
package enum GraphChange: Sendable {
  /// Objects: `insert`, `update`, `delete`.
  case objects(ChangeSet)
  /// The model, and with it the content of objects: `entity`, `alter entity`, `drop entity`.
  ///
  /// The two graphs share unchanged chunks. The case is indirect, because most changes are of the
  /// other kind and should not reserve room for two graphs.
  indirect case model(before: Graph, after: Graph)
}

extension GraphChange {
  var isOfModel: Bool { if case .model = self { true } else { false } }

  /// Whether it takes long enough that the user may want to cancel it.
  var isLarge: Bool { objects?.isLarge ?? false }

  package var inverted: GraphChange {
    switch self {
    case .objects(let change): .objects(change.inverted)
    case .model(let before, let after): .model(before: after, after: before)
    }
  }
}

extension Graph {
  /// Reserves the numbers that another state of the graph has assigned.
  mutating func reserveNumbers(as other: Graph) {
    let given = other.assignedNumbers
    // The table of a renamed root has the same index.
    let places = other.tables.map(\.nextNumber)
    let isSamePlace = places.count == tables.count
    reserveNumbers(
      tables.indices.map { i in given[tables[i].layout.root] ?? (isSamePlace ? places[i] : 1) })
  }
}
