import Testing

@testable import KuraStore

/// Programs that save to the same store.
@Suite struct TwoProgramTests {
  private func disk() -> ModelDisk { ModelDisk(["s": Notes(["first"]).document]) }

  @Test func aSaveTakesInWhatOthersSaved() throws {
    let disk = disk()
    var one = try NotesProgram(disk)
    var two = try NotesProgram(disk)
    for (i, text) in ["a", "b", "c", "d"].enumerated() {
      if i % 2 == 0 {
        try one.save(text)
      } else {
        try two.save(text)
      }
    }
    #expect(two.saved.texts == ["first", "a", "b", "c", "d"])
    #expect(try NotesProgram(disk).saved == two.saved)
    #expect(disk.state.image.keys.sorted() == ["s", "s.journal"])
  }

  @Test func aSaveAfterTheOthersFoldTakesItIn() throws {
    let disk = disk()
    var one = try NotesProgram(disk)
    var two = try NotesProgram(disk)
    try one.save("a")
    #expect(try one.keeper.close(one.saved) == .folded)
    #expect(disk.state.image.keys.sorted() == ["s"])
    try two.save("b")
    #expect(two.saved.texts == ["first", "a", "b"])
  }

  @Test func aConflictWritesNothing() throws {
    struct Conflict: Error {}
    let disk = disk()
    var one = try NotesProgram(disk)
    let two = try NotesProgram(disk)
    try one.save("a")
    let image = disk.state.image
    for _ in 0..<2 {
      #expect(throws: Conflict.self) {
        _ = try two.keeper.save(SaveRequest(two.memory, record: [])) { _ in throw Conflict() }
      }
    }
    #expect(disk.state.image == image)
  }

  @Test func aFoldOfWhatOthersWentBeyondIsNotDone() throws {
    let disk = disk()
    var one = try NotesProgram(disk)
    try one.save("a")
    var two = try NotesProgram(disk)
    try two.save("b")
    #expect(try one.keeper.fold(one.saved) == .othersSaved)
    #expect(try one.keeper.close(one.saved) == .othersSaved)
    #expect(try NotesProgram(disk).saved.texts == ["first", "a", "b"])
    var seen: Notes?
    #expect(try one.keeper.refresh { notes, _ in seen = notes })
    #expect(seen?.texts == ["first", "a", "b"])
    #expect(try !one.keeper.refresh { _, _ in })
  }

  @Test func aSaveWaitsForTheLockAndNamesWhoHasIt() throws {
    struct Enough: Error {}
    let disk = disk()
    var one = try NotesProgram(disk)
    var holders: [LockHolder?] = []
    do {
      let lock = try StoreLock(disk.place, like: nil) { _ in }
      defer { withExtendedLifetime(lock) {} }
      #expect(throws: Enough.self) {
        _ = try one.keeper.save(
          SaveRequest(one.memory, record: []),
          waiting: { holder in
            holders.append(holder)
            if holders.count == 2 { throw Enough() }
          }, rebase: { _ in throw Enough() })
      }
    }
    let holder = LockHolder(process: 1, user: "u", host: "h")
    #expect(holders == [holder, holder])
    try one.save("a")
    #expect(disk.state.image["s.lock"] == nil)
  }

  @Test func aReaderWaitsForTheEndOfASaveThatIsUnderWay() throws {
    let disk = disk()
    var one = try NotesProgram(disk)
    try one.save("a")
    let whole = Array((disk.state.image["s.journal"] ?? "").utf8)
    disk.put("s.journal", Array(whole.dropLast(20)))
    let lock = try StoreLock(disk.place, like: nil) { _ in }
    defer { withExtendedLifetime(lock) {} }
    var pauses = 0
    disk.onPause = {
      pauses += 1
      if pauses == 3 { disk.put("s.journal", whole) }
    }
    let reader = try NotesProgram(disk)
    #expect(reader.notes.isEmpty && reader.saved.texts == ["first", "a"] && pauses == 3)
    // A lock file that is left over does not stop a reader forever.
    disk.put("s.journal", Array(whole.dropLast(20)))
    disk.onPause = {}
    #expect(try NotesProgram(disk).notes == [.droppedUnfinishedSave])
  }

  @Test func aLongJournalIsFoldedAfterASave() throws {
    let disk = disk()
    var options = KeepingOptions()
    options.journalLimit = 2000
    var program = try NotesProgram(disk, options)
    var folds = 0
    for number in 0..<100 {
      try program.save("text \(number)")
      if disk.state.image["s.journal"] == nil { folds += 1 }
    }
    #expect(folds > 3 && folds < 30, "\(folds)")
    #expect(try NotesProgram(disk).saved.texts.count == 101)
  }

  @Test func aFoldThatFindsTheDiskFullKeepsTheSave() throws {
    let disk = disk()
    var options = KeepingOptions()
    options.journalLimit = 10
    var program = try NotesProgram(disk, options)
    program.memory.texts.append("a")
    disk.failsToWrite = { $0 == "s.new" }
    let result = try program.keeper.save(
      SaveRequest(program.memory, record: program.memory.record(since: program.saved))
    ) { _ in throw NoNotes() }
    #expect(result.foldFailure != nil)
    #expect(disk.state.image.keys.sorted() == ["s", "s.journal"])
    #expect(try NotesProgram(disk).saved.texts == ["first", "a"])
  }

  @Test func aDocumentThatIsReplacedMeanwhileIsNotOverwritten() throws {
    let disk = disk()
    var program = try NotesProgram(disk)
    program.memory.model = 1
    disk.beforeRename = { disk in disk.put("s", Notes(["somebody else's"]).document) }
    #expect(throws: KeepingFailure.self) { try program.save() }
    #expect(disk.state.image["s"] == "0\nsomebody else's\n")
    #expect(disk.state.image["s.new"] == nil)
    try program.save("b")
    #expect(program.saved.texts == ["somebody else's", "b"])
  }

  @Test func aStoreIsMadeWhereThereIsNoneAndReplacedWhenAsked() throws {
    let disk = ModelDisk()
    func make(_ notes: Notes, replaces: Bool) throws -> JournaledDocument<Notes> {
      try JournaledDocument.make(
        notes, at: disk.place, replaces: replaces, Notes.form, KeepingOptions())
    }
    _ = try make(Notes(["a"]), replaces: false)
    #expect(throws: KeepingFailure.self) { try make(Notes(["b"]), replaces: false) }
    var program = try NotesProgram(disk)
    try program.save("saved")
    let keeper = try make(Notes(["c"]), replaces: true)
    _ = try keeper.save(
      SaveRequest(Notes(["c", "d"]), record: Notes(["c", "d"]).record(since: Notes(["c"])))
    ) { _ in throw NoNotes() }
    #expect(try NotesProgram(disk).saved.texts == ["c", "d"])
  }
}
