import KuraGraph

/// Four blocks of rows at a time, each with numbers of its own, which are put together in the order of
/// the blocks: a number that was just written is read again only later.
enum SideBySide {
  /// More slots have room for one number each.
  static let most = 256

  /// Puts each row's value together with the number of its slot; `empty` changes none.
  @inline(__always)
  static func add<Number: BitwiseCopyable>(
    _ values: [Number], _ slots: UnsafeBufferPointer<UInt32>, to numbers: inout [Number],
    _ empty: Number, _ together: (Number, Number) -> Number
  ) {
    let width = numbers.count
    let block = width <= most ? values.count / 4 : 0
    var lanes = [Number](repeating: empty, count: block == 0 ? 0 : 4 * width)
    values.withUnsafeBufferPointer { values in
      lanes.withUnsafeMutableBufferPointer { lanes in
        for row in 0..<block {
          for lane in 0..<4 {
            let place = Int(slots[lane &* block &+ row]) &+ lane &* width
            lanes[place] = together(lanes[place], values[lane &* block &+ row])
          }
        }
      }
      numbers.withUnsafeMutableBufferPointer { numbers in
        for place in lanes.indices {
          numbers[place % width] = together(numbers[place % width], lanes[place])
        }
        for row in block * 4..<values.count {
          numbers[Int(slots[row])] = together(numbers[Int(slots[row])], values[row])
        }
      }
    }
  }
}

extension ClosedRange<Int64> {
  /// Whether the sum of a chunk's numbers in it is one of 64 bits.
  var sumIsSmall: Bool { lowerBound > -(1 << 44) && upperBound < 1 << 44 }
}
