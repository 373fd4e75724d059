import KuraBytes
import KuraGraph

/// The bits of a sort key that is looked up: `month(date)`, `parentCategory.rank`, `sqrt(priority)`.
///
/// What the key is worth is known for each of the few values that it depends on, and its bits with that: a
/// row has them by one look, and no column is made.
struct LookedUpKeys: Sendable {
  private let link: LookupNode.Link
  private let table: Table
  /// The bits of each value, the last of them those of a row that leads nowhere.
  private let keys: [UInt64]
  let width: UInt64

  /// Nil where the values are texts, or not known without the reference evaluator.
  init?(_ node: LookupNode, _ table: Table, isAscending: Bool, nullsFirst: Bool) {
    let worth = node.worth.value
    guard worth.unsure?.isEmpty ?? true, let words = worth.orderedWords(node.link.count + 1) else {
      return nil
    }
    (link, self.table) = (node.link, table)
    let valued = words.indices.filter { worth.nulls?[$0] != true }
    let (low, high) = valued.reduce((UInt64.max, 0)) { bounds, number in
      (min(bounds.0, words[number]), max(bounds.1, words[number]))
    }
    let span = valued.isEmpty ? 0 : high - low
    // Values from 1 on leave 0 and the greatest number for null.
    guard span < .max - 2 else { return nil }
    width = span + 2
    let null = nullsFirst ? 0 : width
    var keys = [UInt64](repeating: null, count: words.count)
    for number in valued {
      keys[number] = (isAscending ? words[number] - low : high - words[number]) + 1
    }
    self.keys = keys
  }

  /// Puts the key's bits of some rows of a chunk behind those that are there.
  func add<Word: FixedWidthInteger & UnsignedInteger>(
    _ number: Int, _ places: [UInt16], _ bits: Int, to words: inout [Word]
  ) {
    let shift = Word(truncatingIfNeeded: bits)
    if case .numbers(let narrow) = link, narrow.column.chunks[number].nulls == nil {
      let offset = narrow.offsets[number]
      switch narrow.parts[number].codes {
      case .bytes(let codes): add(places, codes, offset, shift, &words)
      case .words(let codes): add(places, codes, offset, shift, &words)
      }
    } else {
      add(places, numbers(number), 0, shift, &words)
    }
  }

  /// The rows of a chunk whose key's bits are below a bound.
  func rows(_ number: Int, below bound: UInt64) -> Bitmap {
    keys.withUnsafeBufferPointer { keys in
      if case .numbers(let narrow) = link, narrow.column.chunks[number].nulls == nil {
        let offset = narrow.offsets[number]
        switch narrow.parts[number].codes {
        case .bytes(let codes): return Bitmap(codes) { keys[Int($0) &+ offset] < bound }
        case .words(let codes): return Bitmap(codes) { keys[Int($0) &+ offset] < bound }
        }
      }
      return Bitmap(numbers(number)) { keys[Int($0)] < bound }
    }
  }

  /// Which of the values each row of a chunk has.
  private func numbers(_ number: Int) -> [UInt32] {
    let rows = Bitmap(count: table.rows(inChunk: number).count)
    return link.numbers(ChunkRows(table: table, number: number, candidates: rows))
  }

  /// The key's bits of one row.
  func key(_ row: Int) -> UInt64 { keys[link.number(of: row, table)] }

  @inline(__always)
  private func add<Word: FixedWidthInteger & UnsignedInteger, Code: FixedWidthInteger>(
    _ places: [UInt16], _ codes: [Code], _ offset: Int, _ shift: Word, _ words: inout [Word]
  ) {
    words.withUnsafeMutableBufferPointer { words in
      codes.withUnsafeBufferPointer { codes in
        keys.withUnsafeBufferPointer { keys in
          for i in places.indices {
            let key = keys[Int(codes[Int(places[i])]) &+ offset]
            words[i] = words[i] &<< shift | Word(truncatingIfNeeded: key)
          }
        }
      }
    }
  }
}

extension Vector {
  /// Words that order as the values do; nil of texts.
  fileprivate func orderedWords(_ count: Int) -> [UInt64]? {
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

extension LookupNode.Link {
  /// Which of the values one row has; of a row that leads nowhere how many there are.
  fileprivate func number(of row: Int, _ table: Table) -> Int {
    let (chunk, place) = (row >> ColumnChunk.shift, row & ColumnChunk.mask)
    switch self {
    case .several(let links, _):
      return links.reduce(0) { $0 * ($1.count + 1) + $1.number(of: row, table) }
    case .numbers(let narrow):
      return narrow.column.chunks[chunk].isNull(place)
        ? narrow.count : Int(narrow.code(chunk, place))
    case .codes(let column, let count):
      let codes = table.columns[column].chunks[chunk]
      guard let kept = codes.place(of: place) else { return count }
      switch codes.keptOnly {
      case .bytes(let codes): return min(Int(codes[kept]), count)
      case .codes(let codes): return min(Int(codes[kept]), count)
      default: return count
      }
    case .one(let column, let count):
      return min(table.columns[column].link(row) ?? count, count)
    }
  }
}
