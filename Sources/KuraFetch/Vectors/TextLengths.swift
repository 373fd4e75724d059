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
    if let kept = inner.keptLengths(rows) { return kept }
    var result = inner.vector(rows)
    result.values = .integers(result.texts.unitCounts(rows.count))
    return result
  }
}

extension ColumnChunk {
  /// How many UTF-16 units each text has; nil until a second use, and of long texts.
  var textLengths: [UInt16]? {
    guard let texts = packedTexts else { return nil }
    return keptLengths { TextViews(texts).unitCounts }
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
  @inline(__always)
  fileprivate func unitCount(_ place: Int) -> Int {
    let range = range(place)
    var (units, start) = (range.count, range.lowerBound)
    while start &+ 8 <= range.upperBound {
      units &+= Self.more(bytes.eight(from: start))
      start &+= 8
    }
    // The bytes of the next text do not count.
    let rest = UInt64(truncatingIfNeeded: range.upperBound &- start) &* 8
    return units &+ Self.more(bytes.eight(from: start) & ((1 &<< rest) &- 1))
  }

  /// How many units more than bytes eight bytes have.
  @inline(__always)
  private static func more(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (high, next) = (word >> 7, word >> 6)
    let continuing = high & ~next & ones
    let long = high & next & (word >> 5) & (word >> 4) & ones
    // The bits of all bytes come together in the highest.
    return Int((long &* ones) >> 56) &- Int((continuing &* ones) >> 56)
  }
}
