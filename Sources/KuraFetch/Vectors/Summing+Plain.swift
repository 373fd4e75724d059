import KuraGraph

// What most summaries are made of: links to one, and numbers of which each is known.
extension Summing {
  /// Adds the numbers of some rows of a chunk, each to the row that its link leads to, in a loop that looks
  /// at nothing else; false, and nothing is done, where there is more to look at.
  mutating func addPlain(_ values: Vector?, _ chunk: ColumnChunk, _ rows: Bitmap) -> Bool {
    guard case .links(let links) = chunk.values else { return false }
    guard let values else {
      count(links, rows)
      return true
    }
    guard values.unsure == nil else { return false }
    var known = rows
    if let nulls = values.nulls { known.subtract(nulls) }
    switch (values.values, operation) {
    case (.integers(.each(let numbers)), .sum), (.integers(.each(let numbers)), .avg),
      (.decimals(.each(let numbers), _), .sum):
      sum(numbers, links, known)
    case (.integers(.each(let numbers)), .min), (.decimals(.each(let numbers), _), .min):
      best(numbers, links, known, <)
    case (.integers(.each(let numbers)), .max), (.decimals(.each(let numbers), _), .max):
      best(numbers, links, known, >)
    case (.integers, _), (.doubles, _), (.decimals, _), (.texts, _): return false
    }
    count(links, rows)
    return true
  }

  private mutating func count(_ links: [UInt32], _ rows: Bitmap) {
    links.withUnsafeBufferPointer { links in
      counts.withUnsafeMutableBufferPointer { counts in
        rows.eachRow { if links[$0] != noRow { counts[Int(links[$0])] &+= 1 } }
      }
    }
  }

  private mutating func sum(_ numbers: [Int64], _ links: [UInt32], _ rows: Bitmap) {
    var overflown: [Int] = []
    eachPair(numbers, links, rows) { sums, owner, number, _ in
      let (sum, overflow) = sums[owner].addingReportingOverflow(number)
      sums[owner] = sum
      if overflow { overflown.append(owner) }
    }
    for owner in overflown { unsure.insert(owner) }
  }

  @inline(__always)
  private mutating func best(
    _ numbers: [Int64], _ links: [UInt32], _ rows: Bitmap, _ isBetter: (Int64, Int64) -> Bool
  ) {
    eachPair(numbers, links, rows) { best, owner, number, isFirst in
      if isFirst || isBetter(number, best[owner]) { best[owner] = number }
    }
  }

  /// Calls the body with what the rows have so far, a row that is led to, a number for it, and whether it
  /// is the first.
  @inline(__always)
  private mutating func eachPair(
    _ numbers: [Int64], _ links: [UInt32], _ rows: Bitmap,
    _ body: (UnsafeMutableBufferPointer<Int64>, Int, Int64, Bool) -> Void
  ) {
    links.withUnsafeBufferPointer { links in
      numbers.withUnsafeBufferPointer { numbers in
        integers.withUnsafeMutableBufferPointer { integers in
          hasValue.words.withUnsafeMutableBufferPointer { known in
            rows.eachRow { row in
              guard links[row] != noRow else { return }
              let (owner, bit) = (Int(links[row]), UInt64(1) << UInt64(links[row] & 63))
              body(integers, owner, numbers[row], known[owner >> 6] & bit == 0)
              known[owner >> 6] |= bit
            }
          }
        }
      }
    }
  }
}
