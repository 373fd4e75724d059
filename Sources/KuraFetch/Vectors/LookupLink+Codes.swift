import KuraGraph

extension LookupNode.Link {
  /// Adds the number that each row's value has, so many times, to what is there; false where the rows have no
  /// codes, or some have no value.
  func add(
    _ values: [UInt32], _ chunk: Int, times stride: UInt32,
    to slots: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    guard case .numbers(let narrow) = self, narrow.column.chunks[chunk].nulls == nil else {
      return false
    }
    let offset = narrow.offsets[chunk]
    switch narrow.parts[chunk].codes {
    case .bytes(let codes): Self.add(values, codes, offset, stride, slots)
    case .words(let codes): Self.add(values, codes, offset, stride, slots)
    }
    return true
  }

  @inline(__always)
  private static func add<Code: FixedWidthInteger>(
    _ values: [UInt32], _ codes: [Code], _ offset: Int, _ stride: UInt32,
    _ slots: UnsafeMutableBufferPointer<UInt32>
  ) {
    values.withUnsafeBufferPointer { values in
      codes.withUnsafeBufferPointer { codes in
        for row in 0..<min(codes.count, slots.count) {
          slots[row] &+= values[Int(codes[row]) &+ offset] &* stride
        }
      }
    }
  }
}
