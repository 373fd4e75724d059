import KuraGraph

/// A test of one column that answers for a whole chunk and cannot fail.
///
/// It gives the reference evaluator's answer, only faster.
protocol ChunkKernel: Sendable {
  /// The column of the table.
  var column: Int { get }
  /// The rows of the chunk that pass.
  func matches(_ chunk: ColumnChunk) -> Bitmap
}

extension Bitmap {
  /// Asks a test of 64 values at a time and makes a word of the answers, without a branch.
  @inline(__always)
  init<T>(_ values: [T], where test: (T) -> Bool) {
    let count = values.count
    let words = [UInt64](unsafeUninitializedCapacity: (count + 63) >> 6) { buffer, filled in
      values.withUnsafeBufferPointer { values in
        for i in 0..<(count + 63) >> 6 {
          var word: UInt64 = 0
          let start = i << 6
          for j in 0..<min(64, count - start) {
            word |= (test(values[start + j]) ? 1 : 0) << UInt64(j)
          }
          buffer[i] = word
        }
      }
      filled = (count + 63) >> 6
    }
    self.init(words: words, count: count)
  }

  /// The answers for rows with a value, and one answer for all without.
  func settingNulls(_ nulls: Bitmap?, to answer: Bool) -> Bitmap {
    guard let nulls else { return self }
    var result = self
    if answer { result.formUnion(nulls) } else { result.subtract(nulls) }
    return result
  }
}
