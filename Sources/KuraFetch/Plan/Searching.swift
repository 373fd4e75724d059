extension Range<Int> {
  /// Returns the first number for which a test holds, or the end of the range. The test must hold for all numbers after
  /// that one, too. O(log *n*)
  @inline(__always)
  func partitioningIndex<Failure: Error>(
    where isAfter: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try isAfter(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Sequence {
  /// Returns the results for all elements; nil as soon as one is nil.
  func mapAll<Result>(_ transform: (Element) -> Result?) -> [Result]? {
    var results: [Result] = []
    for element in self {
      guard let result = transform(element) else { return nil }
      results.append(result)
    }
    return results
  }

  /// Returns the elements if none is nil.
  func unwrapped<Wrapped>() -> [Wrapped]? where Element == Wrapped? { mapAll(\.self) }
}
