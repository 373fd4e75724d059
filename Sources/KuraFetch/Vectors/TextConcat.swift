import KuraGraph
import KuraPredicates
import KuraValues

extension ComputedNode {
  /// `concat(title, " ", priority)`, `CAST(priority, "NSString")`: texts and numbers, concatenated. `keepsNull`: a nil
  /// part makes the result nil; otherwise it counts as an empty text.
  static func concatenated(
    _ parts: [any VectorNode], keepsNull: Bool = false, _ zone: ZoneRules
  ) -> ComputedNode? {
    let kinds = parts.map(\.kind)
    guard kinds.allSatisfy({ !$0.isMixed && $0 != .binary }) else { return nil }
    let cost = kinds.reduce(10.0) { $0 + ($1 == .text ? 10 : 30) }
    return ComputedNode(.text, parts, cost: cost, isSure: false) { vectors, rows in
      let pieces = zip(kinds, vectors).map { kind, vector in
        TextPiece(vector, isDate: kind == .date, zone, rows.count)
      }
      var joined = JoinedTexts(pieces, rows.count)
      joined.join()
      var result = Vector(.texts(TextLane(texts: joined.texts, places: .own)), of: vectors)
      if !keepsNull { result.nulls = nil }
      result.fallback = result.fallback.union(joined.tooLong.nonEmpty)
      return result
    }
  }
}

/// A part of each row's text.
private struct TextPiece {
  let texts: TextLane
  let nulls: Bitmap?

  init(_ vector: Vector, isDate: Bool, _ zone: ZoneRules, _ count: Int) {
    nulls = vector.nulls
    switch vector.values {
    case .texts(let lane): texts = lane
    case .doubles(let lane):
      texts = TextLane(count, nulls) { $1.add(NumberText.text(lane[$0])) }
    case .integers(let lane) where isDate:
      texts = TextLane(count, nulls) {
        $1.add(Timestamp(microseconds: lane[$0]).text(.rfc3339, in: zone))
      }
    case .integers(.all(let number)): texts = TextLane(String(number))
    case .decimals(_, let places), .longDecimals(_, let places):
      let lane = vector.longIntegers
      texts = TextLane(count, nulls) { $1.add(ScaledDecimal(lane[$0], places: places).text) }
    case .integers(.each(let numbers)):
      texts = TextLane(texts: TextViews(digitsOf: numbers), places: .own)
    }
  }

  /// Calls the body with the text of each row that has one.
  @inline(__always)
  func forEach(_ count: Int, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    if let nulls {
      texts.forEach(count) { if !nulls.has($0) { body($0, $1) } }
    } else {
      texts.forEach(count, body)
    }
  }
}

extension TextLane {
  /// Writes a text for each row with a value.
  fileprivate init(_ count: Int, _ nulls: Bitmap?, _ add: (Int, inout TextBuilder) -> Void) {
    var builder = TextBuilder(count)
    for row in 0..<count {
      if nulls?.has(row) != true { add(row, &builder) }
      builder.end()
    }
    self.init(texts: builder.texts, places: .own)
  }
}

extension TextViews {
  /// The longest number is a sign and 19 digits.
  private static let mostDigits = 20

  /// Writes each number in decimal.
  fileprivate init(digitsOf numbers: [Int64]) {
    var ends = [UInt32](repeating: 0, count: numbers.count)
    bytes = [UInt8](unsafeUninitializedCapacity: max(1, numbers.count) * Self.mostDigits) {
      output, filled in
      guard let start = output.baseAddress else { return }
      for (place, number) in numbers.enumerated() {
        filled += Self.write(number, to: start + filled)
        ends[place] = UInt32(truncatingIfNeeded: filled)
      }
    }
    (self.ends, oddness) = (ends, .known(nil))
  }

  private static func write(_ number: Int64, to output: UnsafeMutablePointer<UInt8>) -> Int {
    if 0..<10 ~= number {
      output[0] = 0x30 + UInt8(truncatingIfNeeded: number)
      return 1
    }
    let sign = number < 0 ? 1 : 0
    output[0] = 0x2D
    let count = sign + digits(number.magnitude)
    var (rest, place) = (number.magnitude, count)
    while place > sign {
      place -= 1
      output[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    return count
  }

  private static func digits(_ number: UInt64) -> Int {
    var (count, limit) = (1, UInt64(10))
    // No integer has more than 19 digits.
    while number >= limit {
      count += 1
      limit *= 10
    }
    return count
  }
}

/// A concatenation of texts, piece by piece for all rows.
private struct JoinedTexts {
  private let pieces: [TextPiece]
  /// The rows with a text that is left to the reference evaluator.
  private(set) var tooLong: Bitmap
  private(set) var texts: TextViews
  /// The length of each row's text; later the place of its next piece.
  private var places: [Int]

  /// Longer texts, and more bytes, are left to the reference evaluator.
  private static let longest = 1 << 16
  private static let most = 1 << 28

  init(_ pieces: [TextPiece], _ count: Int) {
    self.pieces = pieces
    tooLong = Bitmap(count: count)
    texts = TextViews(bytes: [], ends: [])
    places = Array(repeating: 0, count: count)
    places.withUnsafeMutableBufferPointer { places in
      for piece in pieces { piece.forEach(count) { places[$0] += $1.count } }
    }
  }

  mutating func join() {
    let total = settlePlaces()
    let (pieces, tooLong) = (pieces, tooLong.nonEmpty)
    texts.bytes = [UInt8](unsafeUninitializedCapacity: max(1, total)) { output, filled in
      guard let base = output.baseAddress else { return }
      places.withUnsafeMutableBufferPointer { places in
        for piece in pieces {
          piece.forEach(places.count) { row, text in
            guard let from = text.baseAddress, tooLong?.has(row) != true else { return }
            (base + places[row]).copy(from, text.count)
            places[row] += text.count
          }
        }
      }
      filled = total
    }
    texts.ends = places.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Replaces lengths by places, and returns the number of bytes of all texts.
  private mutating func settlePlaces() -> Int {
    var total = 0
    for row in places.indices {
      var length = places[row]
      if length > Self.longest || total > Self.most {
        tooLong.insert(row)
        length = 0
      }
      places[row] = total
      total += length
    }
    return total
  }
}
