import KuraValues

/// The keys of a chunk's texts under a folding (`TextFold.key`).
package struct TextKeys: Sendable {
  /// The keys. Its odd rows are those of the texts.
  package let texts: TextChunk
  /// The rows in which a letter has a mark, so that the key does not have the order of the text.
  private var marked: Bitmap
  /// Whether all rows are folded.
  let isComplete: Bool

  /// Folds all rows, or only some; the keys of the others are then empty.
  ///
  /// Linear, with a few nanoseconds per scalar.
  init(_ text: TextChunk, _ fold: TextFold, of rows: Bitmap? = nil) {
    marked = Bitmap(count: text.count)
    isComplete = rows == nil
    var odd = text.oddRows ?? marked
    if let rows { odd.formIntersection(rows) }
    if fold.foldsNothing, text.allAreComposed(odd) {
      texts = text
      return
    }
    var oddKeys = OddKeys(fold)
    var oddEnds: [Int] = []
    text.withTexts(odd) { _, stored in
      oddKeys.append(stored)
      oddEnds.append(oddKeys.bytes.count)
    }
    let all = Bitmap(count: text.count, filledWith: true)
    let capacity = TextFold.capacity(for: text.bytes.count) + text.count + oddKeys.bytes.count
    var (ends, decomposed) = ([UInt32](repeating: 0, count: text.count), odd)
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { output, filled in
      var (oddNumber, oddStart) = (0, 0)
      text.withTexts(all) { row, stored in
        let rest = UnsafeMutableBufferPointer(rebasing: output[filled...])
        if rows?[row] == false {
        } else if odd[row] {
          let end = oddEnds[oddNumber]
          filled += rest.update(from: oddKeys.bytes[oddStart..<end]).index
          (oddNumber, oddStart) = (oddNumber + 1, end)
        } else if let folded = fold.fold(stored, into: rest) {
          if folded.decomposes { decomposed[row] = true }
          filled += folded.count
        }
        ends[row] = UInt32(truncatingIfNeeded: filled)
      }
    }
    // Most texts of scripts without case are their keys.
    let isSame = bytes == text.bytes && ends == text.ends
    texts = TextChunk(
      bytes: isSame ? text.bytes : bytes, ends: isSame ? text.ends : ends, oddRows: text.oddRows)
    marked = decomposed
  }

  /// The keys as bytes with the order of the texts under the folding (`TextFold.withSortKey`).
  var sorted: TextChunk {
    if marked.isEmpty { return texts }
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    bytes.reserveCapacity(texts.bytes.count + texts.bytes.count / 8)
    ends.reserveCapacity(texts.count)
    texts.withTexts(Bitmap(count: texts.count, filledWith: true)) { row, key in
      if marked[row] {
        bytes.append(contentsOf: TextFold.sortKey(ofKey: key))
      } else {
        bytes.append(contentsOf: key)
      }
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    return TextChunk(bytes: bytes, ends: ends)
  }
}

extension TextChunk {
  /// Calls the body with some rows and their stored texts, in order.
  fileprivate func withTexts(_ rows: Bitmap, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      rows.forEachSet { body($0, UnsafeBufferPointer(rebasing: bytes[packedRange($0)])) }
    }
  }

  /// Returns whether the texts of some rows are their only canonical forms.
  fileprivate func allAreComposed(_ rows: Bitmap) -> Bool {
    var all = true
    withTexts(rows) { all = all && $1.isComposed }
    return all
  }
}
