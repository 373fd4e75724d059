extension Collection where Index == Int {
  /// Calls the body with each run of elements whose rows are in the same chunk, and the chunk's number.
  @inline(__always)
  func eachChunk(of row: (Element) -> Int, _ body: (Int, SubSequence) -> Void) {
    var first = startIndex
    while first < endIndex {
      let chunk = row(self[first]) >> ColumnChunk.shift
      var end = first + 1
      while end < endIndex, row(self[end]) >> ColumnChunk.shift == chunk { end += 1 }
      body(chunk, self[first..<end])
      first = end
    }
  }
}

extension Range<Int> {
  /// Returns the first number for which a test holds, or the end of the range. The test must hold for all numbers after
  /// that one, too. O(log *n*)
  @inline(__always)
  func partitioningIndex(where isAfter: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
