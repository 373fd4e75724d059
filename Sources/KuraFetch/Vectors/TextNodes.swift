import Foundation
import KuraGraph
import KuraModel
import KuraValues

/// `title`: a column's own texts.
struct TextColumnNode: VectorNode {
  let column: Int
  private let dictionary: TextDictionary?

  var kind: VectorKind { .text }
  var cost: Double { 2 }

  init(_ column: Int, _ table: Table) {
    self.column = column
    dictionary = table.columns[column].dictionary
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let chunk = rows.chunk(column)
    guard let lane = TextLane(chunk, dictionary) else { return .unknown(kind, rows.count) }
    return Vector(.texts(lane), nulls: chunk.nulls)
  }
}

/// `lowercase(title)`, `trim(title)`: a text made of each row's text.
struct TextNode: VectorNode {
  let function: Function
  let inner: any VectorNode

  enum Function: Sendable {
    case lowercase, uppercase, trim, canonical
  }

  init?(_ selector: String, _ inner: any VectorNode) {
    guard inner.kind == .text, let function = Function(selector) else { return nil }
    (self.function, self.inner) = (function, inner)
  }

  var kind: VectorKind { .text }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + (function == .canonical ? 60 : 20) }
  var isSure: Bool { inner.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    var result = inner.vector(rows)
    let texts = result.texts.thinned(to: rows.candidates)
    result.values = .texts(texts.map(rows.count, function.apply))
    return result
  }
}

extension TextNode.Function {
  /// By the selector of a function, or by a message of the same meaning.
  init?(_ selector: String) {
    switch selector {
    case "lowercase:", "lowercase", "lowercaseString": self = .lowercase
    case "uppercase:", "uppercase", "uppercaseString": self = .uppercase
    case "trim": self = .trim
    case "canonical:": self = .canonical
    default: return nil
    }
  }

  func apply(_ texts: TextViews) -> TextViews {
    switch self {
    case .lowercase: texts.changed(.lower)
    case .uppercase: texts.changed(.upper)
    case .trim: texts.trimmed
    case .canonical: texts.canonical
    }
  }
}

extension TextViews {
  /// The texts in the other case.
  fileprivate func changed(_ textCase: TextCase) -> TextViews {
    var pages = CasePages()
    return changed(growth: TextCase.growth) { textCase.write($0, to: $1, &pages) }
  }

  /// The texts without blanks at their ends.
  fileprivate var trimmed: TextViews {
    var starts = [UInt32](repeating: 0, count: count)
    var ends = self.ends
    forEach { place, text in
      var (first, last) = (0, text.count)
      while let blank = text[first..<last].firstBlank { first += blank }
      while let blank = text[first..<last].lastBlank { last -= blank }
      ends[place] -= UInt32(text.count - last)
      starts[place] = ends[place] - UInt32(last - first)
    }
    return TextViews(bytes: bytes, starts: starts, ends: ends, oddness: oddness)
  }

  /// The texts without case and diacritics.
  fileprivate var canonical: TextViews {
    var builder = TextBuilder(count)
    var pages = CasePages()
    forEach { _, text in
      if text.allSatisfy({ $0 < 0x80 }) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, text.count)) { lower in
          guard let start = lower.baseAddress else { return }
          let count = TextCase.lower.write(text, to: start, &pages)
          builder.append(UnsafeBufferPointer(start: start, count: count))
        }
      } else {
        let text = String(decoding: text, as: UTF8.self)
        builder.add(
          text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
        builder.end()
      }
    }
    return builder.texts
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// How many bytes the blank has that stands first; nil without one.
  fileprivate var firstBlank: Int? {
    guard let lead = first else { return nil }
    if lead < 0x80 { return lead == 0x20 || 0x09...0x0D ~= lead ? 1 : nil }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return isBlank(startIndex, length) ? length : nil
  }

  /// The same for the last.
  fileprivate var lastBlank: Int? {
    guard let byte = last else { return nil }
    if byte < 0x80 { return byte == 0x20 || 0x09...0x0D ~= byte ? 1 : nil }
    var start = endIndex - 1
    while start > startIndex, self[start] & 0xC0 == 0x80 { start -= 1 }
    return isBlank(start, endIndex - start) ? endIndex - start : nil
  }

  private func isBlank(_ start: Int, _ length: Int) -> Bool {
    guard length < 4, start + length <= endIndex else { return false }
    let scalar = UInt32(scalarIn: base, at: start, length)
    switch scalar {
    // Only among these are blanks; Foundation knows which.
    case 0x80...0xA0, 0x1680, 0x180E, 0x2000...0x206F, 0x3000, 0xFEFF:
      return Unicode.Scalar(scalar).map(CharacterSet.whitespacesAndNewlines.contains) ?? false
    default: return false
    }
  }
}

/// `length(title)`: how many UTF-16 units each row's text has, counted in its bytes.
struct LengthNode: VectorNode {
  let inner: any VectorNode

  init?(_ inner: any VectorNode) {
    guard inner.kind == .text else { return nil }
    self.inner = inner
  }

  var kind: VectorKind { .integer }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 6 }
  var isSure: Bool { inner.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    var result = inner.vector(rows)
    result.values = .integers(result.texts.numbers(rows.count) { Int64($0.unitCount) })
    return result
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How many UTF-16 units a text in UTF-8 has: one for each byte that does not continue a scalar, and one
  /// more for each scalar of four.
  @inline(__always)
  fileprivate var unitCount: Int {
    guard count >= 8, let base = baseAddress else {
      return reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    }
    var (units, place) = (count, 0)
    while place + 8 <= count {
      units += Self.more(UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
      place += 8
    }
    // The last word again, without what was counted.
    if place == count { return units }
    let last = UnsafeRawPointer(base + count - 8).loadUnaligned(as: UInt64.self).littleEndian
    return units + Self.more(last >> UInt64(8 * (place + 8 - count)))
  }

  /// How many units more than bytes eight bytes have.
  @inline(__always)
  private static func more(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (high, next) = (word >> 7, word >> 6)
    let continuing = high & ~next & ones
    let long = high & next & (word >> 5) & (word >> 4) & ones
    // The bits of all bytes come together in the highest.
    return Int((long &* ones) >> 56) - Int((continuing &* ones) >> 56)
  }
}
