import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
package import KuraValues

/// What objects are to have in the place of an attribute's values, or of a relationship's objects.
package enum NewValues: Sendable {
  /// Object by object.
  case each([Value])
  /// Values of the attribute's type in the objects' rows.
  case column(Column)

  /// The same with each value that stands by itself as `transform` makes it.
  package func map(_ transform: (Value) throws -> Value) rethrows -> NewValues {
    switch self {
    case .each(let values): .each(try values.map(transform))
    case .column: self
    }
  }
}

extension BoundRequest {
  /// The values of an expression for objects that the request found, for `update … set`.
  ///
  /// With a type, a literal is read as it. An expression without keys is evaluated once; many objects may
  /// get a column. Throws where a name is not known, a literal does not fit, or an object makes the
  /// evaluation fail.
  package func newValues(
    of expression: ExpressionTree, for objects: FetchResult, as type: AttributeType?
  ) throws(Diagnostic) -> NewValues {
    let tree = try Resolver(snapshot, shared).resolved(expression, of: entity, as: type).tree
    if let type, objects.count >= Self.fewestForColumn, let column = column(of: tree, objects, type)
    {
      return .column(column)
    }
    if case .constant(let constant) = tree.kind {
      return .each(Array(repeating: constant.value, count: objects.count))
    }
    let values = try values(of: tree, objects.rows)
    // Each is as large as it may be, and there are many.
    guard values.reduce(0, { $0 + $1.textLength }) <= Self.mostBytes else {
      throw Diagnostic(EvaluationFacts.tooLarge(.bytes(Self.mostBytes)), at: expression.span)
    }
    return .each(values)
  }

  private static var mostBytes: Int { 1 << 30 }
  private static var fewestForColumn: Int { 1024 }

  /// The column of values that are of a type as they stand; nil where they must be looked at one by one.
  private func column(
    of tree: ExpressionTree, _ objects: FetchResult, _ type: AttributeType
  ) -> Column? {
    let table = snapshot.graph.tables[place.table]
    if case .constant(let constant) = tree.kind {
      guard type.holds(constant.value) else { return nil }
      return Column(repeating: StoredCell(constant.value, as: type), type, table.chunkCount)
    }
    guard type.isKeptPlainly, let whole = wholeColumn(tree, bitmaps(of: objects.rows)),
      whole.type == type, whole.column.fits(objects.rows, type, Self.mostBytes)
    else { return nil }
    return whole.column
  }
}

extension AttributeType {
  /// Whether what a column of the type has is what it is to have.
  fileprivate var isKeptPlainly: Bool {
    switch self {
    case .integer, .double, .boolean, .date, .string: true
    case .integer16, .integer32, .float, .decimal, .uuid, .uri, .binary, .json: false
    }
  }
}

extension Column {
  /// The same value in each row of so many chunks; nil of types that have no short form of it.
  fileprivate init?(repeating cell: StoredCell, _ type: AttributeType, _ chunks: Int) {
    let count = ColumnChunk.capacity
    let chunk: ColumnChunk
    var texts: TextDictionary?
    switch (type, cell) {
    case (.integer, .integer(let x)), (.date, .integer(let x)):
      chunk = ColumnChunk(.integers(Array(repeating: x, count: count)))
    case (.double, .double(let x)):
      chunk = ColumnChunk(.doubles(Array(repeating: x, count: count)))
    case (.boolean, .boolean(let x)):
      chunk = ColumnChunk(.bytes(Array(repeating: x ? 1 : 0, count: count)))
    case (.string, .text(let text)) where text.utf8.count <= 1024:
      var dictionary = TextDictionary()
      _ = dictionary.encode(text, isOdd: cell.isOddText)
      texts = dictionary
      chunk = ColumnChunk(.bytes(Array(repeating: 0, count: count)))
    default: return nil
    }
    self.init(
      .attribute(type), chunks: Array(repeating: chunk, count: chunks), dictionary: texts)
  }

  /// Whether the values of some rows may be kept: numbers are finite, dates in range, and the texts of all
  /// chunks have no more than so many bytes.
  fileprivate func fits(_ rows: [UInt32], _ type: AttributeType, _ most: Int) -> Bool {
    switch type {
    case .double, .date: rows.allSatisfy { isNull(Int($0)) || type.holds(value(Int($0))) }
    case .string: dictionary.map { rows.count * $0.longest } ?? textBytes <= most
    default: true
    }
  }

  private var textBytes: Int {
    chunks.reduce(0) { sum, chunk in
      if case .text(let texts) = chunk.keptOnly { sum + texts.bytes.count } else { sum }
    }
  }
}

extension TextDictionary {
  fileprivate var longest: Int { (0..<count).reduce(0) { max($0, texts.packedRange($1).count) } }
}

extension Value {
  fileprivate var textLength: Int {
    if case .string(let text) = self { text.utf8.count } else { 0 }
  }
}
