import KuraModel
import KuraValues

/// Integers of a chunk as small codes: `value == base + step * code`.
///
/// Days within a century take two bytes instead of eight; a priority from 0 to 9 takes one.
package struct FrameOfReferenceIntegers: Sendable {
  package enum Codes: Sendable {
    case bytes([UInt8])
    case words([UInt16])
  }

  package let base: Int64
  package let step: Int64
  package let codes: Codes
  /// The highest code.
  package let last: Int64
}

extension FrameOfReferenceIntegers {
  /// Returns nil if the values do not fit; null rows have code 0.
  init?(_ values: [Int64], _ nulls: Bitmap?) {
    guard let (low, high) = FrameOfReferenceIntegers.bounds(values, nulls) else { return nil }
    let (width, overflow) = high.subtractingReportingOverflow(low)
    guard !overflow, width < 1 << 52 else { return nil }
    for step in FrameOfReferenceIntegers.steps(width) {
      guard let codes = FrameOfReferenceIntegers.codes(values, nulls, low, step, width / step)
      else {
        continue
      }
      (base, self.step, self.codes, last) = (low, step, codes, width / step)
      return
    }
    return nil
  }

  /// Returns possible steps: 1, or a day, an hour, a minute and a second if they fit, longest first.
  private static func steps(_ width: Int64) -> [Int64] {
    if width < 65_536 { return [1] }
    return ([86_400, 3_600, 60, 1] as [Int64]).map { $0 * 1_000_000 }
      .filter { width / $0 < 65_536 }
  }

  static func bounds(_ values: [Int64], _ nulls: Bitmap?) -> (Int64, Int64)? {
    var (low, high) = (Int64.max, Int64.min)
    guard let nulls else {
      for value in values { (low, high) = (min(low, value), max(high, value)) }
      return low <= high ? (low, high) : nil
    }
    for (place, word) in nulls.words.enumerated() {
      let start = place << 6
      for row in start..<min(values.count, start + 64) where word >> UInt64(row - start) & 1 == 0 {
        (low, high) = (min(low, values[row]), max(high, values[row]))
      }
    }
    return low <= high ? (low, high) : nil
  }

  /// Returns the codes of the values; nil if a value is not a multiple of the step.
  private static func codes(
    _ values: [Int64], _ nulls: Bitmap?, _ low: Int64, _ step: Int64, _ last: Int64
  ) -> Codes? {
    last < 256
      ? packed(values, nulls, low, step).map { .bytes($0) }
      : packed(values, nulls, low, step).map { .words($0) }
  }

  private static func packed<Code: FixedWidthInteger & UnsignedInteger>(
    _ values: [Int64], _ nulls: Bitmap?, _ low: Int64, _ step: Int64
  ) -> [Code]? {
    let nulls = nulls?.words ?? Array(repeating: 0, count: (values.count + 63) >> 6)
    let inverse = 1 / Double(step)
    var allFit = true
    let codes = [Code](unsafeUninitializedCapacity: values.count) { codes, filled in
      filled = values.count
      for (place, word) in nulls.enumerated() where allFit {
        var between: Int64 = 0
        for row in place << 6..<min(values.count, place << 6 + 64) {
          let distance = values[row] &- low
          // No distance is negative; the value of a null row is arbitrary.
          let code = step == 1 ? distance : Int64(Double(distance) * inverse + 0.5)
          let mask = Int64(bitPattern: (word >> UInt64(row & 63) & 1) &- 1)
          between |= (code &* step ^ distance) & mask
          codes[row] = Code(truncatingIfNeeded: code & mask)
        }
        allFit = between == 0
      }
    }
    return allFit ? codes : nil
  }

  /// Returns the codes of the values in a range; nil if there are none.
  package func codes(of range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let top = base + step * last
    guard range.lowerBound <= top, range.upperBound >= base else { return nil }
    let low = max(range.lowerBound, base) - base
    let high = min(range.upperBound, top) - base
    let first = (low + step - 1) / step
    return first <= high / step ? first...(high / step) : nil
  }
}

/// The decimals of a chunk as integers on one scale: `value == integer / 10^places`.
package struct ScaledIntegers: Sendable {
  package enum Integers: Sendable {
    case short([Int64])
    case long([Int128])
  }

  /// The integers; arbitrary for null rows and for values that do not fit.
  package let integers: Integers
  package let places: Int
  /// The null rows, including rows with a text that is not a number; nil if there are none.
  package let nulls: Bitmap?
  /// The rows with too many digits for the scale; nil if all values fit.
  package let unfit: Bitmap?
}

extension ScaledIntegers {
  /// Creates integers of 64 bits if all values fit, otherwise of 128 bits.
  init(_ text: TextChunk, _ nulls: Bitmap?) {
    let short: OneScale<Int64> = ScaledIntegers.scaled(text)
    var empty = nulls ?? Bitmap(count: short.unfit.count)
    var unfit = short.unfit
    unfit.subtract(empty)
    unfit.forEachSet { if NumberText.decimal(text.string($0)) == nil { empty[$0] = true } }
    self.nulls = empty.isEmpty ? nil : empty
    unfit.subtract(empty)
    if unfit.isEmpty {
      (integers, places, self.unfit) = (.short(short.integers), short.places, nil)
      return
    }
    let long: OneScale<Int128> = ScaledIntegers.scaled(text)
    unfit = long.unfit
    unfit.subtract(empty)
    (integers, places) = (.long(long.integers), long.places)
    self.unfit = unfit.isEmpty ? nil : unfit
  }

  /// Integers, their places, and the rows with a text that does not fit.
  private typealias OneScale<Integer> = (integers: [Integer], places: Int, unfit: Bitmap)

  /// Chooses the scale on which most texts fit, and among those the one with the fewest places.
  private static func scaled<Integer: DecimalInteger>(_ text: TextChunk) -> OneScale<Integer> {
    let numbers: [PlainDecimal<Integer>] = text.plainDecimals()
    // The number of values that begin to fit with this number of places, minus those that no longer fit.
    var steps = [Int](repeating: 0, count: Integer.mostPlaces + 2)
    for number in numbers where number.fits {
      steps[number.places] += 1
      steps[number.mostPlaces + 1] -= 1
    }
    var (fitting, most, places) = (0, 0, 0)
    for (count, step) in steps.enumerated() {
      fitting += step
      if fitting > most { (most, places) = (fitting, count) }
    }
    var unfit = Bitmap(count: numbers.count)
    let integers = numbers.enumerated().map { row, number -> Integer in
      guard number.fits, number.places <= places, places <= number.mostPlaces else {
        unfit[row] = true
        return 0
      }
      return number.integer &* Integer.power(places - number.places)
    }
    return (integers, places, unfit)
  }
}

extension Column {
  /// Returns the null rows of a chunk; a decimal that is not a number counts as null.
  package func nulls(ofChunk number: Int) -> Bitmap? {
    guard kind == .attribute(.decimal), let scaled = chunks[number].scaledIntegers else {
      return chunks[number].nulls
    }
    return scaled.nulls
  }
}

/// A number of at most `mostPlaces` digits in plain text: `-12.50`.
private struct PlainDecimal<Integer: DecimalInteger> {
  var integer: Integer = 0
  var places = 0
  /// The maximum number of places with which its digits still fit into the integer.
  var mostPlaces = -1

  /// Whether the text is such a number.
  var fits: Bool { mostPlaces >= places }

  /// Reads digits with an optional sign and point; any other text does not fit.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var next = text.startIndex
    let isNegative = text.first == 0x2D
    if isNegative { next += 1 }
    var (digits, read, point) = (0, 0, -1)
    while next < text.endIndex {
      let digit = text[next] &- 0x30
      if digit <= 9 {
        if integer != 0 || digit != 0 { digits += 1 }
        guard digits <= Integer.mostPlaces else { return }
        integer = integer &* 10 &+ Integer(truncatingIfNeeded: digit)
        read += 1
      } else if text[next] == 0x2E, point < 0, read > 0 {
        point = read
      } else {
        return
      }
      next += 1
    }
    guard read > 0, point != read else { return }
    places = point < 0 ? 0 : read - point
    if isNegative { integer = -integer }
    mostPlaces = Integer.mostPlaces - max(0, digits - places)
  }
}

extension TextChunk {
  /// The packed texts as numbers.
  fileprivate func plainDecimals<Integer>() -> [PlainDecimal<Integer>] {
    bytes.withUnsafeBufferPointer { bytes in
      ends.indices.map { PlainDecimal(UnsafeBufferPointer(rebasing: bytes[packedRange($0)])) }
    }
  }
}
