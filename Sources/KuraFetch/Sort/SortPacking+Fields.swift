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
      if let gathered = gathered(tree, request, rows) { return gathered }
      guard
        let whole = request.wholeColumn(
          tree.expression, rows, forOrder: true, textsAsCodes: true)
      else { return nil }
      if whole.areTextsOfDecimals { return nil }
      guard whole.type == .string else { return numbers(tree, whole.column) }
      return whole.column.dictionary.flatMap { self.ranks($0.ranks, whole.column, tree) }
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
      return table.ranks(ofColumn: place).flatMap { ranks($0, column, tree) }
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
    return encoded(
      Encoding(cells: table.columns[place], values: count), tree, hasNulls: true)
  }

  /// Texts of a dictionary by their ranks.
  private static func ranks(_ ranks: [UInt32], _ column: Column, _ tree: SortTree) -> Field? {
    keyed(
      Encoding(cells: column, values: ranks.count), ranks.map { UInt64($0) } + [0],
      isNull: { $0 == ranks.count }, tree)
  }

  /// An expression that is evaluated once per code, with its key.
  private static func gathered(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Field? {
    guard let node = request.gatherNode(tree.expression, rows), node.values.unsure?.isEmpty ?? true,
      let words = node.values.orderedWords
    else { return nil }
    let nulls = node.values.nulls
    return keyed(node.encoding, words, isNull: { nulls?.has($0) == true }, tree)
  }

  /// Codes that have a word each, which orders as their values do.
  private static func keyed(
    _ encoding: Encoding, _ words: [UInt64], isNull: (Int) -> Bool, _ tree: SortTree
  ) -> Field? {
    let valued = words.indices.filter { !isNull($0) }
    let low = valued.map { words[$0] }.min() ?? 0
    let high = valued.map { words[$0] }.max() ?? 0
    // Values from 1 on leave 0 and the greatest key for null.
    guard high - low < .max - 2 else { return nil }
    let width = high - low + 2
    var keys = [UInt64](repeating: tree.putsNullsFirst ? 0 : width, count: words.count)
    for code in valued {
      keys[code] = (tree.isAscending ? words[code] - low : high - words[code]) + 1
    }
    return Field(
      source: .encoded(encoding, keys: keys), isAscending: true, null: nil, low: 0, width: width,
      bits: width.bitWidthUsed)
  }

  /// Codes that order as their values do.
  private static func encoded(_ encoding: Encoding, _ tree: SortTree, hasNulls: Bool) -> Field? {
    field(
      .encoded(encoding, keys: nil), tree, hasNulls: hasNulls, 0, UInt64(max(2, encoding.count) - 2)
    )
  }

  private static func numbers(_ tree: SortTree, _ column: Column) -> Field? {
    let hasNulls = column.chunks.contains { $0.nulls != nil }
    if let frame = FrameOfReference(column) {
      return encoded(Encoding(frame), tree, hasNulls: hasNulls)
    }
    guard let (low, high) = column.wordBounds else { return nil }
    return field(.column(column), tree, hasNulls: hasNulls, low, high - low)
  }

  private static func field(
    _ source: Source, _ tree: SortTree, hasNulls: Bool, _ low: UInt64, _ width: UInt64
  ) -> Field? {
    guard hasNulls else {
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

extension Vector {
  /// Words that order as the values do; nil for texts.
  fileprivate var orderedWords: [UInt64]? {
    switch values {
    case .integers(let lane), .decimals(let lane, _):
      return lane.spread(count).map { UInt64(bitPattern: $0) ^ (1 << 63) }
    case .doubles(let lane):
      let numbers = lane.spread(count)
      return numbers.contains(where: \.isNaN) ? nil : numbers.map(\.orderedBits)
    case .texts: return nil
    }
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
