import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// `title BETWEEN[c] {"a", "k"}`: texts in a range of the order that options define.
struct FoldedRangeKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  private let low: TextNeedle
  private let high: TextNeedle
  private let fold: TextFold
  private let bounds: (low: [UInt8], high: [UInt8])
  /// The texts that cached folded bytes, under [cd], decide; nil for none.
  private let kept: CachedFolding?
  /// The folding that removes marks from letters, which are compared first.
  private let letters: TextFold?

  /// Whether the bounds have no marks, which [c] would keep.
  private let areUnmarked: Bool

  private enum CachedFolding {
    /// Texts without marks
    case unmarked
    /// All
    case all
  }

  /// Returns nil for other operators and values, and if bytes do not have the order of the options.
  init?(
    _ question: LeafComparison, _ column: Int, _ key: String, _ options: TextOptions
  ) {
    guard question.comparison.operation == .between, case .list(let texts) = question.literal,
      texts.count == 2, case .string(let low) = texts[0], case .string(let high) = texts[1],
      !options.contains(.normalized), !options.contains(.localeSensitive),
      let fold = TextFold.of(options),
      let from = fold.sorting(low), let to = fold.sorting(high)
    else { return nil }
    (self.column, self.key, self.fold) = (column, key, fold)
    (self.low, self.high) = (TextNeedle(low, options), TextNeedle(high, options))
    bounds = (from, to)
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): kept = .all
    case (true, false): kept = .unmarked
    case (false, _): kept = nil
    }
    let both = TextFold.of([.caseInsensitive, .diacriticInsensitive])
    areUnmarked = both?.folded(low) == from && both?.folded(high) == to
    letters =
      options.contains(.caseInsensitive)
      ? TextFold.of([.caseInsensitive, .diacriticInsensitive]) : nil
  }

  var method: String { localized("range over the folded bytes of \(key)") }
  var cost: Double { 40 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    var result = Bitmap(count: chunk.count)
    guard case .text(let text) = chunk.values else { return result }
    var rest = rows.candidates
    if !rows.areFew { findKept(chunk, text, &rest, &result) }
    var folder = TextFolder(fold)
    var letters = letters.map { TextFolder($0) }
    rest.eachRow { row in
      text.withText(row) { utf8 in
        let utf8 = utf8.bindMemory(to: UInt8.self)
        let isHit =
          isQuicklyBetween(utf8, &folder, &letters) ?? isBetween(utf8, &folder)
          ?? ask(String(decoding: utf8, as: UTF8.self))
        if isHit { result.insert(row) }
      }
    }
    return result.settingNulls(chunk.nulls, to: false)
  }

  /// Tests the cached folded bytes, and leaves the other rows in `rest`.
  private func findKept(
    _ chunk: ColumnChunk, _ text: TextChunk, _ rest: inout Bitmap, _ result: inout Bitmap
  ) {
    guard let kept, let folded = chunk.folded(atUse: 1) else { return }
    var told = rest
    told.subtract(Bitmap(words: folded.decomposed, count: rest.count))
    if kept == .unmarked { told.subtract(Bitmap(words: folded.marked, count: rest.count)) }
    if let odd = text.oddRows { told.subtract(odd) }
    for row in text.patch.keys { told[row] = false }
    rest.subtract(told)
    let bounds = TextBounds(TextRange(from: bounds.low, to: bounds.high))
    TextViews(bytes: folded.bytes, ends: folded.ends).withAccess { letters in
      result = bounds.rows(letters, among: told)
      if kept == .unmarked, areUnmarked, text.patch.isEmpty {
        findByLetters(letters, text, folded, &rest, &result)
      }
    }
  }

  /// Tests the first bytes of texts with marks, if they differ from both bounds before the first mark.
  private func findByLetters(
    _ letters: TextAccess, _ text: TextChunk, _ folded: FoldedText, _ rest: inout Bitmap,
    _ result: inout Bitmap
  ) {
    var candidates = rest
    candidates.formIntersection(Bitmap(words: folded.marked, count: rest.count))
    candidates.subtract(Bitmap(words: folded.decomposed, count: rest.count))
    if let odd = text.oddRows { candidates.subtract(odd) }
    let (low, high) = (
      bounds.low.withUnsafeBufferPointer(\.firstWord),
      bounds.high.withUnsafeBufferPointer(\.firstWord)
    )
    TextViews(bytes: text.bytes, ends: text.ends).withAccess { texts in
      candidates.eachRow { row in
        let head = letters.firstWord(row)
        // The length of the ASCII prefix, and of the prefix that a bound has too
        let plain = (texts.firstWord(row) & 0x8080_8080_8080_8080).leadingZeroBitCount >> 3
        let common = max((head ^ low).leadingZeroBitCount, (head ^ high).leadingZeroBitCount) >> 3
        guard common < 8, common <= plain else { return }
        rest[row] = false
        if head > low, head < high { result.insert(row) }
      }
    }
  }

  /// Tests the first letter of a text; nil if a bound begins with it, or if the next scalar may be a mark.
  private func isQuicklyBetween(
    _ text: UnsafeBufferPointer<UInt8>, _ folder: inout TextFolder, _ letters: inout TextFolder?
  ) -> Bool? {
    guard let length = text.lengthOfFirstLetter else { return nil }
    let first = UnsafeBufferPointer(rebasing: text[..<length])
    guard let output = folder.fold(first) else { return nil }
    if !output.decomposes { return isBetween(letter: folder.bytes, output.count) }
    guard letters != nil, let output = letters?.fold(first), !output.decomposes,
      let bytes = letters?.bytes
    else { return nil }
    return isBetween(letter: bytes, output.count)
  }

  private func isBetween(letter bytes: UnsafeBufferPointer<UInt8>, _ count: Int) -> Bool? {
    let letter = UnsafeBufferPointer(rebasing: bytes[..<count])
    guard let fromLow = letter.order(relativeTo: bounds.low),
      let fromHigh = letter.order(relativeTo: bounds.high)
    else { return nil }
    return fromLow == .after && fromHigh == .before
  }

  /// Returns whether a text is between the bounds; nil if bytes do not decide.
  private func isBetween(
    _ text: UnsafeBufferPointer<UInt8>, _ folder: inout TextFolder
  ) -> Bool? {
    guard let output = folder.fold(text), !output.decomposes else { return nil }
    let bytes = UnsafeBufferPointer(rebasing: folder.bytes[..<output.count])
    return bounds.low.withUnsafeBufferPointer { Bytes.compare(bytes, $0) != .before }
      && bounds.high.withUnsafeBufferPointer { Bytes.compare(bytes, $0) != .after }
  }

  private func ask(_ text: String) -> Bool {
    low.order(of: text) != .before && high.order(of: text) != .after
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The length of the first letter in bytes; nil if the text is too short or a mark may follow.
  fileprivate var lengthOfFirstLetter: Int? {
    guard let lead = first else { return nil }
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard count > length + 1 else { return nil }
    let (next, second) = (self[length], self[length + 1])
    // ASCII, Latin letters, ideographs, and kana except their marks
    let stands =
      next < 0x80 || 0xC3...0xC9 ~= next || OddScalars.ideographLeads.contains(next)
      || next == 0xE3 && (second == 0x81 || second == 0x83)
    return stands ? length : nil
  }

  /// Returns the order of texts that begin with these bytes and another; nil if later bytes decide.
  fileprivate func order(relativeTo other: [UInt8]) -> ValueOrder? {
    for (mine, others) in zip(self, other) where mine != others {
      return mine < others ? .before : .after
    }
    return other.count < count ? .after : nil
  }
}

extension TextFold {
  /// Returns the folded bytes of a text; nil if they do not have its order.
  fileprivate func sorting(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { utf8 in
      withFolded(utf8) { bytes, output in output.decomposes ? nil : Array(bytes) } ?? nil
    }
  }
}
