import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("The shares of objects")
struct ShareTests {
  private func shares(_ text: String, limit: Int? = nil) throws -> [Double] {
    let world = try World(seed: 5)
    var fetch = FetchTree(of: FetchSource(.entity("Item")))
    fetch.selection = [SelectedColumn(try World.parseExpression(text), name: "x", isNamed: true)]
    fetch.limit = limit.map { ExpressionTree(.constant(Constant(.integer(Int64($0))))) }
    let answer = try fetch.bound(to: world.snapshot, world.environment).answer()
    guard case .values(let rows) = answer.rows else { return [] }
    return rows.columns[0].values.compactMap(\.approximateNumber)
  }

  @Test(
    "add up to one for each key", arguments: ["share(price)", "share(exact)", "share(random())"])
  func sums(text: String) throws {
    #expect(abs(try shares(text).reduce(0, +) - 1) < 1e-9)
  }

  @Test("are the same on a page as among all rows", arguments: ["share(price)", "share(exact)"])
  func pages(text: String) throws {
    let all = try shares(text)
    #expect(all.count > 50)
    #expect(try shares(text, limit: 20) == Array(all.prefix(try shares(text, limit: 20).count)))
  }
}
