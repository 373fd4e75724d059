import KuraGraph
import KuraValues

/// Texts as ranges of a byte array: a part of a text needs no copy.
struct TextViews: Sendable {
  var bytes: [UInt8]
  /// The start of each text; if nil, each begins at the end of the text before.
  var starts: [UInt32]?
  var ends: [UInt32]
  var oddness = Oddness.unknown

  /// The texts for which a byte search differs from Foundation's answer.
  enum Oddness: Sendable {
    case unknown
    case known(Bitmap?)
  }

  var count: Int { ends.count }

  /// Returns the place of a text's first byte.
  @inline(__always)
  func start(of text: Int) -> UInt32 { starts?[text] ?? (text == 0 ? 0 : ends[text - 1]) }
}

extension TextViews.Oddness {
  /// Returns the oddness of rows that each have the text with a number.
  func spread(_ numbers: [UInt32]) -> TextViews.Oddness {
    switch self {
    case .unknown: .unknown
    case .known(nil): .known(nil)
    case .known(let odd?): .known(Bitmap(numbers) { odd.has(Int($0)) })
    }
  }
}

extension TextViews {
  /// Calls the body with each text, in order.
  @inline(__always)
  func forEach(_ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    withAccess { access in for place in ends.indices { body(place, access[place]) } }
  }

  /// Calls the body with fast access to the texts.
  @inline(__always)
  func withAccess<Result>(_ body: (TextAccess) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        guard let starts else { return body(TextAccess(bytes: bytes, starts: nil, ends: ends)) }
        return starts.withUnsafeBufferPointer {
          body(TextAccess(bytes: bytes, starts: $0, ends: ends))
        }
      }
    }
  }

  /// The odd texts; searched if unknown.
  var oddTexts: Bitmap? {
    if case .known(let odd) = oddness { return odd }
    var odd = Bitmap(count: count)
    forEach { if OddScalars.areIn($1) { odd.insert($0) } }
    return odd.nonEmpty
  }
}

/// One text for each row of a chunk.
struct TextLane: Sendable {
  var texts: TextViews { didSet { chunk = nil } }
  var places: Places
  /// The chunk whose texts these are, which caches their keys; nil for other texts.
  private(set) var chunk: ColumnChunk?

  /// The mapping of rows to texts.
  enum Places: Sendable {
    /// Each row has its own text
    case own
    /// All rows have the first text
    case same
    /// Each row has a text number
    case numbered([UInt32])
  }
}

extension TextLane {
  /// Calls the body with the text of each of `count` rows.
  @inline(__always)
  func forEach(_ count: Int, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    texts.withAccess { access in
      switch places {
      case .own: for row in 0..<count { body(row, access[row]) }
      case .same: for row in 0..<count { body(row, access[0]) }
      case .numbered(let numbers):
        for row in 0..<count { body(row, access[Int(numbers[row])]) }
      }
    }
  }

  /// Returns the number of a row's text.
  @inline(__always)
  func place(_ row: Int) -> Int {
    switch places {
    case .own: row
    case .same: 0
    case .numbered(let numbers): Int(numbers[row])
    }
  }

  func string(_ row: Int) -> String {
    texts.withAccess { String(decoding: $0[place(row)], as: UTF8.self) }
  }

  /// Returns the lane with a text per row, if there are more than half as many texts as rows: changing the unused ones
  /// would waste work.
  func spread(_ count: Int) -> TextLane {
    guard case .numbered = places, texts.count * 2 > count else { return self }
    return TextLane(texts: ownForEach(count), places: .own)
  }

  /// Returns the lane with the keys of the texts under a folding, like `ColumnChunk.keys`.
  func keys(_ fold: TextFold, _ count: Int, ofFew few: Bitmap? = nil) -> TextLane {
    keyed(count, few) { $0.keys(fold, ofFew: $1) }
  }

  /// Returns the lane with keys that have the order of the texts.
  func sortKeys(_ fold: TextFold, _ count: Int, ofFew few: Bitmap? = nil) -> TextLane {
    keyed(count, few) { $0.sortKeys(fold, ofFew: $1) }
  }

  private func keyed(
    _ count: Int, _ few: Bitmap?, _ keys: (ColumnChunk, Bitmap?) -> TextChunk?
  ) -> TextLane {
    let lane = spread(count)
    let isOwn = if case .own = lane.places { true } else { false }
    let source = chunk ?? ColumnChunk(.text(lane.texts.chunk))
    guard let keys = keys(source, isOwn ? few : nil) else { return self }
    return TextLane(texts: TextViews(keys), places: lane.places)
  }

  /// Returns the lane with changed texts; rows keep their text numbers.
  func map(_ count: Int, _ change: (TextViews) -> TextViews) -> TextLane {
    let lane = spread(count)
    return TextLane(texts: change(lane.texts), places: lane.places)
  }

  /// Returns the lane with empty texts in the other rows if these are many, which saves computing them.
  func masked(to rows: Bitmap) -> TextLane {
    guard case .own = places, rows.popcount * 4 < rows.count else { return self }
    var starts = [UInt32](repeating: 0, count: texts.count)
    var ends = starts
    rows.eachRow { row in
      starts[row] = texts.start(of: row)
      ends[row] = texts.ends[row]
    }
    return TextLane(
      texts: TextViews(bytes: texts.bytes, starts: starts, ends: ends), places: .own)
  }

  /// Returns a view for each row.
  func ownForEach(_ count: Int) -> TextViews {
    let numbers: [UInt32]
    switch places {
    case .own: return texts
    case .same: numbers = Array(repeating: 0, count: count)
    case .numbered(let known): numbers = known
    }
    return TextViews(
      bytes: texts.bytes, starts: numbers.map { texts.start(of: Int($0)) },
      ends: numbers.map { texts.ends[Int($0)] }, oddness: texts.oddness.spread(numbers))
  }

  /// Returns consecutive texts, as a column stores them.
  func chunk(_ count: Int) -> TextChunk {
    var lane = spread(count)
    lane.texts.oddness = .known(lane.texts.oddTexts)
    return lane.ownForEach(count).chunk
  }
}

extension TextViews {
  /// The texts without gaps.
  var compact: TextViews {
    if starts == nil { return self }
    var builder = TextBuilder(count)
    forEach { builder.append($1) }
    builder.texts.oddness = oddness
    return builder.texts
  }

  /// The texts as a column stores them.
  fileprivate var chunk: TextChunk {
    let views = compact
    return TextChunk(bytes: views.bytes, ends: views.ends, oddRows: views.oddTexts)
  }
}

extension TextLane {
  /// Creates a lane from the texts of a column's chunk; nil if it has none.
  init?(_ chunk: ColumnChunk, _ dictionary: TextDictionary?) {
    switch chunk.values {
    case .text(let texts):
      self.init(texts: TextViews(chunk.packedTexts ?? texts), places: .own, chunk: chunk)
    case .bytes(let codes): self.init(codes.map { Int($0) }, dictionary)
    case .codes(let codes): self.init(codes.map { Int($0) }, dictionary)
    case .integers, .doubles, .links, .linkLists: return nil
    }
  }

  /// The code of a row without a value may be invalid if no row has a text.
  private init?(_ codes: [Int], _ dictionary: TextDictionary?) {
    guard let dictionary else { return nil }
    if dictionary.count == 0 {
      self.init("")
    } else {
      let last = dictionary.count - 1
      self.init(
        texts: TextViews(dictionary.texts),
        places: .numbered(codes.map { UInt32(truncatingIfNeeded: min($0, last)) }))
    }
  }

  /// Creates a lane with one text for all rows.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(
      texts: TextViews(bytes: bytes, ends: [UInt32(truncatingIfNeeded: bytes.count)]), places: .same
    )
  }

  static var empty: TextLane { TextLane("") }
}

extension TextViews {
  init(_ chunk: TextChunk) {
    let chunk = chunk.packed
    self.init(bytes: chunk.bytes, ends: chunk.ends, oddness: .known(chunk.oddRows))
  }

  /// Returns the texts after a change of their bytes; each grows at most by the factor `growth`.
  func changed(
    growth: Int, _ change: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Int
  ) -> TextViews {
    var ends = self.ends
    var total = 0
    forEach { total += $1.count * growth }
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, total)) { output, filled in
      guard let start = output.baseAddress else { return }
      forEach { place, text in
        filled += change(text, start + filled)
        ends[place] = UInt32(truncatingIfNeeded: filled)
      }
    }
    return TextViews(bytes: bytes, ends: ends)
  }
}

struct TextBuilder {
  fileprivate(set) var texts: TextViews

  init(_ count: Int) {
    texts = TextViews(bytes: [], ends: [])
    texts.ends.reserveCapacity(count)
    texts.bytes.reserveCapacity(count * 16)
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    texts.bytes.append(contentsOf: text)
    end()
  }

  mutating func add(_ part: String) { texts.bytes.append(contentsOf: part.utf8) }

  mutating func add(_ part: UnsafeBufferPointer<UInt8>) { texts.bytes.append(contentsOf: part) }

  mutating func end() { texts.ends.append(UInt32(truncatingIfNeeded: texts.bytes.count)) }
}

/// Access to texts by number, without retain and release.
struct TextAccess {
  let bytes: UnsafeBufferPointer<UInt8>
  let starts: UnsafeBufferPointer<UInt32>?
  let ends: UnsafeBufferPointer<UInt32>

  @inline(__always)
  subscript(place: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range(place)])
  }

  @inline(__always)
  func range(_ place: Int) -> Range<Int> {
    let start = starts.map { Int($0[place]) } ?? (place == 0 ? 0 : Int(ends[place - 1]))
    return start..<Int(ends[place])
  }
}

extension TextAccess {
  /// Returns the first eight bytes of a text, the first in the highest place, padded with 0.
  @inline(__always)
  func firstWord(_ place: Int) -> UInt64 {
    let range = range(place)
    let word = bytes.eight(from: range.lowerBound).byteSwapped
    // A shift by 64 would not change the number.
    let after = UInt64(truncatingIfNeeded: max(0, 8 &- range.count)) &* 8
    return after < 64 ? word & (~0 << (after & 63)) : 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns eight bytes from a place on, the first one lowest, padded with 0 after the end.
  @inline(__always)
  func eight(from place: Int) -> UInt64 {
    guard place &+ 8 <= count, let base = baseAddress else { return last(from: place) }
    return UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self).littleEndian
  }

  @inline(never)
  private func last(from place: Int) -> UInt64 {
    var word: UInt64 = 0
    for place in (place..<count).reversed() { word = word << 8 | UInt64(self[place]) }
    return word
  }
}

/// The texts of all chunks of a table by row, for loops in which reading a chunk would retain and release it, so that
/// the cores would contend.
final class PinnedTexts: Sendable {
  /// Arrays that are kept here and never change, so that pointers to their elements remain valid.
  private let texts: [TextViews]
  private let bitmaps: [Bitmap?]
  private let isOneChunk: Bool
  /// The access to each chunk's texts.
  nonisolated(unsafe) let accesses: UnsafeBufferPointer<TextAccess>
  /// The rows of each chunk without a text, a bit each; nil if all have one.
  nonisolated(unsafe) let nulls: UnsafeBufferPointer<UnsafePointer<UInt64>?>

  init(_ texts: [TextViews], nulls bitmaps: [Bitmap?] = []) {
    (self.texts, self.bitmaps) = (texts, bitmaps)
    isOneChunk = texts.count == 1
    accesses = .keeping(texts.map { $0.withAccess { $0 } })
    nulls = .keeping(bitmaps.map { $0?.words.withUnsafeBufferPointer(\.baseAddress) })
  }

  /// Returns nil if a column does not store texts per row.
  convenience init?(_ column: Column) {
    guard let texts = column.chunks.mapAll(\.packedTexts) else { return nil }
    self.init(texts.map { TextViews($0) }, nulls: column.chunks.map(\.nulls))
  }

  deinit {
    accesses.deallocate()
    nulls.deallocate()
  }

  /// The text of a row; a single chunk may have any number of rows.
  @inline(__always)
  subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
    isOneChunk
      ? accesses[0][row] : accesses[row >> ColumnChunk.shift][row & ColumnChunk.mask]
  }
}

extension UnsafeBufferPointer {
  /// Returns a copy of the elements, which the caller must deallocate.
  fileprivate static func keeping(_ elements: [Element]) -> Self {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return Self(buffer)
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Copies bytes; a small number is copied without a call.
  @inline(__always)
  func copy(_ source: UnsafePointer<UInt8>, _ count: Int) {
    switch count {
    case 16...: update(from: source, count: count)
    case 8...: copyEnds(source, count, as: UInt64.self)
    case 4...: copyEnds(source, count, as: UInt32.self)
    default: for i in 0..<count { self[i] = source[i] }
    }
  }

  /// Copies the first bytes and the last, which may overlap.
  @inline(__always)
  private func copyEnds<Word: BitwiseCopyable>(
    _ source: UnsafePointer<UInt8>, _ count: Int, as: Word.Type
  ) {
    let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(self))
    let last = count - MemoryLayout<Word>.size
    to.storeBytes(of: from.loadUnaligned(as: Word.self), as: Word.self)
    (to + last).storeBytes(of: (from + last).loadUnaligned(as: Word.self), as: Word.self)
  }
}
