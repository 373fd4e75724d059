import Foundation
import TestSupport

extension Trial {
  /// System calls that fail.
  static let systemCalls = Trial(
    "system-calls", "acknowledged saves exist, whichever system call fails",
    rounds: 25
  ) { numbers, ground in
    guard FailingCalls.arePossible else { return }
    guard let library = FailingCalls.library else {
      throw Finding("cc cannot build the library that makes system calls fail")
    }
    try SavingScript(&numbers).run(under: Strike(&numbers), library, in: ground)
  }
}

/// A sequence of saves; the store's content after each is known.
private struct SavingScript {
  /// The actions of a step in addition to its own new item.
  private enum Step {
    case insert
    case deleteOldest
    case update
    case alter
  }

  private var steps: [Step] = []
  /// The actions after the save of a step.
  private var between: [String] = []
  private var size = 0
  private var isKeepingGoing = false
  /// The number of steps that a killed process saved to the journal before.
  private var known = 0
  /// Whether everything is finally saved to another store.
  private var movesAway = false

  init(_ numbers: inout SeededNumbers) {
    steps = (0..<(1 + numbers.below(6))).map { _ in
      numbers.pick([.insert, .insert, .deleteOldest, .update, .alter])
    }
    size = numbers.pick([1, 30, 600, 5000, 70_000])
    isKeepingGoing = numbers.flip()
    known = numbers.oneIn(3) ? numbers.below(steps.count) : 0
    movesAway = numbers.oneIn(5)
    between = steps.map { _ in numbers.pick(["", "", "", ".fold\n", ".refresh\n"]) }
  }

  /// The statements that run while calls fail.
  private var statements: String {
    steps.indices.dropFirst(known)
      .map { text(of: $0 + 1) + "save;\n" + between[$0] }.joined()
      + (movesAway ? "save \"store/other.json\";\n" : "")
  }

  private static let model = """
    {"format": "kura/1", "model": {"entities": {"Item": {"attributes": {"n": {"type": "integer"},
     "text": {"type": "string"}}}, "Counter": {"attributes": {"n": {"type": "integer"}}}}},
     "objects": {"Counter": [{"objectID": 1, "n": 0}]}}
    """

  private func text(of number: Int) -> String {
    let text = String(repeating: "x", count: size)
    let own = """
      update Counter/1 set n = \(number);
      insert Item objectID = \(number), n = \(number), text = "\(text)";

      """
    return switch steps[number - 1] {
    case .insert: own
    case .deleteOldest: own + "delete Item where objectID < \(number - 1);\n"
    case .update: own + "update Item set n += 100 all;\n"
    case .alter: own + "alter entity Item add k\(number): integer = \(number);\n"
    }
  }

  /// Returns the content of the store after a number of steps: each item's values, in order.
  private func contents(after count: Int) -> [[String: Int]] {
    var items: [Int: [String: Int]] = [:]
    var keys: [String: Int] = [:]
    for number in 0..<count {
      let number = number + 1
      items[number] = ["objectID": number, "n": number].merging(keys) { $1 }
      switch steps[number - 1] {
      case .insert: break
      case .deleteOldest: items = items.filter { $0.key >= number - 1 }
      case .update: for id in items.keys { items[id]?["n"]? += 100 }
      case .alter:
        keys["k\(number)"] = number
        for id in items.keys { items[id]?["k\(number)"] = number }
      }
    }
    return items.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension SavingScript {
  func run(under strike: Strike, _ library: String, in ground: TrialFolder) throws {
    let folder = ground.file("store")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try ground.write(Self.model, to: "store/s.json")
    if known > 0 { try leaveJournal(in: ground) }
    let outcome = try Program.run(
      ["--no-init"] + (isKeepingGoing ? ["--keep-going"] : []) + ["store/s.json"],
      input: statements, in: ground,
      environment: strike.environment(library, folder: folder, log: ground.file("log")),
      seconds: 60)
    do { try hold(outcome, in: ground) } catch {
      let log = (try? ground.bytes(of: "log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      try ground.write(statements, to: "statements.kura")
      throw Finding(
        "\(strike): \(error)\n  status \(outcome.status), its messages: \(outcome.reports)\n"
          + "  the library's log: \(log)")
    }
  }

  private func leaveJournal(in ground: TrialFolder) throws {
    let partner = try Partner("before", at: "store/s.json", in: ground)
    for number in 1...known {
      let answer = try partner.ask(text(of: number) + "save;")
      try Torture.hold(answer.isSaved, "no call fails, but it is not saved: \(answer.reports)")
    }
    partner.kill()
  }

  private func hold(_ outcome: Program.Outcome, in ground: TrialFolder) throws {
    try outcome.holdAlive("kura")
    let (kept, tried) = acknowledged(in: outcome.reports)
    try Torture.hold(
      kept == steps.count || outcome.status != 0,
      "status 0, but only \(kept) of \(steps.count) saves were acknowledged")
    let found = try contents(of: "store/s.json", in: ground)
    try Torture.hold(
      (kept...max(kept, tried)).contains(found.count),
      "\(kept) saves were acknowledged, \(tried) tried, but \(found.count) exist")
    let wanted = contents(after: found.count)
    try Torture.hold(
      found.items == wanted,
      "after \(found.count) saves, the items are \(found.items), not \(wanted)")
    try holdMoved(outcome, ground)
    try holdTidied(ground)
  }

  /// Checks that the other store is complete or does not exist.
  private func holdMoved(_ outcome: Program.Outcome, _ ground: TrialFolder) throws {
    guard ground.exists("store/other.json") else {
      let isSaved = outcome.reports.contains("saved: store/other.json")
      return try Torture.hold(!isSaved, "the other store does not exist")
    }
    let found = try contents(of: "store/other.json", in: ground)
    try Torture.hold(
      found.items == contents(after: steps.count), "the other store has \(found.items)")
  }

  /// Returns the last step whose save was acknowledged, and the last that was tried.
  private func acknowledged(in reports: String) -> (kept: Int, tried: Int) {
    reports.split(separator: "\n").reduce(into: (known, known)) { result, line in
      if let match = line.firstMatch(of: /^1 inserted: Item\/(\d+)/) {
        result.1 = Int(match.output.1) ?? 0
      }
      if line.hasPrefix("saved: store/s.json") { result.0 = result.1 }
    }
  }

  /// Returns what an undisturbed process finds there.
  private func contents(
    of store: String, in ground: TrialFolder
  ) throws -> (count: Int, items: [[String: Int]]) {
    let outcome = try Program.run(
      [
        "--no-init", "--read-only", "--format", "jsonl", store, "fetch Counter", "fetch Item",
      ],
      in: ground)
    try Torture.hold(outcome.status == 0, "it does not open: \(outcome.reports)")
    var rows = try outcome.output.split(separator: "\n").map { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      if let text = row["text"] as? String {
        try Torture.hold(text.count == size, "a text is truncated")
      }
      return row.compactMapValues { $0 as? Int }
    }
    try Torture.hold(!rows.isEmpty, "the counter is missing: \(outcome.reports)")
    return (rows.removeFirst()["n"] ?? -1, rows)
  }

  /// Checks that the next save succeeds, and leaves only the document.
  private func holdTidied(_ ground: TrialFolder) throws {
    let outcome = try Program.run(
      ["--no-init", "store/s.json", "update Counter/1 set n = -1", "save"], in: ground)
    try Torture.hold(outcome.status == 0, "the next save fails: \(outcome.reports)")
    let names = try FileManager.default.contentsOfDirectory(atPath: ground.file("store"))
      .filter { !$0.hasPrefix("other.json") }
    try Torture.hold(names == ["s.json"], "left behind: \(names)")
  }
}
