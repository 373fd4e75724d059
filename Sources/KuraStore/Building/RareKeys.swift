import KuraGraph

/// The keys of plain JSON after the first few hundred, until they are frequent.
///
/// A column has memory for thousands of rows. A rare key is stored with its values only, as written
/// in the file, and becomes a sparse column at the end.
final class RareKeys {
  private(set) var keys: [Key] = []
  private var codes = ByteDictionary()
  private var bytes = ByteArena(capacity: 256)
  /// Reads values only to check that they are JSON.
  private var probe: EntityBuilder
  /// The rare keys of the current row.
  private(set) var touched: [Int] = []
  private var rowStart = 0
  private var absent: [AbsentRows: ColumnChunk] = [:]

  private struct AbsentRows: Hashable {
    let count: Int
    let shape: ColumnBuilder.Shape
  }

  struct Key {
    let name: String
    var values: [Value] = []
    /// Whether the key has become a column.
    var isColumn = false
  }

  struct Value {
    var row: Int
    var start: Int
    var count: Int
  }

  /// The number of keys that get a column at once.
  static let columnsAtOnce = 256
  /// The greatest number of rare keys; smaller if there are many rows.
  private static let limit = 250_000
  /// The limit of keys times chunks of 16,384 rows: each key has an entry in each chunk.
  private static let mostPieces = 1_000_000
  /// The number of the first rare key; smaller numbers are columns.
  static let first = 1 << 40

  init() {
    probe = EntityBuilder(name: "", isInferred: true, dates: .utc)
    probe.addColumn("value", .inferred)
    // The probe accepts any value as text.
    probe.columns[0].shape = .json
  }

  func free() {
    probe.free()
    codes.free()
    bytes.free()
  }
}

extension RareKeys {
  /// Returns the number of a key, and adds the key if it is new; nil if there are too many.
  func number(of key: String, row: Int) -> Int? {
    let code = codes.code(ofKey: key)
    guard code == keys.count else { return code }
    let pieces = (code + 1) * (row >> ColumnChunk.shift + 1)
    guard code < Self.limit, pieces <= Self.mostPieces else { return nil }
    keys.append(Key(name: key))
    return code
  }

  /// Returns whether a row already has a value of the key.
  func hasValue(_ key: Int, row: Int) -> Bool { keys[key].values.last?.row == row }

  /// Stores the value at the scanner; it replaces an earlier one of the row.
  func add(
    _ key: Int, row: Int, _ scanner: inout Scanner, _ window: InputWindow,
    _ place: UnsafePointer<UInt8>
  ) -> ScanStatus {
    let isRepeated = hasValue(key, row: row)
    let start = scanner.p
    let status = probe.scanValue(&scanner, window, 0, place)
    probe.columns[0].truncate(to: 0)
    guard status == .done else { return status }
    if touched.isEmpty { rowStart = bytes.count }
    let value = Value(row: row, start: bytes.count, count: scanner.p - start)
    bytes.append(start, value.count)
    // A line feed ends a number.
    var lineFeed: UInt8 = 0x0A
    bytes.append(&lineFeed, 1)
    if isRepeated {
      keys[key].values[keys[key].values.count - 1] = value
    } else {
      keys[key].values.append(value)
      touched.append(key)
    }
    return .done
  }

  /// Removes the current row's values, because the row is read again or was wrong.
  func takeBack() {
    guard !touched.isEmpty else { return }
    for key in touched { keys[key].values.removeLast() }
    bytes.truncate(to: rowStart)
    touched = []
  }

  /// Ends the row; returns the keys that have become frequent enough for a column.
  func endRow(_ rows: Int) -> [Int] {
    defer { touched = [] }
    return touched.filter { keys[$0].values.count >= 64 && keys[$0].values.count * 16 >= rows }
  }

  /// Returns a chunk of rows without a value, shared by all columns without values there.
  func absentChunk(_ count: Int, _ shape: ColumnBuilder.Shape) -> ColumnChunk {
    let rows = AbsentRows(count: count, shape: shape)
    if let chunk = absent[rows] { return chunk }
    let chunk = ColumnBuilder.absentChunk(count, shape)
    absent[rows] = chunk
    return chunk
  }

  /// Calls `body` for each value of a key, to parse it again.
  func read(_ key: Int, _ body: (inout Scanner, _ row: Int) -> Void) {
    // Comparisons by words read beyond the last byte.
    bytes.pad(InputWindow.padding)
    for value in keys[key].values {
      var scanner = Scanner(bytes.start + value.start, count: value.count + 1)
      body(&scanner, value.row)
    }
  }

  func becomesColumn(_ key: Int) {
    keys[key].values = []
    keys[key].isColumn = true
  }
}

/// A key and its closing quote, compared with the input in words of eight bytes.
struct KeyPattern {
  let name: String
  /// The length of the key and its closing quote.
  let length: Int
  private let first: KeyWord
  private let second: KeyWord
  /// All bytes, for keys of more than sixteen; the memory lives as long as the loader.
  private let bytes: UnsafeMutablePointer<UInt8>

  init(_ name: String) {
    self.name = name
    let text = Array(name.utf8) + [0x22]
    length = text.count
    bytes = .allocate(capacity: text.count)
    bytes.initialize(from: text, count: text.count)
    // A key with characters that JSON escapes never occurs in this form.
    guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else {
      (first, second) = (.never, .never)
      return
    }
    first = KeyWord(text[...])
    second = KeyWord(text.dropFirst(8))
  }

  func free() { bytes.deallocate() }

  /// Returns whether the key is at `p`, which is after the opening quote.
  @inline(__always)
  func matches(_ p: UnsafePointer<UInt8>) -> Bool {
    guard first.matches(p) else { return false }
    return length <= 8 || second.matches(p + 8) && (length <= 16 || restMatches(p))
  }

  @inline(__always)
  private func restMatches(_ p: UnsafePointer<UInt8>) -> Bool {
    for i in 16..<length where p[i] != bytes[i] { return false }
    return true
  }
}

/// Up to eight bytes of a key as a document has them.
private struct KeyWord {
  private let bytes: UInt64
  private let mask: UInt64

  private init(bytes: UInt64, mask: UInt64) { (self.bytes, self.mask) = (bytes, mask) }

  /// Creates a word from the first eight bytes, or from all if there are fewer.
  init(_ text: ArraySlice<UInt8>) {
    mask = text.count >= 8 ? .max : 1 << UInt64(text.count * 8) &- 1
    bytes = text.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  static let never = KeyWord(bytes: 1, mask: 0)

  @inline(__always)
  func matches(_ p: UnsafePointer<UInt8>) -> Bool {
    UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self)) & mask == bytes
  }
}
