import Foundation
import KuraGraph
import KuraModel

/// Fills one column, a chunk at a time, from what a scanner reads.
///
/// It holds raw memory for the open chunk, which is copied into arrays when the chunk is sealed.
/// Its rows may be fewer than its table's: the missing ones are nulls, filled in by the next value
/// or by `seal`.
struct ColumnBuilder {
  /// What the column is known to be, or `inferred` in plain JSON.
  let expectation: Expectation
  /// Whether doubles are rounded to floats.
  let isFloat: Bool
  /// What the values so far are.
  var shape: Shape
  /// The rows of the open chunk that have been filled.
  var count = 0
  /// Integers, doubles (their bits), codes and booleans of the open chunk.
  private(set) var words: UnsafeMutablePointer<Int64>
  private(set) var ends: UnsafeMutablePointer<UInt32>
  private(set) var nulls: UnsafeMutablePointer<UInt64>
  var hasNulls = false
  private(set) var odds: UnsafeMutablePointer<UInt64>
  var hasOdds = false
  /// The rows for which there is memory: a column of few rows takes little.
  private(set) var room = ColumnBuilder.firstRoom
  var arena: ByteArena
  var dictionary = ByteDictionary()
  var sealed: [ColumnChunk] = []
  /// What a row without the key gets; nil: null.
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
    /// Only nulls so far.
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
    /// Lists of objectIDs: `words` holds none, `arena` holds 8 bytes each.
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

  /// Gets memory for so many rows, of which a chunk has `capacity` at most.
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

/// A mandatory attribute's default, as the column holds it.
enum MissingValue {
  case word(Int64)
  case text([UInt8], isOdd: Bool)
}

extension ColumnBuilder {
  /// Fills rows without the key up to `row`.
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

  /// Appends bytes behind which `InputWindow.padding` more may be read.
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

  /// Takes back the value of the row that is being read, if it has one already.
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
