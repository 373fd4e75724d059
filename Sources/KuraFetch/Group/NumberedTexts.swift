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
    // Equal texts have equal hashes: each core numbers those of one half.
    let halves = TwoCores.map(count: 2, onBoth: rows.count > 2) { half in
      NumberedHalf(chunks, rows, hashes, half: UInt64(half))
    }
    let first = halves[0].count
    count = first + halves[1].count
    for number in rows.indices {
      var codes = halves[0].codes[number]
      for row in codes.indices where hashes[number][row] & 1 == 1 {
        codes[row] = halves[1].codes[number][row] + first
      }
      let none = count
      chunks[number].nulls?.eachRow { if $0 < codes.count { codes[$0] = none } }
      self.codes.append(codes)
    }
  }
}

/// The texts of which the last bit of their hash is the same.
private struct NumberedHalf: Sendable {
  /// By chunk and row; of others anything.
  private(set) var codes: [[UInt32]] = []
  let count: UInt32

  init(_ chunks: [ColumnChunk], _ rows: [Bitmap], _ hashes: [[UInt64]], half: UInt64) {
    var table = TextTable()
    for (number, rows) in rows.enumerated() {
      codes.append(
        TextViews(chunks[number]).numbers(
          rows, chunks[number].nulls, hashes[number], half, &table))
    }
    count = UInt32(truncatingIfNeeded: table.count)
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

extension TextViews {
  fileprivate init(_ chunk: ColumnChunk) {
    guard case .text(let text) = chunk.values else {
      self.init(bytes: [], ends: [])
      return
    }
    self.init(text)
  }

  /// The number of each row that is wanted, has a text, and a hash of a half.
  fileprivate func numbers(
    _ rows: Bitmap, _ nulls: Bitmap?, _ hashes: [UInt64], _ half: UInt64,
    _ table: inout TextTable
  ) -> [UInt32] {
    var codes = [UInt32](repeating: 0, count: rows.count)
    withAccess { access in
      rows.eachRow { row in
        guard hashes[row] & 1 == half, nulls?.has(row) != true else { return }
        codes[row] = table.number(access[row], hashes[row])
      }
    }
    return codes
  }
}

/// Numbers for texts, from 0 on as they come: a table of which half is empty.
private struct TextTable {
  /// Each text once, one behind the other, and where each ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// One more than the number of a text; 0 where there is none.
  private var numbers = [UInt32](repeating: 0, count: 1 << 12)

  var count: Int { ends.count }

  /// The number of a text, a new one for a new text.
  mutating func number(_ text: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> UInt32 {
    let mask = numbers.count - 1
    var place = Int(truncatingIfNeeded: hash >> 20) & mask
    while numbers[place] != 0 {
      let number = Int(numbers[place]) - 1
      if hashes[number] == hash, isSame(number, text) {
        return UInt32(truncatingIfNeeded: number)
      }
      place = (place + 1) & mask
    }
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    hashes.append(hash)
    numbers[place] = UInt32(truncatingIfNeeded: ends.count)
    if ends.count * 2 > numbers.count { grow() }
    return UInt32(truncatingIfNeeded: ends.count - 1)
  }

  private func isSame(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == text.count else { return false }
    return bytes.withUnsafeBufferPointer {
      Bytes.compare(UnsafeBufferPointer(rebasing: $0[start..<ends[number]]), text) == .same
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
