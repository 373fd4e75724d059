import KuraModel
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

extension SeededNumbers {
  fileprivate mutating func rows(_ count: Int, below limit: Int) -> [Int] {
    Set((0..<count).map { _ in below(limit) }).sorted()
  }
  /// Returns a row near the border of the first two chunks, or anywhere.
  fileprivate mutating func row(below limit: Int) -> Int {
    flip() ? min(limit - 1, ColumnChunk.capacity - 3 + below(6)) : below(limit)
  }
}

@Suite("Pieces of the graph, on both sides of a chunk's border")
struct PieceTests {
  private let count = ColumnChunk.capacity + 200

  @Test("lists are replaced, few or many at a time", arguments: [1, 2] as [UInt64])
  func lists(seed: UInt64) {
    var dice = SeededNumbers(seed: seed)
    var plain = (0..<count).map { _ in (0..<dice.below(3)).map { UInt32($0) } }
    var column = Column(.toMany(destination: 0))
    for list in plain { column.append(.objects(list.map { Int64($0) })) }
    for size in [1, 3, 8, 9, 500, 2, 3000, 1, 40] {
      let rows = Set(dice.rows(size, below: count) + [dice.row(below: count)]).sorted()
      let changes = rows.map { row in
        (row: row, targets: (0..<dice.below(5)).map { _ in UInt32(dice.below(99)) })
      }
      column.setLists(changes)
      for (row, targets) in changes { plain[row] = targets }
      let wrong = (0..<count).first { column.targets($0) != plain[$0] }
      #expect(wrong == nil, "seed \(seed), \(size) at a time")
    }
  }

  @Test("texts are replaced, few or many at a time", arguments: [3, 4] as [UInt64])
  func texts(seed: UInt64) {
    var dice = SeededNumbers(seed: seed)
    var plain: [String?] = (0..<count).map { "t\($0)" }
    var column = Column(.attribute(.string))
    for text in plain { column.append(text.map { .text($0) } ?? .null) }
    for size in [1, 500, 511, 514, 9000, 3, 700] {
      let rows = dice.rows(size, below: count)
      let cells = rows.map { row -> (row: Int, cell: StoredCell) in
        let text =
          dice.below(9) == 0 ? nil : ["", "x\(row)", "が\(row)", "か\u{3099}"][dice.below(4)]
        plain[row] = text
        return (row, text.map { .text($0) } ?? .null)
      }
      column.set(cells)
      let wrong = (0..<count).first { row in
        column.value(row) != (plain[row].map { .string($0) } ?? .null)
          || !column.isNull(row)
            && isOdd(column, row) != StoredCell.text(plain[row] ?? "").isOddText
      }
      #expect(wrong == nil, "seed \(seed), \(size) at a time")
    }
  }

  private func isOdd(_ column: Column, _ row: Int) -> Bool {
    guard case .text(let text) = column.chunks[row >> ColumnChunk.shift].values else {
      return false
    }
    return text.isOdd(row & ColumnChunk.mask)
  }

  /// Returns as many objects of A as there are rows, and some of B.
  private func graph(many: Bool) throws -> SmallGraph {
    let links = (0..<count).map { StoredCell.objects([Int64($0 % 50 + 1)]) }
    let numbers = (0..<count).map { Int64($0 + 1) }
    var graph = SmallGraph(many: (many, true)).context.graph
    try graph.admit(
      ChangeSet(inserted: [
        ObjectBatch(entity: "B", numbers: Array(1...50)),
        ObjectBatch(
          entity: "A", numbers: numbers,
          columns: [
            ChangeColumn(key: "n", new: ChangeValues(numbers.map { .integer($0) })),
            ChangeColumn(
              key: "a",
              new: ChangeValues(many ? links : links.map { .object($0.numbers.first ?? 1) })),
          ]),
      ]))
    return SmallGraph(context: GraphContext(graph))
  }

  @Test("a patched inverse equals a new one", arguments: [false, true])
  func inverse(many: Bool) throws {
    var dice = SeededNumbers(seed: many ? 5 : 6)
    var table = try graph(many: many).context.graph.tables[0]
    let column = table.layout.columns.firstIndex { $0.key == "a" } ?? 0
    func fresh() -> InverseIndex {
      InverseIndex(table.columns[column], live: table.live, destinationCount: 50)
    }
    _ = table.derived.inverse(ofColumn: column) { fresh() }
    for _ in 0..<40 {
      let rows = Set((0..<1 + dice.below(6)).map { _ in dice.row(below: count) }).sorted()
        .filter(table.isLive)
      if dice.below(4) == 0 {
        table.delete(rows)
      } else {
        let changes = rows.map { row in
          (row: row, targets: dice.rows(many ? 3 : 1, below: 55).map { UInt32($0) })
        }
        table.setTargets(column, changes)
      }
      let patched = table.derived.inverse(ofColumn: column) {
        InverseIndex(table.columns[column], live: nil, destinationCount: 0)
      }
      let anew = InverseIndex(table.columns[column], live: table.live, destinationCount: 60)
      #expect((0..<60).allSatisfy { Array(patched[$0]) == Array(anew[$0]) })
    }
  }

  @Test(
    "rows at the border are deleted, and restored with their values", arguments: [false, true])
  func revived(many: Bool) throws {
    var graph = try graph(many: many)
    let border = Int64(ColumnChunk.capacity)
    let names = [1, border - 1, border, border + 1, border + 2, Int64(count)].map { "A/\($0)" }
    let before = names.map { graph.links($0, "a") }
    let there = graph.links("B/1", "b")
    try graph.perform { editor in for name in names { try editor.delete(name) } }
    #expect(names.allSatisfy { !graph.isThere($0) } && graph.links("B/1", "b") != there)
    try graph.perform { try $0.insert("A/\(border)", NewValue("n", 7)) }
    for _ in 0..<2 { _ = try graph.context.undo() }
    #expect(names.map { graph.links($0, "a") } == before && graph.links("B/1", "b") == there)
    let table = graph.context.graph.tables[0]
    #expect(
      names.indices.allSatisfy { i in
        guard let row = graph.context.graph.find(named(names[i]))?.row else { return false }
        return table.columns[0].value(row) == .integer(Int64(row + 1))
      })
  }

  @Test("an edit without a snapshot copies no chunk")
  func copies() throws {
    var graph = try graph(many: false)
    try graph.perform { try $0.set("A/7", "a", objects("B/3")) }
    _ = graph.links("B/1", "b")
    let before = graph.context.graph.addresses
    for i in 0..<20 {
      try graph.perform { try $0.set("A/\(i + 1)", "n", .integer(Int64(i))) }
      try graph.perform { try $0.set("A/\(i + 1)", "a", objects("B/9")) }
      _ = try graph.context.undo()
    }
    #expect(graph.context.graph.addresses == before)
  }
}

extension Graph {
  /// The addresses of the values of each chunk of table A.
  fileprivate var addresses: [UnsafeRawPointer?] {
    tables[0].columns.flatMap(\.chunks).map { chunk in
      switch chunk.values {
      case .integers(let a): a.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
      case .links(let a): a.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
      case .doubles, .bytes, .codes, .text, .linkLists: nil
      }
    }
  }
}

@Suite("Successive changes as one")
struct NetChangeTests {
  @Test("are the same in any grouping", arguments: 1...20 as ClosedRange<UInt64>)
  func associative(seed: UInt64) throws {
    var dice = SeededNumbers(seed: seed)
    var graph = SmallGraph(many: (true, true), ordered: true)
    let base = graph.context.graph
    var changes: [ChangeSet] = []
    for _ in 0..<12 { changes.append(try graph.perform { try $0.edit(&dice) }) }
    let model = base.model
    let all = ChangeSet.net(of: changes, in: model)
    let cut = 1 + dice.below(11)
    let parts = ChangeSet.net(
      of: [
        ChangeSet.net(of: Array(changes[..<cut]), in: model),
        ChangeSet.net(of: Array(changes[cut...]), in: model),
      ], in: model)
    for change in [all, parts] {
      var state = base
      try state.admit(change, checkingOld: true)
      #expect(state.text == graph.context.graph.text, "seed \(seed)")
      try state.admit(change.inverted, checkingOld: true)
      #expect(state.text == base.text, "seed \(seed)")
    }
    #expect(ChangeSet.net(of: changes + [all.inverted], in: model).isEmpty, "seed \(seed)")
  }
}

extension GraphEditor {
  fileprivate mutating func edit(_ dice: inout SeededNumbers) throws {
    let (a, b) = ("A/\(1 + dice.below(4))", "B/\(1 + dice.below(4))")
    let isThere = (find(named(a)) != nil, find(named(b)) != nil)
    switch (dice.below(4), isThere) {
    case (_, (false, _)): try insert(a, NewValue("n", .integer(Int64(dice.below(9)))))
    case (_, (_, false)): try insert(b)
    case (0, _): try delete(dice.below(2) == 0 ? a : b)
    case (1, _): try set(a, "n", .integer(Int64(dice.below(9))))
    case (2, _): try set(a, "a", objects(b))
    default: try set(b, "b", objects(a))
    }
  }
}

extension Graph {
  /// Every object with its values.
  fileprivate var text: [String] {
    (1...4).flatMap { number -> [String] in
      ["A", "B"].compactMap { entity in
        let name = "\(entity)/\(number)"
        guard let place = find(named(name)) else { return nil }
        let n = entity == "A" ? "\(tables[0].columns[0].value(place.row))" : ""
        return "\(name) \(n) \(links(name, "a")) \(links(name, "b"))"
      }
    }
  }
}
