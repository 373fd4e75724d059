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
