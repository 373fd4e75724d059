import KuraGraph
import KuraPredicates

/// A column's texts as words with the order of their bytes, which equals the order of their scalars.
///
/// A word has up to seven bytes of the text and, in the lowest byte, their count plus one, or nine if the text
/// continues.
///
/// Reads without retain or release, so that the cores do not contend. The caller keeps `texts` alive.
struct TextWords: Sendable {
  nonisolated(unsafe) private let accesses: UnsafeBufferPointer<TextAccess>
  nonisolated(unsafe) private let nulls: UnsafeBufferPointer<UnsafePointer<UInt64>?>
  /// All bits if the order is descending, else 0.
  private let inversion: UInt64
  /// The word of a row without a text.
  let null: UInt64

  static let bytesInWord = 7

  init(_ texts: PinnedTexts, _ tree: SortTree) {
    (accesses, nulls) = (texts.accesses, texts.nulls)
    inversion = tree.isAscending ? 0 : .max
    null = tree.putsNullsFirst ? 0 : .max
  }
}

extension TextWords {
  /// Returns the word at a byte offset of a row's text.
  @inline(__always)
  func word(_ row: Int, from byte: Int) -> UInt64 {
    let (number, place) = (row >> ColumnChunk.shift, row & ColumnChunk.mask)
    if let nulls = nulls[number], nulls[place >> 6] >> UInt64(place & 63) & 1 == 1 { return null }
    return TextWords.word(accesses[number], place, from: byte) ^ inversion
  }

  /// Returns the first words from a byte on in which two texts differ; the last words if they don't differ.
  @inline(__always)
  func words(_ a: Int, _ b: Int, from byte: Int) -> (UInt64, UInt64) {
    var byte = byte
    while true {
      let (x, y) = (word(a, from: byte), word(b, from: byte))
      if x != y || !continues(after: x) { return (x, y) }
      byte += TextWords.bytesInWord
    }
  }

  /// Calls the body with the word at a byte offset of each row of a chunk, and the row.
  @inline(__always)
  func forEachWord(
    of rows: Bitmap, _ number: Int, from byte: Int, _ body: (UInt64, Int) -> Void
  ) {
    let base = number << ColumnChunk.shift
    guard nulls[number] == nil else {
      return rows.eachRow { body(word(base + $0, from: byte), base + $0) }
    }
    let (access, inversion) = (accesses[number], inversion)
    rows.eachRow { body(TextWords.word(access, $0, from: byte) ^ inversion, base + $0) }
  }

  /// Whether the order is descending.
  var isDescending: Bool { inversion != 0 }

  /// Returns whether texts with this word may differ in later bytes.
  func continues(after word: UInt64) -> Bool { word != null && (word ^ inversion) & 0xFF == 9 }

  @inline(__always)
  private static func word(_ access: TextAccess, _ place: Int, from byte: Int) -> UInt64 {
    let range = access.range(place)
    let shown = min(range.count - byte, 8)
    let word = access.bytes.eight(from: range.lowerBound + byte).byteSwapped
    let mask = shown >= 7 ? ~0xFF : ~(UInt64.max &>> UInt64(shown * 8))
    return word & mask | UInt64(shown + 1)
  }
}

/// Numeric keys that fit into one word together, the most significant first.
///
/// A class, so that reading a key does not copy the fields.
final class NumberWords: Sendable {
  let fields: [SortField]
  let bits: Int

  init(_ fields: [SortField]) {
    self.fields = fields
    bits = fields.reduce(0) { $0 + $1.bits }
  }

  func word(_ row: Int) -> UInt64 {
    fields.reduce(0) { $0 &<< UInt64($1.bits) | $1.key(ofRow: row) }
  }

  /// Calls the body with the word of each row of a chunk, and the row.
  @inline(__always)
  func forEachWord(of rows: Bitmap, _ number: Int, _ body: (UInt64, Int) -> Void) {
    var places: [UInt16] = []
    places.reserveCapacity(rows.count)
    rows.eachRow { places.append(UInt16(truncatingIfNeeded: $0)) }
    var words = [UInt64](repeating: 0, count: places.count)
    for field in fields { field.add(number, places, to: &words) }
    let base = number << ColumnChunk.shift
    for (word, place) in zip(words, places) { body(word, base + Int(place)) }
  }
}
