import Foundation
import KuraGraph
import KuraModel
import TestSupport

extension Trial {
  /// Saves, changes of the model and manual edits in any order, and reverts across all of them.
  package static let reverts = Trial(
    "reverts",
    "values that a revert or an earlier state restores have the present type of their key",
    rounds: 40
  ) { numbers, ground in
    var walk = try RevertWalk(numbers, ground)
    for _ in 0..<25 { try walk.step() }
    try walk.checkSaved()
    numbers = walk.numbers
  }
}

/// A store with a history whose model changes between the saves.
private struct RevertWalk {
  var numbers: SeededNumbers
  private let ground: TrialFolder
  private var sitting: ShellSession
  private var log: [String] = []
  /// The greatest number that a save may have.
  private var saves = 0

  private static let types = [
    "string", "integer", "integer16", "integer32", "double", "float", "decimal", "boolean", "date",
    "uuid", "uri", "binary", "json",
  ]
  private static let values = [
    "\"zzz\"", "\"7\"", "7", "70000", "1e300", "2.5", "YES", "NULL", "\"2026-11-27\"", "\"AAAA\"",
    "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "\"{}\"", "\"誕生日\"",
  ]

  init(_ numbers: SeededNumbers, _ ground: TrialFolder) throws {
    (self.numbers, self.ground) = (numbers, ground)
    sitting = try ShellSession(ground, "s.json")
    try run("entity A { n: string?; m: integer? }", must: true)
    try run("entity B { r: A? }", must: true)
    try run("entity C { s: [A] inverse c }; alter entity A add c: C? inverse s")
    try save()
    try run(".history keep 9 saves", must: true)
  }

  mutating func step() throws {
    switch numbers.below(12) {
    case 0, 1: try insert()
    case 2: try run("delete \(object())")
    case 3: try run("update \(object()) set n = \(numbers.pick(Self.values))")
    case 4, 5: try save()
    case 6, 7: try alter()
    case 8: try look()
    case 9: try edit()
    default: try revert()
    }
  }

  @discardableResult
  private mutating func run(_ statement: String, must: Bool = false) throws -> Bool {
    log.append(statement)
    let (isDone, said) = sitting.run(statement)
    let faults = GraphDump(sitting.graph).faults
    try hold(faults.isEmpty, finding("\(faults)", said))
    try hold(isDone || !must, finding("refused", said))
    return isDone
  }

  private func finding(_ what: String, _ said: String = "") -> String {
    "\(what)\n\(said)\n" + log.joined(separator: "\n")
  }
}

extension RevertWalk {
  private mutating func object() -> String {
    "\(numbers.pick(["A", "B", "C"]))/\(1 + numbers.below(4))"
  }

  private mutating func insert() throws {
    switch numbers.below(3) {
    case 0: try run("insert A n = \(numbers.pick(Self.values)), m = \(numbers.below(9))")
    case 1: try run("insert B r = A/\(1 + numbers.below(3))")
    default: try run("insert C s = {A/\(1 + numbers.below(3)), A/\(1 + numbers.below(3))}")
    }
  }

  private mutating func alter() throws {
    switch numbers.below(6) {
    case 0: try run("alter entity B drop r")
    case 1: try run("alter entity B add r: \(numbers.pick(["A", "B", "C", "integer"]))?")
    case 2: try run("alter entity A drop n")
    case 3: try run("alter entity A add n: \(numbers.pick(Self.types))?")
    default: try run("alter entity A change n: \(numbers.pick(Self.types))?")
    }
  }

  private mutating func revert() throws {
    let before = GraphDump(sitting.graph)
    let isDone = try run("revert \(1 + numbers.below(saves + 1))")
    try hold(
      isDone || GraphDump(sitting.graph) == before, finding("rejected, but it changed something"))
  }

  /// Checks that queries change nothing, whatever they answer.
  private mutating func look() throws {
    let before = GraphDump(sitting.graph)
    let save = numbers.below(saves + 1)
    try run(
      numbers.pick([
        "as of \(save): fetch A", "as of \(save): count B", "changes since \(save)",
        "diff \(save) \(numbers.below(saves + 1))", "history of \(object())", "history",
      ]))
    try hold(GraphDump(sitting.graph) == before, finding("a reading statement changed something"))
  }
}

// Saving, and files
extension RevertWalk {
  private mutating func save() throws {
    // A document that breaks a rule of its new model is not saved, with a message.
    if try run("save") { saves += 1 }
    try checkSaved()
  }

  /// Checks that acknowledged saves are present when the store is read again.
  mutating func checkSaved() throws {
    guard !sitting.context.hasChanges else { return }
    let here = GraphDump(sitting.graph)
    let again = try ShellSession(ground, "s.json", isReadOnly: true)
    try hold(again.greeting.isEmpty, finding("opened with: \(again.greeting)"))
    try hold(GraphDump(again.graph) == here, finding("a different graph after a save"))
  }

  /// Edits a type in the document, or removes a line from the history, while the store is not open.
  private mutating func edit() throws {
    guard try run("save") else { return }
    saves += 1
    _ = sitting.run(".fold")
    guard !ground.exists("s.json.journal") else { return }
    if numbers.flip() { try editDocument() } else { try editHistory() }
    sitting = try ShellSession(ground, "s.json", exists: true)
  }

  private mutating func editDocument() throws {
    let text = String(decoding: try ground.bytes(of: "s.json"), as: UTF8.self)
    let old = "\"n\": {\"type\": \""
    guard sitting.graph.objectIDs(of: "A").isEmpty, let place = text.range(of: old) else { return }
    let type = numbers.pick(Self.types)
    log.append("(by hand: n is \(type))")
    let rest = text[place.upperBound...].drop { $0 != "\"" }
    try ground.write(String(text[..<place.upperBound] + type + rest), to: "s.json")
  }

  private mutating func editHistory() throws {
    var lines = String(decoding: try ground.bytes(of: "s.json.history"), as: UTF8.self)
      .split(separator: "\n")
    guard lines.count > 1 else { return }
    let line = 1 + numbers.below(lines.count - 1)
    log.append("(by hand: without line \(line) of the history)")
    lines.remove(at: line)
    try ground.write(lines.joined(separator: "\n") + "\n", to: "s.json.history")
  }
}
