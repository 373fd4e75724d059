import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("All rows in one group")
struct SingleGroupTests {
  @Test(
    "have the same aggregates as one of several groups",
    arguments: [0, 1, 63, 64, 65, 1000, 16_384, 16_391], [1, 2] as [UInt64])
  func same(count: Int, seed: UInt64) throws {
    var dice = Dice(seed)
    let model = Model(entities: [
      Entity(
        name: "A",
        attributes: [
          Attribute(name: "i", type: .integer, isOptional: true),
          Attribute(name: "d", type: .double, isOptional: true),
          Attribute(name: "t", type: .date, isOptional: true),
          Attribute(name: "one", type: .boolean),
        ])
    ])
    var context = GraphContext(Graph(model: model))
    let big = dice.chance(0.3) && count < 70 ? Int64.max / 80 : 5
    _ = try context.insert(
      (0..<count).map { _ in
        var values = [NewValue("one", .boolean(true))]
        if dice.chance(0.8) {
          let number = Int64(dice.below(2_000_001) - 1_000_000) &* big
          values.append(NewValue("i", .integer(number)))
          values.append(NewValue("d", .double(Double(number) / 7)))
          values.append(NewValue("t", .date(Timestamp(microseconds: number))))
        }
        return NewObject(entity: "A", values: values)
      })
    let shown = [
      "count(SELF)", "count(i)", "sum(i)", "average(i)", "min(i)", "max(i)", "sum(d)", "average(d)",
      "min(d)", "max(d)", "min(t)", "max(t)",
    ]
    for predicate in ["i != 3", "i > 0", "one == YES", "i < -999999999"] {
      let alone = answer(predicate, shown, by: nil, context)
      let grouped = answer(predicate, shown, by: "one", context)
      #expect(alone != nil || big != 5)
      // An empty result is one row without keys, and no row with them.
      #expect(alone == grouped || grouped == [] && alone?.first?[0] == 0, "\(predicate) \(count)")
    }
  }

  /// Nil if a sum overflows.
  private func answer(
    _ predicate: String, _ shown: [String], by key: String?, _ context: GraphContext
  ) -> [[Value]]? {
    var fetch = FetchTree(of: FetchSource(.entity("A")))
    fetch.predicate = try? PredicateTree(parsing: predicate)
    fetch.selection = shown.compactMap { text in
      (try? ExpressionTree(parsing: text)).map { SelectedColumn($0, name: text) }
    }
    fetch.grouping = key.flatMap { try? ExpressionTree(parsing: $0) }.map { [$0] } ?? []
    let environment = FetchEnvironment(now: Timestamp(microseconds: 0))
    guard let bound = try? fetch.bound(to: context.snapshot, environment),
      case .values(let rows)? = try? bound.answer().rows
    else { return nil }
    return (0..<rows.count).map { row in rows.columns.map { $0.value(row) } }
  }
}
