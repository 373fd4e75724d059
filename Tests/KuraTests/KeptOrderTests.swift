import Kura
import TestSupport
import Testing

@Suite("A request that is cached")
final class KeptOrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store() throws -> Store {
    let model = try Model(parsing: "entity Item { title: string; kind: string }")
    let store = try Store.openOrCreate(folder.path("items.json"), model)
    if try store.context.count(FetchRequest("Item")) == 0 {
      for (title, kind) in [("c", "x"), ("a", "y"), ("b", "x")] {
        try store.context.insert("Item", ["title": title, "kind": kind])
      }
      try store.context.save()
    }
    return store
  }

  private func request() throws -> FetchRequest {
    try FetchRequest("Item").sorted(by: "kind, title").sectioned(by: "kind").cached(as: "Root")
  }

  private func use(_ store: Store, _ request: FetchRequest) throws -> String {
    try store.context.explain(request).parts.first { $0.step.hasPrefix("cache") }?.method ?? ""
  }

  @Test("is answered by what is kept, until the store or the request is another")
  func kept() throws {
    let first = try store()
    let titles = try first.context.results(of: request()).objects.map { try $0["title"] }
    #expect(titles == ["b", "c", "a"])
    _ = first.close()

    let second = try store()
    _ = try second.context.results(of: request())
    let third = try store()
    #expect(try use(third, request()).hasPrefix("used: 3 objects"))
    let results = try third.context.results(of: request())
    #expect(try results.objects.map { try $0["title"] } == ["b", "c", "a"])
    #expect(results.sections.map(\.name) == ["x", "y"])
    #expect(try third.context.fetch(request()).map { try $0["title"] } == ["b", "c", "a"])
    // The same request without its headings takes the same order, and leaves it to who wants them.
    #expect(try use(third, request()).hasPrefix("used: 3 objects"))

    try third.context.insert("Item", ["title": "0", "kind": "x"])
    #expect(try use(third, request()).hasPrefix("not used"))
    #expect(try third.context.fetch(request()).count == 4)
    #expect(results.count == 4)
    try third.context.save()
    #expect(try use(third, request()).hasPrefix("what is kept is of another"))
    #expect(try third.context.fetch(request()).count == 4)
    #expect(third.deleteCache("Rot") == [])
    #expect(third.deleteCache() == ["Root"])
    #expect(try use(third, request()).hasPrefix("nothing is kept yet"))
  }

  @Test("is as any other in memory, in a child and in a snapshot")
  func elsewhere() throws {
    let store = try store()
    #expect(try store.context.snapshot.fetch(request()).count == 3)
    #expect(try store.context.makeChild().fetch(request()).count == 3)
    #expect(try use(store, request()).hasPrefix("nothing is kept yet"))
    #expect(store.deleteCache() == [])
  }
}
