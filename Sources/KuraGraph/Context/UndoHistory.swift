import KuraBytes
import KuraValues

/// What a statement did, under the name that `undo list` shows.
package struct UndoGroup: Sendable {
  /// `insert Category`
  package var name: String
  package var changes: [GraphChange]
  /// Tells a group that was done again from the one before.
  var token: Int
  /// An object of which others have saved what the group did to it, or something else since.
  var shared: ObjectID?

  /// The changes that take it back, in their order.
  var inverted: [GraphChange] { changes.reversed().map(\.inverted) }
}

extension UndoGroup: RunStep {
  init(_ run: InsertedRun, _ place: Int) { self = run.group(place) }

  var insertion: InsertSteps? {
    changes.count == 1 && shared == nil ? InsertSteps(name, token, changes[0]) : nil
  }
}

/// The groups that can be undone, and those that can be done again.
package struct UndoHistory: Sendable {
  /// The last one is undone next.
  private var undoable = StepList<UndoGroup>()
  /// The last one is done again next.
  private var redoable: [UndoGroup] = []
  /// How many groups are kept; 0: all.
  package var levels = 0 { didSet { trim() } }

  package init() {}

  package var canUndo: Bool { !undoable.isEmpty }
  package var canRedo: Bool { !redoable.isEmpty }
  package var isEmpty: Bool { !canUndo && !canRedo }
}

extension UndoHistory {
  /// What the groups that can be undone are called, the last of them last.
  package var undoableNames: [String] { undoableNames { _ in true } }

  /// What the groups that can be done again are called: the last is done next.
  package var redoableNames: [String] { redoable.map(\.name) }

  /// The names of those whose token is one of some.
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

  /// The least token of all groups; nil if there are none.
  var oldestToken: Int? {
    (redoable.map(\.token) + [undoable.first?.token].compactMap(\.self)).min()
  }

  /// All changes, in no certain order; insertions that are kept as one are one.
  var changes: [GraphChange] {
    undoable.mapParts(step: \.changes, run: { [.objects($0.change($1))] }).flatMap(\.self)
      + redoable.flatMap(\.changes)
  }

  /// A new change, which led to a graph: what was undone cannot be done again any more.
  mutating func add(_ group: UndoGroup, in graph: Graph) {
    redoable = []
    undoable.append(group, in: graph)
    trim()
  }

  /// The same of insertions, each of which is a group.
  mutating func add(_ run: InsertedRun, in graph: Graph) {
    redoable = []
    undoable.append(run, in: graph)
    trim()
  }

  /// Nothing that was done can be undone any more.
  mutating func removeAll() {
    undoable = StepList()
    redoable = []
  }

  /// Ends where a step changed the model: it holds the whole graph of its time. Whether one did.
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
    undoable.append(group, in: graph)
    trim()
  }

  /// Objects have other numbers now, in every change that names them.
  mutating func mapChanges(_ transform: (GraphChange) -> GraphChange) {
    undoable.mapAll { group in
      var group = group
      group.changes = group.changes.map(transform)
      return group
    }
    for i in redoable.indices { redoable[i].changes = redoable[i].changes.map(transform) }
  }

  /// What others have a part in cannot be taken back here.
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
  /// Those that come next, up to one that changed the model.
  fileprivate var behindModelChanges: [UndoGroup] {
    let last = lastIndex { $0.changes.contains(where: \.isOfModel) }
    return Array(dropFirst(last.map { $0 + 1 } ?? 0))
  }
}

/// A step from one state of the graph to the next.
package enum GraphChange: Sendable {
  /// Objects: `insert`, `update`, `delete`.
  case objects(ChangeSet)
  /// The model, and with it what the objects hold: `entity`, `alter entity`, `drop entity`.
  ///
  /// Two states of the graph share the chunks that are the same. Most changes are none of it, and have no
  /// room for two graphs.
  indirect case model(before: Graph, after: Graph)
}

extension GraphChange {
  var isOfModel: Bool {
    switch self {
    case .objects: false
    case .model: true
    }
  }

  /// Whether it takes so long that somebody may want to stop it.
  var isLarge: Bool {
    switch self {
    case .objects(let change): change.isLarge
    case .model: false
    }
  }

  package var inverted: GraphChange {
    switch self {
    case .objects(let change): .objects(change.inverted)
    case .model(let before, let after): .model(before: after, after: before)
    }
  }
}

extension Graph {
  /// Numbers that another state of the graph has given are not given again.
  mutating func giveNoNumberTwice(as other: Graph) {
    let given = other.givenNumbers
    // A root that was renamed has its table where it was.
    let places = other.tables.map(\.nextNumber)
    let isSamePlace = places.count == tables.count
    giveNoNumberTwice(
      tables.indices.map { i in given[tables[i].layout.root] ?? (isSamePlace ? places[i] : 1) })
  }
}
