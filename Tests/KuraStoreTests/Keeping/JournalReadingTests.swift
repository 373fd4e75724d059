import Testing

@testable import KuraStore

/// A journal that was truncated or changed from outside.
@Suite struct JournalReadingTests {
  private static let long = String(repeating: "x", count: 1300)

  /// Returns a store with saves, and its files.
  private func saved(_ texts: [String]) throws -> DiskImage {
    let disk = ModelDisk(["s": Notes(["first"]).document])
    var program = try NotesProgram(disk)
    for text in texts {
      try program.save(text)
    }
    return disk.state.image
  }

  private func opened(
    _ image: DiskImage, journal: [UInt8], _ options: KeepingOptions = KeepingOptions()
  ) throws -> NotesProgram {
    let disk = ModelDisk(["s": Array((image["s"] ?? "").utf8), "s.journal": journal])
    return try NotesProgram(disk, options)
  }

  @Test func cutAtAnyByteItOpensToTheLastWholeSave() throws {
    let texts = ["a", Self.long, "c"]
    let image = try saved(texts)
    let journal = Array((image["s.journal"] ?? "").utf8)
    let ends = try #require(try? Journal(reading: journal)).records.map(\.start) + [journal.count]
    for length in 0...journal.count {
      var program = try opened(image, journal: Array(journal[..<length]))
      let whole = ends.dropFirst().count { $0 <= length }
      #expect(program.saved.texts == ["first"] + texts[..<whole], "cut at \(length)")
      #expect(program.keeper.readOnly == nil, "cut at \(length)")
      let isWhole = length == 0 || ends.contains(length)
      #expect(program.notes.isEmpty == isWhole, "cut at \(length)")
      try program.save("next")
    }
  }

  @Test func everyBitThatIsTurnedIsNoticed() throws {
    let texts = ["a", "b"]
    let image = try saved(texts)
    let journal = Array((image["s.journal"] ?? "").utf8)
    var isOpened = Set<Int>()
    for place in journal.indices {
      for bit in 0..<8 {
        var bytes = journal
        bytes[place] ^= 1 << bit
        guard let program = try? opened(image, journal: bytes) else { continue }
        isOpened.insert(place)
        let isRight = program.saved.texts == ["first"] + texts
        #expect(program.keeper.readOnly != nil && !isRight, "bit \(bit) of byte \(place)")
      }
    }
    // All except changes of the version, after which nothing is read.
    #expect(isOpened.count > journal.count - 10)
  }

  @Test func zerosBehindTheLastSaveAreAnUnfinishedOne() throws {
    let image = try saved(["a"])
    let journal = Array((image["s.journal"] ?? "").utf8)
    let program = try opened(image, journal: journal + [UInt8](repeating: 0, count: 4096))
    #expect(program.saved.texts == ["first", "a"])
    #expect(program.notes == [.droppedUnfinishedSave] && program.keeper.readOnly == nil)
  }

  /// A lost sector in the middle affects more than an unfinished save.
  @Test func zerosBeforeASaveAreDamage() throws {
    let image = try saved(["a", Self.long, "c"])
    var journal = Array((image["s.journal"] ?? "").utf8)
    for place in 512..<1024 { journal[place] = 0 }
    let program = try opened(image, journal: journal)
    #expect(program.keeper.readOnly == .damagedJournal(record: 2, isLast: false))
    #expect(program.saved.texts == ["first", "a"])
  }

  @Test func aDamagedLastSaveIsDroppedWhenThatIsAskedFor() throws {
    let image = try saved(["a", "b"])
    var journal = Array((image["s.journal"] ?? "").utf8)
    journal[journal.count - 4] ^= 1
    let readOnly = try opened(image, journal: journal)
    #expect(readOnly.keeper.readOnly == .damagedJournal(record: 2, isLast: true))
    #expect(readOnly.saved.texts == ["first", "a"])
    var options = KeepingOptions()
    options.dropsDamagedSave = true
    var program = try opened(image, journal: journal, options)
    #expect(program.notes == [.droppedDamagedSave] && program.keeper.readOnly == nil)
    try program.save("c")
    #expect(program.saved.texts == ["first", "a", "c"])
  }

  @Test func aDocumentThatWasChangedBesideAJournalIsReadOnly() throws {
    var image = try saved(["a"])
    image["s"] = "0\nother\n"
    let program = try opened(image, journal: Array((image["s.journal"] ?? "").utf8))
    #expect(program.keeper.readOnly == .journalOfOtherDocument)
    #expect(program.saved.texts == ["other"])
    // When it is put back, the store works again.
    image["s"] = "0\nfirst\n"
    let again = try opened(image, journal: Array((image["s.journal"] ?? "").utf8))
    #expect(again.keeper.readOnly == nil && again.saved.texts == ["first", "a"])
  }

  @Test func ofAnotherVersionItIsNotRead() throws {
    let image = try saved(["a"])
    let head = Array(#"{"journal": 2, "document": "x""#.utf8)
    let check = UInt64(checksumOf: head).hexadecimal
    let journal = head + Array(", \"check\": \"\(check)\"}\n".utf8)
    #expect(throws: KeepingFailure.self) { try opened(image, journal: journal) }
  }
}
