import KuraGraph

/// `length(title)`: how many UTF-16 units each row's text has, counted in its bytes.
struct LengthNode: VectorNode {
  let inner: any VectorNode

  init?(_ inner: any VectorNode) {
    guard inner.kind == .text else { return nil }
    self.inner = inner
  }

  var kind: VectorKind { .integer }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 5 }
  var isSure: Bool { inner.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    var result = inner.vector(rows)
    result.values = .integers(result.texts.unitCounts(rows.count))
    return result
  }
}

extension TextLane {
  /// How many UTF-16 units each text has.
  func unitCounts(_ count: Int) -> Lane<Int64> {
    let lane = spread(count)
    let counts = lane.texts.unitCounts
    switch lane.places {
    case .own: return .each(counts)
    case .same: return .all(counts[0])
    case .numbered(let numbers): return .each(numbers.map { counts[Int($0)] })
    }
  }
}

extension TextViews {
  fileprivate var unitCounts: [Int64] {
    var counts = [Int64](repeating: 0, count: count)
    withAccess { access in
      counts.withUnsafeMutableBufferPointer { counts in
        for place in counts.indices { counts[place] = Int64(access.unitCount(place)) }
      }
    }
    return counts
  }
}

extension TextAccess {
  /// How many UTF-16 units a text in UTF-8 has: as many as bytes, without those that continue a scalar, and
  /// one more for each scalar of four.
  ///
  /// Three times eight bytes are looked at whether the text has them, so that no branch depends on it.
  @inline(__always)
  fileprivate func unitCount(_ place: Int) -> Int {
    let range = range(place)
    guard range.count <= 24, range.lowerBound &+ 24 <= bytes.count else { return longCount(range) }
    var more = UnitSum()
    for k in 0..<3 {
      more.add(bytes.eight(from: range.lowerBound &+ 8 &* k), count: range.count &- 8 &* k)
    }
    return range.count &+ more.total
  }

  private func longCount(_ range: Range<Int>) -> Int {
    var (total, start) = (range.count, range.lowerBound)
    while start < range.upperBound {
      var more = UnitSum()
      more.add(bytes.eight(from: start), count: range.upperBound - start)
      total += more.total
      start += 8
    }
    return total
  }
}

/// How many more units than bytes some words of eight bytes have, summed up for each of the eight.
private struct UnitSum {
  private var continuing: UInt64 = 0
  private var long: UInt64 = 0

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Adds the first bytes of a word, of which there may be none.
  @inline(__always)
  mutating func add(_ word: UInt64, count: Int) {
    let bits = UInt64(truncatingIfNeeded: max(0, min(8, count))) &* 8
    let kept = bits < 64 ? (1 &<< bits) &- 1 : .max
    let word = word & kept
    let (high, next) = (word >> 7, word >> 6)
    continuing &+= high & ~next & Self.ones
    long &+= high & next & (word >> 5) & (word >> 4) & Self.ones
  }

  /// The sums of all bytes come together in the highest.
  @inline(__always)
  var total: Int {
    Int((long &* Self.ones) >> 56) &- Int((continuing &* Self.ones) >> 56)
  }
}
