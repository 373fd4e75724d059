import KuraModel
import KuraValues

/// The decimals of a chunk as integers on one scale: `value == integer / 10^places`.
package struct ScaledIntegers: Sendable {
  /// Of rows without a value, and of those that do not fit, any.
  package let integers: [Int64]
  package let places: Int
  /// The rows without a value, among them those whose text is no number; nil if there are none.
  package let nulls: Bitmap?
  /// The rows whose value has too many digits for the scale; nil if there are none.
  package let unfit: Bitmap?
}

extension ScaledIntegers {
  /// Chooses the scale on which most values fit, and of those the one with the fewest places.
  init(_ text: TextChunk, _ nulls: Bitmap?) {
    let numbers = text.plainDecimals
    // How many values begin to fit with so many places, less those that no longer do.
    var steps = [Int](repeating: 0, count: ScaledDecimal.mostPlaces + 2)
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
    integers = numbers.enumerated().map { row, number in
      guard number.fits, number.places <= places, places <= number.mostPlaces else {
        unfit[row] = true
        return 0
      }
      return number.integer &* ScaledDecimal.power(places - number.places)
    }
    var empty = nulls ?? Bitmap(count: numbers.count)
    unfit.subtract(empty)
    unfit.forEachSet { if NumberText.decimal(text.string($0)) == nil { empty[$0] = true } }
    unfit.subtract(empty)
    self.places = places
    self.nulls = empty.isEmpty ? nil : empty
    self.unfit = unfit.isEmpty ? nil : unfit
  }
}

extension Column {
  /// The rows of a chunk without a value; a decimal that is not a number counts as one.
  package func nulls(ofChunk number: Int) -> Bitmap? {
    guard kind == .attribute(.decimal), let scaled = chunks[number].scaledIntegers else {
      return chunks[number].nulls
    }
    return scaled.nulls
  }
}

/// A number of at most 18 digits in plain text: `-12.50`.
private struct PlainDecimal {
  var integer: Int64 = 0
  var places = 0
  /// With how many places after the point it still has 18 digits.
  var mostPlaces = -1

  /// Whether the text is such a number.
  var fits: Bool { mostPlaces >= places }

  /// Reads digits with or without a sign and a point; anything else is left to others.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var next = text.startIndex
    let isNegative = text.first == 0x2D
    if isNegative { next += 1 }
    var (digits, read, point) = (0, 0, -1)
    while next < text.endIndex {
      let digit = text[next] &- 0x30
      if digit <= 9 {
        if integer != 0 || digit != 0 { digits += 1 }
        guard digits <= ScaledDecimal.mostPlaces else { return }
        integer = integer &* 10 &+ Int64(digit)
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
    mostPlaces = ScaledDecimal.mostPlaces - max(0, digits - places)
  }
}

extension TextChunk {
  /// The numbers that the packed texts are.
  fileprivate var plainDecimals: [PlainDecimal] {
    bytes.withUnsafeBufferPointer { bytes in
      ends.indices.map { PlainDecimal(UnsafeBufferPointer(rebasing: bytes[packedRange($0)])) }
    }
  }
}
