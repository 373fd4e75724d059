import Foundation
import KuraGraph
import KuraStore
import TestSupport

extension Trial {
  static let recoveries = Trial(
    "recoveries", "a truncated, corrupt or forged recovery file is applied correctly, or rejected",
    rounds: 40
  ) { numbers, ground in
    try RecoveryRound(&numbers, ground).run(&numbers)
  }
}

/// A store, and the recovery files of a session that was ended.
private struct RecoveryRound {
  let ground: TrialFolder
  let bytes: [UInt8]

  init(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    self.ground = ground
    try ground.write(JournalStore.document, to: "s.json")
    guard var store = try JournalStore(ground.file("s.json")) else {
      throw Finding("a new store cannot be opened")
    }
    while !store.context.hasChanges { try store.change(&numbers) }
    let header = Recovery.Header(
      store: ground.file("s.json"), base: store.keeper.stateMark, moment: "2026-11-22T16:00:00Z",
      phrase: "some objects")
    let graph = store.context.graph
    let content: Recovery.Content =
      numbers.oneIn(4)
      ? .document(store.contents)
      : .change(
        store.context.netChange,
        AssignedNumbers(before: store.context.savedNumbers, next: graph.assignedNumbers),
        KeyTypes(store.context.netChange, in: graph.model))
    bytes = try Recovery(header, content).bytes
  }

  func run(_ numbers: inout SeededNumbers) throws {
    let isWhole = numbers.oneIn(6)
    let damaged =
      switch numbers.below(3) {
      case _ where isWhole: bytes
      case 0: Array(bytes[..<numbers.below(bytes.count)])
      case 1: numbers.turned(bytes)
      default: numbers.forged(bytes)
      }
    try ground.write(damaged, to: "s.json.unsaved")
    guard chmod(ground.file("s.json.unsaved"), 0o600) == 0 else {
      throw Finding("cannot set the mode")
    }
    let room = try ConfinedSession(ground, store: "s.json")
    let outcome = try room.run(".recover")
    try hold(outcome.succeeded || !outcome.reports.isEmpty, "rejected without a message")
    try hold(outcome.succeeded || !isWhole, "an intact file is rejected: \(outcome.reports)")
    try hold(!outcome.reports.utf8.contains(0x1B), "it sends control sequences to the terminal")
    _ = try room.look()
    try room.run("changes")
    try room.run("undo")
  }
}
