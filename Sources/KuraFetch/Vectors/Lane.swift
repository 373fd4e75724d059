import KuraGraph

/// A number for each row of a chunk, or one number for all rows.
enum Lane<Number: BitwiseCopyable & Sendable>: Sendable {
  case each([Number])
  case all(Number)
}

extension Lane {
  /// Returns the result of an operation on each number.
  @inline(__always)
  func map<Other: BitwiseCopyable>(_ operation: (Number) -> Other) -> Lane<Other> {
    switch self {
    case .all(let x): .all(operation(x))
    case .each(let values):
      .filled(values.count) { result in
        values.withUnsafeBufferPointer { values in
          for i in values.indices { result[i] = operation(values[i]) }
        }
      }
    }
  }

  /// Returns the result of an operation on each pair of numbers.
  @inline(__always)
  func zip<Second: BitwiseCopyable, Other: BitwiseCopyable>(
    _ other: Lane<Second>, _ operation: (Number, Second) -> Other
  ) -> Lane<Other> {
    switch (self, other) {
    case (.all(let x), .all(let y)): .all(operation(x, y))
    // Each case has its own loop: a nested closure would be called for each row.
    case (.each(let x), .all(let y)):
      .filled(x.count) { result in
        x.withUnsafeBufferPointer { x in
          for i in x.indices { result[i] = operation(x[i], y) }
        }
      }
    case (.all(let x), .each(let y)):
      .filled(y.count) { result in
        y.withUnsafeBufferPointer { y in
          for i in y.indices { result[i] = operation(x, y[i]) }
        }
      }
    case (.each(let x), .each(let y)):
      .filled(x.count) { result in
        x.withUnsafeBufferPointer { x in
          y.withUnsafeBufferPointer { y in
            for i in x.indices { result[i] = operation(x[i], y[i]) }
          }
        }
      }
    }
  }

  /// Returns `count` numbers that a body writes.
  @inline(__always)
  fileprivate static func filled(
    _ count: Int, _ body: (UnsafeMutableBufferPointer<Number>) -> Void
  ) -> Lane {
    // The body runs outside the array's initializer, which is not inlined.
    var values = [Number](unsafeUninitializedCapacity: count) { $1 = count }
    values.withUnsafeMutableBufferPointer { body($0) }
    return .each(values)
  }

  /// Returns the rows with a number that passes a test.
  @inline(__always)
  func rows(_ count: Int, where test: (Number) -> Bool) -> Bitmap {
    switch self {
    case .all(let x): Bitmap(count: count, filledWith: test(x))
    case .each(let values): Bitmap(values, where: test)
    }
  }

  /// Returns the rows with a pair of numbers that passes a test.
  @inline(__always)
  func rows<Second>(
    _ count: Int, with other: Lane<Second>, where test: (Number, Second) -> Bool
  ) -> Bitmap {
    switch (self, other) {
    case (.all(let x), .all(let y)): Bitmap(count: count, filledWith: test(x, y))
    case (.each(let x), .all(let y)): Bitmap(x) { test($0, y) }
    case (.all(let x), .each(let y)): Bitmap(y) { test(x, $0) }
    case (.each(let x), .each(let y)): Bitmap(x, y, where: test)
    }
  }

  @inline(__always)
  subscript(row: Int) -> Number {
    switch self {
    case .all(let x): x
    case .each(let values): values[row]
    }
  }

  /// Returns one number per row.
  func spread(_ count: Int) -> [Number] {
    switch self {
    case .all(let x): Array(repeating: x, count: count)
    case .each(let values): values
    }
  }

  /// Returns the numbers of the set rows from here, the others from another lane.
  func chosen(_ rows: Bitmap, else other: Lane) -> Lane {
    var result = other.spread(rows.count)
    switch self {
    case .all(let x): rows.eachRow { result[$0] = x }
    case .each(let values): rows.eachRow { result[$0] = values[$0] }
    }
    return .each(result)
  }
}

extension Bitmap {
  /// Tests 64 pairs of values at a time.
  @inline(__always)
  init<First, Second>(_ a: [First], _ b: [Second], where test: (First, Second) -> Bool) {
    let count = min(a.count, b.count)
    self.init(count: count)
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        words.withUnsafeMutableBufferPointer { words in
          for i in 0..<count >> 6 {
            var word: UInt64 = 0
            for j in 0..<64 {
              word |= (test(a[i << 6 &+ j], b[i << 6 &+ j]) ? 1 : 0) << UInt64(j)
            }
            words[i] = word
          }
          for row in count & ~63..<count where test(a[row], b[row]) {
            words[row >> 6] |= 1 << UInt64(row & 63)
          }
        }
      }
    }
  }
}
