import KuraGraph
import KuraPredicates
import KuraValues

/// `substring(title, 0, 2)`: so many UTF-16 units of each row's text from a place on.
struct SubstringNode: VectorNode {
  let inner: any VectorNode
  let start: any VectorNode
  let length: any VectorNode

  init?(_ inner: any VectorNode, _ start: any VectorNode, _ length: any VectorNode) {
    guard inner.kind == .text, start.kind == .integer, length.kind == .integer else { return nil }
    (self.inner, self.start, self.length) = (inner, start, length)
  }

  var kind: VectorKind { .text }
  var parts: [any VectorNode] { [inner, start, length] }
  var cost: Double { inner.cost + start.cost + length.cost + 12 }
  var isSure: Bool {
    inner.isSure && start is ConstantNode && length is ConstantNode
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let text = inner.vector(rows)
    let (from, units) = (start.vector(rows), length.vector(rows))
    var result = text
    if case (.all(let from), .all(let units)) = (from.integers, units.integers) {
      result.values = .texts(
        text.texts.map(rows.count) { texts in texts.parts { _ in (from, units) } })
    } else {
      let (from, units) = (from.integers.spread(rows.count), units.integers.spread(rows.count))
      let own = text.texts.ownForEach(rows.count)
      result.values = .texts(
        TextLane(texts: own.parts { (from[$0], units[$0]) }, places: .own))
    }
    result.unsure = text.unsure.union(from.unsure).union(units.unsure)
    guard let open = from.nulls.union(units.nulls) else { return result }
    return result.leaving(open)
  }
}

extension TextLane {
  /// A view for each row.
  func ownForEach(_ count: Int) -> TextViews {
    let numbers: [UInt32]
    switch places {
    case .own: return texts
    case .same: numbers = Array(repeating: 0, count: count)
    case .numbered(let known): numbers = known
    }
    return texts.withAccess { access in
      var (starts, ends) = ([UInt32](), [UInt32]())
      starts.reserveCapacity(count)
      ends.reserveCapacity(count)
      for number in numbers {
        let end = texts.ends[Int(number)]
        ends.append(end)
        starts.append(end - UInt32(access[Int(number)].count))
      }
      return TextViews(bytes: texts.bytes, starts: starts, ends: ends)
    }
  }
}

extension TextLane {
  /// A view for each row, with no more bytes behind them than they need.
  func compact(_ count: Int) -> TextViews {
    if case .own = places { return texts }
    var builder = TextBuilder(count)
    forEach(count) { builder.append($1) }
    return builder.texts
  }
}

extension TextViews {
  /// A part of each text, by its first UTF-16 unit and how many there are.
  fileprivate func parts(_ range: (Int) -> (Int64, Int64)) -> TextViews {
    var starts = [UInt32](repeating: 0, count: count)
    var ends = self.ends
    var others: [UInt8] = []
    starts.withUnsafeMutableBufferPointer { starts in
      ends.withUnsafeMutableBufferPointer { ends in
        LoneScalars.all.withAccess { alone in
          forEach { place, text in
            let (from, units) = range(place)
            if let part = UnitRange(text, max(0, from), max(0, units), alone) {
              let start = ends[place] - UInt32(text.count)
              starts[place] = start + UInt32(part.start)
              ends[place] = start + UInt32(part.end)
            } else {
              let part = String(decoding: text, as: UTF8.self).part(from: from, count: units)
              starts[place] = UInt32(bytes.count + others.count)
              others += part.utf8
              ends[place] = UInt32(bytes.count + others.count)
            }
          }
        }
      }
    }
    return TextViews(
      bytes: others.isEmpty ? bytes : bytes + others, starts: starts, ends: ends, oddness: oddness)
  }
}

/// The bytes of some UTF-16 units of a text.
private struct UnitRange {
  var start = 0
  var end = 0

  /// Nil where a cut may go through a character, which Foundation decides.
  @inline(__always)
  init?(
    _ text: UnsafeBufferPointer<UInt8>, _ from: Int64, _ count: Int64, _ alone: LoneScalars.Access
  ) {
    let (sum, overflows) = from.addingReportingOverflow(count)
    let last = overflows ? .max : sum
    if last < 8, text.startsPlain(Int(last)) {
      (start, end) = (min(Int(from), text.count), min(Int(last), text.count))
      return
    }
    guard let start = UnitRange.cut(text, at: from, alone),
      let end = UnitRange.cut(text, at: last, alone)
    else { return nil }
    (self.start, self.end) = (start, max(start, end))
  }

  /// The byte at which a unit begins; the end where there are not so many.
  private static func cut(
    _ text: UnsafeBufferPointer<UInt8>, at unit: Int64, _ alone: LoneScalars.Access
  ) -> Int? {
    if unit == 0 { return 0 }
    if unit >= text.count { return text.count }
    var (place, units, last) = (0, Int64(0), 0)
    while place < text.count, units < unit {
      let byte = text[place]
      guard byte < 0xF0 else { return nil }
      last = place
      place += byte < 0x80 ? 1 : byte < 0xE0 ? 2 : 3
      units += 1
    }
    guard place < text.count else { return text.count }
    return alone.has(text, at: last) && alone.has(text, at: place) ? place : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes up to one, and it, are printable ASCII, of which each is a character; the byte is
  /// among the first eight, or the text ends before it.
  @inline(__always)
  fileprivate func startsPlain(_ last: Int) -> Bool {
    let count = Swift.min(last + 1, self.count)
    guard self.count >= 8, let base = baseAddress else {
      return self[..<count].allSatisfy { 0x20...0x7E ~= $0 }
    }
    // Those behind are blanks.
    let kept = ~UInt64(0) >> UInt64(64 - count * 8)
    let word = UnsafeRawPointer(base).loadUnaligned(as: UInt64.self).littleEndian
    let bytes = word & kept | 0x2020_2020_2020_2020 & ~kept
    // A byte below a blank borrows from its highest bit, and one above a tilde carries into it.
    let (low, high) = (bytes &- 0x2020_2020_2020_2020, bytes & ~0x8080_8080_8080_8080)
    return (bytes | low | (high &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0
  }
}

/// The scalars of the Basic Multilingual Plane that never are a part of a character of several.
private struct LoneScalars {
  private let bits: [UInt64]

  static let all = LoneScalars()

  private init() {
    var bits = [UInt64](repeating: 0, count: 1024)
    let ranges: [ClosedRange<Int>] = [
      0x20...0x7E, 0xC0...0x24F, 0x3001...0x3003, 0x3005...0x3020, 0x3041...0x3096, 0x30A1...0x30FE,
      0x3400...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D,
    ]
    for scalar in ranges.joined() { bits[scalar >> 6] |= 1 << UInt64(scalar & 63) }
    self.bits = bits
  }

  func withAccess<Result>(_ body: (Access) -> Result) -> Result {
    bits.withUnsafeBufferPointer { body(Access(bits: $0)) }
  }

  struct Access {
    fileprivate let bits: UnsafeBufferPointer<UInt64>

    /// Whether a scalar of valid UTF-8 is one.
    @inline(__always)
    func has(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
      let byte = text[place]
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      guard length < 4, place + length <= text.count else { return false }
      let scalar = Int(UInt32(scalarIn: text, at: place, length))
      return bits[scalar >> 6] >> UInt64(scalar & 63) & 1 == 1
    }
  }
}

/// `CAST(title, "NSNumber")`: the number that each row's text is.
struct NumberOfTextNode: VectorNode {
  let inner: any VectorNode

  init?(_ inner: any VectorNode) {
    guard inner.kind == .text else { return nil }
    self.inner = inner
  }

  var kind: VectorKind { .mixed }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 60 }
  var isSure: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let vector = inner.vector(rows)
    let texts = vector.texts.ownForEach(rows.count)
    var numbers = [Double](repeating: .nan, count: rows.count)
    texts.forEach { numbers[$0] = Self.number($1) }
    return Vector(.doubles(.each(numbers)), nulls: vector.nulls, unsure: vector.unsure)
      .leaving(Bitmap(numbers) { !($0.magnitude <= 0x1p53) })
  }

  /// Not a number where there is none, and where only the reference evaluator knows.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    if 1...15 ~= text.count, text.allSatisfy({ 0x30...0x39 ~= $0 }) {
      return Double(text.reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) })
    }
    switch NumberText.number(String(decoding: text, as: UTF8.self)) {
    case .integer(let x)?: return Double(x)
    case .double(let x)?: return x
    default: return .nan
    }
  }
}
