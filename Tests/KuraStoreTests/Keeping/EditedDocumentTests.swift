import Foundation
import Testing

@testable import KuraStore

/// A document that is not as Kura wrote it: edited by hand, or damaged.
@Suite struct EditedDocumentTests {
  private let disk = ModelDisk(["s": Notes(["first"]).document])

  @Test func isReadAndWrittenAndSaidOnce() throws {
    var program = try NotesProgram(disk)
    #expect(program.notes.isEmpty)
    program.memory.texts.append("a")
    try program.save()
    #expect(try program.keeper.fold(program.saved) == .folded)
    #expect(try NotesProgram(disk).notes.isEmpty)
    // As an editor does that writes into the file, and as a disk does that turns a bit.
    let file = try disk.files.open(1, "s", .writing, 0)
    try disk.files.writeAll(file, Array("0\nfirsu\n".utf8), at: 0)
    disk.files.close(file)
    var edited = try NotesProgram(disk)
    #expect(edited.notes == [.notAsWritten] && edited.keeper.readOnly == nil)
    #expect(edited.saved.texts == ["firsu", "a"])
    edited.memory.texts.append("b")
    try edited.save()
    #expect(try edited.keeper.fold(edited.saved) == .folded)
    let again = try NotesProgram(disk)
    #expect(again.notes.isEmpty && again.saved.texts == ["firsu", "a", "b"])
  }

  @Test func isNotSaidWhereAnotherFileWasPutThere() throws {
    let program = try NotesProgram(disk)
    #expect(try program.keeper.fold(program.saved) == .nothingToFold)
    disk.put("s", Notes(["edited"]).document)
    #expect(try NotesProgram(disk).notes.isEmpty)
  }

  @Test func isSeenForEveryBitOnADiskWithRoomForMarks() throws {
    let folder = try Folder()
    let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try KeptSession(path)
    session.insert(2, title: "two")
    try session.save()
    #expect(session.keeper.close(session.contents).isEmpty)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    defer { try? file.close() }
    guard FileOperations.live.mark(file.fileDescriptor) != nil else { return }
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    for place in bytes.indices {
      try file.seek(toOffset: UInt64(place))
      file.write(Data([bytes[place] ^ 1]))
      if let kept = try? StoreKeeper.open(path: path) {
        #expect(!kept.notes.isEmpty, "byte \(place)")
      }
      try file.seek(toOffset: UInt64(place))
      file.write(Data([bytes[place]]))
    }
    #expect(try StoreKeeper.open(path: path).notes.isEmpty)
  }
}
