import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates

/// A packing of all sort keys and the row into one number, with the order of the rows.
///
/// A date within a century needs 16 bits, a text of a dictionary the bits of its rank, a row of a million 20 bits.
/// Comparing rows is comparing words of 64 or 128 bits.
struct NormalizedSortKey {
  let fields: [Field]
  let bits: Int
  private let table: Table
  private let rowBits: Int

  /// A sort key as a bit field.
  struct Field: Sendable {
    let source: Source
    let isAscending: Bool
    /// The key of null; nil if there are no nulls.
    let null: UInt64?
    /// The least value, and the distance of the greatest from it.
    let low: UInt64
    let width: UInt64
    let bits: Int
  }

  enum Source: Sendable {
    /// A column's numbers as words with their order.
    case column(Column)
    /// Codes with the order of the values, or a key per code.
    case encoded(Encoding, keys: [UInt64]?)
    /// The row itself, for the objectID.
    case row
  }

  /// Packs the keys of the set rows; nil if a key has no such number, or if all keys together are too long.
  init?(_ request: BoundRequest, _ rows: [Bitmap]) {
    table = request.snapshot.graph.tables[request.place.table]
    rowBits = UInt64(max(1, table.count)).bitWidthUsed
    var fields: [Field] = []
    for tree in request.sort {
      guard !request.environment.cancel.isRequested,
        let field = NormalizedSortKey.field(tree, table, request, rows)
      else { return nil }
      if case .row = field.source {
        // Keys after the objectID have no effect. If it ascends, the row bits already sort by it.
        if !field.isAscending { fields.append(field) }
        break
      }
      fields.append(field)
    }
    self.fields = fields
    bits = fields.reduce(rowBits) { $0 + $1.bits }
    guard bits <= 128 else { return nil }
  }
}

extension NormalizedSortKey {
  /// Returns the rows of the bitmaps, sorted; if ranks are given, at least those.
  func sortedRows(_ chunks: [Bitmap], _ ranks: Range<Int>?) -> OrderedRows {
    bits <= 64
      ? sortedRows(chunks, ranks, as: UInt64.self) : sortedRows(chunks, ranks, as: UInt128.self)
  }

  private func sortedRows<Word: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ chunks: [Bitmap], _ ranks: Range<Int>?, as word: Word.Type
  ) -> OrderedRows {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    if let ranks, let page = page(chunks, ranks.clamped(to: 0..<count), of: count, as: word) {
      return page
    }
    let few = ranks.flatMap { $0.upperBound < count / 4 ? $0.upperBound : nil }
    let parts = Workers.states(
      count: chunks.count, inParallel: count > 50_000, { TopNWords<Word>(wanted: few) },
      { first, number in
        if !chunks[number].isEmpty { first.add(words(number, chunks[number])) }
      })
    var first = parts.first ?? TopNWords(wanted: few)
    for part in parts.dropFirst() { first.add(part) }
    return OrderedRows(rows: rows(of: first.sorted(bits: bits)))
  }

  /// Returns the rows in the low bits of the words.
  func rows<Word: FixedWidthInteger & UnsignedInteger>(of words: [Word]) -> [UInt32] {
    let mask = Word(1) << Word(rowBits) - 1
    return words.map { UInt32(truncatingIfNeeded: $0 & mask) }
  }

  /// Returns the packed words of a chunk's rows.
  func words<Word: FixedWidthInteger & UnsignedInteger>(
    _ number: Int, _ passing: Bitmap
  ) -> [Word] {
    var places: [UInt16] = []
    places.reserveCapacity(passing.popcount)
    passing.eachRow { places.append(UInt16(truncatingIfNeeded: $0)) }
    var words = [Word](repeating: 0, count: places.count)
    for field in fields { field.add(number, places, to: &words) }
    let first = Word(truncatingIfNeeded: number << ColumnChunk.shift)
    for i in words.indices {
      words[i] = words[i] << Word(rowBits) | (first + Word(truncatingIfNeeded: places[i]))
    }
    return words
  }
}

extension NormalizedSortKey.Field {
  /// Returns the key's bits for a value that is not null.
  func key(_ value: UInt64) -> UInt64 { KeyScale(self).key(value) }

  /// Appends the key's bits of some rows of a chunk to their words.
  func add<Word: FixedWidthInteger & UnsignedInteger>(
    _ number: Int, _ places: [UInt16], to words: inout [Word]
  ) {
    switch source {
    case .row:
      let first = UInt64(number << ColumnChunk.shift)
      add(places, nil, &words) { first + UInt64($0) }
    case .column(let column):
      let chunk = column.chunks[number]
      switch chunk.values {
      case .integers(let values):
        values.withUnsafeBufferPointer { values in
          add(places, chunk.nulls, &words) { UInt64(bitPattern: values[$0]) ^ (1 << 63) }
        }
      case .doubles(let values):
        add(places, chunk.nulls, &words) { values[$0].orderedBits }
      case .bytes(let values): add(places, chunk.nulls, &words) { UInt64(values[$0]) }
      case .codes, .text, .links, .linkLists: break
      }
    case .encoded(let encoding, let keys?):
      let (codes, shift) = (encoding.codes(number), Word(truncatingIfNeeded: bits))
      words.withUnsafeMutableBufferPointer { words in
        keys.withUnsafeBufferPointer { keys in
          codes.forEach(places) { place, code in
            words[place] = words[place] &<< shift | Word(truncatingIfNeeded: keys[Int(code)])
          }
        }
      }
    case .encoded(let encoding, nil):
      let (codes, shift) = (encoding.codes(number), Word(truncatingIfNeeded: bits))
      let (scale, null, last) = (KeyScale(self), null ?? 0, codes.last)
      words.withUnsafeMutableBufferPointer { words in
        codes.forEach(places) { place, code in
          let key = code == last ? null : scale.key(UInt64(code))
          words[place] = words[place] &<< shift | Word(truncatingIfNeeded: key)
        }
      }
    }
  }

  /// Appends the key's bits to the words.
  @inline(__always)
  private func add<Word: FixedWidthInteger & UnsignedInteger>(
    _ places: [UInt16], _ nulls: Bitmap?, _ words: inout [Word], _ value: (Int) -> UInt64
  ) {
    let scale = KeyScale(self)
    let shift = Word(truncatingIfNeeded: bits)
    places.withUnsafeBufferPointer { places in
      words.withUnsafeMutableBufferPointer { words in
        for i in places.indices {
          let key = scale.key(value(Int(places[i])))
          words[i] = words[i] &<< shift | Word(truncatingIfNeeded: key)
        }
        guard let null, let nulls else { return }
        let mask = ~Word(truncatingIfNeeded: scale.mask)
        for i in places.indices where nulls.has(Int(places[i])) {
          words[i] = words[i] & mask | Word(truncatingIfNeeded: null)
        }
      }
    }
  }
}

/// The mapping of values to a key's bits. Terms that are equal for all rows are precomputed.
struct KeyScale {
  // If there are nulls, values have the keys 1 to width - 1, in both directions.
  private let turned: UInt64
  private let offset: UInt64
  /// A mask of the key's bits; the bits of rows without a value are arbitrary.
  let mask: UInt64

  init(_ field: NormalizedSortKey.Field) {
    turned = field.isAscending ? 0 : .max
    offset = field.isAscending ? 0 &- field.low : field.width &+ field.low &+ 1
    mask = UInt64.max &>> UInt64(64 - field.bits)
  }

  @inline(__always)
  func key(_ value: UInt64) -> UInt64 { ((value ^ turned) &+ offset) & mask }
}

extension NormalizedSortKey {
  /// Returns the bit field of a key; nil if its values have no such numbers.
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
      guard let kind = VectorKind(textsOf: whole.type) else { return numbers(tree, whole.column) }
      return kind == .text ? ranks(whole.column, tree) : nil
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

  /// Returns a field for `home.objectID`: the destinations of a to-one relationship have the order of their rows.
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

  /// Returns a field for texts of a dictionary, with their ranks; nil for other columns.
  static func ranks(_ column: Column, _ tree: SortTree) -> Field? {
    column.dictionary.flatMap { ranks($0.ranks, column, tree) }
  }

  private static func ranks(_ ranks: [UInt32], _ column: Column, _ tree: SortTree) -> Field? {
    keyed(
      Encoding(cells: column, values: ranks.count), ranks.map { UInt64($0) } + [0],
      isNull: { $0 == ranks.count }, tree)
  }

  /// Returns a field for an expression that is evaluated once per code.
  private static func gathered(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Field? {
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
  ) -> Field? {
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
    return Field(
      source: .encoded(encoding, keys: keys), isAscending: true, null: nil, low: 0, width: width,
      bits: width.bitWidthUsed)
  }

  /// Returns a field for codes with the order of their values.
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
    // Values from 1 leave 0 and the greatest number for null.
    guard width < .max - 2 else { return nil }
    return Field(
      source: source, isAscending: tree.isAscending, null: tree.putsNullsFirst ? 0 : width + 2,
      low: low &- 1, width: width + 2, bits: (width + 2).bitWidthUsed)
  }
}

extension Vector {
  /// Words with the order of the values; nil for texts.
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
      integerBounds.map {
        (
          UInt64(bitPattern: $0.lowerBound) ^ (1 << 63),
          UInt64(bitPattern: $0.upperBound) ^ (1 << 63)
        )
      }
    // The infinities; null has room on both sides.
    case .doubles: (0x000F_FFFF_FFFF_FFFF, 0xFFF0_0000_0000_0000)
    case .bytes: (0, 255)
    case .codes, .text, .links, .linkLists: nil
    }
  }
}

// Pages, without packing all rows
extension NormalizedSortKey {
  /// Returns the rows of some ranks and their neighbors, sorted, if the page is a small part. A sample bounds the
  /// numbers, and the first key alone selects candidates. Nil if that finds too few rows or does not save work.
  func page<Word: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ chunks: [Bitmap], _ ranks: Range<Int>, of count: Int, as word: Word.Type
  ) -> OrderedRows? {
    guard count > ColumnChunk.capacity, ranks.count < count / 8,
      let first = fields.first, !first.isRow,
      let bounds = PageBounds(ranks, of: count, sample: sample(chunks, count, as: Word.self))
    else { return nil }
    let keys = bounds.keys(bits: first.bits, of: bits)
    let parts = Workers.states(
      count: chunks.count, inParallel: count > 50_000, { PageWords(bounds) }
    ) { page, number in
      if chunks[number].isEmpty { return }
      var rows = chunks[number]
      if bounds.low > 0, let before = first.rows(number, below: keys.low) {
        let all = rows.popcount
        rows.subtract(before)
        page.before += all - rows.popcount
      }
      if keys.high < .max, let near = first.rows(number, below: keys.high + 1) {
        rows.formIntersection(near)
      }
      if !rows.isEmpty { page.add(words(number, rows)) }
    }
    let before = parts.reduce(0) { $0 + $1.before }
    let found = parts.flatMap(\.found)
    guard before <= ranks.lowerBound, before + found.count >= ranks.upperBound else { return nil }
    return OrderedRows(rows: rows(of: found.sortedByDigits(bits: bits)), skipped: before)
  }

  private func sample<Word: FixedWidthInteger & UnsignedInteger>(
    _ chunks: [Bitmap], _ count: Int, as word: Word.Type
  ) -> [Word] {
    var sample: [Word] = []
    for number in chunks.indices where !chunks[number].isEmpty {
      let rows = chunks[number].sample(ofChunk: number, count)
      if !rows.isEmpty { sample += words(number, rows) }
    }
    return sample
  }
}

/// The numbers between two bounds, and how many are less.
private struct PageWords<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  let bounds: PageBounds<Word>
  var before = 0
  private(set) var found: [Word] = []

  init(_ bounds: PageBounds<Word>) { self.bounds = bounds }

  mutating func add(_ words: [Word]) {
    for word in words where word <= bounds.high {
      if word < bounds.low { before += 1 } else { found.append(word) }
    }
  }
}

extension NormalizedSortKey.Field {
  var isRow: Bool { if case .row = source { true } else { false } }

  /// Returns the rows of a chunk with a key below a bound; nil for the row itself, and for texts and links.
  func rows(_ number: Int, below bound: UInt64) -> Bitmap? {
    let test = KeyTest(self, below: bound)
    switch source {
    case .row: return nil
    case .encoded(let encoding, let keys?):
      return keys.withUnsafeBufferPointer { keys in
        encoding.codes(number).rows { keys[Int($0)] < bound }
      }
    case .encoded(let encoding, nil):
      let codes = encoding.codes(number)
      let (last, passesNull) = (codes.last, test.passesNull)
      return codes.rows { $0 == last ? passesNull : test.passes(UInt64($0)) }
    case .column(let column):
      let chunk = column.chunks[number]
      switch chunk.values {
      case .integers(let values):
        return test.found(
          Bitmap(values) { test.passes(UInt64(bitPattern: $0) ^ (1 << 63)) }, chunk.nulls)
      case .doubles(let values):
        return test.found(Bitmap(values) { test.passes($0.orderedBits) }, chunk.nulls)
      case .bytes(let values):
        return test.found(Bitmap(values) { test.passes(UInt64($0)) }, chunk.nulls)
      case .codes, .text, .links, .linkLists: return nil
      }
    }
  }
}

/// Whether a key is below a bound.
private struct KeyTest {
  private let scale: KeyScale
  private let bound: UInt64
  let passesNull: Bool

  init(_ field: NormalizedSortKey.Field, below bound: UInt64) {
    scale = KeyScale(field)
    self.bound = bound
    passesNull = field.null.map { $0 < bound } ?? false
  }

  @inline(__always)
  func passes(_ value: UInt64) -> Bool { scale.key(value) < bound }

  func found(_ valued: Bitmap, _ nulls: Bitmap?) -> Bitmap {
    valued.settingNulls(nulls, to: passesNull)
  }
}
