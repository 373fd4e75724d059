import KuraGraph
import KuraModel

/// Fills the columns of one entity from its rows in the document, or of one plain JSON array.
struct EntityBuilder {
  let name: String
  /// Whether keys nobody knows become columns.
  let isInferred: Bool
  private(set) var columns: UnsafeMutablePointer<ColumnBuilder>
  private(set) var keys: UnsafeMutablePointer<KeyPattern>
  private(set) var columnCount = 0
  /// A key's code is its column.
  private var codes = ByteDictionary()
  private var capacity = 8
  /// Rows of the open chunk that are whole.
  var rowsInChunk = 0
  /// The rows for which each column has memory; more than those of the open chunk.
  private(set) var room = ColumnBuilder.firstRoom
  /// Rows in sealed chunks.
  var rowsSealed = 0
  /// Rows that break the model, up to a limit.
  var problems: [RowProblem] = []
  var problemCount = 0
  /// The key that was read last and that the model does not have.
  var unknownKey = ""
  var dates: DateReading
  /// Keys of plain JSON that few rows have.
  var rare: RareKeys?
  /// The input that they came from.
  var rareWindow: InputWindow?

  init(name: String, isInferred: Bool, dates: DateReading) {
    self.name = name
    self.isInferred = isInferred
    self.dates = dates
    columns = .allocate(capacity: capacity)
    keys = .allocate(capacity: capacity)
  }

  func free() {
    for i in 0..<columnCount {
      columns[i].free()
      keys[i].free()
    }
    columns.deinitialize(count: columnCount)
    columns.deallocate()
    keys.deinitialize(count: columnCount)
    keys.deallocate()
    codes.free()
    rare?.free()
  }

  var rowCount: Int { rowsSealed + rowsInChunk }

  /// Whether the next row would close the open chunk.
  var isNearlyFull: Bool { rowsInChunk == ColumnBuilder.capacity - 1 }
}

extension EntityBuilder {
  /// Adds a column; its rows so far have no value.
  @discardableResult
  mutating func addColumn(
    _ key: String, _ expectation: ColumnBuilder.Expectation, isNew: Bool = false
  ) -> Int {
    let code = codes.code(ofKey: key)
    guard code == columnCount else { return code }
    if columnCount == capacity { grow() }
    (columns + columnCount).initialize(to: ColumnBuilder(expectation))
    columns[columnCount].makeRoom(for: room)
    (keys + columnCount).initialize(to: KeyPattern(key))
    columnCount += 1
    // A key that was rare brings its own rows.
    if isNew { return columnCount - 1 }
    for _ in 0..<rowsSealed / ColumnBuilder.capacity {
      columns[columnCount - 1].seal(rows: ColumnBuilder.capacity)
    }
    return columnCount - 1
  }

  /// Goes on after a row for whose successor there is no memory: closes a chunk that is full.
  @inline(never)
  mutating func endRoom() {
    if rowsInChunk == ColumnBuilder.capacity { seal() } else { makeRoom(for: room + 1) }
  }

  /// Reserves memory for a number of rows in each column.
  mutating func makeRoom(for rows: Int) {
    guard rows > room else { return }
    room = min(ColumnBuilder.capacity, max((rows + 63) & ~63, room * 16))
    for i in 0..<columnCount { columns[i].makeRoom(for: room) }
  }

  private mutating func grow() {
    let largerColumns = UnsafeMutablePointer<ColumnBuilder>.allocate(capacity: capacity * 2)
    let largerKeys = UnsafeMutablePointer<KeyPattern>.allocate(capacity: capacity * 2)
    largerColumns.moveInitialize(from: columns, count: columnCount)
    largerKeys.moveInitialize(from: keys, count: columnCount)
    columns.deallocate()
    keys.deallocate()
    columns = largerColumns
    keys = largerKeys
    capacity *= 2
  }

  func column(_ key: String) -> Int? {
    let form = key.keyForm
    return form.withCString(encodedAs: UTF8.self) { column($0, form.utf8.count) }
  }

  /// The column of a key's bytes as they stand in the document.
  func column(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? { codes.knownCode(key, length) }

  /// From so many columns on, room for rows without a value is what a table's memory goes to.
  private static let wideCount = 32

  /// Closes the open chunk, full or at the end.
  mutating func seal() {
    let isWide = columnCount >= EntityBuilder.wideCount
    for i in 0..<columnCount { columns[i].seal(rows: rowsInChunk, isWide: isWide) }
    rowsSealed += rowsInChunk
    rowsInChunk = 0
  }
}

/// A row that breaks the model: what, and where.
struct RowProblem {
  enum Kind {
    case unknownKey
    case mismatch(found: String)
    case notAnObject
    case missing
    case duplicateObjectID(Int64)
    case dangling(Int64, destination: String)
    case contradiction(String)
    case abstract
    case twice(Int64, destination: String)
  }

  var kind: Kind
  var entity: String
  var row: Int
  var objectID: Int64?
  var key: String?
  /// The offset in the document, where it is known.
  var offset: Int?

  /// How many are listed; more are counted.
  static let limit = 20
}
