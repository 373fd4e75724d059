import KuraGraph
import KuraModel
import KuraValues

/// The rows of an entity and all its subentities, while they are joined into one table.
struct EntityTree {
  var table: Table
  /// The objectIDs that the document lists, per relationship of the tree.
  var links: [EntityKey: DocumentLinks] = [:]
}

/// The objectIDs that a document lists for a relationship: a list per row, or nil for a row without the key.
///
/// The list of a to-one relationship has at most one number.
struct RawLinks {
  var isToMany: Bool
  /// The numbers of all rows, concatenated.
  var numbers: [Int64] = []
  /// The end of each row's list in `numbers`.
  var ends: [UInt32] = []
  /// Whether the document lacks a value, per row.
  var isSilent: [Bool] = []

  var isSpecified: Bool { isSilent.contains(false) }

  func range(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  /// Returns the numbers of a row, or nil if the document has no value for it.
  func numbers(_ row: Int) -> ArraySlice<Int64>? { isSilent[row] ? nil : numbers[range(row)] }

  mutating func closeRow(isSilent silent: Bool) {
    ends.append(UInt32(truncatingIfNeeded: numbers.count))
    isSilent.append(silent)
  }
}

extension StoreAssembly {
  /// Joins the builders of one table; relationships are still objectIDs. Releases the objectIDs and
  /// relationships of the builders, which are as large as the table's.
  mutating func tree(_ index: Int, _ nextObjectIDs: [String: Int64]) -> EntityTree {
    let tableLayout = layout.tables[index]
    let places = layout.places
    let parts = builders.indices.filter { places[builders[$0].name]?.table == index }
    checkMandatory(parts)
    let numbers = tableNumbers(parts, next: nextObjectIDs[tableLayout.root] ?? 1)
    let order = numbers.order
    origins.append(RowOrigin(parts: parts, order: order))
    var tree = EntityTree(
      table: Table(
        layout: tableLayout,
        columns: tableLayout.columns.map { attributeColumn($0, parts, order) },
        identifiers: numbers.identifiers,
        entityCodes: entityCodes(parts).map { codes in
          order.map { $0.map { codes[$0] } } ?? codes
        },
        soleEntity: Int(parts.first(where: hasRows).map(code) ?? 0),
        nextNumber: numbers.next))
    tree.links = documentLinks(tableLayout, parts, order)
    return tree
  }

  private func hasRows(_ part: Int) -> Bool { builders[part].rowCount > 0 }

  private func code(_ part: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: layout.places[builders[part].name]?.code ?? 0)
  }

  /// Returns the entity code of each row, or nil if all rows belong to one entity.
  private func entityCodes(_ parts: [Int]) -> [UInt16]? {
    let filled = parts.filter(hasRows)
    guard filled.contains(where: { code($0) != code(filled[0]) }) else { return nil }
    return filled.flatMap { Array(repeating: code($0), count: builders[$0].rowCount) }
  }

  private func attributeColumn(
    _ definition: ColumnDefinition, _ parts: [Int], _ order: [Int]?
  ) -> Column {
    guard case .attribute(let type) = definition.kind else { return Column(definition.kind) }
    let pieces = parts.map { part -> (column: Column?, rows: Int) in
      let builder = builders[part]
      let declares = model.entity(builder.name, isKindOf: definition.entity)
      let column = declares ? builder.column(definition.key) : nil
      return (column.map { builder.columns[$0].attributeColumn(type) }, builder.rowCount)
    }
    if pieces.count == 1, order == nil, let column = pieces[0].column { return column }
    return Column(joining: pieces, type, order)
  }
}

extension Column {
  /// Concatenates the pieces in the given order of rows; a missing column becomes nulls.
  init(joining pieces: [(column: Column?, rows: Int)], _ type: AttributeType, _ order: [Int]?) {
    self.init(.attribute(type), dictionary: type == .string ? TextDictionary() : nil)
    var places: [(piece: Int, row: Int)] = []
    for (i, piece) in pieces.enumerated() {
      places += (0..<piece.rows).map { (i, $0) }
    }
    for i in order ?? Array(places.indices) {
      let column = pieces[places[i].piece].column
      append(column.map { StoredCell($0.value(places[i].row), as: type) } ?? .null)
    }
  }
}

extension ColumnBuilder {
  /// Returns the column of an attribute. The last chunk must be sealed.
  func attributeColumn(_ type: AttributeType) -> Column {
    let texts = shape == .coded ? dictionary.texts : nil
    return Column(.attribute(type), chunks: sealed, dictionary: texts)
  }

  var inferredType: AttributeType {
    switch shape {
    case .integers: .integer
    case .doubles: .double
    case .booleans: .boolean
    case .empty, .coded, .text: .string
    case .decimals: .decimal
    case .json, .lists: .json
    }
  }
}

extension ByteDictionary {
  var texts: TextDictionary {
    var chunk = TextChunk()
    for code in 0..<count { chunk.append(text(code), isOdd: odd[code]) }
    return TextDictionary(chunk)
  }
}

extension EntityBuilder {
  /// Returns an entity for the rows of plain JSON, with optional attributes only.
  func inferredEntity(_ columns: [InferredColumn]) -> Entity {
    Entity(
      name: name,
      attributes: columns.map { Attribute(name: $0.name, type: $0.type, isOptional: true) })
  }

  /// Returns the table of plain JSON's rows; the objectID is the row's number.
  func inferredTable(_ columns: [InferredColumn], _ layout: TableLayout) -> Table {
    Table(
      layout: layout, columns: columns.map(\.column),
      identifiers: .dense(first: 1, count: rowCount), nextNumber: Int64(rowCount) + 1)
  }
}
