import KuraGraph

extension ColumnBuilder {
  /// Closes the open chunk of `rows` rows and begins the next one.
  ///
  /// In a wide table a chunk in which hardly any row has a value keeps those values alone.
  mutating func seal(rows: Int, isWide: Bool = false) {
    // Nothing in a whole chunk: nothing is kept, either.
    if count == 0, rows > 0, expectation == .inferred, missing == nil {
      sealed.append(absentChunk(rows, shape))
      return
    }
    catchUp(to: rows)
    guard count > 0 else { return }
    if shape == .lists { pendingLists.append(openLists()) }
    let chunk = ColumnChunk(openValues(), nulls: openBitmap(nulls, if: hasNulls))
    sealed.append(isWide ? chunk.thinned(ifAtMost: count / 64) : chunk)
    reset()
  }

  /// A chunk of rows none of which has a value.
  func absentChunk(_ rows: Int, _ shape: Shape) -> ColumnChunk {
    ColumnChunk(count: rows, rows: [], packed: ColumnChunk(Self.absentValues(shape)))
  }

  mutating func reset() {
    count = 0
    arena.truncate(to: 0)
    if hasNulls { nulls.update(repeating: 0, count: ColumnBuilder.wordCount) }
    if hasOdds { odds.update(repeating: 0, count: ColumnBuilder.wordCount) }
    hasNulls = false
    hasOdds = false
  }

  func openValues() -> ColumnChunk.Values {
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

  private func openText() -> TextChunk {
    TextChunk(
      bytes: arena.array(), ends: Array(UnsafeBufferPointer(start: ends, count: count)),
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
