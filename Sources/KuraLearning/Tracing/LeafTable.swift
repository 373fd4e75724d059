package import KuraDiagnostics
package import KuraFetch
import KuraGraph
package import KuraPredicates

/// The answers of each leaf of a predicate for objects; objects that a single leaf excludes come
/// first.
package struct LeafTable: Sendable {
  /// The distinct comparisons that AND, OR and NOT join, in the order of the text.
  package let leaves: [PredicateTree]
  package let rows: [Row]
  /// The number of objects without a limit.
  package let total: Int
  /// The number of objects that match, and of those that are one leaf away.
  package let hits: Int
  package let nearMisses: Int

  package struct Row: Sendable {
    package let row: Int
    /// Whether the object matches.
    package let isIn: Bool
    /// The number of leaves whose answers would have to change for the object to match.
    package let distance: Int
    package let answers: [TracedAnswer]
  }
}

extension BoundRequest {
  /// Returns the leaf table of the first objects: near misses, then matches, then all others.
  ///
  /// The engine finds these objects; the reference evaluator gives the answers. A leaf that fails
  /// with an error outside its order has no answer.
  package func leafTable(limit: Int) throws(Diagnostic) -> LeafTable {
    let (all, predicate) = (candidates, predicate ?? PredicateTree(.constant(true)))
    var seen: Set<PredicateTree> = []
    let leaves = predicate.leaves.filter { seen.insert($0).inserted }
    var distances = LeafDistances(request: self, all: all)
    let near = try distances.rows(predicate, towards: true)
    let others = all.subtracting(near.none).subtracting(near.one)
    var rows: [Int] = []
    for group in [near.one, near.none, others] where rows.count < limit {
      rows += group.firstRows(limit - rows.count)
    }
    var shown: [LeafTable.Row] = []
    for row in rows { shown.append(try tableRow(row, predicate, leaves)) }
    let sorted = shown.enumerated().sorted { a, b in
      (a.element.rank, a.offset) < (b.element.rank, b.offset)
    }
    return LeafTable(
      leaves: leaves, rows: sorted.map(\.element), total: all.popcount,
      hits: near.none.popcount, nearMisses: near.one.popcount)
  }

  private func tableRow(
    _ row: Int, _ predicate: PredicateTree, _ leaves: [PredicateTree]
  ) throws(Diagnostic) -> LeafTable.Row {
    var answers: [PredicateTree: TracedAnswer] = [:]
    for leaf in leaves { answers[leaf] = try answer(of: leaf, row) }
    let distance = predicate.distance(to: true, answers)
    return LeafTable.Row(
      row: row, isIn: distance == 0, distance: distance,
      answers: leaves.map { answers[$0] ?? .unasked })
  }

  /// Returns the answer of a leaf outside its order; `unasked` if it fails with an error.
  fileprivate func answer(of leaf: PredicateTree, _ row: Int) throws(Diagnostic) -> TracedAnswer {
    do throws(Diagnostic) { return try trace(leaf, row).answer } catch {
      if error.isStop { throw error }
      return .unasked
    }
  }

  /// Returns the rows for which a leaf holds outside its order, without those for which it fails.
  fileprivate func holding(
    _ leaf: PredicateTree, among all: [Bitmap]
  ) throws(Diagnostic) -> [Bitmap] {
    do throws(Diagnostic) { return try passing(leaf, among: all) } catch {
      if error.isStop { throw error }
    }
    do throws(Diagnostic) { return try passingWithoutFallback(leaf, among: all) } catch {
      if error.isStop { throw error }
    }
    var result = all.map { Bitmap(count: $0.count) }
    for row in all.firstRows() where try answer(of: leaf, row).isYes {
      result[row >> ColumnChunk.shift][row & ColumnChunk.mask] = true
    }
    return result
  }
}

extension LeafTable.Row {
  /// The order: near misses, then matches, then all others, nearer ones first.
  fileprivate var rank: Int { distance == 1 ? 0 : distance == 0 ? 1 : distance }
}

extension PredicateTree {
  /// Returns the number of leaves whose answers would have to change for it to be true, or false.
  fileprivate func distance(to wanted: Bool, _ answers: [PredicateTree: TracedAnswer]) -> Int {
    if let answer = answers[self] { return answer.isYes == wanted ? 0 : 1 }
    return descending {
      switch kind {
      case .not(let inner): inner.distance(to: !wanted, answers)
      case .and(let parts): parts.distance(to: wanted, needsAll: wanted, answers)
      case .or(let parts): parts.distance(to: wanted, needsAll: !wanted, answers)
      case .comparison, .constant, .truth: 0
      }
    }
  }
}

extension [PredicateTree] {
  fileprivate func distance(
    to wanted: Bool, needsAll: Bool, _ answers: [PredicateTree: TracedAnswer]
  ) -> Int {
    let parts = map { $0.distance(to: wanted, answers) }
    return needsAll ? parts.reduce(0, +) : parts.min() ?? 1
  }
}

/// Finds the rows that match, and those that are one leaf away, for all rows at once.
struct LeafDistances {
  let request: BoundRequest
  let all: [Bitmap]
  private var answers: [PredicateTree: [Bitmap]] = [:]

  init(request: BoundRequest, all: [Bitmap]) {
    self.request = request
    self.all = all
  }

  /// Rows that need no change, and rows that need exactly one.
  struct Near {
    var none: [Bitmap]
    var one: [Bitmap]
  }

  mutating func rows(
    _ predicate: PredicateTree, towards wanted: Bool
  ) throws(Diagnostic) -> Near {
    switch predicate.kind {
    case .not(let inner) where !predicate.isNone: return try rows(inner, towards: !wanted)
    case .and(let parts): return try rows(parts, wanted, needsAll: wanted)
    case .or(let parts): return try rows(parts, wanted, needsAll: !wanted)
    case .not, .comparison, .constant, .truth:
      let yes = try yes(predicate)
      let no = all.subtracting(yes)
      return wanted ? Near(none: yes, one: no) : Near(none: no, one: yes)
    }
  }

  private mutating func rows(
    _ parts: [PredicateTree], _ wanted: Bool, needsAll: Bool
  ) throws(Diagnostic) -> Near {
    var result: Near?
    for part in parts {
      let near = try rows(part, towards: wanted)
      guard let known = result else {
        result = near
        continue
      }
      result = needsAll ? known.and(near) : known.or(near)
    }
    let nothing = all.map { Bitmap(count: $0.count) }
    return result ?? (needsAll ? Near(none: all, one: nothing) : Near(none: nothing, one: all))
  }

  private mutating func yes(_ leaf: PredicateTree) throws(Diagnostic) -> [Bitmap] {
    if let known = answers[leaf] { return known }
    let rows = try request.holding(leaf, among: all)
    answers[leaf] = rows
    return rows
  }
}

extension LeafDistances.Near {
  /// Returns the rows for a conjunction: the changes of both parts are added.
  fileprivate func and(_ other: Self) -> Self {
    Self(
      none: none.intersection(other.none),
      one: one.intersection(other.none).union(none.intersection(other.one)))
  }

  /// Returns the rows for a disjunction: the part with fewer changes counts.
  fileprivate func or(_ other: Self) -> Self {
    let none = none.union(other.none)
    return Self(none: none, one: one.union(other.one).subtracting(none))
  }
}
