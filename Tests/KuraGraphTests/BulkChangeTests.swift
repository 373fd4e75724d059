import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

/// The same objects in two contexts: one is changed by columns and the other object by object.
private struct Twins {
  static let keys = ["n", "d", "f", "t", "c", "m"]
  static let count = ColumnChunk.capacity + 1800
  var byColumns = SmallGraph()
  var oneByOne = SmallGraph()
  var dice: SeededNumbers

  init(seed: UInt64) {
    dice = SeededNumbers(seed: seed)
    var graph = SmallGraph([
      Entity(
        name: "A",
        attributes: zip(Self.keys, [.integer, .double, .boolean, .string, .string, .date])
          .map { Attribute(name: $0, type: $1, isOptional: true) },
        relationships: [Relationship(name: "b", destination: "B", inverse: "as")]),
      Entity(
        name: "B",
        relationships: [
          Relationship(name: "as", destination: "A", isToMany: true, inverse: "b")
        ]),
    ]).context.graph
    graph.tables[0].identifiers = IdentifierColumn((0..<Self.count).map { Int64($0 * 2 + 1) })
    graph.tables[1].identifiers = IdentifierColumn([7])
    for i in graph.tables[0].columns.indices {
      graph.tables[0].columns[i] = column(graph.tables[0].layout.columns[i], isFirst: true)
    }
    byColumns = SmallGraph(context: GraphContext(graph))
    oneByOne = byColumns
  }

  /// Returns different values for all rows; texts with codes or without.
  mutating func column(_ definition: ColumnDefinition, isFirst: Bool = false) -> Column {
    let isCoded = isFirst ? definition.key == "c" : dice.flip()
    let isText = definition.kind == .attribute(.string)
    var column = Column(definition.kind, dictionary: isCoded && isText ? TextDictionary() : nil)
    let hasNulls = dice.flip()
    for row in 0..<Self.count {
      column.append(hasNulls && dice.oneIn(7) ? .null : cell(definition.kind, row))
    }
    return column
  }

  private mutating func cell(_ kind: ColumnKind, _ row: Int) -> StoredCell {
    switch kind {
    case .attribute(.integer), .attribute(.date): .integer(Int64(dice.below(3)))
    case .attribute(.double): .double([0, -0.0, 1.5][dice.below(3)])
    case .attribute(.boolean): .boolean(dice.flip())
    case .attribute: .text(["", "t\(row % 300)", "が", "か\u{3099}", "long text"][dice.below(5)])
    case .toOne: dice.flip() ? .object(0) : .null
    case .toMany: .null
    }
  }

  /// Returns some rows of both chunks, or of the first.
  mutating func rows() -> [UInt32] {
    let step = 1 + dice.below(4)
    let end = dice.flip() ? Self.count : ColumnChunk.capacity - 5
    return stride(from: dice.below(9), to: end, by: step).map { UInt32($0) }
  }
}

extension Twins {
  /// Sets an attribute in both; returns the change sets of both.
  mutating func set(_ keys: [String], _ rows: [UInt32]) throws -> (ChangeSet, ChangeSet) {
    let table = byColumns.context.graph.tables[0]
    let new = keys.map { key in
      (key, column(table.layout.columns[table.layout.columns.firstIndex { $0.key == key } ?? 0]))
    }
    let first = try byColumns.perform { editor in
      for (key, column) in new {
        let isDone = editor.setColumn(key, to: column, table: 0, rows: rows)
        #expect(isDone)
      }
    }
    let second = try oneByOne.perform { editor in
      for (key, column) in new {
        let values = NewValues.each(rows.map { column.value(Int($0)) })
        _ = editor.setAttribute(key, to: values, table: 0, rows: rows)
      }
    }
    return (first, second)
  }

  /// Sets an attribute of all rows in both, where only few values change.
  mutating func setFew(_ key: String, _ seed: Int) throws -> (ChangeSet, ChangeSet) {
    let table = byColumns.context.graph.tables[0]
    let place = table.layout.columns.firstIndex { $0.key == key } ?? 0
    var new = table.columns[place]
    for row in stride(from: seed, to: Self.count, by: 90) {
      new.set([(row, row % 3 == 0 ? .null : .text("another が \(row) \(seed)"))])
    }
    let rows = (0..<Self.count).map { UInt32($0) }
    let first = try byColumns.perform { editor in
      let isDone = editor.setColumn(key, to: new, table: 0, rows: rows)
      #expect(isDone)
    }
    let second = try oneByOne.perform { editor in
      for row in rows {
        try editor.set("A/\(row * 2 + 1)", key, new.value(Int(row)))
      }
    }
    return (first, second)
  }

  mutating func delete(_ rows: [UInt32]) throws -> (ChangeSet, ChangeSet) {
    let table = byColumns.context.graph.tables[0]
    let first = try byColumns.perform { editor in
      let isDone = editor.deleteAtOnce(table: 0, rows: rows)
      #expect(isDone)
    }
    let second = try oneByOne.perform { try $0.delete(rows.map { table.objectID(Int($0)) }) }
    return (first, second)
  }

  var areAlike: Bool {
    byColumns.context.graph.difference(to: oneByOne.context.graph).isEmpty
  }
}

@Suite("Many objects at once, by columns")
struct BulkChangeTests {
  @Test("have the same values as after single changes", arguments: Twins.keys)
  func attribute(key: String) throws {
    var twins = Twins(seed: UInt64(key.utf8.first ?? 0))
    for _ in 0..<2 {
      let (byColumns, oneByOne) = try twins.set([key], twins.rows())
      #expect(byColumns == oneByOne && byColumns.updated.count == 1)
      #expect(byColumns.updated[0].columns[0].old.cells != nil)
    }
    #expect(twins.areAlike)
    _ = try twins.byColumns.context.undo()
    _ = try twins.oneByOne.context.undo()
    #expect(twins.areAlike)
    _ = try twins.byColumns.context.redo()
    _ = try twins.oneByOne.context.undo()
    _ = try twins.byColumns.context.undo()
    _ = try twins.byColumns.context.undo()
    #expect(twins.areAlike && !twins.byColumns.context.hasChanges)
  }

  @Test("keep only the new texts if few of them change", arguments: ["t", "c"])
  func few(key: String) throws {
    var twins = Twins(seed: 14)
    for seed in 0..<3 {
      let (byColumns, oneByOne) = try twins.setFew(key, seed)
      #expect(byColumns == oneByOne && byColumns.updated.count == 1)
      #expect(byColumns.updated[0].columns[0].old.cells == nil)
      #expect(byColumns.updated[0].numbers.count > GatheredTexts.fewest)
      #expect(byColumns.inverted.inverted == oneByOne && twins.areAlike)
    }
    for step in 0..<6 {
      if step % 3 == 2 {
        _ = try twins.byColumns.context.redo()
        _ = try twins.oneByOne.context.redo()
      } else {
        _ = try twins.byColumns.context.undo()
        _ = try twins.oneByOne.context.undo()
      }
      #expect(twins.areAlike)
    }
  }

  @Test("are undone after single objects among them were changed and undone")
  func mixed() throws {
    var twins = Twins(seed: 9)
    _ = try twins.set(["c"], twins.rows())
    _ = try twins.byColumns.perform { try $0.set("A/3", "c", .string("another")) }
    _ = try twins.oneByOne.perform { try $0.set("A/3", "c", .string("another")) }
    #expect(
      twins.byColumns.context.netChange.updated.flatMap(\.numbers).sorted()
        == twins.oneByOne.context.netChange.updated.flatMap(\.numbers).sorted())
    for _ in 0..<2 {
      _ = try twins.byColumns.context.undo()
      _ = try twins.oneByOne.context.undo()
    }
    #expect(twins.areAlike)
  }

  @Test("report the changes of each object if different columns changed")
  func several() throws {
    var twins = Twins(seed: 10)
    let (byColumns, oneByOne) = try twins.set(["n", "t"], twins.rows())
    #expect(byColumns == oneByOne && byColumns.updated.count > 1 && twins.areAlike)
  }

  @Test("join edits of single objects in the same statement")
  func joined() throws {
    var twins = Twins(seed: 13)
    let layout = twins.byColumns.context.graph.tables[0].layout
    let place = try #require(layout.columns.firstIndex { $0.key == "c" })
    let (column, rows) = (twins.column(layout.columns[place]), twins.rows())
    func editSome(_ editor: inout GraphEditor) throws {
      try editor.set("A/3", "c", .string("another"))
      try editor.set("A/5", "n", .integer(77))
      try editor.delete("A/7", "A/2001")
      try editor.insert("A/7", NewValue("c", .string("new")))
    }
    let byColumns = try twins.byColumns.perform { editor in
      let isDone = editor.setColumn("c", to: column, table: 0, rows: rows)
      #expect(isDone)
      try editSome(&editor)
    }
    let oneByOne = try twins.oneByOne.perform { editor in
      for row in rows { try editor.set("A/\(row * 2 + 1)", "c", column.value(Int(row))) }
      try editSome(&editor)
    }
    #expect(byColumns == oneByOne && byColumns.updated.count > 1 && twins.areAlike)
    _ = try twins.byColumns.context.undo()
    _ = try twins.oneByOne.context.undo()
    #expect(twins.areAlike && !twins.byColumns.context.hasChanges)
  }

  @Test("are deleted and restored like single objects")
  func deleted() throws {
    var twins = Twins(seed: 11)
    let (byColumns, oneByOne) = try twins.delete(twins.rows())
    #expect(byColumns == oneByOne && twins.areAlike)
    _ = try twins.byColumns.context.undo()
    _ = try twins.oneByOne.context.undo()
    #expect(twins.areAlike && !twins.byColumns.context.hasChanges)
    _ = try twins.byColumns.context.redo()
    #expect(twins.byColumns.context.graph.tables[0].liveCount < Twins.count)
  }

  @Test("with another entity, a derived key or observers are changed one by one")
  func refused() throws {
    let twins = Twins(seed: 12)
    var editor = GraphEditor(twins.byColumns.context.graph)
    let rows = (0..<2000).map { UInt32($0) }
    let column = twins.byColumns.context.graph.tables[0].columns[0]
    let done = [
      editor.deleteAtOnce(table: 0, rows: Array(rows[..<100])),
      editor.deleteAtOnce(table: 1, rows: [0]),
      editor.deleteAtOnce(table: 0, rows: rows.reversed()),
      editor.setColumn("no key", to: column, table: 0, rows: rows),
      editor.setColumn("b", to: column, table: 0, rows: rows),
      editor.setColumn("n", to: column, table: 0, rows: rows + [9_999_999]),
    ]
    #expect(!done.contains(true))
    #expect(editor.change.isEmpty)
  }
}
