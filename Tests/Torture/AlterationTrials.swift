import KuraGraph
import KuraModel
import TestSupport

extension Trial {
  /// Models with inheritance and relationships under random statements, mostly `alter`.
  package static let alterations = Trial(
    "alterations", "a model change keeps every object, every value and both ends of links",
    rounds: 40
  ) { numbers, ground in
    var walk = try AlterationWalk(numbers, ground)
    for _ in 0..<30 { try walk.step() }
    try walk.end()
    numbers = walk.numbers
  }
}

/// A store whose model and objects are changed by statements.
struct AlterationWalk {
  var numbers: SeededNumbers
  let ground: TrialFolder
  var sitting: ShellSession
  /// The statements and their output, for the finding.
  var log: [String] = []
  /// The graph before each step that can be undone.
  var past: [GraphDump] = []
  var names = 0

  init(_ numbers: SeededNumbers, _ ground: TrialFolder) throws {
    (self.numbers, self.ground) = (numbers, ground)
    sitting = try ShellSession(ground, "s.json")
    try begin()
  }

  var model: Model { sitting.graph.model }

  /// Runs a statement: afterwards both ends agree, and a refused statement has changed nothing.
  @discardableResult
  mutating func run(_ statement: String) throws -> Bool {
    let before = GraphDump(sitting.graph)
    let steps = sitting.context.history.undoableNames.count
    log.append(statement)
    let (isDone, said) = sitting.run(statement)
    let after = GraphDump(sitting.graph)
    try hold(after.faults.isEmpty, finding("\(after.faults)", said))
    try hold(isDone || after == before, finding("rejected, but it changed something", said))
    try checkNames(said, before, after)
    if sitting.context.history.undoableNames.count > steps { past.append(before) }
    return isDone
  }

  func finding(_ what: String, _ said: String = "") -> String {
    "\(what)\n\(said)\n" + log.joined(separator: "\n")
  }

  /// Checks that a named object exists, or existed before the statement.
  private func checkNames(_ said: String, _ before: GraphDump, _ after: GraphDump) throws {
    for match in said.matches(of: /\b([A-Z]\w*)\/(\d+)/) {
      guard let place = sitting.graph.place(of: String(match.1)) else { continue }
      let name = "\(place.table)/\(match.2)"
      try hold(
        before.objects[name] != nil || after.objects[name] != nil,
        finding("\(match.0) is mentioned but does not exist", said))
    }
  }
}

extension AlterationWalk {
  mutating func step() throws {
    switch numbers.below(16) {
    case 0...2: try insert()
    case 3...5: try link()
    case 6: try delete()
    case 7: try undo()
    case 8: try reopen()
    case 9, 10: try rename()
    case 11: try drop()
    case 12: try addProperty()
    default: try changeProperty()
    }
  }

  mutating func end() throws {
    try reopen()
    while !past.isEmpty { try undo() }
  }

  /// Undoes the last step, and sometimes redoes it.
  private mutating func undo() throws {
    guard let before = past.popLast() else { return }
    let after = GraphDump(sitting.graph)
    log.append("undo")
    let said = try sitting.must("undo")
    try hold(GraphDump(sitting.graph) == before, finding("undo results in a different graph", said))
    guard numbers.oneIn(3) else { return }
    log.append("redo")
    try sitting.must("redo")
    try hold(GraphDump(sitting.graph) == after, finding("redo results in a different graph"))
    past.append(before)
  }

  /// Saves, and checks that the store is the same when it is read again, from the journal or from
  /// the document.
  private mutating func reopen() throws {
    log.append("save")
    let (isSaved, said) = sitting.run("save")
    guard isSaved else {
      // An incomplete model, or a missing value: the save is refused, and nothing is lost.
      try hold(said.contains("error: "), finding("not saved, without an error", said))
      return
    }
    let here = GraphDump(sitting.graph)
    let again = try ShellSession(ground, "s.json", isReadOnly: true)
    let there = GraphDump(again.graph)
    try hold(again.greeting.isEmpty, finding("opened with: \(again.greeting)"))
    try hold(here == there, finding("a different graph after a save:\n\(here)\n\(there)"))
  }
}
