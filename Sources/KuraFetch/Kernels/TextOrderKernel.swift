import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// Texts in a set, or in a range of the order of Unicode scalars, which equals the order of bytes: `title < "k"`,
/// `title BETWEEN {"a", "b"}`, `title IN {"x", "y"}`. If texts are folded, their keys have that order.
struct TextOrderKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  private let test: Test
  private let fold: TextFold?

  private enum Test: Sendable {
    case range(TextBounds)
    case oneOf(TextSet)
  }

  /// Returns nil for other operators, and for options with which Foundation orders.
  init?(_ question: LeafComparison, _ column: Int, _ key: String, _ options: TextOptions) {
    guard options.contains(.normalized) || !options.contains(.localeSensitive) else { return nil }
    let fold = TextFold.of(options)
    (self.column, self.key, self.fold) = (column, key, fold)
    if var range = question.textRange {
      range.from = range.from.map { fold?.sortKey($0) ?? $0 }
      range.to = range.to.map { fold?.sortKey($0) ?? $0 }
      test = .range(TextBounds(range))
    } else if question.comparison.operation == .in, case .list(let elements) = question.literal,
      let texts = elements.texts
    {
      test = .oneOf(TextSet(texts.map { fold?.key($0) ?? $0 }))
    } else {
      return nil
    }
  }

  var method: String {
    switch test {
    case .range where fold != nil: localized("range over the folded bytes of \(key)")
    case .range: localized("range over the bytes of \(key)")
    case .oneOf: localized("set of strings over \(key)")
    }
  }
  var cost: Double {
    switch test {
    case .range: 8
    case .oneOf: 15
    }
  }
}

extension TextOrderKernel {
  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    var result = Bitmap(count: chunk.count)
    let few = rows.areFew ? rows.candidates : nil
    switch test {
    case .oneOf(let texts):
      guard let text = fold.map({ chunk.keys($0, ofFew: few) }) ?? chunk.packedTexts else {
        return result
      }
      result = texts.rows(of: text, among: rows.candidates)
    case .range(let bounds):
      guard let text = fold.map({ chunk.sortKeys($0, ofFew: few) }) ?? chunk.packedTexts else {
        return result
      }
      let heads = fold == nil ? chunk.textHeads : nil
      result = TextViews(text).withAccess { texts in
        heads.map { bounds.rows(texts, $0, among: rows.candidates) }
          ?? bounds.rows(texts, among: rows.candidates)
      }
    }
    return result.settingNulls(chunk.nulls, to: false)
  }
}

extension TextFold {
  /// Returns the bytes of a text's sort key.
  fileprivate func sortKey(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBufferPointer { withSortKey($0) { Array($0) } }
  }
}

/// The bounds of a range of texts, according to their bytes.
struct TextBounds: Sendable {
  private let low: TextBound?
  private let high: TextBound?

  init(_ range: TextRange) {
    low = range.from.map { TextBound($0, isIn: range.includesFrom) }
    high = range.to.map { TextBound($0, isIn: range.includesTo) }
  }

  func rows(_ texts: TextAccess, among candidates: Bitmap) -> Bitmap {
    var result = Bitmap(count: candidates.count)
    for i in candidates.words.indices where candidates.words[i] != 0 {
      var word = within(texts, i << 6..<min(i << 6 + 64, candidates.count))
      word.open &= candidates.words[i]
      while word.open != 0 {
        let row = i << 6 + word.open.trailingZeroBitCount
        if have(texts[row]) { word.within |= word.open & ~(word.open &- 1) }
        word.open &= word.open &- 1
      }
      result.words[i] = word.within & candidates.words[i]
    }
    return result
  }

  /// Returns the rows of texts in the range, with the first bytes of all texts: reads only texts that begin like a
  /// bound.
  func rows(_ texts: TextAccess, _ heads: TextHeads, among candidates: Bitmap) -> Bitmap {
    var within = Bitmap(count: candidates.count, filledWith: true)
    var open = Bitmap(count: candidates.count)
    if let low {
      within.formIntersection(heads.rows(above: low.word))
      open.formUnion(heads.rows(equal: low.word))
    }
    if let high {
      within.formIntersection(heads.rows(below: high.word))
      open.formUnion(heads.rows(equal: high.word))
    }
    open.formIntersection(candidates)
    open.eachRow { within.put($0, have(texts[$0])) }
    return within
  }

  /// Returns the bits of texts that are in the range according to their first bytes, and of texts for which these do
  /// not decide. No branch depends on a text.
  @inline(__always)
  private func within(
    _ texts: TextAccess, _ rows: Range<Int>
  ) -> (within: UInt64, open: UInt64) {
    let (least, greatest) = (low?.word ?? 0, high?.word ?? .max)
    var (within, open): (UInt64, UInt64) = (0, 0)
    for row in rows {
      let head = texts.firstWord(row)
      let bit: UInt64 = 1 << UInt64(row & 63)
      within |= head > least && head < greatest ? bit : 0
      open |= head == least || head == greatest ? bit : 0
    }
    return (within, open)
  }

  private func have(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = text.firstWord
    if let low, !low.isBefore(text, word) { return false }
    if let high, !high.isAfter(text, word) { return false }
    return true
  }
}

/// A text with its first eight bytes as a number, which usually decide.
private struct TextBound: Sendable {
  private let bytes: [UInt8]
  let word: UInt64
  /// Whether the text itself is in the range.
  private let isIn: Bool

  init(_ bytes: [UInt8], isIn: Bool) {
    (self.bytes, self.isIn) = (bytes, isIn)
    word = bytes.withUnsafeBufferPointer { $0.firstWord }
  }

  @inline(__always)
  func isBefore(_ text: UnsafeBufferPointer<UInt8>, _ first: UInt64) -> Bool {
    if first != word { return word < first }
    return isOrder(.before, of: text)
  }

  @inline(__always)
  func isAfter(_ text: UnsafeBufferPointer<UInt8>, _ first: UInt64) -> Bool {
    if first != word { return first < word }
    return isOrder(.after, of: text)
  }

  @inline(never)
  private func isOrder(_ wanted: ValueOrder, of text: UnsafeBufferPointer<UInt8>) -> Bool {
    let order = bytes.withUnsafeBufferPointer { Bytes.compare($0, text) }
    return order == wanted || isIn && order == .same
  }
}
