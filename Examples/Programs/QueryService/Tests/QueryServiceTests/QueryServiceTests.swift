import Foundation
import Kura
import Testing

@testable import QueryService

@Suite("The service")
struct QueryServiceTests {
  private let service: QueryService

  init() async throws {
    let model = try Model(
      parsing: """
        entity Category { name: string; secret: string?; items: [Item] inverse category }
        entity Item { title: string; done: boolean = NO; category: Category? inverse items }
        """)
    let todo = try ContextActor(inMemory: model)
    try await todo.perform { context in
      let home = try context.insert("Category", ["name": "家", "secret": "1234"])
      try context.insert(
        "Item", (0..<2_000).map { ["title": "item \($0)", "done": $0 > 2, "category": home] })
    }
    let limits = QueryLimits(keyPaths: ["title", "done", "category.name"])
    service = QueryService(
      todo, entity: "Item", columns: ["title", "category.name"], limits)
  }

  private func ask(_ query: [String: String]) async -> (status: Int, body: String) {
    let answer = await service.answer(query)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  @Test("returns the matching objects")
  func answers() async {
    let answer = await ask([
      "where": "done == NO AND category.name == '家'", "sort": "title desc", "limit": "2",
    ])
    #expect(answer.status == 200)
    #expect(
      answer.body
        == #"[{"category.name":"家","title":"item 2"},{"category.name":"家","title":"item 1"}]"#)
    #expect(await ask(["where": "length(title) == 6 AND done == NO"]).status == 200)
  }

  @Test(
    "rejects queries that are not allowed",
    arguments: [
      "category.secret == '1234'", "title MATCHES category.secret",
      "category.items.@count > 1", "SUBQUERY(category.items, $i, $i.done == NO).@count > 1",
      "FUNCTION(title, 'uppercaseString') == 'X'", "random() > 0", "title == $x",
      "SELF == Item/1",
      String(repeating: "(", count: 20) + "done == NO" + String(repeating: ")", count: 20)
        + String(repeating: " AND (done == NO", count: 20) + String(repeating: ")", count: 20),
      Array(repeating: "done == NO", count: 90).joined(separator: " OR "),
    ])
  func refuses(predicate: String) async {
    let answer = await ask(["where": predicate])
    #expect(answer.status == 403, "\(answer)")
    #expect(!answer.body.contains("1234"))
  }

  @Test("rejects unknown parameters and invalid limits")
  func parameters() async {
    #expect(await ask(["select": "secret"]).status == 403)
    #expect(await ask(["limit": "0"]).status == 403)
    #expect(await ask(["limit": "1000000"]).status == 403)
    #expect(await ask(["sort": "category.secret"]).status == 403)
    #expect(await ask(["where": String(repeating: "x", count: 2_000)]).status == 403)
  }

  @Test("rejects too many sort keys")
  func manySortKeys() async {
    for (key, count) in [("done", 61), ("title[cd]", 61), ("lowercase(title)", 31)] {
      let keys = Array(repeating: key, count: count).joined(separator: ",")
      #expect(await ask(["sort": keys]).status == 403, "\(key)")
    }
  }

  @Test("parses the parameters of a form, and rejects malformed ones")
  func forms() async {
    #expect(await service.answer(form: "limit=1").status == 200)
    #expect(await service.answer(form: "").status == 200)
    let blank = await service.answer(form: "where=title+==+'x+y'")
    #expect(blank.status == 200 && String(decoding: blank.body, as: UTF8.self) == "[]")
    for form in [
      "where=FALSEPREDICATE&where=TRUEPREDICATE", "limit=1&&", "limit=1&where", "limit=1&x=%",
      "where=%FF", "where=FALSEPREDICATE%00", "where=" + String(repeating: "x", count: 100_000),
    ] {
      #expect([400, 403].contains(await service.answer(form: form).status), "\(form.prefix(50))")
    }
  }

  @Test("rejects a query if all queues are busy")
  func busy() async throws {
    let desk = Desk(seats: 1)
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let first = desk.work {
      begun.signal()
      end.wait()
      return 1
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    #expect(try await desk.work { 2 } == nil)
    end.signal()
    #expect(try await first == 1)
    #expect(try await desk.work { 3 } == 3)
  }

  @Test("reports a syntax error without revealing the model")
  func unreadable() async {
    let answer = await ask(["where": "title =="])
    #expect(answer.status == 400)
    #expect(!answer.body.contains("title"))
  }
}
