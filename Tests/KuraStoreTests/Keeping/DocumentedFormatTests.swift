import Foundation
import KuraGraph
import Testing

@testable import KuraStore

/// The files in Documentation/StoreFormat.md equal the files that Kura writes, byte for byte.
@Suite struct DocumentedFormatTests {
  private let page: String

  init() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    page = try String(
      contentsOf: package.appending(path: "Documentation/StoreFormat.md"), encoding: .utf8)
  }

  /// Returns the text of the first block with this fence word.
  private func block(_ word: String) throws -> String {
    let start = try #require(page.range(of: "```json \(word)\n"), "no block \(word)")
    let end = try #require(page.range(of: "```\n", range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound])
  }

  @Test func areWhatKuraWrites() throws {
    let folder = try Folder()
    let document = try block("document")
    let path = try folder.file("todo.json", Array(document.utf8))
    var session = try StoreSession(path)
    #expect(try session.contents.document == document)
    session.insert(2, title: "夏祭り")
    try session.save()
    session.apply(
      ChangeSet(
        updated: [
          ObjectBatch(
            entity: "Item", numbers: [2],
            columns: [ChangeColumn(key: "title", old: [.text("夏祭り")], new: [.text("花火大会")])])
        ],
        deleted: [
          ObjectBatch(
            entity: "Item", numbers: [1],
            columns: [ChangeColumn(key: "title", old: [.text("父の誕生日")])])
        ]))
    try session.save()
    #expect(try String(contentsOfFile: path + ".journal", encoding: .utf8) == block("journal"))
    _ = session.keeper.close(session.contents)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == block("folded"))
  }

  @Test func areReadAsThePageSays() throws {
    let folder = try Folder()
    let path = try folder.file("todo.json", Array(block("document").utf8))
    _ = try folder.file("todo.json.journal", Array(block("journal").utf8))
    let session = try StoreSession(path)
    #expect(session.notes.isEmpty && session.keeper.readOnly == nil)
    #expect(try session.contents.document == block("folded"))
  }
}
