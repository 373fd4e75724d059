import Foundation
import KuraBytes
import TestSupport
import Testing

@testable import KuraShell

/// Changes of many objects that are cancelled at any moment.
@Suite("A change that is cancelled", .serialized)
struct StoppedChangeTests {
  private let folder: TestFolder
  private static let count = 5_000

  init() throws { folder = try TestFolder() }

  private func session(_ cancel: CancelFlag) throws -> Session {
    var services = folder.services
    services.cancel = cancel
    let session = try Session(Launch(), services)
    session.run(
      """
      entity Category { name: string; items: [Item] inverse category delete cascade; total: integer? derived (items.@sum.price) }
      entity Item { title: string min 1; price: integer; done: boolean = NO; category: Category? inverse items; tags: [Tag] inverse items }
      entity Tag { name: string; items: [Item] inverse tags }
      insert Tag name = "t"
      """)
    let categories = (1...20).map { "{\"name\": \"c\($0)\"}" }.joined(separator: ",")
    session.run("insert Category [\(categories)]")
    session.run(Self.items)
    return session
  }

  private static let items: String = {
    let rows = (0..<count).map {
      "{\"title\": \"i\($0)\", \"price\": \($0 % 90), \"category\": \($0 % 20 + 1), \"tags\": [1]}"
    }
    return "insert Item [\(rows.joined(separator: ","))]"
  }()

  /// Returns all visible data of the graph.
  private func picture(_ session: Session) throws -> String {
    let before = folder.output.count
    session.run(
      """
      .mode jsonl
      fetch Category
      fetch Tag
      print sum([fetch Item].price), [fetch Item where done == YES].@count
      fetch Item where objectID % 777 == 0
      model
      .mode table
      """)
    try session.targets.flush()
    return String(folder.output.dropFirst(before))
  }

  @Test("while opening another store leaves the open one")
  func opening() throws {
    let cancel = CancelFlag()
    var services = folder.services
    services.cancel = cancel
    // Simulates Control-C after the first piece has been read.
    services.progress = WorkProgress(report: { _ in cancel.request() }, end: {})
    let rows = (0..<60_000).map { "{\"title\": \"row \($0) of a file of two megabytes\"}" }
    try Data("[\(rows.joined(separator: ","))]".utf8).write(
      to: URL(filePath: folder.path + "/rows.json"))
    let session = try Session(Launch(), services)
    session.run("entity A { n: integer }\ninsert A n = 3\nrollback")
    session.run(".open \(folder.path)/rows.json")
    #expect(folder.output.hasSuffix("error: stopped\n"))
    cancel.reset()
    session.run("model")
    try session.targets.flush()
    #expect(!folder.output.contains("rows"))
  }

  private static let statements = [
    "delete Category all",
    "delete Item where price < 80",
    "update Item set price = price + 1, title = concat(title, \"x\") all",
    "update Item set category = Category/1 all",
    items,
    "alter entity Item add note: string = \"x\"",
    "alter entity Item change done: string",
    "alter entity Item rename title to name",
    ".validate",
  ]

  @Test("leaves everything unchanged, or is complete", arguments: statements)
  func stopped(_ statement: String) throws {
    let cancel = CancelFlag()
    let session = try session(cancel)
    let before = try picture(session)
    let start = ContinuousClock.now
    session.run("begin")
    session.run(statement)
    session.run("cancel")
    var whole = Double((ContinuousClock.now - start) / .nanoseconds(1))
    #expect(try picture(session) == before)
    var stopped = 0
    let rounds = TestLength.count(5, long: 12)
    var round = 0
    // On a busy machine the first measurement may be too long, so that each request is late.
    while round < rounds || stopped == 0 && round < 40 * rounds {
      session.status = .done
      let delay = UInt32(
        max(
          1, whole / 1000 * (Double(round % rounds) + Double.random(in: 0..<1)) / Double(rounds)))
      round += 1
      let thread = Thread {
        usleep(delay)
        cancel.request()
      }
      let output = folder.output.count
      thread.start()
      let start = ContinuousClock.now
      let succeeded = session.run(statement)
      if succeeded { whole = min(whole, Double((ContinuousClock.now - start) / .nanoseconds(1))) }
      while !thread.isFinished { usleep(100) }
      cancel.reset()
      let answer = String(folder.output.dropFirst(output))
      if succeeded {
        if statement != ".validate" { session.run("undo") }
      } else {
        stopped += 1
        #expect(answer.contains("error: stopped"), "\(answer.prefix(300))")
      }
      #expect(try picture(session) == before)
    }
    #expect(stopped > 0)
  }
}
