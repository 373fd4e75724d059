import Foundation
import TestSupport

extension FileTrial {
  /// The allowed exit statuses of a run.
  private static let statuses: Set<Int32> = [0, 1, 2, 3, 64]

  private static func hold(_ outcome: Program.Outcome, _ what: String) throws {
    try outcome.holdAlive(what)
    try Torture.hold(statuses.contains(outcome.status), "\(what): status \(outcome.status)")
    try Torture.hold(
      outcome.status == 0 || !outcome.reports.isEmpty || !outcome.output.isEmpty,
      "\(what): status \(outcome.status) without a message")
    let isForeign = ["NSCocoaErrorDomain", "could not be completed"].contains {
      outcome.reports.contains($0)
    }
    try Torture.hold(!isForeign, "\(what) exposes an internal error: \(outcome.reports)")
  }

  @discardableResult
  private static func run(
    _ arguments: [String], input: String = "", in ground: TrialFolder
  ) throws -> Program.Outcome {
    let outcome = try Program.run(
      arguments, input: input, in: ground, seconds: seconds, memory: memory)
    try hold(outcome, "kura \(arguments)")
    return outcome
  }

  /// Runs the program with damaged files of every kind.
  static func runProgram(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    func write(_ text: String, _ name: String) throws {
      try ground.write(Corruption.corrupted(Array(text.utf8), &numbers), to: name)
    }
    let part = numbers.below(7)
    try ground.write(store, to: "s.json")
    switch part {
    case 0:
      try write(store, "s.json")
      try run(["s.json", "fetch Item", "insert Category name = \"x\"", "save"], in: ground)
    case 1:
      try write(numbers.pick(plain), "p.json")
      try run(["p.json", "model", "changes"], in: ground)
    case 2:
      try write(script, "x.kura")
      try run(["s.json", "-f", "x.kura"], in: ground)
    case 3:
      try write(script, "x.kura")
      try run(["--keep-going", "", ".read x.kura", "print 1"], in: ground)
    case 4:
      try write(table, "x.tsv")
      try run(["check", "x.tsv"], in: ground)
    case 5: try runBesideJournal(&numbers, ground)
    default:
      try write(script, "x.kura")
      let text = String(decoding: try ground.bytes(of: "x.kura"), as: UTF8.self)
      try run(["--keep-going", "s.json"], input: text, in: ground)
    }
  }

  /// Damages the journal of a killed process: an opened store never has more than was saved.
  private static func runBesideJournal(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws
  {
    let partner = try Partner("p", at: "s.json", in: ground)
    for place in 0..<3 { _ = try partner.ask("insert Category name = \"n\(place)\"; save;") }
    partner.kill()
    let journal = try ground.bytes(of: "s.json.journal")
    try ground.write(Corruption.corrupted(journal, &numbers), to: "s.json.journal")
    let outcome = try run(["--format", "csv", "s.json", "count Category"], in: ground)
    guard outcome.status == 0 else { return }
    let count = outcome.output.split { !$0.isNumber }.last.flatMap { Int($0) } ?? -1
    try Torture.hold((2...5).contains(count), "a broken journal gave \(count) categories")
  }

  /// Runs the program with something other than a file.
  static func runOnOddKind(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    try ground.write(store, to: "s.json")
    let kinds = [
      "/dev/null", "/dev/full", "/dev/zero", "folder", "loop", "fifo", "missing", "empty",
    ]
    let kind = numbers.pick(kinds)
    let part = numbers.pick([
      "odd", "s.json.journal", "s.json.lock", "s.json.new", "s.json.journal.new",
    ])
    let manager = FileManager.default
    switch kind {
    case "folder":
      try manager.createDirectory(atPath: ground.file(part), withIntermediateDirectories: true)
    case "loop":
      try manager.createSymbolicLink(atPath: ground.file(part), withDestinationPath: part)
    case "fifo": mkfifo(ground.file(part), 0o600)
    case "missing":
      try manager.createSymbolicLink(atPath: ground.file(part), withDestinationPath: "nowhere")
    case "empty": try ground.write("", to: part)
    default: try manager.createSymbolicLink(atPath: ground.file(part), withDestinationPath: kind)
    }
    do { try useOdd(part, kind, &numbers, ground) } catch {
      throw Finding("\(part) is \(kind): \(error)")
    }
  }

  private static func useOdd(
    _ part: String, _ kind: String, _ numbers: inout SeededNumbers, _ ground: TrialFolder
  ) throws {
    guard part == "odd" else {
      try run(["s.json", "update Item/1 set n = 4", "save", ".fold", "fetch Item"], in: ground)
      try Torture.hold(
        !(try ground.bytes(of: "s.json")).isEmpty, "the document is now empty")
      return
    }
    // A reader of a pipe waits for a writer, as intended.
    guard kind != "fifo" else { return }
    switch numbers.below(6) {
    case 0: try run(["odd", "count odd", "save"], in: ground)
    case 1: try run(["s.json", "-f", "odd"], in: ground)
    case 2: try run(["s.json", ".read odd"], in: ground)
    case 3: try run(["check", "odd"], in: ground)
    case 4: try run(["s.json", "save \"odd\" replacing", ".output odd", "fetch Item"], in: ground)
    default: try run(["--create", "odd", "entity A { n: integer }", "save"], in: ground)
    }
  }

  /// Rewrites a file, longer and shorter, while it is read.
  static func runWhileItChanges(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    let texts = [
      store, String(store.dropLast(90)), "", store + String(repeating: " ", count: 90_000),
    ]
    try ground.write(store, to: "s.json")
    let isOver = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    let path = ground.file("s.json")
    let seed = numbers.next()
    let writer = Thread {
      var numbers = SeededNumbers(seed: seed)
      while isOver.wait(timeout: .now() + .microseconds(300)) == .timedOut {
        try? numbers.pick(texts).write(toFile: path, atomically: numbers.flip(), encoding: .utf8)
      }
      hasEnded.signal()
    }
    writer.start()
    defer {
      isOver.signal()
      hasEnded.wait()
    }
    try run(["s.json", "count Item", ".refresh"], in: ground)
    try run(["--keep-going", "s.json", "update Item/1 set n = 4", "save"], in: ground)
  }
}
