import KuraGraph
import KuraModel
import KuraPredicates

/// All keys of a sort and the row as one number, whose order is that of the rows.
///
/// A date over a century has 16 bits, a text of a dictionary as many as its rank needs, a row 20 of
/// a million: comparing rows is comparing words of 64 or 128 bits.
struct SortPacking {
  private let fields: [Field]
  private let table: Table
  private let rowBits: Int
  private let bits: Int

  /// A key's place in the number.
  fileprivate struct Field {
    let source: Source
    let isAscending: Bool
    /// What null is; nil where there is none.
    let null: UInt64?
    /// The least value, and how far the greatest is from it.
    let low: UInt64
    let width: UInt64
    let bits: Int
  }

  fileprivate enum Source {
    /// A column's numbers as words that order as they do.
    case column(Int)
    /// A column's dictionary codes by their rank.
    case ranks(Int, [UInt32])
    /// A column's narrow codes, and what is added to each chunk's.
    case narrow(Int, [NarrowIntegers], [UInt64])
    /// The row itself, for the objectID.
    case row
  }

  /// Nil where a key is no such number, or all of them together are too long.
  init?(_ request: BoundRequest) {
    table = request.snapshot.graph.tables[request.place.table]
    rowBits = UInt64(max(1, table.count)).bitWidthUsed
    var fields: [Field] = []
    for tree in request.sort {
      guard let field = SortPacking.field(tree, table, request.place.code) else { return nil }
      if case .row = field.source {
        // Behind the row nothing can decide; upwards it is what stands behind all keys anyway.
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

extension SortPacking {
  private static func field(_ tree: SortTree, _ table: Table, _ code: Int) -> Field? {
    guard let key = tree.plainKey else { return nil }
    if key == "objectID" || key == objectNumberKey {
      return Field(
        source: .row, isAscending: tree.isAscending, null: nil, low: 0,
        width: UInt64(table.count), bits: UInt64(max(1, table.count)).bitWidthUsed)
    }
    guard case .attribute(let place, let type)? = table.layout.slots[code][key] else { return nil }
    let column = table.columns[place]
    switch type {
    case .integer, .integer16, .integer32, .date, .boolean, .double, .float:
      if let (source, width) = narrowSource(place, column) {
        return field(source, tree, column, 0, width)
      }
      guard let (low, high) = column.wordBounds else { return nil }
      return field(.column(place), tree, column, low, high - low)
    case .string:
      guard let ranks = table.ranks(ofColumn: place) else { return nil }
      return field(.ranks(place, ranks), tree, column, 0, UInt64(ranks.count))
    case .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  /// The narrow codes of all chunks on one scale; nil where they are not made yet, or differ.
  private static func narrowSource(_ place: Int, _ column: Column) -> (Source, width: UInt64)? {
    guard case .integers? = column.chunks.first?.values else { return nil }
    let parts = column.chunks.compactMap(\.narrow)
    guard parts.count == column.chunks.count, let low = parts.map(\.base).min(),
      let step = parts.first(where: { $0.last > 0 })?.step
    else { return nil }
    var offsets: [UInt64] = []
    var width: UInt64 = 0
    for part in parts {
      let (distance, overflow) = part.base.subtractingReportingOverflow(low)
      guard !overflow, distance % step == 0, part.last == 0 || part.step == step else {
        return nil
      }
      offsets.append(UInt64(distance / step))
      width = max(width, UInt64(distance / step + part.last))
    }
    return (.narrow(place, parts, offsets), width)
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

extension SortPacking {
  /// The rows of the bitmaps in their order; at least the first `wanted`, where that is said.
  func sortedRows(_ chunks: [Bitmap], first wanted: Int?) -> [UInt32] {
    bits <= 64
      ? sortedRows(chunks, wanted, as: UInt64.self) : sortedRows(chunks, wanted, as: UInt128.self)
  }

  private func sortedRows<Word: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ chunks: [Bitmap], _ wanted: Int?, as word: Word.Type
  ) -> [UInt32] {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    var first = FirstWords<Word>(wanted: wanted.flatMap { $0 < count / 4 ? $0 : nil })
    for (number, passing) in chunks.enumerated() where !passing.isEmpty {
      first.add(words(number, passing))
    }
    let mask = Word(1) << Word(rowBits) - 1
    return first.sorted(bits: bits).map { UInt32(truncatingIfNeeded: $0 & mask) }
  }

  /// The numbers of the rows of a chunk.
  private func words<Word: FixedWidthInteger & UnsignedInteger>(
    _ number: Int, _ passing: Bitmap
  ) -> [Word] {
    var places: [UInt16] = []
    places.reserveCapacity(passing.popcount)
    passing.eachRow { places.append(UInt16(truncatingIfNeeded: $0)) }
    var words = [Word](repeating: 0, count: places.count)
    for field in fields { add(field, number, places, &words) }
    let first = Word(truncatingIfNeeded: number << ColumnChunk.shift)
    for i in words.indices {
      words[i] = words[i] << Word(rowBits) | (first + Word(truncatingIfNeeded: places[i]))
    }
    return words
  }

  private func add<Word: FixedWidthInteger & UnsignedInteger>(
    _ field: Field, _ number: Int, _ places: [UInt16], _ words: inout [Word]
  ) {
    switch field.source {
    case .row:
      let first = UInt64(number << ColumnChunk.shift)
      field.add(places, nil, &words) { first + UInt64($0) }
    case .column(let column):
      let chunk = table.columns[column].chunks[number]
      switch chunk.values {
      case .integers(let values):
        values.withUnsafeBufferPointer { values in
          field.add(places, chunk.nulls, &words) { UInt64(bitPattern: values[$0]) ^ (1 << 63) }
        }
      case .doubles(let values):
        field.add(places, chunk.nulls, &words) { values[$0].orderedBits }
      case .bytes(let values): field.add(places, chunk.nulls, &words) { UInt64(values[$0]) }
      case .codes, .text, .links, .linkLists: break
      }
    case .narrow(let column, let parts, let offsets):
      let offset = offsets[number]
      let nulls = table.columns[column].chunks[number].nulls
      switch parts[number].codes {
      case .bytes(let codes): field.add(places, nulls, &words) { UInt64(codes[$0]) &+ offset }
      case .words(let codes): field.add(places, nulls, &words) { UInt64(codes[$0]) &+ offset }
      }
    case .ranks(let column, let ranks):
      let chunk = table.columns[column].chunks[number]
      switch chunk.values {
      case .bytes(let codes):
        field.add(places, chunk.nulls, &words) { UInt64(ranks[Int(codes[$0])]) }
      case .codes(let codes):
        field.add(places, chunk.nulls, &words) { UInt64(ranks[Int(codes[$0])]) }
      case .integers, .doubles, .text, .links, .linkLists: break
      }
    }
  }
}

extension SortPacking.Field {
  /// Puts the key's bits behind those that are there.
  @inline(__always)
  fileprivate func add<Word: FixedWidthInteger & UnsignedInteger>(
    _ places: [UInt16], _ nulls: Bitmap?, _ words: inout [Word], _ value: (Int) -> UInt64
  ) {
    // With null among the values they are 1 to width - 1, turned round they are so too.
    let turned = isAscending ? 0 : UInt64.max
    let offset = isAscending ? 0 &- low : width &+ low &+ 1
    let shift = Word(truncatingIfNeeded: bits)
    // What stands in a row without a value may be anything.
    let mask = UInt64.max &>> UInt64(64 - bits)
    places.withUnsafeBufferPointer { places in
      words.withUnsafeMutableBufferPointer { words in
        for i in places.indices {
          let key = ((value(Int(places[i])) ^ turned) &+ offset) & mask
          words[i] = words[i] &<< shift | Word(truncatingIfNeeded: key)
        }
        guard let null, let nulls else { return }
        for i in places.indices where nulls.has(Int(places[i])) {
          words[i] = words[i] & ~Word(truncatingIfNeeded: mask) | Word(truncatingIfNeeded: null)
        }
      }
    }
  }
}

/// The least of many numbers, found without sorting the others.
///
/// They are collected until there are twice as many as wanted; then the lesser half is kept, and its
/// last is the bound for those to come.
private struct FirstWords<Word: FixedWidthInteger & UnsignedInteger> {
  let wanted: Int?
  private var kept: [Word] = []
  private var bound = Word.max

  init(wanted: Int?) { self.wanted = wanted }

  mutating func add(_ words: [Word]) {
    guard let wanted else {
      kept += words
      return
    }
    let room = max(256, wanted * 2)
    for word in words where word < bound {
      kept.append(word)
      if kept.count >= room { prune(wanted) }
    }
  }

  private mutating func prune(_ wanted: Int) {
    kept.sort()
    kept.removeLast(kept.count - wanted)
    bound = kept.last ?? .max
  }

  func sorted(bits: Int) -> [Word] {
    let all = kept.count < 4096 ? kept.sorted() : kept.sortedByDigits(bits: bits)
    return wanted.map { Array(all.prefix($0)) } ?? all
  }
}

extension Array where Element: FixedWidthInteger & UnsignedInteger {
  /// Sorts by eleven bits after the other, the lowest first.
  fileprivate func sortedByDigits(bits: Int) -> [Element] {
    var from = self
    var to = self
    for shift in stride(from: 0, to: bits, by: 11) {
      var ends = [Int](repeating: 0, count: 2048)
      for word in from { ends[Int(truncatingIfNeeded: word >> Element(shift)) & 2047] += 1 }
      // All of one digit are in their order already.
      if ends.contains(from.count) { continue }
      var total = 0
      for digit in ends.indices {
        let count = ends[digit]
        ends[digit] = total
        total += count
      }
      to.withUnsafeMutableBufferPointer { to in
        for word in from {
          let digit = Int(truncatingIfNeeded: word >> Element(shift)) & 2047
          to[ends[digit]] = word
          ends[digit] += 1
        }
      }
      swap(&from, &to)
    }
    return from
  }
}

extension UInt64 {
  /// How many bits the number has.
  fileprivate var bitWidthUsed: Int { Swift.max(1, 64 - leadingZeroBitCount) }
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
