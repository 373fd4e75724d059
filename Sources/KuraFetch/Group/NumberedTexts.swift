import KuraBytes
import KuraGraph
import KuraValues

/// Small numbers for the texts of a column: equal texts have one.
struct NumberedTexts: Sendable {
  /// By chunk and row; of a row without a text `count`, of one that is not wanted anything less.
  private(set) var codes: [[UInt32]] = []
  /// How many there are.
  private(set) var count: UInt32 = 0

  init(_ column: Column, _ rows: [Bitmap]) {
    let chunks = column.chunks
    let hashes = TwoCores.map(count: rows.count, onBoth: rows.count > 2) { number in
      chunks[number].textHashes(rows[number])
    }
    var table = TextTable(chunks)
    for (number, rows) in rows.enumerated() {
      var codes = [UInt32](repeating: 0, count: rows.count)
      let nulls = chunks[number].nulls
      rows.eachRow { row in
        codes[row] =
          nulls?.has(row) == true ? .max : table.number(number, row, hashes[number][row])
      }
      self.codes.append(codes)
    }
    count = UInt32(truncatingIfNeeded: table.count)
    for number in codes.indices where chunks[number].nulls != nil {
      for row in codes[number].indices where codes[number][row] == .max {
        codes[number][row] = count
      }
    }
  }
}

extension ColumnChunk {
  /// A hash of the text of each row that is wanted.
  fileprivate func textHashes(_ rows: Bitmap) -> [UInt64] {
    var hashes = [UInt64](repeating: 0, count: rows.count)
    guard case .text(let text) = values else { return hashes }
    rows.eachRow { hashes[$0] = text.hash($0) }
    return hashes
  }
}

/// Numbers for texts, from 0 on as they come: a table of which half is empty.
private struct TextTable {
  private let chunks: [TextViews]
  private var firsts: [(chunk: Int32, row: Int32)] = []
  private var hashes: [UInt64] = []
  /// One more than the number of a text; 0 where there is none.
  private var numbers = [UInt32](repeating: 0, count: 1 << 12)

  init(_ chunks: [ColumnChunk]) {
    self.chunks = chunks.map { chunk in
      guard case .text(let text) = chunk.values else { return TextViews(bytes: [], ends: []) }
      return TextViews(text)
    }
  }

  var count: Int { firsts.count }

  /// The number of a row's text, a new one for a new text.
  mutating func number(_ chunk: Int, _ row: Int, _ hash: UInt64) -> UInt32 {
    let mask = numbers.count - 1
    var place = Int(truncatingIfNeeded: hash >> 20) & mask
    while numbers[place] != 0 {
      let number = Int(numbers[place]) - 1
      if hashes[number] == hash, isSame(firsts[number], chunk, row) {
        return UInt32(truncatingIfNeeded: number)
      }
      place = (place + 1) & mask
    }
    firsts.append((Int32(truncatingIfNeeded: chunk), Int32(truncatingIfNeeded: row)))
    hashes.append(hash)
    numbers[place] = UInt32(truncatingIfNeeded: firsts.count)
    if firsts.count * 2 > numbers.count { grow() }
    return UInt32(truncatingIfNeeded: firsts.count - 1)
  }

  private func isSame(_ first: (chunk: Int32, row: Int32), _ chunk: Int, _ row: Int) -> Bool {
    chunks[Int(first.chunk)].withAccess { a in
      chunks[chunk].withAccess { b in
        let (x, y) = (a[Int(first.row)], b[row])
        return x.count == y.count && Bytes.compare(x, y) == .same
      }
    }
  }

  private mutating func grow() {
    numbers = Array(repeating: 0, count: numbers.count * 4)
    let mask = numbers.count - 1
    for (number, hash) in hashes.enumerated() {
      var place = Int(truncatingIfNeeded: hash >> 20) & mask
      while numbers[place] != 0 { place = (place + 1) & mask }
      numbers[place] = UInt32(truncatingIfNeeded: number + 1)
    }
  }
}
