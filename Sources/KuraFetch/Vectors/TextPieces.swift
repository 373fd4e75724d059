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
    forEach { place, text in
      let (from, units) = range(place)
      if let part = UnitRange(text, max(0, from), max(0, units)) {
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
    return TextViews(
      bytes: others.isEmpty ? bytes : bytes + others, starts: starts, ends: ends, oddness: oddness)
  }
}

/// The bytes of some UTF-16 units of a text.
private struct UnitRange {
  var start = 0
  var end = 0

  /// Nil where a cut may go through a character, which Foundation decides.
  init?(_ text: UnsafeBufferPointer<UInt8>, _ from: Int64, _ count: Int64) {
    let (last, overflows) = from.addingReportingOverflow(count)
    guard let start = UnitRange.cut(text, at: from),
      let end = UnitRange.cut(text, at: overflows ? .max : last)
    else { return nil }
    (self.start, self.end) = (start, max(start, end))
  }

  /// The byte at which a unit begins; the end where there are not so many.
  private static func cut(_ text: UnsafeBufferPointer<UInt8>, at unit: Int64) -> Int? {
    if unit >= text.count { return text.count }
    var (place, units, last) = (0, Int64(0), UInt32(0x20))
    while place < text.count, units < unit {
      let byte = text[place]
      guard byte < 0xF0 else { return nil }
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : 3
      guard place + length <= text.count else { return nil }
      last = UInt32(scalarIn: text, at: place, length)
      place += length
      units += 1
    }
    guard place > 0, place < text.count else { return place }
    let byte = text[place]
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard length < 4, place + length <= text.count, last.standsAlone,
      UInt32(scalarIn: text, at: place, length).standsAlone
    else { return nil }
    return place
  }
}

extension UInt32 {
  /// Whether a scalar never is a part of a character of several.
  fileprivate var standsAlone: Bool {
    switch self {
    case 0x20...0x7E, 0xC0...0x24F, 0x3001...0x3003, 0x3005...0x3020, 0x3041...0x3096,
      0x30A1...0x30FE, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D:
      true
    default: false
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
