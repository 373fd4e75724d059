import KuraGraph
import KuraModel
import KuraPredicates

extension SortPacking {
  /// A key's place; nil where its values are no such numbers.
  static func field(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Field? {
    guard let key = tree.plainKey else {
      if let links = links(tree, table, request) { return links }
      guard !tree.isNatural, tree.options.isSubset(of: .normalized) else { return nil }
      if let looked = looked(tree, table, request, rows) { return looked }
      guard
        let whole = request.wholeColumn(
          tree.expression, rows, forOrder: true, textsAsCodes: true)
      else { return nil }
      if whole.areTextsOfDecimals { return nil }
      guard whole.type == .string else { return numbers(tree, whole.column) }
      guard let ranks = whole.column.dictionary?.ranks else { return nil }
      return field(.ranks(whole.column, ranks), tree, whole.column, 0, UInt64(ranks.count))
    }
    if key == "objectID" || key == objectNumberKey {
      return Field(
        source: .row, isAscending: tree.isAscending, null: nil, low: 0,
        width: UInt64(table.count), bits: UInt64(max(1, table.count)).bitWidthUsed)
    }
    guard case .attribute(let place, let type)? = table.layout.slots[request.place.code][key] else {
      return nil
    }
    let column = table.columns[place]
    switch type {
    case .integer, .integer16, .integer32, .date, .boolean, .double, .float:
      return numbers(tree, column)
    case .string:
      guard let ranks = table.ranks(ofColumn: place) else { return nil }
      return field(.ranks(column, ranks), tree, column, 0, UInt64(ranks.count))
    case .decimal:
      guard let whole = request.wholeColumn(tree.expression, rows), !whole.areTextsOfDecimals
      else { return nil }
      return numbers(tree, whole.column)
    case .uuid, .uri, .binary, .json: return nil
    }
  }

  /// `home.objectID`: the order of the objects that a to-one leads to is that of their rows.
  private static func links(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest
  ) -> Field? {
    let graph = request.snapshot.graph
    guard case .keyPath(let path) = tree.expression.kind, let key = path.linkKey(in: graph),
      case .toOne(let place, let destination)? = table.layout.slots[request.place.code][key],
      graph.tables[destination].identifiers.isAscending,
      graph.tables[destination].entityCodes == nil, !tree.isNatural
    else { return nil }
    let count = graph.tables[destination].count
    let width = UInt64(count) + 2
    return Field(
      source: .links(table.columns[place], count: count), isAscending: tree.isAscending,
      null: tree.putsNullsFirst ? 0 : width, low: 0 &- 1, width: width, bits: width.bitWidthUsed)
  }

  /// What is looked up has the bits of its key beside it.
  private static func looked(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Field? {
    guard let node = request.lookup(tree.expression, rows),
      let keys = LookedUpKeys(
        node, table, isAscending: tree.isAscending, nullsFirst: tree.putsNullsFirst)
    else { return nil }
    return Field(
      source: .looked(keys), isAscending: true, null: nil, low: 0, width: keys.width,
      bits: keys.width.bitWidthUsed)
  }

  private static func numbers(_ tree: SortTree, _ column: Column) -> Field? {
    if let narrow = NarrowColumn(column) {
      return field(.narrow(narrow), tree, column, 0, UInt64(narrow.count - 1))
    }
    guard let (low, high) = column.wordBounds else { return nil }
    return field(.column(column), tree, column, low, high - low)
  }

  private static func field(
    _ source: Source, _ tree: SortTree, _ column: Column, _ low: UInt64, _ width: UInt64
  ) -> Field? {
    guard column.chunks.contains(where: { $0.nulls != nil }) else {
      return Field(
        source: source, isAscending: tree.isAscending, null: nil, low: low, width: width,
        bits: width.bitWidthUsed)
    }
    // Values from 1 on leave 0 and the greatest number for null.
    guard width < .max - 2 else { return nil }
    return Field(
      source: source, isAscending: tree.isAscending, null: tree.putsNullsFirst ? 0 : width + 2,
      low: low &- 1, width: width + 2, bits: (width + 2).bitWidthUsed)
  }
}

extension UInt64 {
  /// How many bits the number has.
  var bitWidthUsed: Int { Swift.max(1, 64 - leadingZeroBitCount) }
}

extension Column {
  /// The least and the greatest of the column's numbers, as words that order as they do.
  fileprivate var wordBounds: (UInt64, UInt64)? {
    var bounds: (UInt64, UInt64)?
    for chunk in chunks {
      guard let (low, high) = chunk.wordBounds else { continue }
      bounds = bounds.map { (min($0.0, low), max($0.1, high)) } ?? (low, high)
    }
    return bounds ?? (0, 0)
  }
}

extension ColumnChunk {
  fileprivate var wordBounds: (UInt64, UInt64)? {
    switch values {
    case .integers:
      integerBounds.map {
        (
          UInt64(bitPattern: $0.lowerBound) ^ (1 << 63),
          UInt64(bitPattern: $0.upperBound) ^ (1 << 63)
        )
      }
    // Those of the infinities: null has room on both sides.
    case .doubles: (0x000F_FFFF_FFFF_FFFF, 0xFFF0_0000_0000_0000)
    case .bytes: (0, 255)
    case .codes, .text, .links, .linkLists: nil
    }
  }
}
