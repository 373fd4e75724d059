import Foundation
import KuraGraph
import KuraModel
import KuraValues
import Testing

@testable import KuraStore

@Suite("The saves that are remembered")
struct SaveHistoryTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func session() throws -> KeptSession {
    let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)
    return try KeptSession(try folder.file("s.json", Array(text.utf8)))
  }

  private static let model = Model(entities: [
    Entity(name: "Item", attributes: [Attribute(name: "title", type: .string)])
  ])

  private func entry(_ title: String, _ change: ChangeSet? = ChangeSet()) -> SaveEntry {
    SaveEntry(
      time: Timestamp(microseconds: 5), author: "花\n\"", program: "kura", actions: [title, "b"],
      change: change, in: Self.model)
  }

  private func change(_ number: Int64, _ title: String) -> ChangeSet {
    let columns = [ChangeColumn(key: "title", values: [.text(title)])]
    return ChangeSet(inserted: [
      ObjectBatch(entity: "Item", numbers: [number], columns: columns)
    ])
  }

  @Test("are read as they were written, numbered, and nothing is kept unasked")
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

  @Test("are as many as were asked for, the newest, and go on with their numbers")
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

  @Test("are read around every cut and every changed byte, and written on behind them")
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

  @Test("lead back to each state, as long as nothing is missing")
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
      let graph = try chain.graph(behind: Int64(number), from: session.contents.graph)
      #expect(graph.difference(to: states[number]).isEmpty)
    }
    #expect(throws: SaveChain.Break.unknown(9, kept: 1...4)) {
      _ = try chain.graph(behind: 9, from: session.contents.graph)
    }
    session.insert(9, title: "not noted")
    let deleted = change(5, "t5").inverted
    session.apply(deleted)
    #expect(throws: SaveChain.Break.gap(4)) {
      _ = try chain.graph(behind: 2, from: session.contents.graph)
    }
  }
}
