import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates

/// All keys of a sort and the row as one number, whose order is that of the rows.
///
/// A date over a century has 16 bits, a text of a dictionary as many as its rank needs, a row 20 of
/// a million: comparing rows is comparing words of 64 or 128 bits.
struct SortPacking {
  let fields: [Field]
  let bits: Int
  private let table: Table
  private let rowBits: Int

  /// A key's place in the number.
  struct Field: Sendable {
    let source: Source
    let isAscending: Bool
    /// What null is; nil where there is none.
    let null: UInt64?
    /// The least value, and how far the greatest is from it.
    let low: UInt64
    let width: UInt64
    let bits: Int
  }

  enum Source: Sendable {
    /// A column's numbers as words that order as they do.
    case column(Column)
    /// Codes that order as the values do, or a key per code.
    case encoded(Encoding, keys: [UInt64]?)
    /// The row itself, for the objectID.
    case row
  }

  /// The order of the rows that are set; nil where a key is no such number, or all of them together
  /// are too long.
  init?(_ request: BoundRequest, _ rows: [Bitmap]) {
    table = request.snapshot.graph.tables[request.place.table]
    rowBits = UInt64(max(1, table.count)).bitWidthUsed
    var fields: [Field] = []
    for tree in request.sort {
      guard !request.environment.cancel.isRequested,
        let field = SortPacking.field(tree, table, request, rows)
      else { return nil }
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
  /// The rows of the bitmaps in their order: at least those of some ranks, where they are said.
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
      count: chunks.count, inParallel: count > 50_000, { FirstWords<Word>(wanted: few) },
      { first, number in
        if !chunks[number].isEmpty { first.add(words(number, chunks[number])) }
      })
    var first = parts.first ?? FirstWords(wanted: few)
    for part in parts.dropFirst() { first.add(part) }
    return OrderedRows(rows: rows(of: first.sorted(bits: bits)))
  }

  /// The rows that stand behind the keys.
  func rows<Word: FixedWidthInteger & UnsignedInteger>(of words: [Word]) -> [UInt32] {
    let mask = Word(1) << Word(rowBits) - 1
    return words.map { UInt32(truncatingIfNeeded: $0 & mask) }
  }

  /// The numbers of the rows of a chunk.
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

extension SortPacking.Field {
  /// The key's bits for a value that is not null.
  func key(_ value: UInt64) -> UInt64 { KeyScale(self).key(value) }

  /// Puts the key's bits of some rows of a chunk behind those that are there.
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

  /// Puts the key's bits behind those that are there.
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

/// How a value becomes a key's bits, with all that is the same for every row at hand.
struct KeyScale {
  // With null among the values they are 1 to width - 1, turned round they are so too.
  private let turned: UInt64
  private let offset: UInt64
  /// What stands in a row without a value may be anything.
  let mask: UInt64

  init(_ field: SortPacking.Field) {
    turned = field.isAscending ? 0 : .max
    offset = field.isAscending ? 0 &- field.low : field.width &+ field.low &+ 1
    mask = UInt64.max &>> UInt64(64 - field.bits)
  }

  @inline(__always)
  func key(_ value: UInt64) -> UInt64 { ((value ^ turned) &+ offset) & mask }
}
