import Foundation
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// `title IN[c] {"a", "b"}`: texts that are one of some under options.
///
/// The folded bytes of each text are looked up; a row that has some of the wanted ones is asked, where
/// they do not tell.
struct FoldedSetKernel: ColumnKernel {
  let column: Int
  let key: String
  private let needles: [TextNeedle]
  private let set: TextSet
  /// Whether a text without marks is one where its folded bytes are, and whether one with marks is.
  private let unmarkedIsHit: Bool
  private let markedIsHit: Bool

  /// Nil for other operators and values, and where folded bytes do not lead to all that may be one.
  init?(
    _ question: LeafQuestion, _ column: Int, _ key: String, _ options: TextOptions
  ) {
    guard question.comparison.operation == .in, case .list(let elements) = question.literal,
      options.folds, !options.contains(.normalized), !options.contains(.localeSensitive)
    else { return nil }
    (self.column, self.key) = (column, key)
    var (needles, folded): ([TextNeedle], [String]) = ([], [])
    var isPlain = true
    for element in elements where !element.isNull {
      let both = TextOptions([.caseInsensitive, .diacriticInsensitive])
      guard case .string(let text) = element, let bytes = TextNeedle(text, both).foldedBytes
      else { return nil }
      let needle = TextNeedle(text, options)
      isPlain = isPlain && needle.foldedBytes == bytes
      needles.append(needle)
      folded.append(String(decoding: bytes, as: UTF8.self))
    }
    (self.needles, set) = (needles, TextSet(folded))
    unmarkedIsHit = options.contains(.caseInsensitive) && isPlain
    markedIsHit = isPlain && options.isSuperset(of: [.caseInsensitive, .diacriticInsensitive])
  }

  var method: String { localized("one of some texts of \(key)") }
  var cost: Double { 15 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    var result = Bitmap(count: chunk.count)
    guard case .text(let text) = chunk.values, let folded = chunk.folded(atUse: 1) else {
      return result
    }
    let texts = TextChunk(bytes: folded.bytes, ends: folded.ends)
    set.rows(of: texts, among: rows.candidates).eachRow { row in
      let isSure = folded.isMarked(row) ? markedIsHit : unmarkedIsHit
      if isSure || ask(text, row) { result.insert(row) }
    }
    text.oddRows?.eachRow { result[$0] = ask(text, $0) }
    for row in text.patch.keys { result[row] = ask(text, row) }
    return result.settingNulls(chunk.nulls, to: false)
  }

  private func ask(_ texts: TextChunk, _ row: Int) -> Bool {
    var answer = false
    texts.withText(row) { text in
      answer = needles.contains { $0.equals(text.bindMemory(to: UInt8.self)) }
    }
    return answer
  }
}

/// `title BETWEEN[c] {"a", "k"}`: texts by their place in an order that options give.
struct FoldedRangeKernel: ColumnKernel {
  let column: Int
  let key: String
  private let low: TextNeedle
  private let high: TextNeedle
  private let fold: TextFold
  private let bounds: (low: [UInt8], high: [UInt8])
  /// What leaves of a letter with a mark the letter, which is compared first.
  private let letters: TextFold?

  /// Nil for other operators and values, and where bytes do not order as the options do.
  init?(
    _ question: LeafQuestion, _ column: Int, _ key: String, _ options: TextOptions
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
    letters =
      options.contains(.caseInsensitive)
      ? TextFold.of([.caseInsensitive, .diacriticInsensitive]) : nil
  }

  var method: String { localized("order of the folded bytes of \(key)") }
  var cost: Double { 40 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    var result = Bitmap(count: chunk.count)
    guard case .text(let text) = chunk.values else { return result }
    var folder = TextFolder(fold)
    var letters = letters.map { TextFolder($0) }
    rows.candidates.eachRow { row in
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

  /// What the first letter of a text says; nil where it is that of a bound, or does not stand alone.
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
    guard let fromLow = letter.order(besides: bounds.low),
      let fromHigh = letter.order(besides: bounds.high)
    else { return nil }
    return fromLow == .after && fromHigh == .before
  }

  /// Nil where bytes do not tell.
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
  /// How many bytes the first letter has, if others follow of which the next is surely no mark on it.
  fileprivate var lengthOfFirstLetter: Int? {
    guard let lead = first else { return nil }
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard count > length + 1 else { return nil }
    let (next, second) = (self[length], self[length + 1])
    // ASCII, Latin letters, ideographs, and kana but for their marks
    let stands =
      next < 0x80 || 0xC3...0xC9 ~= next || OddScalars.ideographLeads.contains(next)
      || next == 0xE3 && (second == 0x81 || second == 0x83)
    return stands ? length : nil
  }

  /// The order of a text that begins so and another; nil where that is told by what follows.
  fileprivate func order(besides other: [UInt8]) -> ValueOrder? {
    for (mine, others) in zip(self, other) where mine != others {
      return mine < others ? .before : .after
    }
    return other.count < count ? .after : nil
  }
}

/// Folds many texts, each into the same memory.
struct TextFolder {
  private let fold: TextFold
  private var pages = FoldPages()
  private var room = FoldRoom(256)

  init(_ fold: TextFold) { self.fold = fold }

  /// What the last text folded to, and anything behind it; it stays until the next.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(room.bytes) }

  /// Nil for a text with odd scalars.
  mutating func fold(_ text: UnsafeBufferPointer<UInt8>) -> TextFold.Output? {
    let needed = TextFold.capacity(for: text.count)
    if room.bytes.count < needed { room = FoldRoom(needed * 2) }
    return fold.fold(text, into: room.bytes, &pages)
  }
}

/// Memory of which no array must be asked who owns it.
private final class FoldRoom {
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ count: Int) {
    bytes = .allocate(capacity: count)
    bytes.initialize(repeating: 0)
  }

  deinit { bytes.deallocate() }
}

extension TextFold {
  /// A text folded, where its bytes order as it does; else nil.
  fileprivate func sorting(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { utf8 in
      withFolded(utf8) { bytes, output in output.decomposes ? nil : Array(bytes) } ?? nil
    }
  }
}
