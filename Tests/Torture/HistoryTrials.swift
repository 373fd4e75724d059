import Foundation
import KuraGraph
import KuraStore
import KuraValues
import TestSupport

extension Trial {
  static let histories = Trial(
    "histories",
    "a truncated, corrupt or forged history returns each state correctly, or reports an error",
    rounds: 60
  ) { numbers, ground in
    var round = try HistoryRound(&numbers, ground)
    try round.run(&numbers)
  }
}

/// A store with a history, and its content after each save.
private struct HistoryRound {
  let ground: TrialFolder
  var store: JournalStore
  /// The states by the number of the save.
  var states: [Int64: String] = [:]

  init(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    self.ground = ground
    try ground.write(JournalStore.document, to: "s.json")
    guard let store = try JournalStore(ground.file("s.json")) else {
      throw Finding("a new store cannot be opened")
    }
    self.store = store
    try store.keeper.keepHistory(2 + numbers.below(9))
    states[0] = store.told
    while states.count < 3 || !numbers.oneIn(5) { try save(&numbers) }
  }

  /// Saves a change with its line in the history, sometimes after a fold or after reopening.
  private mutating func save(_ numbers: inout SeededNumbers) throws {
    if numbers.oneIn(4) { _ = try store.keeper.fold(store.contents) }
    if numbers.oneIn(5) { try reopen() }
    try store.change(&numbers)
    guard store.context.hasChanges else { return }
    try store.save(recording: Self.entry)
    guard let last = try store.keeper.history.read()?.saves.last else {
      throw Finding("a save is missing from the history")
    }
    states[last.number] = store.told
  }

  private mutating func reopen() throws {
    _ = store.keeper.close(store.contents)
    guard let again = try JournalStore(ground.file("s.json")) else {
      throw Finding("the store does not open")
    }
    store = again
  }

  private static let entry = SaveEntry(
    time: Timestamp(microseconds: 5), author: "花\u{1B}[2J", program: "torture", actions: ["edit"])

  mutating func run(_ numbers: inout SeededNumbers) throws {
    try hold(try chain().gaps.isEmpty, "an untouched history has gaps")
    try holdStates(isWhole: true)
    var isForged = false
    switch numbers.below(6) {
    case 0: try write(Array(try history().dropLast(numbers.below(try history().count))))
    case 1: try write(numbers.turned(try history()))
    case 2: try dropLine(&numbers)
    case 3: try saveUnnoted(&numbers)
    case 4: try edit()
    default:
      try forge(&numbers)
      isForged = true
    }
    if try isRefused() { return try holdLeftAlone(&numbers) }
    if !isForged { try holdStates() }
    try useAll()
    let known = states
    for _ in 0..<2 { try save(&numbers) }
    // Later saves may reuse numbers that the damage has freed.
    let (old, last) = (known.keys.max() ?? 0, states.keys.max() ?? 0)
    let saved = try chain().saves.last?.number ?? 0
    states = states.filter {
      $0.key == saved || saved > old && $0.key > 0 && $0.value == known[$0.key] && last == saved
    }
    if !isForged { try holdStates() }
    try useAll()
  }

  private func isRefused() throws -> Bool {
    do { _ = try store.keeper.history.read() } catch { return true }
    return false
  }

  /// Checks that a file that does not begin as a history is left as it is, while the store goes on saving.
  private mutating func holdLeftAlone(_ numbers: inout SeededNumbers) throws {
    let bytes = try history()
    try hold(
      !bytes.starts(with: #"{"history": "#.utf8),
      "a file with the beginning of a history was rejected")
    for _ in 0..<2 {
      try store.change(&numbers)
      if store.context.hasChanges { try store.save(recording: Self.entry) }
    }
    try hold(try history() == bytes, "a file that is not a history was written to")
  }

  private func history() throws -> [UInt8] { try ground.bytes(of: "s.json.history") }

  private func write(_ bytes: [UInt8]) throws { try ground.write(bytes, to: "s.json.history") }

  private func chain() throws -> SaveChain {
    guard let contents = try store.keeper.history.read() else {
      throw Finding("there is no history")
    }
    return SaveChain(contents, now: store.keeper.state)
  }

  /// Checks that each reported state is the actual one.
  private func holdStates(isWhole: Bool = false) throws {
    let chain = try chain()
    let kept = chain.saves.map(\.number)
    for (number, told) in states where kept.contains(number) || kept.contains(number + 1) {
      do {
        let graph = try chain.graph(after: number, from: store.context.graph)
        try hold(JournalStore.told(graph) == told, "the state after save \(number) is wrong")
      } catch let problem as SaveChain.Break {
        // A damaged history may report that it cannot determine a state.
        try hold(!isWhole, "the state after save \(number) cannot be read: \(problem)")
      }
    }
  }

  /// Uses all queries of a history with arbitrary content.
  private func useAll() throws {
    let chain = try chain()
    _ = chain.gaps
    for from in chain.saves {
      _ = try? chain.graph(after: from.number, from: store.context.graph)
      _ = try? chain.change(0, from.number, in: store.context.graph.model)
    }
  }

  private func lines() throws -> [[UInt8]] {
    try history().split(separator: UInt8(ascii: "\n")).map(Array.init)
  }

  private func dropLine(_ numbers: inout SeededNumbers) throws {
    var lines = try lines()
    if lines.count > 1 { lines.remove(at: 1 + numbers.below(lines.count - 1)) }
    try write(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
  }

  private mutating func saveUnnoted(_ numbers: inout SeededNumbers) throws {
    for _ in 0..<20 where !store.context.hasChanges { try store.change(&numbers) }
    if store.context.hasChanges { try store.save() }
  }

  /// Adds an object to the document without a save.
  private mutating func edit() throws {
    _ = store.keeper.close(store.contents)
    let text = String(decoding: try ground.bytes(of: "s.json"), as: UTF8.self)
    guard let place = text.range(of: #""Person": ["#, options: .backwards) else { return }
    try ground.write(
      text.replacingCharacters(in: place, with: #""Person": [{"objectID": 4000}, "#), to: "s.json")
    guard let again = try JournalStore(ground.file("s.json")) else { return }
    store = again
  }

  /// Changes one place of a line and gives it the right checksum, or changes the head.
  private func forge(_ numbers: inout SeededNumbers) throws {
    var lines = try lines()
    let place = numbers.below(lines.count)
    if place == 0 {
      lines[0] = numbers.forged(lines[0])
    } else {
      let form = #", "check": "0123456789abcdef"}"#.utf8.count
      let bytes = numbers.forged(Array(lines[place].dropLast(form)))
      lines[place] =
        bytes + Array(#", "check": "\#(UInt64(checksumOf: bytes).hexadecimal)"}"#.utf8)
    }
    try write(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
  }
}
