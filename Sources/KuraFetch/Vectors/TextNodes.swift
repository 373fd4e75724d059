import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// `title`, `identifier`: the texts that a column stores.
struct TextColumnNode: VectorNode {
  let column: Int
  let kind: VectorKind
  private let dictionary: TextDictionary?

  var cost: Double { 2 }

  /// Returns nil for columns of other values, and for decimals and JSON.
  init?(_ column: Int, _ type: AttributeType, _ table: Table) {
    guard let kind = VectorKind(textsOf: type) else { return nil }
    (self.column, self.kind) = (column, kind)
    dictionary = table.columns[column].dictionary
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let chunk = rows.chunk(column)
    guard let lane = TextLane(chunk, dictionary) else { return .unknown(kind, rows.count) }
    return Vector(.texts(lane), nulls: chunk.nulls)
  }

  /// Returns cached lengths, from the second use on.
  func cachedLengths(_ rows: ChunkRows) -> Vector? {
    let chunk = rows.chunk(column)
    return chunk.textLengths.map {
      Vector(.integers(Lane.each($0).map { Int64($0) }), nulls: chunk.nulls)
    }
  }
}

extension VectorKind {
  /// The kind of the values of a column; nil for JSON.
  init?(_ type: AttributeType) {
    switch type {
    case .integer, .integer16, .integer32: self = .integer
    case .boolean: self = .boolean
    case .double, .float: self = .double
    case .date: self = .date
    case .decimal: self = .decimal
    case .string: self = .text
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .binary: self = .binary
    case .json: return nil
    }
  }

  /// The kind of the values that a column stores as texts; nil for other types.
  init?(textsOf type: AttributeType) {
    guard let kind = VectorKind(type), kind.hasTexts else { return nil }
    self = kind
  }
}

/// `lowercase(title)`, `trim(title)`: a function of each row's text.
enum TextChange: Sendable {
  case lowercase, uppercase, trim, canonical

  func node(of text: any VectorNode) -> ComputedNode? {
    guard text.kind == .text else { return nil }
    return ComputedNode(.text, [text], cost: self == .canonical ? 60 : 20) { parts, rows in
      let texts = parts[0].texts.masked(to: rows.candidates)
      return parts[0].with(.texts(texts.map(rows.count, apply)))
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
  /// Returns a value other than 0 if a text may have a blank at an end, from its first and last bytes, without
  /// branches, for all scripts.
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

  /// Returns whether a scalar with these first bytes may be a blank: from U+3000 to U+3FFF only the first 64 may.
  @inline(__always)
  private func begins(_ first: UInt8, _ second: UInt8) -> UInt8 {
    bit(first == 0xC2) | bit(first == 0xE1) | bit(first == 0xE2) | bit(first == 0xEF)
      | bit(first == 0xE3) & bit(second == 0x80)
  }

  @inline(__always)
  private func bit(_ condition: Bool) -> UInt8 { condition ? 1 : 0 }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// The length in bytes of the blank at the start; nil without one.
  fileprivate var firstBlank: Int? {
    guard let lead = first else { return nil }
    if lead < 0x80 { return lead == 0x20 || 0x09...0x0D ~= lead ? 1 : nil }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return isBlank(startIndex, length) ? length : nil
  }

  /// The length in bytes of the blank at the end; nil without one.
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
    // Blanks are in these ranges; Foundation decides.
    case 0x80...0xA0, 0x1680, 0x180E, 0x2000...0x206F, 0x3000, 0xFEFF:
      return Unicode.Scalar(scalar).map(CharacterSet.whitespacesAndNewlines.contains) ?? false
    default: return false
    }
  }
}

/// `length(title)`: the number of UTF-16 units of each row's text, counted in UTF-8.
struct LengthNode: VectorNode {
  let inner: any VectorNode

  init?(_ inner: any VectorNode) {
    guard inner.kind == .text else { return nil }
    self.inner = inner
  }

  var kind: VectorKind { .integer }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 5 }

  func vector(_ rows: ChunkRows) -> Vector {
    if let kept = (inner as? TextColumnNode)?.cachedLengths(rows) { return kept }
    let texts = inner.vector(rows)
    return texts.with(.integers(texts.texts.unitCounts(rows.count)))
  }
}

extension ColumnChunk {
  /// The number of UTF-16 units of each text; nil until a second use, and for long texts.
  var textLengths: [UInt16]? {
    guard let texts = packedTexts else { return nil }
    return cachedLengths { TextViews(texts).unitCounts }
  }
}

extension TextLane {
  /// Returns the number of UTF-16 units of each text.
  func unitCounts(_ count: Int) -> Lane<Int64> {
    let lane = spread(count)
    let counts = lane.texts.unitCounts
    switch lane.places {
    case .own: return .each(counts)
    case .same: return .all(counts[0])
    case .numbered(let numbers): return .each(numbers.map { counts[Int($0)] })
    }
  }
}

extension TextViews {
  fileprivate var unitCounts: [Int64] {
    var counts = [Int64](repeating: 0, count: count)
    withAccess { access in
      counts.withUnsafeMutableBufferPointer { counts in
        for place in counts.indices { counts[place] = Int64(access.unitCount(place)) }
      }
    }
    return counts
  }
}

extension TextAccess {
  /// Returns the number of UTF-16 units of a UTF-8 text: its bytes without continuation bytes, plus one for each scalar
  /// of four bytes.
  @inline(__always)
  fileprivate func unitCount(_ place: Int) -> Int {
    let range = range(place)
    var (units, start) = (range.count, range.lowerBound)
    while start &+ 8 <= range.upperBound {
      units &+= Self.more(bytes.eight(from: start))
      start &+= 8
    }
    // The bytes of the next text do not count.
    let rest = UInt64(truncatingIfNeeded: range.upperBound &- start) &* 8
    return units &+ Self.more(bytes.eight(from: start) & ((1 &<< rest) &- 1))
  }

  /// Returns the UTF-16 units of eight bytes minus the bytes.
  @inline(__always)
  private static func more(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (high, next) = (word >> 7, word >> 6)
    let continuing = high & ~next & ones
    let long = high & next & (word >> 5) & (word >> 4) & ones
    // The multiplications sum the bits of all bytes in the highest byte.
    return Int((long &* ones) >> 56) &- Int((continuing &* ones) >> 56)
  }
}

extension ComputedNode {
  /// `substring(title, 0, 2)`: a range of UTF-16 units of each row's text.
  static func substring(_ parts: [any VectorNode]) -> ComputedNode? {
    guard parts.map(\.kind) == [.text, .integer, .integer] else { return nil }
    let isSure = parts.dropFirst().allSatisfy { $0 is ConstantNode }
    return ComputedNode(.text, parts, cost: 12, isSure: isSure) { parts, rows in
      let (text, from, units) = (parts[0], parts[1], parts[2])
      let texts: TextLane
      if case (.all(let from), .all(let units)) = (from.integers, units.integers) {
        texts = text.texts.map(rows.count) { $0.parts(from: from, units: units) }
      } else {
        let (from, units) = (from.integers.spread(rows.count), units.integers.spread(rows.count))
        let own = text.texts.ownForEach(rows.count)
        texts = TextLane(texts: own.parts { (from[$0], units[$0]) }, places: .own)
      }
      var result = Vector(.texts(texts), of: parts)
      result.nulls = text.nulls
      return from.nulls.union(units.nulls).map(result.leaving) ?? result
    }
  }

  /// `CAST(title, "NSNumber")`: the number in each row's text; `othersAreNull`: texts that are not numbers give nil.
  static func numberOfText(_ text: any VectorNode, othersAreNull: Bool) -> ComputedNode? {
    guard text.kind == .text else { return nil }
    return ComputedNode(.mixed, [text], cost: 60, isSure: false) { parts, rows in
      var numbers = [Double](repeating: .nan, count: rows.count)
      var integral = Bitmap(count: rows.count)
      var others = Bitmap(count: rows.count)
      parts[0].texts.ownForEach(rows.count).forEach { row, text in
        guard let (number, isInteger) = Self.number(text) else { return others.insert(row) }
        numbers[row] = number
        if isInteger { integral.insert(row) }
      }
      var result = parts[0].with(.doubles(.each(numbers)))
      result.integral = integral
      let unsure = Bitmap(numbers) { !($0.magnitude <= 0x1p53) }
      guard othersAreNull else { return result.leaving(unsure) }
      result.nulls = result.nulls.union(others)
      return result.leaving(unsure)
    }
  }

  /// Returns the number of a text, and whether it is an integer; NaN if the reference evaluator must compute it, nil if
  /// the text is not a number.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> (Double, Bool)? {
    if 1...15 ~= text.count, text.allSatisfy({ 0x30...0x39 ~= $0 }) {
      return (Double(text.reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) }), true)
    }
    switch NumberText.number(String(decoding: text, as: UTF8.self)) {
    case .integer(let x)?: return (Double(x), true)
    case .double(let x)?: return (x, false)
    default: return text.first?.beginsNoNumber == true ? nil : (.nan, false)
    }
  }
}

extension UInt8 {
  /// Whether it is a letter with which no number begins; Infinity and NaN are numbers.
  fileprivate var beginsNoNumber: Bool {
    let isLetter = 0x41...0x5A ~= self || 0x61...0x7A ~= self
    return isLetter && self != UInt8(ascii: "I") && self != UInt8(ascii: "N")
  }
}
