import Foundation
import KuraGraph
import KuraModel
import KuraValues

/// What became of a value that was offered to a column.
enum AddResult {
  case added
  /// The column's type cannot hold it.
  case mismatch
}

extension ColumnBuilder {
  /// A written null; for a relationship it says «none», where a key left out says nothing.
  mutating func addNull() -> AddResult {
    switch expectation {
    case .inferred, .attribute: appendNull()
    case .toOne: appendWord(0)
    case .toMany: appendText([], isOdd: false)
    case .objectID: return .mismatch
    }
    return .added
  }

  @inline(__always)
  mutating func addInteger(_ value: Int64) -> AddResult {
    switch shape {
    case .integers where expectation != .attribute(.date) && fits(value):
      appendWord(value)
      return .added
    case .doubles where Int64(exactly: Double(value)) == value || expectation != .inferred:
      appendWord(Int64(bitPattern: (isFloat ? Double(Float(value)) : Double(value)).bitPattern))
      return .added
    default: return addUnusual(String(value), .integers)
    }
  }

  /// Whether an integer is in the range of the column's type.
  private func fits(_ value: Int64) -> Bool {
    switch expectation {
    case .attribute(.integer16): Int16(exactly: value) != nil
    case .attribute(.integer32): Int32(exactly: value) != nil
    case .objectID, .toOne: value > 0 && value <= ObjectID.greatestNumber
    default: true
    }
  }

  /// Adds the number with a fraction, or beyond 64 bits, that a scanner has read.
  @inline(__always)
  mutating func addDouble(_ scanner: borrowing Scanner) -> AddResult {
    if shape == .doubles, !scanner.token.isWide, !scanner.token.isTooSmall, !isFloat {
      appendWord(Int64(bitPattern: scanner.token.double.bitPattern))
      return .added
    }
    let digits = UnsafeBufferPointer(start: scanner.token.start, count: scanner.token.count)
    return addUnusual(
      String(decoding: digits, as: UTF8.self), scanner.token.isWide ? .decimals : .doubles)
  }

  @inline(__always)
  mutating func addBoolean(_ value: Bool) -> AddResult {
    guard shape == .booleans else { return addUnusual(value ? "true" : "false", .booleans) }
    appendWord(value ? 1 : 0)
    return .added
  }

  /// A nested value as JSON text without blanks.
  mutating func addNested(_ json: [UInt8], isOdd: Bool) -> AddResult {
    if expectation == .inferred, shape != .json { widen(to: .json) }
    guard shape == .json else { return .mismatch }
    appendText(json, isOdd: isOdd)
    return .added
  }
}

extension ColumnBuilder {
  /// Closes the open chunk of `rows` rows and begins the next one.
  ///
  /// In a wide table a chunk in which hardly any row has a value keeps those values alone; rows
  /// behind the last of them are not even filled.
  mutating func seal(rows: Int, isWide: Bool = false) {
    // Nothing in a whole chunk: nothing is kept, either.
    if count == 0, rows > 0, expectation == .inferred, missing == nil {
      sealed.append(absentChunk(rows, shape))
      return
    }
    let endsEarly = isWide && missing == nil && shape != .lists && count * 64 <= rows
    if !endsEarly { catchUp(to: rows) }
    guard count > 0 || endsEarly && rows > 0 else { return }
    if shape == .lists { pendingLists.append(openLists()) }
    let chunk = ColumnChunk(openValues(), nulls: openBitmap(nulls, if: hasNulls))
    sealed.append(isWide ? chunk.thinned(ifAtMost: rows / 64, among: rows) : chunk)
    reset()
  }

  /// A chunk of rows none of which has a value.
  func absentChunk(_ rows: Int, _ shape: Shape) -> ColumnChunk {
    ColumnChunk(count: rows, rows: [], packed: ColumnChunk(Self.absentValues(shape)))
  }

  /// Keeps nothing of the chunks that were sealed: what is made of them has been made.
  mutating func letGo() { (sealed, pendingLists) = ([], []) }

  mutating func reset() {
    count = 0
    arena.truncate(to: 0)
    if hasNulls { nulls.update(repeating: 0, count: room / 64) }
    if hasOdds { odds.update(repeating: 0, count: room / 64) }
    hasNulls = false
    hasOdds = false
  }

  mutating func openValues() -> ColumnChunk.Values {
    switch shape {
    case .empty, .integers: .integers(Array(UnsafeBufferPointer(start: words, count: count)))
    case .doubles: .doubles((0..<count).map { Double(bitPattern: UInt64(bitPattern: words[$0])) })
    case .booleans: .bytes(narrowed())
    case .coded: dictionary.count <= 256 ? .bytes(narrowed()) : .codes(narrowed())
    case .text, .decimals, .json: .text(openText())
    case .lists: .linkLists(LinkLists())
    }
  }

  private func narrowed<Narrow: FixedWidthInteger>() -> [Narrow] {
    [Narrow](unsafeUninitializedCapacity: count) { buffer, filled in
      for row in 0..<count { buffer[row] = Narrow(truncatingIfNeeded: words[row]) }
      filled = count
    }
  }

  private mutating func openText() -> TextChunk {
    TextChunk(
      bytes: arena.takeArray(), ends: Array(UnsafeBufferPointer(start: ends, count: count)),
      oddRows: openBitmap(odds, if: hasOdds))
  }

  private func openLists() -> PendingLists {
    PendingLists(
      ends: (0..<count).map { ends[$0] / 8 },
      numbers: (0..<arena.count / 8).map {
        UnsafeRawPointer(arena.start).loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)
      })
  }

  func openBitmap(_ bits: UnsafeMutablePointer<UInt64>, if isUsed: Bool) -> Bitmap? {
    guard isUsed else { return nil }
    let words = Array(UnsafeBufferPointer(start: bits, count: (count + 63) >> 6))
    // The only row that had one may have been taken back.
    guard words.contains(where: { $0 != 0 }) else { return nil }
    return Bitmap(words: words, count: count)
  }
}

/// The to-many lists of a chunk as the document has them: objectIDs, still to be made into rows.
struct PendingLists {
  var ends: [UInt32]
  var numbers: [Int64]
}
