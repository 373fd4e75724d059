import Foundation
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Many groups, which are sorted and filtered like rows, compared with sorting and filtering value by value.
@Suite("Many groups") struct ManyGroupsTests {
  private static let sorts = [
    ["n | desc"], ["s | desc | nulls last", "k"], ["m", "k | desc"], ["k | desc"],
    ["d | desc", "k"], ["s + n", "k"], ["k | cd", "n"], [],
  ]

  @Test(
    "are ordered by their values, and filtered like them",
    arguments: ["code", "title", "serial", "day", "concat(title, kind)"])
  func agree(key: String) throws {
    let world = try World(seed: 71, items: 1500)
    let columns = [
      "\(key) as k", "count(SELF) as n", "sum(count) as s", "average(price) as m", "max(day) as d",
    ]
    let all = try world.rows(columns, by: key)
    for sort in Self.sorts {
      for having in ["", "s > 0", "n == 1 AND m >= 1", "d != nil"] {
        let what = "\(key) \(sort) \(having)"
        guard let found = try? world.rows(columns, by: key, having: having, sort: sort) else {
          continue
        }
        let page = try world.rows(
          columns, by: key, having: having, sort: sort, offset: 3, limit: 9)
        #expect(page == Array(found.dropFirst(3).prefix(9)), "\(what)")
        #expect(found.isSorted(by: sort.first ?? "k"), "\(what)")
        #expect(Set(found) == Set(all.filter { $0.passes(having) }), "\(what)")
        #expect(found.count == Set(found).count, "\(what)")
      }
    }
    #expect(all.count > BoundRequest.manyGroups || ["day", "title"].contains(key), "\(all.count)")
  }

  @Test("are not left out if a condition fails for them")
  func failure() throws {
    let world = try World(seed: 73, items: 1500)
    #expect(throws: Diagnostic.self) {
      try world.rows(
        ["code as k", "sum(price) as s"], by: "code", having: "round(s * 1e308, 2) > 0")
    }
  }

  @Test("distinct rows are ordered by their values")
  func distinct() throws {
    let world = try World(seed: 72, items: 1500)
    let all = try world.rows(["code", "kind"], by: nil)
    let found = try world.rows(["code", "kind"], by: nil, sort: ["kind | desc", "code"])
    #expect(Set(found) == Set(all) && found.count == all.count)
    #expect(zip(found, found.dropFirst()).allSatisfy { Value.sortOrder($1[1], $0[1]) != .after })
  }
}

extension [[Value]] {
  /// Returns whether the first key of a sort is in order.
  fileprivate func isSorted(by sort: String) -> Bool {
    let words = sort.components(separatedBy: " | ")
    guard !words.contains("cd"), !words.contains("nulls last"),
      let column = ["k", "n", "s", "m", "d"].firstIndex(of: words[0])
    else { return true }
    let values = map { $0[column] }
    let isDescending = words.contains("desc")
    return zip(values, values.dropFirst()).allSatisfy { a, b in
      if a.isNull || b.isNull { return a.isNull && b.isNull || a.isNull != isDescending }
      return Value.sortOrder(a, b) != (isDescending ? .before : .after)
    }
  }
}

extension [Value] {
  /// Returns whether a group's values pass `having`.
  fileprivate func passes(_ having: String) -> Bool {
    switch having {
    case "s > 0": self[2].doubleValue.map { $0 > 0 } ?? false
    case "n == 1 AND m >= 1": self[1] == .integer(1) && (self[3].doubleValue ?? 0) >= 1
    case "d != nil": !self[4].isNull
    default: true
    }
  }
}

extension World {
  /// Returns the rows of some columns; clauses are written as in a statement, empty for none.
  fileprivate func rows(
    _ columns: [String], by key: String?, having: String = "", sort: [String] = [],
    offset: Int? = nil, limit: Int? = nil
  ) throws -> [[Value]] {
    var fetch = FetchTree(of: FetchSource(.entity("Item")))
    fetch.selection = try columns.map { column in
      let parts = column.components(separatedBy: " as ")
      return SelectedColumn(
        try Self.parsedExpression(parts[0]), name: parts.last ?? "", isNamed: parts.count == 2)
    }
    fetch.isDistinct = key == nil
    fetch.grouping = try key.map { [try Self.parsedExpression($0)] } ?? []
    fetch.having = having.isEmpty ? nil : try World.parse(having)
    fetch.sort = try sort.map { try Self.parsedSort($0) }
    fetch.offset = offset.map { ExpressionTree(.constant(Constant(.integer(Int64($0))))) }
    fetch.limit = limit.map { ExpressionTree(.constant(Constant(.integer(Int64($0))))) }
    let answer = try fetch.bound(to: snapshot, environment).answer()
    guard case .values(let rows) = answer.rows else { return [] }
    return (0..<rows.count).map { row in rows.columns.map { $0.value(row) } }
  }

  /// Parses `title | cd | desc | nulls last`.
  static func parsedSort(_ text: String) throws -> SortTree {
    let words = text.components(separatedBy: " | ")
    let isFolded = words.contains("cd")
    return SortTree(
      try parsedExpression(words[0]), options: ComparisonOptions(rawValue: isFolded ? 3 : 0),
      isAscending: !words.contains("desc"), nullsFirst: words.contains("nulls last") ? false : nil)
  }

  private static func parsedExpression(_ text: String) throws -> ExpressionTree {
    try PredicateParser(TokenCursor(SourceText(text), mode: .statement)).parseExpression()
  }
}
