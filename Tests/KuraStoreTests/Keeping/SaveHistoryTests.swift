import Foundation
import KuraBytes
import KuraGraph
import KuraJSON
import KuraModel
import KuraValues
import Testing

@testable import KuraStore

@Suite("The saves of a history")
struct SaveHistoryTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func session() throws -> StoreSession {
    let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)
    return try StoreSession(try folder.file("s.json", Array(text.utf8)))
  }

  private static let model = Model(entities: [
    Entity(name: "Item", attributes: [Attribute(name: "title", type: .string)])
  ])

  private func entry(_ title: String, _ change: ChangeSet? = ChangeSet()) -> SaveEntry {
    SaveEntry(
      time: Timestamp(microseconds: 5), author: "花\n\"", program: "kura", actions: [title, "b"],
      change: change, types: change.map { KeyTypes($0, in: Self.model) })
  }

  private func change(_ number: Int64, _ title: String) -> ChangeSet {
    let columns = [ChangeColumn(key: "title", new: [.text(title)])]
    return ChangeSet(inserted: [
      ObjectBatch(entity: "Item", numbers: [number], columns: columns)
    ])
  }

  @Test("are read as they were written, numbered, and only recorded on request")
  func roundTrip() throws {
    let history = try session().keeper.history
    #expect(try history.add(entry("x")) == false)
    #expect(try history.read() == nil)
    try history.keep(10)
    #expect(try history.add(entry("a", change(2, "二"))) && history.add(entry("b", nil)))
    let contents = try #require(try history.read())
    var (first, second) = (entry("a", change(2, "二")), entry("b", nil))
    (first.number, second.number) = (1, 2)
    #expect(contents.limit == 10 && contents.damaged == 0 && contents.saves == [first, second])
    try history.forget()
    try history.forget()
    #expect(try history.read() == nil)
  }

  #if os(Linux)
    @Test("have the access rights of the document, with its access control list")
    func rights() throws {
      let session = try session()
      let rights = AccessRights(entries: [
        .init(tag: .owner, rights: 6), .init(tag: .user, rights: 6, number: 4711),
        .init(tag: .owningGroup, rights: 0), .init(tag: .mask, rights: 6),
        .init(tag: .other, rights: 0),
      ])
      let document = open(folder.path + "/s.json", O_RDWR)
      defer { close(document) }
      try #require(
        ExtendedAttributes.set(document, ExtendedAttributes.accessList, rights.bytes),
        "the folder for tests keeps no access control lists")
      try session.keeper.history.keep(10)
      let history = open(folder.path + "/s.json.history", O_RDONLY)
      defer { close(history) }
      // Without the list, the bits of its mask would be rights of the group.
      #expect(ExtendedAttributes.get(history, ExtendedAttributes.accessList) == rights.bytes)
    }
  #endif

  @Test("are limited to the newest, and continue with their numbers")
  func limit() throws {
    let history = try session().keeper.history
    try history.keep(4)
    for i in 1...60 { _ = try history.add(entry("\(i)")) }
    let kept = try #require(try history.read()).saves
    #expect(kept.count >= 4 && kept.count <= 4 + 1 + 16 && kept.last?.number == 60)
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
    try history.keep(2)
    #expect(try history.read()?.saves.map(\.number) == [59, 60])
    _ = try history.add(entry("61"))
    #expect(try history.read()?.saves.last?.number == 61)
  }

  @Test("are read despite every cut and every changed byte, and more can be added")
  func damage() throws {
    let history = try session().keeper.history
    try history.keep(10)
    for i in 1...3 { _ = try history.add(entry("\(i)", change(Int64(i), "t"))) }
    let path = folder.path + "/s.json.history"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for cut in stride(from: 0, to: whole.count, by: 7) {
      try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
      _ = try history.add(entry("new"))
      let saves = try #require(try history.read()).saves
      #expect(cut == 0 || saves.last?.actions.first == "new", "\(cut)")
      var changed = whole
      changed[cut] ^= 1
      try changed.write(to: URL(fileURLWithPath: path))
      #expect(try #require(try history.read()).saves.count >= 1, "\(cut)")
    }
  }

  @Test("lead back to each state, as long as no save is missing")
  func chain() throws {
    var session = try session()
    let history = session.keeper.history
    try history.keep(10)
    var states = [session.contents.graph]
    for number in 2...5 as ClosedRange<Int64> {
      session.insert(number, title: "t\(number)")
      let change = session.change
      try session.save()
      _ = try history.add(entry("\(number)", change))
      states.append(session.contents.graph)
    }
    let chain = SaveChain(try #require(try history.read()).saves)
    for number in 0...4 {
      let graph = try chain.graph(after: Int64(number), from: session.contents.graph)
      #expect(graph.difference(to: states[number]).isEmpty)
    }
    #expect(throws: SaveChain.Break.unknown(9, available: 1...4)) {
      _ = try chain.graph(after: 9, from: session.contents.graph)
    }
    session.insert(9, title: "not noted")
    let deleted = change(5, "t5").inverted
    session.apply(deleted)
    #expect(throws: SaveChain.Break.gap(4)) {
      _ = try chain.graph(after: 2, from: session.contents.graph)
    }
  }

  // Gaps

  private var file: URL { URL(filePath: folder.path + "/s.json.history") }

  /// Returns a session that has saved some objects, each save with its line in the history.
  private func saved(_ numbers: ClosedRange<Int64>) throws -> StoreSession {
    var session = try session()
    try session.keeper.keepHistory(10)
    for number in numbers {
      session.insert(number, title: "t\(number)")
      try session.save(recording: entry("\(number)"))
    }
    return session
  }

  private func chain(_ session: StoreSession) throws -> SaveChain {
    SaveChain(try #require(try session.keeper.history.read()), now: session.keeper.state)
  }

  @Test("have no gaps if each is recorded, also after folds and reopenings")
  func noGaps() throws {
    var session = try saved(2...3)
    #expect(session.keeper.close(session.contents).isEmpty)
    session = try StoreSession(folder.path + "/s.json")
    session.insert(4, title: "t4")
    try session.save(recording: entry("4"))
    #expect(try session.keeper.fold(session.contents) == .folded)
    session.insert(5, title: "t5")
    try session.save(recording: entry("5"))
    let chain = try chain(session)
    #expect(chain.saves.map(\.number) == [1, 2, 3, 4] && chain.gaps.isEmpty)
    #expect(chain.saves.allSatisfy { $0.before != nil && $0.after != nil })
    let first = try chain.graph(after: 0, from: session.contents.graph)
    #expect(first.tables[0].liveCount == 1)
  }

  @Test("stay gaps when the save before them is removed", arguments: [false, true])
  func gapBeforeFirst(isDamaged: Bool) throws {
    var session = try saved(2...4)
    if isDamaged {
      let handle = try FileHandle(forUpdating: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Array("{damaged\n".utf8))
    } else {
      session.insert(8, title: "not noted")
      try session.save()
    }
    for number in 5...6 {
      session.insert(Int64(number), title: "t\(number)")
      try session.save(recording: entry("\(number)"))
    }
    #expect(try chain(session).gaps == [3])
    try session.keeper.keepHistory(2)
    let left = try chain(session)
    #expect(left.saves.map(\.number) == [4, 5] && left.gaps == [3])
    #expect(throws: SaveChain.Break.gap(3)) {
      _ = try left.graph(after: 3, from: session.contents.graph)
    }
    #expect(try left.graph(after: 4, from: session.contents.graph).tables[0].liveCount > 0)
  }

  @Test("do not hide a save that was not recorded, or an edited document")
  func unnoted() throws {
    var session = try saved(2...3)
    session.insert(4, title: "not noted")
    try session.save()
    #expect(try chain(session).gaps == [2])
    #expect(throws: SaveChain.Break.gap(2)) {
      _ = try chain(session).graph(after: 1, from: session.contents.graph)
    }
    session.insert(5, title: "t5")
    try session.save(recording: entry("5"))
    let later = try chain(session)
    #expect(later.gaps == [2])
    #expect(throws: SaveChain.Break.gap(2)) {
      _ = try later.graph(after: 2, from: session.contents.graph)
    }
    #expect(throws: SaveChain.Break.gap(2)) {
      _ = try later.change(1, 3, in: session.contents.graph.model)
    }
    #expect(try later.change(0, 2, in: session.contents.graph.model).inserted.count == 1)

    _ = session.keeper.close(session.contents)
    let document = URL(filePath: folder.path + "/s.json")
    let text = try String(contentsOf: document, encoding: .utf8)
    let more = text.replacing(
      #"{"objectID": 1,"#, with: #"{"objectID": 9, "title": "by hand"}, {"objectID": 1,"#)
    #expect(more != text)
    try Data(more.utf8).write(to: document)
    let edited = try StoreSession(folder.path + "/s.json")
    #expect(try chain(edited).gaps == [2, 3])
    #expect(throws: SaveChain.Break.gap(3)) {
      _ = try chain(edited).graph(after: 0, from: edited.contents.graph)
    }
  }

  @Test("report a cut line, regardless of later saves")
  func torn() throws {
    var session = try saved(2...3)
    let whole = try Data(contentsOf: file)
    let lines = whole.split(separator: UInt8(ascii: "\n"))
    for cut in 1...lines[2].count {
      try Data(whole.dropLast(cut)).write(to: file)
      #expect(try chain(session).gaps == (cut == 1 ? [] : [1]), "\(cut)")
    }
    try Data(whole.dropLast(20)).write(to: file)
    for number in 4...5 as ClosedRange<Int64> {
      session.insert(number, title: "t\(number)")
      try session.save(recording: entry("\(number)"))
    }
    let chain = try chain(session)
    #expect(chain.gaps == [1] && chain.saves.map(\.number) == [1, 3, 4])
    #expect(throws: SaveChain.Break.gap(1)) {
      _ = try chain.graph(after: 1, from: session.contents.graph)
    }
  }

  // Forged

  /// Returns a line with a correct checksum.
  private func line(save number: String, time: String) -> [UInt8] {
    SealedLine.seal(
      JSONNode([
        "save": JSONNode(.number(number)), "time": JSONNode(.number(time)), "author": JSONNode(""),
        "program": JSONNode(""), "actions": JSONNode(.array([])), "change": JSONNode(.null),
      ])
    ).line
  }

  @Test("with impossible numbers are read as damaged, and continue")
  func forged() throws {
    let heads = [
      #""keep": 9223372036854775807"#, #""keep": -1"#, #""keep": 0"#, #""keep": 1e99"#,
      #""keep": 18446744073709551616"#, #""keep": "x""#, #""keep": 3, "state": 7"#,
    ]
    let numbers = [
      "9223372036854775807", "-9223372036854775808", "0", "-1", "9007199254740993", "1.5",
      "18446744073709551616",
    ]
    for head in heads {
      try Data("{\"history\": 1, \(head)}\n".utf8).write(to: file)
      let history = try session().keeper.history
      #expect(try history.add(entry("a")))
      let contents = try #require(try history.read())
      #expect((1...1_000_000).contains(contents.limit) && contents.saves.map(\.number) == [1])
    }
    for number in numbers {
      let line = line(save: number, time: "5")
      try Data(Array("{\"history\": 1, \"keep\": 9}\n".utf8) + line + [10]).write(to: file)
      let history = try session().keeper.history
      #expect(try history.read()?.damaged == 1, "\(number)")
      #expect(try history.add(entry("a")), "\(number)")
      #expect(try history.read()?.saves.map(\.number) == [1], "\(number)")
    }
    for time in ["9223372036854775807", "-9223372036854775808", "253402387140000000"] {
      let line = line(save: "1", time: time)
      try Data(Array("{\"history\": 1, \"keep\": 9}\n".utf8) + line + [10]).write(to: file)
      #expect(try session().keeper.history.read()?.damaged == 1, "\(time)")
    }
    var last = entry("last")
    last.number = SaveEntry.numbers.upperBound
    try Data(Array("{\"history\": 1, \"keep\": 9}\n".utf8) + last.line + [10]).write(to: file)
    #expect(throws: SidecarProblem.self) { _ = try session().keeper.history.add(entry("a")) }
  }

  @Test("are not damaged if reading them was cancelled")
  func cancelled() throws {
    var history = Array("{\"history\": 1, \"keep\": 9}\n".utf8)
    var save = entry("a", change(1, "一"))
    save.number = 1
    history += save.line + [UInt8(ascii: "\n")]
    let cancel = CancelFlag()
    #expect(try SaveHistory.Contents(reading: history, cancel).saves == [save])
    cancel.request()
    #expect(HistoryLine(save.line[...], cancel) == nil)
    #expect(throws: KeepingFailure.self) {
      _ = try SaveHistory.Contents(reading: history, cancel)
    }
  }

  @Test("are added without reading earlier ones, and adding can be cancelled")
  func bounded() throws {
    let options = KeepingOptions()
    let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)
    let path = try folder.file("s.json", Array(text.utf8))
    let session = try StoreSession(path, options)
    try session.keeper.keepHistory(10)
    _ = try session.keeper.history.add(entry("a"))
    let handle = try FileHandle(forUpdating: file)
    try handle.truncate(atOffset: 4 << 30)
    #expect(throws: SidecarProblem.self) { _ = try session.keeper.history.read() }
    try handle.truncate(atOffset: 200 << 20)
    options.cancel.request()
    #expect(throws: SidecarProblem.self) { _ = try session.keeper.history.read() }
    options.cancel.reset()
  }
}
