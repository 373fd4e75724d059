import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates

/// A sort key as a number with the order of its values, in as few bits as they need.
///
/// A date within a century needs 16 bits, a text of a dictionary the bits of its rank.
struct SortField: Sendable {
  let source: Source
  let isAscending: Bool
  /// The key of null; nil if there are no nulls.
  let null: UInt64?
  /// The least value, and the distance of the greatest from it.
  let low: UInt64
  let width: UInt64
  let bits: Int

  enum Source: Sendable {
    /// A column's numbers as words with their order.
    case column(Column)
    /// Codes with the order of the values, or a key per code.
    case encoded(Encoding, keys: [UInt64]?)
    /// The row itself, for the objectID.
    case row
  }

  /// Whether it orders by the row itself.
  var isRow: Bool { if case .row = source { true } else { false } }
}

extension SortField {
  /// Returns the key of a row.
  func key(ofRow row: Int) -> UInt64 {
    let (number, place) = (row >> ColumnChunk.shift, row & ColumnChunk.mask)
    switch source {
    case .row: return key(UInt64(row))
    case .column(let column):
      return column.chunks[number].orderedWord(place).map(key) ?? null ?? 0
    case .encoded(let encoding, let keys):
      let code = encoding.code(of: row)
      if let keys { return keys[code] }
      return code == encoding.count - 1 ? null ?? 0 : key(UInt64(code))
    }
  }

  /// Returns the key's bits for a value that is not null.
  private func key(_ value: UInt64) -> UInt64 { KeyScale(self).key(value) }

  /// Appends the key's bits of some rows of a chunk to their words.
  func add(_ number: Int, _ places: [UInt16], to words: inout [UInt64]) {
    switch source {
    case .row:
      let first = UInt64(number << ColumnChunk.shift)
      add(places, nil, &words) { first + UInt64($0) }
    case .column(let column):
      let chunk = column.chunks[number]
      switch chunk.values {
      case .integers(let values):
        values.withUnsafeBufferPointer { values in
          add(places, chunk.nulls, &words) { values[$0].orderedWord }
        }
      case .doubles(let values):
        add(places, chunk.nulls, &words) { values[$0].orderedBits }
      case .bytes(let values): add(places, chunk.nulls, &words) { Int64(values[$0]).orderedWord }
      case .codes, .text, .links, .linkLists: break
      }
    case .encoded(let encoding, let keys?):
      let (codes, shift) = (encoding.codes(number), UInt64(bits))
      words.withUnsafeMutableBufferPointer { words in
        keys.withUnsafeBufferPointer { keys in
          codes.forEach(places) { place, code in
            words[place] = words[place] &<< shift | keys[Int(code)]
          }
        }
      }
    case .encoded(let encoding, nil):
      let (codes, shift) = (encoding.codes(number), UInt64(bits))
      let (scale, null, last) = (KeyScale(self), null ?? 0, codes.last)
      words.withUnsafeMutableBufferPointer { words in
        codes.forEach(places) { place, code in
          let key = code == last ? null : scale.key(UInt64(code))
          words[place] = words[place] &<< shift | key
        }
      }
    }
  }

  /// Appends the key's bits to the words.
  @inline(__always)
  private func add(
    _ places: [UInt16], _ nulls: Bitmap?, _ words: inout [UInt64], _ value: (Int) -> UInt64
  ) {
    let (scale, shift) = (KeyScale(self), UInt64(bits))
    places.withUnsafeBufferPointer { places in
      words.withUnsafeMutableBufferPointer { words in
        for i in places.indices {
          let key = scale.key(value(Int(places[i])))
          words[i] = words[i] &<< shift | key
        }
        guard let null, let nulls else { return }
        for i in places.indices where nulls.has(Int(places[i])) {
          words[i] = words[i] & ~scale.mask | null
        }
      }
    }
  }
}

/// The mapping of values to a key's bits. Terms that are equal for all rows are precomputed.
private struct KeyScale {
  // If there are nulls, values have the keys 1 to width - 1, in both directions.
  private let inversion: UInt64
  private let offset: UInt64
  /// A mask of the key's bits; the bits of rows without a value are arbitrary.
  let mask: UInt64

  init(_ field: SortField) {
    inversion = field.isAscending ? 0 : .max
    offset = field.isAscending ? 0 &- field.low : field.width &+ field.low &+ 1
    mask = UInt64.max &>> UInt64(64 - field.bits)
  }

  @inline(__always)
  func key(_ value: UInt64) -> UInt64 { ((value ^ inversion) &+ offset) & mask }
}

extension SortField {
  /// Returns the bit field of a key; nil if its values have no such numbers.
  static func of(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> SortField? {
    guard let key = tree.plainKey else {
      if let links = links(tree, table, request) { return links }
      guard !tree.isNatural, tree.options.isSubset(of: .normalized) else { return nil }
      if let gathered = gathered(tree, request, rows) { return gathered }
      guard
        let whole = request.wholeColumn(
          tree.expression, rows, forOrder: true, textsAsCodes: true)
      else { return nil }
      if whole.areTextsOfDecimals { return nil }
      guard let kind = VectorKind(textsOf: whole.type) else { return numbers(tree, whole.column) }
      return kind == .text ? ranks(whole.column, tree) : nil
    }
    if key == "objectID" || key == objectNumberKey {
      guard table.identifiers.isAscending else {
        let chunks = (0..<table.chunkCount).map { number in
          ColumnChunk(.integers(table.rows(inChunk: number).map { table.identifiers[$0] }))
        }
        return numbers(tree, Column(.attribute(.integer), chunks: chunks))
      }
      return SortField(
        source: .row, isAscending: tree.isAscending, null: nil, low: 0,
        width: UInt64(table.count), bits: UInt64(max(1, table.count)).bitWidthUsed)
    }
    guard let (place, type) = request.attribute(tree.expression) else { return nil }
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

  /// Returns a field for `home.objectID`: the destinations of a to-one relationship have the order of their rows.
  private static func links(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest
  ) -> SortField? {
    let graph = request.snapshot.graph
    guard case .keyPath(let path) = tree.expression.kind, let key = path.linkKey(in: graph),
      case .toOne(let place, let destination)? = graph.slot(key, of: request.place),
      graph.tables[destination].identifiers.isAscending,
      graph.tables[destination].entityCodes == nil, !tree.isNatural
    else { return nil }
    let count = graph.tables[destination].count
    return encoded(
      Encoding(cells: table.columns[place], values: count), tree, hasNulls: true)
  }

  /// Returns a field for texts of a dictionary, with their ranks; nil for other columns.
  static func ranks(_ column: Column, _ tree: SortTree) -> SortField? {
    column.dictionary.flatMap { ranks($0.ranks, column, tree) }
  }

  private static func ranks(_ ranks: [UInt32], _ column: Column, _ tree: SortTree) -> SortField? {
    keyed(
      Encoding(cells: column, values: ranks.count), ranks.map { UInt64($0) } + [0],
      isNull: { $0 == ranks.count }, tree)
  }

  /// Returns a field for an expression that is evaluated once per code.
  private static func gathered(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> SortField? {
    guard let node = request.gatherNode(tree.expression, rows),
      node.values.fallback?.isEmpty ?? true,
      let words = node.values.orderedWords
    else { return nil }
    let nulls = node.values.nulls
    return keyed(node.encoding, words, isNull: { nulls?.has($0) == true }, tree)
  }

  /// Returns a field for codes, each with a word that has the order of the values.
  private static func keyed(
    _ encoding: Encoding, _ words: [UInt64], isNull: (Int) -> Bool, _ tree: SortTree
  ) -> SortField? {
    let valued = words.indices.filter { !isNull($0) }
    let low = valued.map { words[$0] }.min() ?? 0
    let high = valued.map { words[$0] }.max() ?? 0
    // Values from 1 leave 0 and the greatest key for null.
    guard high - low < .max - 2 else { return nil }
    let width = high - low + 2
    var keys = [UInt64](repeating: tree.putsNullsFirst ? 0 : width, count: words.count)
    for code in valued {
      keys[code] = (tree.isAscending ? words[code] - low : high - words[code]) + 1
    }
    return SortField(
      source: .encoded(encoding, keys: keys), isAscending: true, null: nil, low: 0, width: width,
      bits: width.bitWidthUsed)
  }

  /// Returns a field for codes with the order of their values.
  private static func encoded(_ encoding: Encoding, _ tree: SortTree, hasNulls: Bool) -> SortField?
  {
    field(
      .encoded(encoding, keys: nil), tree, hasNulls: hasNulls, 0, UInt64(max(2, encoding.count) - 2)
    )
  }

  static func numbers(_ tree: SortTree, _ column: Column) -> SortField? {
    let hasNulls = column.chunks.contains { $0.nulls != nil }
    if let frame = FrameOfReference(column) {
      return encoded(Encoding(frame), tree, hasNulls: hasNulls)
    }
    guard let (low, high) = column.wordBounds else { return nil }
    return field(.column(column), tree, hasNulls: hasNulls, low, high - low)
  }

  private static func field(
    _ source: Source, _ tree: SortTree, hasNulls: Bool, _ low: UInt64, _ width: UInt64
  ) -> SortField? {
    guard hasNulls else {
      return SortField(
        source: source, isAscending: tree.isAscending, null: nil, low: low, width: width,
        bits: width.bitWidthUsed)
    }
    // Values from 1 leave 0 and the greatest number for null.
    guard width < .max - 2 else { return nil }
    return SortField(
      source: source, isAscending: tree.isAscending, null: tree.putsNullsFirst ? 0 : width + 2,
      low: low &- 1, width: width + 2, bits: (width + 2).bitWidthUsed)
  }
}

extension Vector {
  /// Words with the order of the values; nil for texts.
  fileprivate var orderedWords: [UInt64]? {
    switch values {
    case .integers(let lane), .decimals(let lane, _):
      return lane.spread(count).map(\.orderedWord)
    case .doubles(let lane):
      let numbers = lane.spread(count)
      return numbers.contains(where: \.isNaN) ? nil : numbers.map(\.orderedBits)
    case .longDecimals, .texts: return nil
    }
  }
}

extension UInt64 {
  /// The number of bits that the number needs.
  var bitWidthUsed: Int { Swift.max(1, 64 - leadingZeroBitCount) }
}

extension Column {
  /// The least and the greatest number of the column, as words with their order.
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
      integerBounds.map { ($0.lowerBound.orderedWord, $0.upperBound.orderedWord) }
    // The infinities; null has room on both sides.
    case .doubles: (0x000F_FFFF_FFFF_FFFF, 0xFFF0_0000_0000_0000)
    case .bytes: (Int64(0).orderedWord, Int64(255).orderedWord)
    case .codes, .text, .links, .linkLists: nil
    }
  }
}

extension SortField {
  /// Returns the rows of a chunk with a key below a bound; nil for the row itself, and for texts and links.
  func rows(_ number: Int, below bound: UInt64) -> Bitmap? {
    let (scale, passesNull) = (KeyScale(self), null.map { $0 < bound } ?? false)
    let found: Bitmap
    switch source {
    case .row: return nil
    case .encoded(let encoding, let keys?):
      return keys.withUnsafeBufferPointer { keys in
        encoding.codes(number).rows { keys[Int($0)] < bound }
      }
    case .encoded(let encoding, nil):
      let codes = encoding.codes(number)
      let last = codes.last
      return codes.rows { $0 == last ? passesNull : scale.key(UInt64($0)) < bound }
    case .column(let column):
      let chunk = column.chunks[number]
      switch chunk.values {
      case .integers(let values): found = Bitmap(values) { scale.key($0.orderedWord) < bound }
      case .doubles(let values): found = Bitmap(values) { scale.key($0.orderedBits) < bound }
      case .bytes(let values): found = Bitmap(values) { scale.key(Int64($0).orderedWord) < bound }
      case .codes, .text, .links, .linkLists: return nil
      }
      return found.settingNulls(chunk.nulls, to: passesNull)
    }
  }
}

extension SortField {
  /// Returns the rows of a chunk with a key above a bound; nil as for `below`.
  func rows(_ number: Int, above bound: UInt64) -> Bitmap? {
    bound < .max ? rows(number, below: bound + 1)?.negated(true) : nil
  }

  /// Returns the rows of a chunk with a key; nil as for `below`.
  func rows(_ number: Int, equalTo key: UInt64) -> Bitmap? {
    guard key < .max, let below = rows(number, below: key) else { return nil }
    return rows(number, below: key + 1)?.subtracting(below)
  }
}

extension ColumnChunk {
  /// Returns a row's number as a word with its order; nil for null.
  func orderedWord(_ row: Int) -> UInt64? {
    guard let place = place(of: row) else { return nil }
    return switch compactValues {
    case .integers(let values): values[place].orderedWord
    case .doubles(let values): values[place].orderedBits
    case .bytes(let values): Int64(values[place]).orderedWord
    case .codes, .text, .links, .linkLists: 0
    }
  }
}

extension Int64 {
  /// A word with the order of the number.
  var orderedWord: UInt64 { UInt64(bitPattern: self) ^ (1 << 63) }
}

extension Double {
  /// A word with the order of the numbers; -0 is 0.
  var orderedBits: UInt64 {
    let bits = (self == 0 ? 0.0 : self).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
