import KuraBytes

/// The concatenated fields of a column in some rows; a field without a value is empty.
struct FieldColumn: Sendable {
  private var bytes: [UInt8]
  /// The end of each row's field.
  private var ends: [Int]

  init(bytes: [UInt8], ends: [Int]) { (self.bytes, self.ends) = (bytes, ends) }

  /// Creates fields by appending them.
  @inline(__always)
  init(_ count: Int, _ nulls: [Bool], _ append: (Int, inout [UInt8]) -> Void) {
    (bytes, ends) = ([], [])
    ends.reserveCapacity(count)
    for row in 0..<count {
      if nulls.isEmpty || !nulls[row] { append(row, &bytes) }
      ends.append(bytes.count)
    }
  }

  /// Creates fields of numbers, with space for the longest: `write` returns how many bytes it
  /// wrote.
  @inline(__always)
  init(
    numbers count: Int, _ nulls: [Bool], _ write: (Int, UnsafeMutablePointer<UInt8>) -> Int
  ) {
    var ends: [Int] = []
    ends.reserveCapacity(count)
    bytes = [UInt8](unsafeUninitializedCapacity: count * JSONWriter.longestNumber) { room, end in
      guard let start = room.baseAddress else { return }
      for row in 0..<count {
        if nulls.isEmpty || !nulls[row] { end += write(row, start + end) }
        ends.append(end)
      }
    }
    self.ends = ends
  }
}

extension FieldColumn {
  /// Returns the rows of some columns, each with its end, in one allocation.
  static func rows(of columns: [FieldColumn], count: Int, _ separator: UInt8) -> [UInt8] {
    let length = columns.reduce(0) { $0 + $1.bytes.count } + count * max(1, columns.count)
    return [UInt8](unsafeUninitializedCapacity: length) { room, end in
      end = length
      guard let start = room.baseAddress else { return }
      // The start of each row's next field.
      var places = [Int](repeating: 0, count: count)
      var place = 0
      for row in 0..<count {
        places[row] = place
        for column in columns { place += column.length(row) + 1 }
      }
      if columns.isEmpty { room.initialize(repeating: UInt8(ascii: "\n")) }
      for (number, column) in columns.enumerated() {
        let ending = number == columns.count - 1 ? UInt8(ascii: "\n") : separator
        column.write(to: start, at: &places, ending)
      }
    }
  }

  private func length(_ row: Int) -> Int { ends[row] - (row == 0 ? 0 : ends[row - 1]) }

  /// Writes each row's field and its separator, and moves the row's place after them.
  private func write(
    to room: UnsafeMutablePointer<UInt8>, at places: inout [Int], _ ending: UInt8
  ) {
    bytes.withUnsafeBufferPointer { all in
      guard let all = all.baseAddress else {
        for row in places.indices {
          room[places[row]] = ending
          places[row] += 1
        }
        return
      }
      var start = 0
      for row in places.indices {
        let count = ends[row] - start
        (room + places[row]).initialize(from: all + start, count: count)
        room[places[row] + count] = ending
        places[row] += count + 1
        start = ends[row]
      }
    }
  }
}
