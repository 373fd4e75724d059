import KuraDiagnostics
import KuraGraph
import KuraStore
import TestSupport

extension Trial {
  static let journals = Trial(
    "journals",
    "a forged, truncated or corrupt journal or document is never folded into an unreadable one",
    rounds: 100
  ) { numbers, ground in
    try JournalRound(&numbers, ground).run(&numbers)
  }
}

/// A store with saves in its journal, and its content after each.
private struct JournalRound {
  let ground: TrialFolder
  /// The content before the first save, after it, and so on.
  var states: [String] = []
  let document: [UInt8]
  let journal: [UInt8]

  init(_ numbers: inout SeededNumbers, _ ground: TrialFolder) throws {
    self.ground = ground
    try ground.write(JournalStore.document, to: "s.json")
    guard var session = try JournalStore(ground.file("s.json")) else {
      throw Finding("a new store cannot be opened")
    }
    states = [session.told]
    while states.count < 2 || !numbers.oneIn(4) {
      try session.change(&numbers)
      guard session.context.hasChanges else { continue }
      try session.save()
      states.append(session.told)
    }
    document = try ground.bytes(of: "s.json")
    journal = try ground.bytes(of: "s.json.journal")
  }

  func run(_ numbers: inout SeededNumbers) throws {
    try put(document, journal)
    let whole = try JournalStore(ground.file("s.json"))
    try hold(
      whole?.isReadOnly == false && whole?.told == states.last, "an intact journal is not read")
    switch numbers.below(8) {
    case 0: try cut(&numbers)
    case 1: try turn(&numbers)
    case 2: try turnDocument(&numbers)
    case 3: try documentAlone(&numbers)
    default: try forge(&numbers)
    }
  }

  private func put(_ document: [UInt8], _ journal: [UInt8]) throws {
    try ground.write(document, to: "s.json")
    try ground.write(journal, to: "s.json.journal")
  }

  private func opened(hasJournal: Bool = true) throws -> JournalStore? {
    do {
      return try JournalStore(ground.file("s.json"), hasJournal: hasJournal)
    } catch is StoreProblems { return nil }
  }

  /// Truncates the journal: a store that ends inside a save has all saves before it.
  private func cut(_ numbers: inout SeededNumbers) throws {
    let length = numbers.below(journal.count + 1)
    let lines = journal[..<length].count { $0 == UInt8(ascii: "\n") }
    try put(document, Array(journal[..<length]))
    guard let store = try opened() else {
      throw Finding("truncated at \(length), it does not open")
    }
    try hold(!store.isReadOnly, "truncated at \(length), it is read-only")
    try hold(store.told == states[max(0, lines - 1)], "truncated at \(length), it has other saves")
    try goOn(store)
  }

  /// Changes bits: no change is unnoticed.
  private func turn(_ numbers: inout SeededNumbers) throws {
    let bytes = numbers.turned(journal)
    try put(document, bytes)
    guard bytes != journal, let store = try opened() else { return }
    try hold(store.isReadOnly, "a flipped bit was not detected")
    try hold(states.contains(store.told), "a flipped bit is in the data that was read")
    try staysAsItIs(store, document, bytes)
  }

  /// Changes the document: it must be the one that the journal names, or the difference is
  /// reported.
  private func turnDocument(_ numbers: inout SeededNumbers) throws {
    let bytes = numbers.turned(document)
    try put(bytes, journal)
    guard bytes != document, let store = try opened() else { return }
    try hold(store.isReadOnly, "a flipped bit in the document was not detected")
    try staysAsItIs(store, bytes, journal)
  }

  /// Changes the document alone: an opened store can be saved, folded and opened again.
  private func documentAlone(_ numbers: inout SeededNumbers) throws {
    let bytes =
      numbers.flip() ? numbers.turned(document) : Array(document[..<numbers.below(document.count)])
    try put(bytes, [])
    guard var store = try opened(hasJournal: false), !store.isReadOnly else { return }
    try store.change(&numbers)
    guard store.context.hasChanges else { return }
    do { try store.save() } catch let problems as StoreProblems {
      throw Finding(
        "the opened store cannot be saved: \(problems.diagnostics.map(\.facts.sentence))")
    }
    try goOn(store)
  }

  /// Forges records with right checksums: they are damage, or they give a valid store.
  private func forge(_ numbers: inout SeededNumbers) throws {
    var lines = JournalLines(journal)
    try hold(lines.bytes == journal, "the trial writes journals differently from Kura")
    let place = numbers.below(lines.records.count)
    let forged = numbers.forged(lines.records[place])
    lines.records[place] = forged
    if numbers.flip() { lines.records.removeSubrange((place + 1)...) }
    let bytes = lines.bytes
    try put(document, bytes)
    guard let store = try opened() else { return }
    let text = String(decoding: forged, as: UTF8.self)
    if store.isReadOnly { return try staysAsItIs(store, document, bytes) }
    do { try goOn(store) } catch { throw Finding("\(error); forged: \(text)") }
  }

  /// Folds an opened store, and checks that it is the same when it is opened again.
  private func goOn(_ store: JournalStore) throws {
    do {
      _ = try store.keeper.fold(store.contents)
    } catch let problems as StoreProblems {
      throw Finding(
        "the opened store cannot be folded: \(problems.diagnostics.map(\.facts.sentence))")
    }
    guard let again = try opened() else { throw Finding("the folded store does not open") }
    try hold(!again.isReadOnly, "the folded store is read-only")
    try hold(
      again.told == store.told,
      "the folded store differs from the opened one:\n\(again.told)\n---\n\(store.told)")
  }

  /// Checks that a read-only store is neither written nor removed.
  private func staysAsItIs(
    _ store: JournalStore, _ document: [UInt8], _ journal: [UInt8]
  ) throws {
    _ = try? store.keeper.fold(store.contents)
    _ = store.keeper.close(store.contents)
    try hold(
      try ground.bytes(of: "s.json") == document && ground.bytes(of: "s.json.journal") == journal,
      "a read-only store was written to")
  }
}
