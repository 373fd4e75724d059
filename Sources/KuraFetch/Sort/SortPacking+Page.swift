import KuraBytes
import KuraGraph

// A page, without the others' numbers
extension SortPacking {
  /// The rows of some ranks and those near them in their order, where they are few of many: a sample
  /// says between which numbers they lie, the first key alone which rows may lie there. Nil where that
  /// finds too little, or is no less work than the numbers of all.
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

extension SortPacking.Field {
  var isRow: Bool { if case .row = source { true } else { false } }

  /// The rows of a chunk whose key is below a bound, whatever stands in the others' bits; nil of what has
  /// none in a column.
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

  init(_ field: SortPacking.Field, below bound: UInt64) {
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
