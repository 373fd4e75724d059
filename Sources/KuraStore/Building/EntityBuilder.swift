import KuraGraph
import KuraJSON
import KuraModel
import KuraSentences
import KuraValues

/// Fills the columns of one entity from its rows in the document, or of one plain JSON array.
struct EntityBuilder {
  let name: String
  /// Whether unknown keys become columns.
  let isInferred: Bool
  private(set) var columns: UnsafeMutablePointer<ColumnBuilder>
  private(set) var keys: UnsafeMutablePointer<KeyPattern>
  private(set) var columnCount = 0
  /// The code of a key is its column.
  private var codes = ByteDictionary()
  private var capacity = 8
  /// The complete rows of the open chunk.
  var rowsInChunk = 0
  /// The number of rows for which each column has memory; more than the open chunk has rows.
  private(set) var room = ColumnBuilder.firstRoom
  /// The number of rows in sealed chunks.
  var rowsSealed = 0
  var problems = RowProblems()
  /// The last key that the model does not have.
  var unknownKey = ""
  var dates: DateReading
  var rare: RareKeys?
  /// The input from which the rare keys are read.
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
  /// Adds a column; the rows so far have no value in it.
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
    // `replay` adds the rows of a rare key that becomes a column.
    if isNew { return columnCount - 1 }
    for _ in 0..<rowsSealed / ColumnBuilder.capacity {
      columns[columnCount - 1].seal(rows: ColumnBuilder.capacity)
    }
    return columnCount - 1
  }

  /// Seals a full chunk, or reserves memory for the next row.
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

  /// Returns the column of a key, given its bytes in the document.
  func column(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? { codes.knownCode(key, length) }

  /// From this many columns on, rows without a value take most of a table's memory.
  private static let wideCount = 32

  /// Seals the open chunk, full or at the end.
  mutating func seal() {
    let isWide = columnCount >= EntityBuilder.wideCount
    for i in 0..<columnCount { columns[i].seal(rows: rowsInChunk, isWide: isWide) }
    rowsSealed += rowsInChunk
    rowsInChunk = 0
  }

  /// Reads an array or object inside a row: a to-many's list of objectIDs, or JSON that is stored as text.
  @inline(never)
  mutating func scanNested(
    _ scanner: inout Scanner, _ window: InputWindow, _ column: Int, _ result: inout AddResult
  ) -> ScanStatus {
    if columns[column].expectation == .toMany, scanList(&scanner, column) {
      result = .added
      return .done
    }
    let start = scanner.p
    let status = scanner.skipValue()
    guard status == .done else { return status }
    let text = UnsafeBufferPointer(start: start, count: scanner.p - start)
    let seen = NestedKeys(text)
    var json = seen.hasBlanks ? compacted(text) : Array(text)
    if columns[column].expectation == .toMany {
      result = .mismatch
      return .done
    }
    if !seen.areSurelyDistinct, let fault = keyFault(&json, start, window) {
      return scanner.fail(fault, at: start)
    }
    var isOdd = false
    json.withUnsafeBufferPointer {
      if let first = $0.baseAddress { _ = firstInvalidUTF8(first, $0.count, &isOdd) }
    }
    // An escape may stand for any scalar, so such a text counts as odd.
    result = columns[column].addNested(json, isOdd: isOdd || json.contains(0x5C))
    return .done
  }

  /// Returns the fault of an object with a duplicate key, or nil: both values cannot be stored. In
  /// plain JSON the last value is kept.
  private mutating func keyFault(
    _ json: inout [UInt8], _ start: UnsafePointer<UInt8>, _ window: InputWindow
  ) -> JSONSyntaxError.Kind? {
    guard json.contains(0x7B) else { return nil }
    do throws(JSONSyntaxError) {
      guard isInferred else {
        _ = try JSONNode(reading: json)
        return nil
      }
      let (node, repeated) = try JSONNode.keepingLast(json)
      guard let repeated else { return nil }
      note(.repeatedKey(), repeated, window.offset(of: start))
      json = Array(node.text.utf8)
      return nil
    } catch {
      return error.kind
    }
  }

  /// Reads a list such as `[3, 1, 2]`: positive numbers, 8 bytes each in the column's arena.
  ///
  /// Returns false and resets the scanner for anything else, and if the window ends.
  private mutating func scanList(_ scanner: inout Scanner, _ column: Int) -> Bool {
    let start = scanner.p
    let mark = columns[column].arena.count
    guard scanNumbers(&scanner, column) else {
      columns[column].arena.truncate(to: mark)
      scanner.p = start
      return false
    }
    columns[column].closeList()
    return true
  }

  private mutating func scanNumbers(_ scanner: inout Scanner, _ column: Int) -> Bool {
    scanner.p += 1
    scanner.skipBlanks()
    if scanner.p.pointee == 0x5D {
      scanner.p += 1
      return true
    }
    while true {
      var kind = Scanner.NumberKind.integer
      guard scanner.number(&kind) == .done, kind == .integer, scanner.token.integer > 0 else {
        return false
      }
      columns[column].appendListNumber(scanner.token.integer)
      scanner.skipBlanks()
      let byte = scanner.p.pointee
      guard byte == 0x2C || byte == 0x5D else { return false }
      scanner.p += 1
      if byte == 0x5D { return true }
      scanner.skipBlanks()
    }
  }

  /// The key of array elements that are not objects, until `inferredColumns` names their column. It is not `value`,
  /// because objects can have that key.
  private static let elementKey = "\u{1}value"

  /// Reads an array element that is not an object. In plain JSON it is a row with one value.
  @inline(never)
  mutating func scanElement(_ scanner: inout Scanner, _ window: InputWindow) -> ScanStatus {
    guard isInferred else {
      let place = window.offset(of: scanner.p)
      let status = scanner.skipValue()
      if status == .done { note(.notAnObject, nil, place) }
      return status
    }
    let column = self.column(Self.elementKey) ?? addColumn(Self.elementKey, .inferred)
    return scanValue(&scanner, window, column, scanner.p)
  }

  /// Skips the value of a key that the model does not have, and reports it.
  @inline(never)
  mutating func skipUnknown(
    _ scanner: inout Scanner, _ window: InputWindow, _ place: UnsafePointer<UInt8>
  ) -> ScanStatus {
    let offset = window.offset(of: place)
    let status = scanner.skipValue()
    guard status == .done else { return status }
    note(.unknownKey(), unknownKey, offset)
    return .done
  }

  /// Reports the row that is read.
  @inline(never)
  mutating func note(_ kind: RowProblem.Kind, _ key: String?, _ offset: Int) {
    problems.note(RowProblem(kind: kind, entity: name, row: rowCount, key: key, offset: offset))
  }

  /// Reports a value that its column does not accept; the value becomes null.
  @inline(never)
  mutating func noteMismatch(
    _ column: Int, _ place: UnsafePointer<UInt8>, _ scanner: Scanner, _ window: InputWindow
  ) {
    if columns[column].count == rowsInChunk { columns[column].appendNull() }
    note(.mismatch(found: found(place, scanner)), keys[column].name, window.offset(of: place))
  }

  /// Returns the beginning of a value that did not fit, as written in the document.
  private func found(_ place: UnsafePointer<UInt8>, _ scanner: Scanner) -> String {
    var ahead = scanner
    ahead.p = place
    guard ahead.skipValue() == .done else { return localized("something else") }
    let text = UnsafeBufferPointer(start: place, count: ahead.p - place)
    let start = String(decoding: text.prefix(160), as: UTF8.self)
    return start.count > 40 ? start.prefix(40) + "…" : start
  }
}

/// Returns JSON without whitespace between its tokens.
func compacted(_ json: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  var compact: [UInt8] = []
  compact.reserveCapacity(json.count)
  var inString = false
  var escaped = false
  for byte in json {
    if !inString, byte <= 0x20 { continue }
    compact.append(byte)
    if escaped {
      escaped = false
    } else if byte == 0x5C {
      escaped = inString
    } else if byte == 0x22 {
      inString.toggle()
    }
  }
  return compact
}

extension EntityBuilder {
  /// Returns the column of a new key, or the number of a rare key.
  mutating func newKey(_ key: String) -> Int? {
    if rare == nil, columnCount < RareKeys.columnsAtOnce { return addColumn(key, .inferred) }
    let rare = self.rare ?? RareKeys()
    self.rare = rare
    return rare.number(of: key, row: rowCount).map { RareKeys.first + $0 }
  }

  /// Reads the value of a key that does not have a column.
  @inline(never)
  mutating func scanRare(
    _ scanner: inout Scanner, _ window: InputWindow, _ column: Int, _ place: UnsafePointer<UInt8>
  ) -> ScanStatus {
    guard isInferred, let rare, column >= RareKeys.first else {
      return skipUnknown(&scanner, window, place)
    }
    rareWindow = window
    let key = column - RareKeys.first
    if rare.hasValue(key, row: rowCount) {
      note(.repeatedKey(), rare.keys[key].name, window.offset(of: place))
    }
    return rare.add(key, row: rowCount, &scanner, window, place)
  }

  /// Adds columns for keys that have become frequent.
  @inline(never)
  mutating func endRowOfRareKeys(_ rare: RareKeys) {
    for key in rare.endRow(rowCount) {
      let column = addColumn(rare.keys[key].name, .inferred, isNew: true)
      replay(rare, key, column)
      rare.becomesColumn(key)
    }
  }

  /// Reads a rare key's values into a new column.
  private mutating func replay(_ rare: RareKeys, _ key: Int, _ column: Int) {
    guard let window = rareWindow else { return }
    let open = rowsInChunk
    var chunk = 0
    rare.read(key) { scanner, row in
      while chunk < row >> ColumnChunk.shift { sealReplayed(column, &chunk) }
      rowsInChunk = row & ColumnChunk.mask
      columns[column].makeRoom(for: rowsInChunk + 1)
      _ = scanValue(&scanner, window, column, scanner.p)
    }
    while chunk < rowsSealed >> ColumnChunk.shift { sealReplayed(column, &chunk) }
    rowsInChunk = open
  }

  private mutating func sealReplayed(_ column: Int, _ chunk: inout Int) {
    columns[column].seal(rows: ColumnBuilder.capacity)
    chunk += 1
  }
}

/// A column of plain JSON with the type that its values show.
struct InferredColumn {
  var name: String
  var type: AttributeType
  var column: Column
}

extension EntityBuilder {
  /// Returns the columns in the order in which their keys first occur. The last chunk must be sealed.
  /// Elements that are not objects are in the column `value`, or `value2` if objects have that key.
  func inferredColumns() -> [InferredColumn] {
    var columns = columnsOfKeys()
    if let place = columns.firstIndex(where: { $0.name == Self.elementKey }) {
      columns[place].name = "value".unless(in: Set(columns.map(\.name)))
    }
    return columns
  }

  private func columnsOfKeys() -> [InferredColumn] {
    guard let rare else { return (0..<columnCount).map(inferred) }
    var columns = (0..<min(columnCount, RareKeys.columnsAtOnce)).map(inferred)
    var builder = EntityBuilder(name: "", isInferred: true, dates: dates)
    defer { builder.free() }
    builder.addColumn("value", .inferred)
    for key in rare.keys.indices {
      if rare.keys[key].isColumn {
        if let column = column(rare.keys[key].name) { columns.append(inferred(column)) }
      } else {
        columns.append(sparse(rare, key, &builder))
      }
    }
    if let column = column(Self.elementKey), column >= RareKeys.columnsAtOnce {
      columns.append(inferred(column))
    }
    return columns
  }

  private func inferred(_ column: Int) -> InferredColumn {
    let type = columns[column].inferredType
    return InferredColumn(
      name: keys[column].name, type: type, column: columns[column].attributeColumn(type))
  }

  /// Returns a rare key's column, with its values packed chunk by chunk.
  private func sparse(
    _ rare: RareKeys, _ key: Int, _ builder: inout EntityBuilder
  ) -> InferredColumn {
    builder.columns[0].begin()
    builder.rowsInChunk = 0
    var rows: [(chunk: Int, rows: [UInt16])] = []
    if let window = rareWindow {
      rare.read(key) { scanner, row in
        if rows.last?.chunk != row >> ColumnChunk.shift {
          builder.seal()
          rows.append((row >> ColumnChunk.shift, []))
        }
        rows[rows.count - 1].rows.append(UInt16(row & ColumnChunk.mask))
        builder.makeRoom(for: builder.rowsInChunk + 1)
        _ = builder.scanValue(&scanner, window, 0, scanner.p)
        builder.rowsInChunk += 1
      }
    }
    builder.seal()
    let type = builder.columns[0].inferredType
    var column = builder.columns[0].attributeColumn(type)
    let shape = builder.columns[0].shape
    let packed = column.chunks
    let last = (rowCount + ColumnChunk.mask) >> ColumnChunk.shift
    column.chunks = (0..<last).map { chunk in
      let count = min(rowCount - chunk << ColumnChunk.shift, ColumnChunk.capacity)
      let place = rows.firstIndex { $0.chunk == chunk }
      if let place, rows[place].rows.count == count { return packed[place] }
      return place.map { ColumnChunk(count: count, rows: rows[$0].rows, packed: packed[$0]) }
        ?? rare.absentChunk(count, shape)
    }
    return InferredColumn(name: rare.keys[key].name, type: type, column: column)
  }
}

extension ColumnBuilder {
  mutating func begin() {
    clear()
    shape = .empty
    sealed = []
  }
}

extension EntityBuilder {
  /// Whether parts of a file may have builders of their own: with more columns they would cost too much.
  var canBeShared: Bool { columnCount > 0 && columnCount <= 256 && rare == nil }

  /// Returns an empty builder for later rows, with the same columns and shapes.
  func sibling() -> EntityBuilder {
    var sibling = EntityBuilder(name: name, isInferred: isInferred, dates: dates)
    for i in 0..<columnCount {
      let column = sibling.addColumn(keys[i].name, columns[i].expectation)
      sibling.columns[column].shape = columns[i].shape
      sibling.columns[column].missing = columns[i].missing
    }
    return sibling
  }

  /// Removes all rows and their problems.
  mutating func clear() {
    for i in 0..<columnCount { columns[i].clear() }
    rowsInChunk = 0
    rare?.free()
    rare = nil
    problems = RowProblems()
  }

  /// Fills the missing values up to the last row.
  func catchUp() {
    for i in 0..<columnCount { columns[i].catchUp(to: rowsInChunk) }
  }

  /// Appends the rows of another builder.
  ///
  /// Returns false without a change unless the result equals reading those rows here.
  mutating func take(_ other: EntityBuilder) -> Bool {
    guard other.columnCount == columnCount, other.rowsSealed == 0, other.problems.count == 0,
      rare == nil, other.rare == nil,
      (0..<columnCount).allSatisfy({ columns[$0].canTake(other.columns[$0]) })
    else { return false }
    catchUp()
    var codes = (0..<columnCount).map { other.columns[$0].unknownCodes }
    var row = 0
    while row < other.rowsInChunk {
      let count = min(other.rowsInChunk - row, ColumnBuilder.capacity - rowsInChunk)
      makeRoom(for: min(rowsInChunk + count + 1, ColumnBuilder.capacity))
      for i in 0..<columnCount {
        columns[i].take(row..<row + count, of: other.columns[i], &codes[i])
      }
      row += count
      rowsInChunk += count
      if rowsInChunk == ColumnBuilder.capacity { seal() }
    }
    return true
  }
}
