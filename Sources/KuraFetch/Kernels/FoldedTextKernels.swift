import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// `title IN[c] {"a", "b"}`: texts that equal one of a set under options.
///
/// Looks up the folded bytes of each text. If equal bytes do not prove equality, it compares the texts.
struct FoldedSetKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  private let needles: [TextNeedle]
  private let set: TextSet
  /// Whether equal folded bytes prove equality for a text without marks, and for one with marks.
  private let unmarkedIsHit: Bool
  private let markedIsHit: Bool

  /// Returns nil for other operators and values, and if equal texts may have different folded bytes.
  init?(
    _ question: LeafComparison, _ column: Int, _ key: String, _ options: TextOptions
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

  var method: String { localized("set of strings over \(key)") }
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

/// A folding of many texts into the same memory.
struct TextFolder {
  private let fold: TextFold
  private var pages = FoldPages()
  private var room = FoldBuffer(256)

  init(_ fold: TextFold) { self.fold = fold }

  /// The memory that begins with the last folded text; valid until the next call.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(room.bytes) }

  /// Returns nil for a text with odd scalars.
  mutating func fold(_ text: UnsafeBufferPointer<UInt8>) -> TextFold.Output? {
    makeRoom(TextFold.capacity(for: text.count))
    return fold.fold(text, into: room.bytes, &pages)
  }

  /// Returns the number of bytes of the key of any text.
  mutating func key(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    if let output = fold(text) { return output.count }
    let key = fold.oddKey(text)
    makeRoom(key.count)
    _ = room.bytes.update(fromContentsOf: key)
    return key.count
  }

  private mutating func makeRoom(_ needed: Int) {
    if room.bytes.count < needed { room = FoldBuffer(needed * 2) }
  }
}

/// Memory without the uniqueness check of an array.
private final class FoldBuffer {
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ count: Int) {
    bytes = .allocate(capacity: count)
    bytes.initialize(repeating: 0)
  }

  deinit { bytes.deallocate() }
}
