import KuraJSON
import KuraValues

/// A buffer for values of one kind.
struct KeyedValues {
  private let kind: KeyedJSON.Kind
  private(set) var odd: Bitmap
  private(set) var mismatched: Bitmap
  private(set) var unknown: Bitmap
  /// The integers among doubles.
  private(set) var integral: Bitmap
  private var nulls: Bitmap
  private var integers: [Int64] = []
  private var doubles: [Double] = []
  private var booleans: [UInt8] = []
  private var texts = TextChunk()
  private var count = 0

  init(_ kind: KeyedJSON.Kind, _ count: Int) {
    self.kind = kind
    odd = Bitmap(count: count)
    mismatched = Bitmap(count: count)
    unknown = Bitmap(count: count)
    integral = Bitmap(count: count)
    nulls = Bitmap(count: count)
  }

  var chunk: ColumnChunk {
    let nulls = nulls.isEmpty ? nil : nulls
    return switch kind {
    case .nothing, .texts: ColumnChunk(.text(texts), nulls: nulls)
    case .integers: ColumnChunk(.integers(integers), nulls: nulls)
    case .doubles, .numbers: ColumnChunk(.doubles(doubles), nulls: nulls)
    case .booleans: ColumnChunk(.bytes(booleans), nulls: nulls)
    }
  }

  mutating func append(_ token: JSONTokens.Token, _ bytes: UnsafeBufferPointer<UInt8>) {
    defer { count += 1 }
    let text = UnsafeBufferPointer(rebasing: bytes[token.range])
    switch (kind, token.kind) {
    case (_, .nothing): appendNothing()
    case (.integers, .integer): integers.append(Self.integer(text))
    case (.numbers, .integer):
      let integer = Self.integer(text)
      doubles.append(Double(integer))
      integral[count] = true
      if integer.magnitude > 1 << 53 { odd[count] = true }
    case (.doubles, .double), (.numbers, .double): appendDouble(text)
    case (.booleans, .boolean): booleans.append(text.first == UInt8(ascii: "t") ? 1 : 0)
    case (.texts, .text):
      texts.append(text, isOdd: OddScalars.areIn(text))
    case (.texts, .escaped): appendEscaped(text)
    case (_, .unknown):
      unknown[count] = true
      appendOdd()
    default:
      mismatched[count] =
        kind == .texts ? token.kind.isNumeric : kind.isNumeric && token.kind.isText
      appendOdd()
    }
  }

  private mutating func appendOdd() {
    odd[count] = true
    appendEmpty()
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    guard case .string(let text)? = try? JSONNode(reading: Array(text)).kind else {
      return appendOdd()
    }
    let bytes = Array(text.utf8)
    texts.append(bytes, isOdd: bytes.withUnsafeBufferPointer(OddScalars.areIn))
  }

  private mutating func appendNothing() {
    nulls[count] = true
    appendEmpty()
  }

  private mutating func appendEmpty() {
    switch kind {
    case .nothing, .texts: texts.append([], isOdd: false)
    case .integers: integers.append(0)
    case .doubles, .numbers: doubles.append(0)
    case .booleans: booleans.append(0)
    }
  }

  private mutating func appendDouble(_ text: UnsafeBufferPointer<UInt8>) {
    guard let double = Self.double(text), double.isFinite else { return appendOdd() }
    doubles.append(double)
  }

  private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
    let isNegative = text.first == 0x2D
    var number: Int64 = 0
    for place in (isNegative ? 1 : 0)..<text.count {
      number = number &* 10 &+ Int64(text[place] &- 0x30)
    }
    return isNegative ? 0 &- number : number
  }

  /// Parses a short double as the quotient of an integer and a power of ten, which are both exact.
  private static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var (number, fraction, isFraction) = (Int64(0), 0, false)
    let isNegative = text.first == 0x2D
    let digits = text.count - (isNegative ? 1 : 0)
    for place in (isNegative ? 1 : 0)..<text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if 0x30...0x39 ~= byte, digits <= 16 {
        number = number * 10 + Int64(byte - 0x30)
        fraction += isFraction ? 1 : 0
      } else {
        return Double(String(decoding: text, as: UTF8.self))
      }
    }
    let value = Double(number) / powers[fraction]
    return isNegative ? -value : value
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  ]
}
