import KuraGraph
import KuraModel

extension ColumnBuilder {
  /// The column of an attribute; the last chunk has been sealed.
  func attributeColumn(_ type: AttributeType) -> Column {
    let texts = shape == .coded ? dictionary.texts : nil
    return Column(.attribute(type), chunks: sealed, dictionary: texts)
  }

  /// The type that plain JSON's values have.
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
  /// The model's entity that plain JSON's rows show: every attribute optional.
  func inferredEntity(_ columns: [InferredColumn]) -> Entity {
    Entity(
      name: name,
      attributes: columns.map { Attribute(name: $0.name, type: $0.type, isOptional: true) })
  }

  /// The table of plain JSON's rows: the row's number is the objectID.
  func inferredTable(_ columns: [InferredColumn], _ layout: TableLayout) -> Table {
    Table(
      layout: layout, columns: columns.map(\.column),
      identifiers: .dense(first: 1, count: rowCount), nextNumber: Int64(rowCount) + 1)
  }
}
