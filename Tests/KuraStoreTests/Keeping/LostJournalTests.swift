import Testing

@testable import KuraStore

/// A store that is changed from outside while a program has saves of its own in its journal.
@Suite struct LostJournalTests {
  private let disk = ModelDisk(["s": Notes(["first"]).document])

  /// Returns a program with acknowledged saves.
  private func program(_ texts: [String]) throws -> NotesProgram {
    var program = try NotesProgram(disk)
    for text in texts {
      try program.save(text)
    }
    return program
  }

  private var journal: [UInt8] { Array((disk.state.image["s.journal"] ?? "").utf8) }

  private func remove(_ name: String) throws { try disk.files.remove(1, name) }

  /// Returns the reason why nothing was adopted.
  private func refusal(_ program: NotesProgram) -> KeepingFailure? {
    do {
      _ = try program.keeper.refresh { _, _ in Issue.record("adopted") }
      return nil
    } catch {
      return error as? KeepingFailure
    }
  }

  private func expectReadOnly(
    _ program: inout NotesProgram, _ reason: ReadOnlyReason,
    at place: SourceLocation = #_sourceLocation
  ) {
    guard case .readOnly(reason) = refusal(program) else {
      Issue.record("refreshed", sourceLocation: place)
      return
    }
    let image = disk.state.image
    program.memory.texts.append("more")
    #expect(throws: KeepingFailure.self, sourceLocation: place) { try program.save() }
    #expect(disk.state.image == image, sourceLocation: place)
  }

  @Test func aDocumentThatIsChangedByHandIsNotAdopted() throws {
    var program = try program(["a", "b"])
    disk.put("s", Notes(["edited"]).document)
    expectReadOnly(&program, .journalOfOtherDocument)
    // When it is put back, the store works again.
    disk.put("s", Notes(["first"]).document)
    try program.save()
    #expect(try NotesProgram(disk).saved.texts == ["first", "a", "b", "more"])
  }

  @Test func aJournalThatIsDamagedIsNotAdopted() throws {
    var program = try program(["a", "b", "c"])
    var bytes = journal
    bytes[(try Journal(reading: bytes)).records[1].start + 3] ^= 1
    disk.put("s.journal", bytes)
    expectReadOnly(&program, .damagedJournal(record: 2, isLast: false))
  }

  @Test func aJournalThatIsTakenAwayIsWrittenAnewByTheNextSave() throws {
    var program = try program(["a", "b"])
    try remove("s.journal")
    guard case .journalTakenAway = refusal(program) else {
      Issue.record("refreshed")
      return
    }
    program.memory.texts.append("c")
    let result = try program.keeper.save(
      SaveRequest(program.memory, record: program.memory.record(since: program.saved))
    ) { _ in throw NoNotes() }
    #expect(result.restoredJournal && !result.tookInOthers)
    #expect(try NotesProgram(disk).saved.texts == ["first", "a", "b", "c"])
    #expect(try !program.keeper.refresh { _, _ in })
    program.saved = result.contents
    try program.save("d")
    #expect(try NotesProgram(disk).saved.texts == ["first", "a", "b", "c", "d"])
  }

  @Test func aJournalThatIsCutAnywhereIsWrittenAnew() throws {
    let whole = try program(["a", "b"])
    let bytes = journal
    for length in 0..<bytes.count {
      let disk = ModelDisk(["s": Notes(["first"]).document, "s.journal": bytes])
      var program = try NotesProgram(disk)
      disk.put("s.journal", Array(bytes[..<length]))
      try program.save("c")
      #expect(try NotesProgram(disk).saved.texts == whole.saved.texts + ["c"], "cut at \(length)")
      #expect(disk.state.image.keys.sorted() == ["s"], "cut at \(length)")
    }
  }

  @Test func aFoldOrACleanEndWritesATakenJournalAnew() throws {
    for isEnd in [false, true] {
      disk.put("s", Notes(["first"]).document)
      let program = try program(["a"])
      try remove("s.journal")
      let keeper = program.keeper
      #expect(try (isEnd ? keeper.close(program.saved) : keeper.fold(program.saved)) == .folded)
      #expect(try NotesProgram(disk).saved.texts == ["first", "a"])
    }
  }

  @Test func savesInThePlaceOfOursAreNeitherAdoptedNorOverwritten() throws {
    var program = try program(["a", "b"])
    try remove("s.journal")
    var other = try NotesProgram(disk)
    try other.save("x")
    expectReadOnly(&program, .anotherJournal)
    #expect(try NotesProgram(disk).saved.texts == ["first", "x"])
  }

  @Test func theFoldOfAnotherProgramIsNoLoss() throws {
    var program = try program(["a"])
    let other = try NotesProgram(disk)
    #expect(try other.keeper.fold(other.saved) == .folded)
    program.memory.texts.append("b")
    let result = try program.keeper.save(SaveRequest(program.memory, record: [])) { fresh in
      SaveRequest(program.memory, record: program.memory.record(since: fresh))
    }
    #expect(result.tookInOthers && !result.restoredJournal)
    #expect(try NotesProgram(disk).saved.texts == ["first", "a", "b"])
  }

  /// A fold puts the document in place, and then removes the journal.
  @Test func aJournalThatSaysNothingMoreMayGo() throws {
    let program = try program(["a"])
    var reader: NotesProgram?
    disk.beforeRemoval = { name in
      if name == "s.journal" { reader = try? NotesProgram(disk) }
    }
    #expect(try program.keeper.fold(program.saved) == .folded)
    let seen = try #require(reader)
    #expect(seen.saved.texts == ["first", "a"] && seen.keeper.known.journal != nil)
    var texts: [String] = []
    #expect(try seen.keeper.refresh { notes, _ in texts = notes.texts })
    #expect(texts == ["first", "a"])
  }

  @Test func whatFailsWhileItIsWrittenAnewIsDoneByTheNextSave() throws {
    for length in [0, 1] {
      var program = try program(["a", "b"])
      let records = try Journal(reading: journal).records
      if length == 0 {
        try remove("s.journal")
      } else {
        disk.put("s.journal", Array(journal[..<records[1].start]))
      }
      program.memory.texts.append("c")
      let failed = (1..<40).prefix { step in
        disk.failing = (disk.count + step, 5)
        return (try? program.save()) == nil
      }.count
      #expect(failed > 2 && failed < 39, "\(failed) calls failed before it was saved")
      disk.failing = nil
      try program.save()
      #expect(try NotesProgram(disk).saved.texts == program.memory.texts)
      #expect(program.memory.texts.suffix(3) == ["a", "b", "c"])
      #expect(try program.keeper.close(program.saved) != .othersSaved)
    }
  }
}
