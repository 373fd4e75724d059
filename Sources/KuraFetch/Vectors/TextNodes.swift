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

  /// From the second use on.
  func keptLengths(_ rows: ChunkRows) -> Vector? {
    let chunk = rows.chunk(column)
    return chunk.textLengths.map {
      Vector(.integers(Lane.each($0).map { Int64($0) }), nulls: chunk.nulls)
    }
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
  func changed(_ textCase: TextCase) -> TextViews {
    if starts == nil, let block = CaseBlock(bytes, textCase) {
      return TextViews(
        bytes: block.bytes, ends: ends, oddness: block.makesOdd ? .unknown : oddness)
    }
    var pages = CasePages()
    return changed(growth: TextCase.growth) { textCase.write($0, to: $1, &pages) }
  }

  /// The texts without blanks at their ends.
  fileprivate var trimmed: TextViews {
    if !haveBlankEnds { return self }
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

  /// Whether a text may have a blank at one of its ends.
  private var haveBlankEnds: Bool {
    withAccess { access in
      var mayHave: UInt8 = 0
      for place in ends.indices { mayHave |= access.mayHaveBlankEnds(place) }
      return mayHave != 0
    }
  }

  /// The texts without case, diacritics and width.
  fileprivate var canonical: TextViews {
    var builder = TextBuilder(count)
    forEach { _, text in TextFold.cd.withKey(text) { key, _ in builder.append(key) } }
    return builder.texts
  }
}

extension TextAccess {
  /// Not 0 where a text may have a blank at one of its ends, by its first bytes and its last; told for
  /// texts of all scripts alike, by no branch.
  @inline(__always)
  fileprivate func mayHaveBlankEnds(_ place: Int) -> UInt8 {
    let range = range(place)
    if range.isEmpty { return 0 }
    let (start, last) = (range.lowerBound, range.upperBound &- 1)
    let (first, second) = (bytes[start], bytes[min(start &+ 1, last)])
    let (end, before) = (bytes[last], bytes[max(start, last &- 1)])
    let early = bytes[max(start, last &- 2)]
    let isEndOfScalar = bit(end >= 0x80)
    return bit(first <= 0x20) | begins(first, second) | bit(end <= 0x20)
      | isEndOfScalar & (begins(early, before) | bit(before == 0xC2))
  }

  /// Whether a scalar that begins so may be a blank: of U+3000 to U+3FFF only the first 64 may.
  @inline(__always)
  private func begins(_ first: UInt8, _ second: UInt8) -> UInt8 {
    bit(first == 0xC2) | bit(first == 0xE1) | bit(first == 0xE2) | bit(first == 0xEF)
      | bit(first == 0xE3) & bit(second == 0x80)
  }

  @inline(__always)
  private func bit(_ condition: Bool) -> UInt8 { condition ? 1 : 0 }
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
