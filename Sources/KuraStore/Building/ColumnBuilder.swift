import Foundation
import KuraBytes
import KuraGraph
import KuraModel
import KuraValues

/// Fills one column, a chunk at a time, from what a scanner reads.
///
/// It has raw memory for the open chunk, which is copied into arrays when the chunk is sealed. It
/// may have fewer rows than its table: the next value or `seal` fills the missing ones with nulls.
struct ColumnBuilder {
  /// The declared kind of the column, or `inferred` in plain JSON.
  let expectation: Expectation
  /// Whether doubles are rounded to floats.
  let isFloat: Bool
  /// The kind of the values so far.
  var shape: Shape
  /// The number of filled rows of the open chunk.
  var count = 0
  /// The integers, doubles (their bits), codes and booleans of the open chunk.
  private(set) var words: UnsafeMutablePointer<Int64>
  private(set) var ends: UnsafeMutablePointer<UInt32>
  private(set) var nulls: UnsafeMutablePointer<UInt64>
  var hasNulls = false
  /// The rows with a text that has an odd scalar (`OddScalars`).
  private(set) var odds: UnsafeMutablePointer<UInt64>
  var hasOdds = false
  /// The number of rows for which memory is reserved; small for a column with few values.
  private(set) var room = ColumnBuilder.firstRoom
  var arena: ByteArena
  var dictionary = ByteDictionary()
  var sealed: [ColumnChunk] = []
  /// The value of a row without the key; nil for null.
  var missing: MissingValue?
  var pendingLists: [PendingLists] = []

  enum Expectation: Equatable {
    case inferred
    case attribute(AttributeType)
    case toOne
    case toMany
    case objectID
  }

  enum Shape {
    /// Nulls only, so far.
    case empty
    case integers
    case doubles
    case booleans
    /// Texts by their code in `dictionary`.
    case coded
    case text
    /// Numbers beyond 64 bits, as their digits.
    case decimals
    /// Values of several kinds or nested ones, as JSON text.
    case json
    /// Lists of objectIDs, 8 bytes each in `arena`; `words` is unused.
    case lists
  }

  static let capacity = ColumnChunk.capacity
  static let firstRoom = 64

  init(_ expectation: Expectation) {
    self.expectation = expectation
    isFloat = expectation == .attribute(.float)
    shape = ColumnBuilder.initialShape(expectation)
    words = .allocate(capacity: room)
    ends = .allocate(capacity: room)
    nulls = .allocate(capacity: room / 64)
    nulls.initialize(repeating: 0, count: room / 64)
    odds = .allocate(capacity: room / 64)
    odds.initialize(repeating: 0, count: room / 64)
    arena = ByteArena(capacity: 64)
  }

  /// Reserves memory for a number of rows, at most the `capacity` of a chunk.
  @inline(never)
  mutating func makeRoom(for rows: Int) {
    guard rows > room else { return }
    let larger = min(Self.capacity, max((rows + 63) & ~63, room * 16))
    words = Self.moved(words, count, to: larger)
    ends = Self.moved(ends, count, to: larger)
    nulls = Self.moved(nulls, room / 64, to: larger / 64)
    (nulls + room / 64).initialize(repeating: 0, count: (larger - room) / 64)
    odds = Self.moved(odds, room / 64, to: larger / 64)
    (odds + room / 64).initialize(repeating: 0, count: (larger - room) / 64)
    room = larger
  }

  private static func moved<Element: BitwiseCopyable>(
    _ old: UnsafeMutablePointer<Element>, _ count: Int, to capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    new.initialize(from: old, count: count)
    old.deallocate()
    return new
  }

  private static func initialShape(_ expectation: Expectation) -> Shape {
    switch expectation {
    case .inferred: .empty
    case .toOne, .objectID: .integers
    case .toMany: .lists
    case .attribute(let type):
      switch type {
      case .integer, .integer16, .integer32, .date: .integers
      case .double, .float: .doubles
      case .boolean: .booleans
      case .string: .coded
      case .uuid, .uri, .binary: .text
      case .decimal: .decimals
      case .json: .json
      }
    }
  }

  func free() {
    words.deallocate()
    ends.deallocate()
    nulls.deallocate()
    odds.deallocate()
    arena.free()
    dictionary.free()
  }
}

/// A mandatory attribute's default value, as the column stores it.
enum MissingValue {
  case word(Int64)
  case text([UInt8], isOdd: Bool)
}

extension ColumnBuilder {
  /// Fills the rows without the key, up to `row`.
  @inline(__always)
  mutating func catchUp(to row: Int) {
    guard count < row else { return }
    makeRoom(for: min(row + 1, Self.capacity))
    while count < row { appendMissing() }
  }

  private mutating func appendMissing() {
    switch missing {
    case nil: appendNull()
    case .word(let word): appendWord(word)
    case .text(let text, let isOdd) where shape == .coded:
      let code = text.withUnsafeBufferPointer {
        dictionary.code($0.baseAddress ?? UnsafePointer(arena.start), $0.count) { isOdd }
      }
      appendWord(Int64(code))
    case .text(let text, let isOdd): appendText(text, isOdd: isOdd)
    }
  }

  mutating func appendNull() {
    assert(count < room)
    nulls[count >> 6] |= 1 << UInt64(count & 63)
    hasNulls = true
    words[count] = 0
    ends[count] = UInt32(truncatingIfNeeded: arena.count)
    count += 1
  }

  @inline(__always)
  mutating func appendWord(_ word: Int64) {
    assert(count < room)
    words[count] = word
    count += 1
  }

  @inline(__always)
  mutating func appendBytes(_ text: UnsafePointer<UInt8>, _ length: Int, isOdd: Bool) {
    if isOdd { noteOdd() }
    arena.append(text, length)
    endText()
  }

  /// Appends bytes. `InputWindow.padding` bytes after them must be readable.
  @inline(__always)
  mutating func appendPadded(_ text: UnsafePointer<UInt8>, _ length: Int, isOdd: Bool) {
    if isOdd { noteOdd() }
    arena.appendPadded(text, length)
    endText()
  }

  private mutating func noteOdd() {
    odds[count >> 6] |= 1 << UInt64(count & 63)
    hasOdds = true
  }

  @inline(__always)
  private mutating func endText() {
    assert(count < room)
    ends[count] = UInt32(truncatingIfNeeded: arena.count)
    count += 1
  }

  /// Removes the value of the current row, if it has one.
  mutating func truncate(to row: Int) {
    while count > row {
      count -= 1
      let bit: UInt64 = 1 << UInt64(count & 63)
      nulls[count >> 6] &= ~bit
      odds[count >> 6] &= ~bit
      if usesArena { arena.truncate(to: count == 0 ? 0 : Int(ends[count - 1])) }
    }
  }

  var usesArena: Bool {
    switch shape {
    case .text, .decimals, .json, .lists: true
    case .empty, .integers, .doubles, .booleans, .coded: false
    }
  }
}

/// The result of offering a value to a column.
enum AddResult {
  case added
  /// The column's type cannot represent it.
  case mismatch
}

extension ColumnBuilder {
  /// Adds a null of the document. In a relationship it means “no object”, unlike a missing key.
  mutating func addNull() -> AddResult {
    switch expectation {
    case .inferred, .attribute: appendNull()
    case .toOne: appendWord(0)
    case .toMany: appendText([], isOdd: false)
    case .objectID: return .mismatch
    }
    return .added
  }

  @inline(__always)
  mutating func addInteger(_ value: Int64) -> AddResult {
    switch shape {
    case .integers where expectation != .attribute(.date) && fits(value):
      appendWord(value)
      return .added
    case .doubles where Int64(exactly: Double(value)) == value || expectation != .inferred:
      appendWord(Int64(bitPattern: (isFloat ? Double(Float(value)) : Double(value)).bitPattern))
      return .added
    default: return addUnusual(String(value), .integers)
    }
  }

  /// Whether an integer is in the range of the column's type.
  private func fits(_ value: Int64) -> Bool {
    switch expectation {
    case .attribute(.integer16): Int16(exactly: value) != nil
    case .attribute(.integer32): Int32(exactly: value) != nil
    case .objectID, .toOne: value > 0 && value <= ObjectID.greatestNumber
    default: true
    }
  }

  /// Adds a number that has a fraction or exceeds 64 bits.
  @inline(__always)
  mutating func addDouble(_ scanner: borrowing Scanner) -> AddResult {
    if shape == .doubles, !scanner.token.isWide, !scanner.token.isTooSmall, !isFloat {
      appendWord(Int64(bitPattern: scanner.token.double.bitPattern))
      return .added
    }
    let digits = UnsafeBufferPointer(start: scanner.token.start, count: scanner.token.count)
    return addUnusual(
      String(decoding: digits, as: UTF8.self), scanner.token.isWide ? .decimals : .doubles)
  }

  @inline(__always)
  mutating func addBoolean(_ value: Bool) -> AddResult {
    guard shape == .booleans else { return addUnusual(value ? "true" : "false", .booleans) }
    appendWord(value ? 1 : 0)
    return .added
  }

  /// Adds a nested value as JSON text without whitespace.
  mutating func addNested(_ json: [UInt8], isOdd: Bool) -> AddResult {
    if expectation == .inferred, shape != .json { widen(to: .json) }
    guard shape == .json else { return .mismatch }
    appendText(json, isOdd: isOdd)
    return .added
  }

  /// Seals the open chunk with `rows` rows and begins the next one.
  ///
  /// In a wide table, a sparse chunk stores only its values, and the rows after the last value are not filled.
  mutating func seal(rows: Int, isWide: Bool = false) {
    // A chunk without values stores nothing.
    if count == 0, rows > 0, expectation == .inferred, missing == nil {
      sealed.append(Self.absentChunk(rows, shape))
      return
    }
    let endsEarly = isWide && missing == nil && shape != .lists && count * 64 <= rows
    if !endsEarly { catchUp(to: rows) }
    guard count > 0 || endsEarly && rows > 0 else { return }
    if shape == .lists { pendingLists.append(openLists()) }
    let chunk = ColumnChunk(openValues(), nulls: openBitmap(nulls, if: hasNulls))
    sealed.append(isWide ? chunk.sparsified(ifAtMost: rows / 64, among: rows) : chunk)
    reset()
  }

  /// Returns a sparse chunk of rows without a value.
  static func absentChunk(_ rows: Int, _ shape: Shape) -> ColumnChunk {
    ColumnChunk(count: rows, rows: [], packed: ColumnChunk(nullValues(0, shape)))
  }

  /// Returns the placeholders that a column of a shape stores for nulls.
  private static func nullValues(_ count: Int, _ shape: Shape) -> ColumnChunk.Values {
    switch shape {
    case .empty, .integers: .integers(Array(repeating: 0, count: count))
    case .doubles: .doubles(Array(repeating: 0, count: count))
    case .booleans, .coded: .bytes(Array(repeating: 0, count: count))
    case .text, .decimals, .json, .lists: .text(TextChunk(ends: Array(repeating: 0, count: count)))
    }
  }

  /// Releases the sealed chunks after they have been used.
  mutating func releaseMemory() { (sealed, pendingLists) = ([], []) }

  mutating func reset() {
    count = 0
    arena.truncate(to: 0)
    if hasNulls { nulls.update(repeating: 0, count: room / 64) }
    if hasOdds { odds.update(repeating: 0, count: room / 64) }
    hasNulls = false
    hasOdds = false
  }

  mutating func openValues() -> ColumnChunk.Values {
    switch shape {
    case .empty, .integers: .integers(Array(UnsafeBufferPointer(start: words, count: count)))
    case .doubles: .doubles((0..<count).map { Double(bitPattern: UInt64(bitPattern: words[$0])) })
    case .booleans: .bytes(narrowed())
    case .coded: dictionary.count <= 256 ? .bytes(narrowed()) : .codes(narrowed())
    case .text, .decimals, .json: .text(openText())
    case .lists: .linkLists(LinkLists())
    }
  }

  private func narrowed<Narrow: FixedWidthInteger>() -> [Narrow] {
    [Narrow](unsafeUninitializedCapacity: count) { buffer, filled in
      for row in 0..<count { buffer[row] = Narrow(truncatingIfNeeded: words[row]) }
      filled = count
    }
  }

  private mutating func openText() -> TextChunk {
    TextChunk(
      bytes: arena.takeArray(), ends: Array(UnsafeBufferPointer(start: ends, count: count)),
      oddRows: openBitmap(odds, if: hasOdds))
  }

  private func openLists() -> PendingLists {
    PendingLists(
      ends: (0..<count).map { ends[$0] / 8 },
      numbers: (0..<arena.count / 8).map {
        UnsafeRawPointer(arena.start).loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)
      })
  }

  func openBitmap(_ bits: UnsafeMutablePointer<UInt64>, if isUsed: Bool) -> Bitmap? {
    guard isUsed else { return nil }
    let words = Array(UnsafeBufferPointer(start: bits, count: (count + 63) >> 6))
    // The only row with a set bit may have been removed.
    guard words.contains(where: { $0 != 0 }) else { return nil }
    return Bitmap(words: words, count: count)
  }
}

/// The to-many lists of a chunk as the document has them: objectIDs that are not yet rows.
struct PendingLists {
  var ends: [UInt32]
  var numbers: [Int64]
}

extension ColumnBuilder {
  /// Removes all rows but keeps the shape.
  mutating func clear() {
    reset()
    dictionary.clear()
  }

  /// Returns whether another column's rows can be taken unchanged.
  func canTake(_ other: ColumnBuilder) -> Bool {
    guard shape == other.shape else { return false }
    return shape != .coded || dictionaryStillSavesMemory(with: other.dictionary)
  }

  /// Returns whether the dictionary would still save memory with another column's texts, in any
  /// order.
  private func dictionaryStillSavesMemory(with other: ByteDictionary) -> Bool {
    let rows = count + sealed.count * ColumnBuilder.capacity
    let limit = min(rows / 2, TextDictionary.limit)
    if dictionary.count + other.count < limit { return true }
    return dictionary.count + other.countUnknown(to: dictionary) < limit
  }

  /// A table that maps this column's codes to codes of another column; −1 means not known yet.
  var unknownCodes: [Int64] {
    shape == .coded ? Array(repeating: -1, count: dictionary.count) : []
  }

  /// Appends rows of another column of the same shape; `codes` maps its codes to codes of this column.
  mutating func take(_ rows: Range<Int>, of other: ColumnBuilder, _ codes: inout [Int64]) {
    takeBits(rows, other)
    switch shape {
    case .empty, .integers, .doubles, .booleans:
      (words + count).update(from: other.words + rows.lowerBound, count: rows.count)
    case .coded: takeCodes(rows, other, &codes)
    case .text, .decimals, .json, .lists: takeBytes(rows, other)
    }
    count += rows.count
  }

  private mutating func takeCodes(
    _ rows: Range<Int>, _ other: ColumnBuilder, _ codes: inout [Int64]
  ) {
    for row in rows {
      let to = count + row - rows.lowerBound
      let code = Int(other.words[row])
      guard !other.isNull(row) else {
        words[to] = 0
        continue
      }
      if codes[code] < 0 {
        let text = other.dictionary.text(code)
        guard let start = text.baseAddress else { continue }
        codes[code] = Int64(
          dictionary.code(start, text.count) { other.dictionary.odd[code] })
      }
      words[to] = codes[code]
    }
  }

  private func isNull(_ row: Int) -> Bool { nulls[row >> 6] >> UInt64(row & 63) & 1 == 1 }

  private mutating func takeBytes(_ rows: Range<Int>, _ other: ColumnBuilder) {
    let first = rows.lowerBound == 0 ? 0 : other.ends[rows.lowerBound - 1]
    let last = rows.isEmpty ? first : other.ends[rows.upperBound - 1]
    let shift = UInt32(truncatingIfNeeded: arena.count) &- first
    arena.append(other.arena.start + Int(first), Int(last - first))
    let to = ends + count
    let from = other.ends + rows.lowerBound
    for i in 0..<rows.count { to[i] = from[i] &+ shift }
  }

  private mutating func takeBits(_ rows: Range<Int>, _ other: ColumnBuilder) {
    if other.hasNulls, copyBits(rows, of: other.nulls, to: nulls) { hasNulls = true }
    if other.hasOdds, copyBits(rows, of: other.odds, to: odds) { hasOdds = true }
  }

  /// Sets the bits of rows that are set in another column; returns false if none is set.
  private func copyBits(
    _ rows: Range<Int>, of from: UnsafeMutablePointer<UInt64>, to: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    var isAnySet = false
    for row in rows where from[row >> 6] >> UInt64(row & 63) & 1 == 1 {
      let place = count + row - rows.lowerBound
      to[place >> 6] |= 1 << UInt64(place & 63)
      isAnySet = true
    }
    return isAnySet
  }
}

extension ByteDictionary {
  /// Returns the number of its texts that another dictionary lacks.
  func countUnknown(to other: ByteDictionary) -> Int {
    (0..<count).count { code in
      let text = text(code)
      guard let start = text.baseAddress else { return true }
      return other.knownCode(start, text.count) == nil
    }
  }
}

extension ColumnBuilder {
  /// Converts all values so far to another shape, without loss.
  @inline(never)
  mutating func widen(to wider: Shape) {
    let open = ColumnChunk(openValues(), nulls: openBitmap(nulls, if: hasNulls))
    let from = shape
    sealed = sealed.map { chunk in chunk.mapCompactValues { converted($0, from: from, to: wider) } }
    shape = wider
    if from == .empty { return reopen(nullChunk(open.count, wider)) }
    let texts = converted(open, from: from, to: wider)
    if from == .coded { dropDictionary() }
    reopen(texts)
  }

  private mutating func dropDictionary() {
    dictionary.free()
    dictionary = ByteDictionary()
  }

  private func converted(_ chunk: ColumnChunk, from: Shape, to wider: Shape) -> ColumnChunk {
    if from == .empty { return nullChunk(chunk.count, wider) }
    if wider == .doubles, case .integers(let values) = chunk.values {
      return ColumnChunk(.doubles(values.map { Double($0) }), nulls: chunk.nulls)
    }
    var text = TextChunk()
    for row in 0..<chunk.count {
      guard !chunk.isNull(row) else {
        text.append([], isOdd: false)
        continue
      }
      let bytes = textOf(row, in: chunk, from: from, to: wider)
      text.append(bytes.text, isOdd: bytes.isOdd)
    }
    return ColumnChunk(.text(text), nulls: chunk.nulls)
  }

  private func nullChunk(_ count: Int, _ shape: Shape) -> ColumnChunk {
    ColumnChunk(Self.nullValues(count, shape), nulls: Bitmap(count: count, filledWith: true))
  }

  /// Copies a chunk's values back into the open memory.
  private mutating func reopen(_ chunk: ColumnChunk) {
    arena.truncate(to: 0)
    switch chunk.values {
    case .integers(let values): for row in 0..<count { words[row] = values[row] }
    case .doubles(let values):
      for row in 0..<count { words[row] = Int64(bitPattern: values[row].bitPattern) }
    case .bytes(let values): for row in 0..<count { words[row] = Int64(values[row]) }
    case .codes(let values): for row in 0..<count { words[row] = Int64(values[row]) }
    case .text(let text): reopen(text)
    case .links, .linkLists: break
    }
  }

  private mutating func reopen(_ text: TextChunk) {
    odds.update(repeating: 0, count: room / 64)
    text.bytes.withUnsafeBufferPointer {
      if let start = $0.baseAddress { arena.append(start, $0.count) }
    }
    for row in 0..<count {
      ends[row] = text.ends[row]
      guard text.isOdd(row) else { continue }
      odds[row >> 6] |= 1 << UInt64(row & 63)
      hasOdds = true
    }
  }

  private func textOf(_ row: Int, in chunk: ColumnChunk, from: Shape, to wider: Shape)
    -> (text: [UInt8], isOdd: Bool)
  {
    switch chunk.values {
    case .integers(let values): return (Array(String(values[row]).utf8), false)
    case .doubles(let values):
      let text = wider == .decimals ? NumberText.decimal("\(values[row])")?.description : nil
      return (Array((text ?? "\(values[row])").utf8), false)
    case .bytes(let values):
      if from == .booleans { return (Array((values[row] == 1 ? "true" : "false").utf8), false) }
      return dictionaryText(Int(values[row]), to: wider)
    case .codes(let values): return dictionaryText(Int(values[row]), to: wider)
    case .text(let text):
      let bytes = Array(text.bytes[text.packedRange(row)])
      let isString = from == .text && wider == .json
      return (isString ? bytes.withUnsafeBufferPointer(jsonText) : bytes, text.isOdd(row))
    case .links, .linkLists: return ([], false)
    }
  }

  private func dictionaryText(_ code: Int, to wider: Shape) -> (text: [UInt8], isOdd: Bool) {
    let text = dictionary.text(code)
    return (wider == .json ? jsonText(text) : Array(text), dictionary.odd[code])
  }
}

/// Returns a string as JSON, quoted and escaped.
func jsonText(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  var json: [UInt8] = []
  JSONWriter.append(utf8: UnsafeRawBufferPointer(text), to: &json)
  return json
}
