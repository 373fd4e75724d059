import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("The result of explain")
struct ExplainTests {
  let world: World

  init() throws { world = try World(items: 200) }

  private func request(_ text: String, _ extra: (inout FetchTree) throws -> Void = { _ in }) throws
    -> BoundRequest
  {
    var fetch = FetchTree(of: FetchSource(.entity("Item")))
    fetch.predicate = try World.parse(text)
    try extra(&fetch)
    return try fetch.bound(to: world.snapshot, world.environment)
  }

  @Test("counts the objects that reach and pass each node")
  func counts() throws {
    let request = try request("done == YES AND title CONTAINS \"誕生\"")
    let analysis = try request.analysis(.objects)
    let chain = try #require(analysis.parts.last)
    let (first, second) = (try #require(chain.parts.first), try #require(chain.parts.last))
    let passing = try request.count()
    #expect(analysis.passed == passing)
    #expect((chain.reached, chain.passed) == (200, passing))
    #expect(first.reached == 200)
    #expect(first.passed == second.reached)
    #expect(second.passed == passing)
    #expect(try request.analysis(.count).passed == passing)
    #expect(try request.analysis(.exists).passed == 1)
  }

  @Test("has a time for each step that ran, in total less than the time of the fetch")
  func times() throws {
    let key = SortTree(try ExpressionTree(parsing: "home.name"))
    let request = try request("length(title) > 2") { $0.sort = [key] }
    let analysis = try request.analysis(.objects)
    #expect(analysis.parts.map(\.text) == ["access", "length:(title) > 2", "sort home.name"])
    let parts = analysis.parts.dropFirst().map { $0.seconds ?? -1 }
    #expect(parts.allSatisfy { $0 > 0 })
    #expect(parts.reduce(0, +) <= analysis.seconds ?? 0)
    #expect(request.explanation(.objects).seconds == nil)
  }

  @Test("stops if the fetch stops, and runs it once")
  func once() throws {
    let limit = ExpressionTree(.constant(Constant(.integer(3))))
    let request = try request("count > -9") { $0.limit = limit }
    #expect(try request.analysis(.objects).parts.map(\.passed).last == 3)
    let meter = FetchMeter()
    var metered = request
    metered.meter = meter
    _ = try metered.answer()
    #expect(meter.tally.reached[try #require(meter.plan).filter.node] == 200)
  }

  @Test("names what runs in the reference evaluator, with the rows and the reason")
  func fallback() throws {
    let capitals = "FUNCTION(title, \"capitalizedString\")"
    let long = "exact * 9999999999.7777777777 * 999999999.7777777777 * 99.77777777"
    let request = try request("\(long) > 1") { fetch in
      fetch.sort = [SortTree(try ExpressionTree(parsing: capitals))]
    }
    let parts = try request.analysis(.objects).parts
    let passing = try request.count()
    let rows = try self.request("exact > 0").count()
    #expect(rows > 0 && passing == rows)
    #expect(
      parts[1].method == "kernel: whole columns; reference evaluator: rows: \(rows), "
        + "because loops compute with decimals of at most 38 digits")
    #expect(
      parts[2].method.hasSuffix(
        "reference evaluator: \(capitals), rows: \(passing), because the expression has no loop"))
    #expect(request.explanation(.objects).parts[1].method == "kernel: whole columns")
  }

  @Test(
    "counts the aggregates that loops compute",
    arguments: [
      ("sum(exact)", 1, 1), ("sum(exact / 7)", 0, 0), ("median(exact / 7)", 0, 0),
      ("average(coalesce(exact, count))", 0, 0), ("sum(serial * 9000000000000000000)", 1, 0),
      ("min(key)", 1, 1), ("mode(count)", 1, 1),
    ])
  func aggregates(text: String, planned: Int, run: Int) throws {
    let request = try World.grouped(text, of: "Item", by: "kind")
      .bound(to: world.snapshot, world.environment)
    func method(_ count: Int) -> String { "\(count) of 1 aggregates in column loops" }
    let plan = try #require(request.explanation(.objects).parts.dropFirst().first)
    #expect(plan.method.contains(method(planned)))
    guard let analysis = try? request.analysis(.objects).parts.dropFirst().first else { return }
    #expect(analysis.method.contains(method(run)))
    #expect(analysis.method.contains("reference evaluator: \(text), rows: 200") == (run == 0))
  }

  @Test("labels each node of ALL with the objects that pass")
  func all() throws {
    let text = "ALL tags.name CONTAINS \"1\""
    let request = try request(text)
    let analysis = try request.analysis(.objects)
    let top = try #require(analysis.parts.last)
    let join = try #require(top.parts.first)
    let turned = try #require(join.parts.first)
    #expect(
      [top.text, join.text, turned.text] + turned.parts.map(\.text) == [
        text, "NOT " + text, "NOT", "name CONTAINS \"1\"",
      ])
    #expect((top.reached, join.reached) == (200, 200))
    #expect(top.passed == (try request.count()))
    #expect((top.passed ?? 0) + (join.passed ?? 0) == 200)
    // One of five tags has this name.
    #expect((turned.passed, turned.parts.first?.passed) == (4, 1))
  }

  @Test("does not count a step inside another one twice")
  func nesting() throws {
    let meter = FetchMeter()
    meter.time(.group) {
      meter.time(.filter) { meter.time(.select) {} }
      meter.time(.filter) {}
    }
    let steps = [FetchMeter.Step.group, .filter, .select].compactMap(meter.duration)
    #expect(steps.count == 3)
    #expect(steps.allSatisfy { $0 >= .zero })
    #expect(meter.duration(.sort) == nil)
  }
}
