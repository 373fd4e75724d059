import Foundation
import KuraDiagnostics
import KuraScript
import TestSupport

extension Trial {
  /// Statements of the grammar, and damaged ones.
  static let statements = Trial(
    "statements",
    "no statement crashes or hangs; a failed one changes nothing; undo reverses every other",
    rounds: 40
  ) { numbers, ground in
    try Talk(&numbers, ground).run(&numbers)
  }
}

/// A session that runs one statement after another, with checks between them.
private final class Talk {
  private let ground: TrialFolder
  private let room: ConfinedSession
  private var story: [String] = []
  private var files = 0

  init(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    self.ground = ground
    room = try ConfinedSession(ground)
  }

  private var maker: StatementMaker { StatementMaker(model: room.model) }

  func run(_ numbers: inout SeededNumbers) throws {
    do {
      for _ in 0..<4 { try tell(maker.definition(&numbers), undoing: false) }
      for _ in 0..<(10 + numbers.below(40)) { try step(&numbers) }
      try saveAndReopen()
      if numbers.oneIn(6) { try replay() }
    } catch {
      try ground.write(story.joined(separator: "\n\n") + "\n", to: "story.kura")
      let last = story.suffix(4).joined(separator: "\n    ")
      throw Finding("\(error)\n  the last of story.kura:\n    \(last)")
    }
  }

  private func step(_ numbers: inout SeededNumbers) throws {
    switch numbers.below(12) {
    case 0: try compare(maker.filtered(&numbers))
    case 1 where numbers.oneIn(3): try saveAndReopen()
    case 1...3: try tell(StatementMutation.broken(maker.statement(&numbers), &numbers))
    default: try tell(maker.statement(&numbers))
    }
  }

  private func tell(_ text: String, undoing: Bool = true) throws {
    story.append(text)
    let count = Self.count(text)
    let before = count == 1 ? try room.look() : nil
    let outcome = try room.run(text)
    try hold(
      outcome.succeeded || outcome.reports.contains("error: "), "it failed without a message")
    guard let before else { return }
    let after = try room.look()
    guard outcome.succeeded else {
      if let difference = after.difference(to: before) {
        throw Finding("it failed, but changed \(difference)\n  its messages: \(outcome.reports)")
      }
      return
    }
    if undoing, !Self.isOfScratch(text), after.isOneStep(after: before) {
      try undoAndRedo(before, after)
    }
  }

  /// Returns whether a text moves from one context to another, which is not a step in either.
  private static func isOfScratch(_ text: String) -> Bool {
    ["begin", "commit", "cancel"].contains(where: text.lowercased().contains)
  }

  /// Returns the number of statements of a text, including unreadable ones.
  private static func count(_ text: String) -> Int {
    var reader = StatementReader()
    reader.feed((text + "\n\n").utf8)
    reader.finish()
    var count = 0
    while true {
      switch reader.next() {
      case .statement, .failure: count += 1
      case .needsMore, .end: return count
      }
    }
  }

  private func undoAndRedo(
    _ before: ConfinedSession.VisibleContent, _ after: ConfinedSession.VisibleContent
  ) throws {
    var outcome = try room.run("undo")
    try hold(outcome.succeeded, "undo fails: \(outcome.reports)")
    if let difference = try room.look().withoutSteps.difference(to: before.withoutSteps) {
      throw Finding("undo does not reverse \(difference)")
    }
    outcome = try room.run("redo")
    try hold(outcome.succeeded, "redo fails: \(outcome.reports)")
    if let difference = try room.look().difference(to: after) {
      throw Finding("redo does not repeat \(difference)")
    }
  }
}

extension Talk {
  /// Checks the same query in several forms.
  private func compare(_ question: String) throws {
    story.append("count \(question)")
    let count = try room.run("count \(question)", as: "csv")
    let explained = try room.run("explain fetch \(question)")
    try hold(
      !count.succeeded || explained.succeeded,
      "count succeeds, but explain fails: \(explained.reports)")
    let json = try room.run("fetch \(question)", as: "json")
    let csv = try room.run("fetch \(question)", as: "csv")
    try hold(json.succeeded == csv.succeeded, "csv and json: \(json.reports)\(csv.reports)")
    guard json.succeeded, count.succeeded else { return }
    let rows = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [Any]
    try hold(rows?.count == Self.rows(csv.output), "json has other rows than csv")
    let number = count.output.split { !$0.isNumber }.last.flatMap { Int($0) }
    try hold(rows?.count == number, "fetch gives \(rows?.count ?? -1), count \(number ?? -1)")
  }

  /// Returns the number of rows after the first; a line break in quotes does not end one.
  private static func rows(_ text: String) -> Int {
    var (count, isQuoted) = (0, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n"), !isQuoted { count += 1 }
    }
    return count - 1
  }

  /// Runs the same statements in the program, from standard input, in another format.
  private func replay() throws {
    let outcome = try Program.run(
      ["--keep-going", "--format", "list", ""], input: story.joined(separator: "\n\n") + "\n",
      in: ground, memory: FileTrial.memory)
    try outcome.holdAlive("the program")
    try hold([0, 1, 2, 3].contains(outcome.status), "the program's status is \(outcome.status)")
  }

  private func saveAndReopen() throws {
    files += 1
    let name = "saved-\(files).json"
    let text = "save \"\(ground.file(name))\""
    story.append(text)
    let outcome = try room.run(text)
    guard outcome.succeeded else { return }
    let other: ConfinedSession
    do { other = try ConfinedSession(ground, store: name, isReadOnly: true) } catch {
      throw Finding("the saved store does not open: \(error)")
    }
    other.keepTime(of: room)
    let here = try room.objects(withTransient: false)
    let there = try other.objects(withTransient: false)
    guard here != there else { return }
    let lines = zip(here.split(separator: "\n"), there.split(separator: "\n"))
    let apart = lines.first { $0 != $1 }
    throw Finding("after reopening, it is \(apart?.1 ?? "shorter"), not \(apart?.0 ?? "equal")")
  }
}

extension ConfinedSession.VisibleContent {
  /// Returns whether exactly one undoable step was added.
  fileprivate func isOneStep(after before: Self) -> Bool {
    let (old, new) = (before.undoSteps, undoSteps)
    return new.count == old.count + 1 && Array(new.dropFirst()) == old
  }

  /// The names of the undoable steps, the last first.
  private var undoSteps: [String] {
    steps.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\{"step": "undo \d+", (.*)\}$/).map { String($0.output.1) }
    }
  }

  fileprivate var withoutSteps: Self {
    var result = self
    result.steps = ""
    return result
  }
}
