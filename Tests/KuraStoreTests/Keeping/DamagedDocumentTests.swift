import Foundation
import KuraDiagnostics
import Testing

@testable import KuraStore

/// A document that has changed: by an edit, which is allowed, or by the disk.
@Suite struct DamagedDocumentTests {
  private let disk = ModelDisk(["s": Notes(["first"]).document])

  /// Creates a store with a document that Kura wrote.
  private func folded() throws {
    var program = try NotesProgram(disk)
    try program.save("a")
    #expect(try program.keeper.fold(program.saved) == .folded)
    #expect(try NotesProgram(disk).notes.isEmpty)
  }

  @Test func isSaidWhereNobodyHasWrittenItSince() throws {
    try folded()
    disk.rot("s", Array("0\nfirsu\na\n".utf8))
    var program = try NotesProgram(disk)
    #expect(program.notes == [.damagedDocument] && program.saved.texts == ["firsu", "a"])
    try program.save("b")
    #expect(try program.keeper.fold(program.saved) == .folded)
    #expect(try NotesProgram(disk).notes.isEmpty)
  }

  @Test func isWelcomeWhereAProgramHasWrittenItOrPutAnotherInItsPlace() throws {
    try folded()
    try disk.place.open(.document, .writing).write(Array("0\nfirsu\n".utf8), at: 0)
    let edited = try NotesProgram(disk)
    #expect(edited.notes.isEmpty && edited.saved.texts == ["firsu", "a"])
    try folded()
    disk.put("s", Notes(["edited"]).document)
    #expect(try NotesProgram(disk).notes.isEmpty)
  }

  #if os(Linux)
    @Test func isSeenForEveryByteWhereTheFileSystemHasRoomForMarks() throws {
      let folder = try Folder()
      let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)
      let path = try folder.file("s.json", Array(text.utf8))
      var session = try StoreSession(path)
      session.insert(2, title: "two")
      try session.save()
      #expect(session.keeper.close(session.contents).isEmpty)
      let file = open(path, O_RDWR)
      defer { close(file) }
      try #require(FileOperations.live.mark(file) != nil, "the folder for tests keeps no marks")
      var status = stat()
      #expect(fstat(file, &status) == 0)
      let times = [status.st_atim, status.st_mtim]
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      var isOpened = 0
      for place in bytes.indices {
        for byte in [bytes[place] ^ 1, bytes[place]] {
          #expect(pwrite(file, [byte], 1, off_t(place)) == 1 && futimens(file, times) == 0)
          guard let kept = try? StoreKeeper.open(path: path) else { continue }
          isOpened += 1
          let isSaid = kept.notes.contains { $0.facts.sentence.contains("is damaged") }
          #expect(isSaid == (byte != bytes[place]), "byte \(place)")
        }
      }
      // The unchanged document always opens, and so does a changed one that is still JSON.
      #expect(isOpened > bytes.count + 10)
    }
  #endif
}
