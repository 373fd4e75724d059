/// The plain model of a context, which stores every state completely.
struct PlainContext {
  var graph: PlainGraph
  var saved: PlainGraph
  var undoable: [(before: PlainGraph, after: PlainGraph)] = []
  var redoable: [(before: PlainGraph, after: PlainGraph)] = []
  /// The next number of each tree: none is used twice.
  var next: [String: Int64] = [:]
  static let levels = 12

  init(_ graph: PlainGraph, next: [String: Int64] = [:]) {
    self.graph = graph
    saved = graph
    self.next = next
  }

  mutating func change(to after: PlainGraph) {
    redoable = []
    undoable.append((graph, after))
    if undoable.count > PlainContext.levels { undoable.removeFirst() }
    graph = after
  }

  mutating func undo() -> Bool {
    guard let group = undoable.popLast() else { return false }
    graph = group.before
    redoable.append(group)
    return true
  }

  mutating func redo() -> Bool {
    guard let group = redoable.popLast() else { return false }
    graph = group.after
    undoable.append(group)
    return true
  }
}
