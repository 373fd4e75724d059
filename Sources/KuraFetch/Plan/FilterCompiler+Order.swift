import KuraGraph

extension FilterCompiler {
  /// Tests that cannot fail first, those before others that settle the most rows for their cost;
  /// the others in their order.
  ///
  /// Each test is asked only about the rows that those before it left open. What a test settles is
  /// what it refuses in an AND, what it accepts in an OR.
  mutating func ordered(_ links: [Filter], _ scope: FilterScope, isOr: Bool) -> [Filter] {
    let movable = links.filter(\.isMovable)
    let ranks = ranks(of: movable, scope, isOr: isOr)
    let order = movable.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    return order.map { movable[$0] } + links.filter { !$0.isMovable }
  }

  /// The cost for each row that a test settles; of a small table the cost alone.
  private mutating func ranks(of tests: [Filter], _ scope: FilterScope, isOr: Bool) -> [Double] {
    let costs = tests.map(\.cost)
    let table = scope.place.table
    guard let cheapest = costs.min(), tests.count > 1, let sample = sample(of: table),
      (costs.reduce(0, +) - cheapest) * Double(sample.table.count) > FilterCompiler.leastGain
    else { return costs }
    return zip(tests, costs).map { test, cost in
      let share = share(passing: test, table) ?? 0.5
      return cost / max(0.001, isOr ? share : 1 - share)
    }
  }

  /// So many nanoseconds must be at stake before rows are sampled.
  private static let leastGain = 100_000.0

  /// The share of a table's rows that pass; nil: nobody knows.
  private mutating func share(passing test: Filter, _ table: Int) -> Double? {
    if let known = shares[test.node] { return known }
    let share = sampledShare(passing: test, table)
    shares[test.node] = share
    return share
  }

  private mutating func sampledShare(passing test: Filter, _ table: Int) -> Double? {
    switch test.kind {
    case .constant(let answer): return answer ? 1 : 0
    case .kernel(let kernel): return sample(of: table).flatMap(kernel.share)
    case .not(let inner): return share(passing: inner, table).map { 1 - $0 }
    case .and(let parts):
      return parts.reduce(1) { $0 * (share(passing: $1, table) ?? 0.5) }
    case .or(let parts):
      return 1 - parts.reduce(1) { $0 * (1 - (share(passing: $1, table) ?? 0.5)) }
    case .join(let join):
      // One object has one; of several it is not known how many there are.
      guard case .one = join.question else { return nil }
      return share(passing: join.filter, join.table)
    case .reference: return nil
    }
  }

  private func sample(of table: Int) -> RowSample? { RowSample(graph.tables[table]) }
}

extension Filter {
  /// Whether it may be asked out of its turn; a constant ends its chain where it stands, behind
  /// what may fail.
  fileprivate var isMovable: Bool {
    if case .constant = kind { false } else { cannotFail }
  }
}
