import KuraBytes
import KuraGraph
import KuraJSON
import KuraSentences
import KuraValues

/// A save as the journal stores it, a change set and the next numbers:
///
///     {"inserted": [{"entity": "Item", "numbers": [3], "columns": {"title": ["x"]}}],
///      "updated": [{"entity": "Item", "numbers": [1], "columns": {"done": {"old": [false], "new": [true]}}}],
///      "deleted": [], "nextObjectID": {"Item": 4}}
struct JournaledChange: Equatable {
  var change: ChangeSet
  /// By root entity. Numbers of objects that were created and deleted between two saves are never
  /// used again.
  var nextNumbers: [String: Int64]
}

extension JournaledChange {
  init(_ change: ChangeSet, in graph: Graph) {
    self.change = change
    let given = graph.tables.filter { $0.nextNumber > 1 }
    nextNumbers = Dictionary(
      given.map { ($0.layout.root, $0.nextNumber) }, uniquingKeysWith: { first, _ in first })
  }

  /// The record's JSON, on one line.
  var bytes: [UInt8] { bytes(CancelFlag()) }

  /// Returns the record's JSON; incomplete if the work was cancelled.
  func bytes(_ cancel: CancelFlag) -> [UInt8] {
    var bytes = Array(#"{"inserted": "#.utf8)
    bytes.append(list: change.inserted) { $1.append(batch: $0, cancel) }
    bytes += Array(#", "updated": "#.utf8)
    bytes.append(list: change.updated) { $1.append(update: $0, cancel) }
    bytes += Array(#", "deleted": "#.utf8)
    bytes.append(list: change.deleted) { $1.append(batch: $0, cancel) }
    bytes += Array(#", "nextObjectID": {"#.utf8)
    for (i, next) in nextNumbers.sorted(by: { $0.key < $1.key }).enumerated() {
      if i > 0 { bytes += Array(", ".utf8) }
      bytes.append(key: next.key)
      JSONWriter.append(next.value, to: &bytes)
    }
    bytes += Array("}}".utf8)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(key: String) {
    JSONWriter.append(key, to: &self)
    self += [UInt8(ascii: ":"), UInt8(ascii: " ")]
  }

  fileprivate mutating func append<Item>(
    list: some Collection<Item>, _ write: (Item, inout [UInt8]) -> Void
  ) {
    append(UInt8(ascii: "["))
    let start = count
    for (i, element) in list.enumerated() {
      if i > 0 { self += [UInt8(ascii: ","), UInt8(ascii: " ")] }
      if i == Self.measured { makeRoom(for: list.count - i, like: (count - start) / i) }
      write(element, &self)
    }
    append(UInt8(ascii: "]"))
  }

  /// The number of elements from which the length of a list is estimated.
  private static var measured: Int { 1024 }

  /// Reserves memory: a long array would otherwise double as it grows, and need twice its size
  /// meanwhile.
  private mutating func makeRoom(for more: Int, like length: Int) {
    reserveCapacity(count + more * (length + 2))
  }

  private mutating func append(entity: String, _ numbers: [Int64]) {
    self += Array(#"{"entity": "#.utf8)
    JSONWriter.append(entity, to: &self)
    self += Array(#", "numbers": "#.utf8)
    append(list: numbers) { JSONWriter.append($0, to: &$1) }
    self += Array(#", "columns": {"#.utf8)
  }

  fileprivate mutating func append(batch: ObjectBatch, _ cancel: CancelFlag) {
    append(entity: batch.entity, batch.numbers)
    for (i, column) in batch.columns.enumerated() where !cancel.isRequested {
      if i > 0 { self += [UInt8(ascii: ","), UInt8(ascii: " ")] }
      append(key: column.key)
      append(list: column.values) { $1.append($0) }
    }
    self += Array("}}".utf8)
  }

  fileprivate mutating func append(update: UpdatedObjects, _ cancel: CancelFlag) {
    append(entity: update.entity, update.numbers)
    for (i, column) in update.columns.enumerated() where !cancel.isRequested {
      if i > 0 { self += [UInt8(ascii: ","), UInt8(ascii: " ")] }
      append(key: column.key)
      self += Array(#"{"old": "#.utf8)
      append(list: column.old) { $1.append($0) }
      self += Array(#", "new": "#.utf8)
      append(list: column.new) { $1.append($0) }
      append(UInt8(ascii: "}"))
    }
    self += Array("}}".utf8)
  }

  /// Appends `null`, `7`, `7.0`, `true`, `"text"`, `{"object": 7}` or `{"objects": [7, 8]}`; a
  /// number that is not finite is `{"double": "7ff8000000000000"}`, its bits.
  private mutating func append(_ value: ChangeValue) {
    switch value {
    case .null: JSONWriter.appendNull(to: &self)
    case .integer(let number): JSONWriter.append(number, to: &self)
    case .double(let number) where number.isFinite: JSONWriter.append(number, to: &self)
    case .double(let number):
      self += Array(#"{"double": "\#(number.bitPattern.hexadecimal)"}"#.utf8)
    case .boolean(let flag): JSONWriter.append(flag, to: &self)
    case .text(let text): JSONWriter.append(text, to: &self)
    case .object(let number): self += Array(#"{"object": \#(number)}"#.utf8)
    case .objects(let numbers):
      self += Array(#"{"objects": "#.utf8)
      append(list: numbers) { JSONWriter.append($0, to: &$1) }
      append(UInt8(ascii: "}"))
    }
  }
}

/// A complete record that is not a change of this store.
struct InvalidRecord: Error {
  /// What is wrong with it, if known.
  var reason: String?
}

extension JournaledChange {
  /// Reads what `bytes` writes; the members of an object may have any order. Throws
  /// `InvalidRecord`.
  init(reading bytes: some Collection<UInt8>) throws(InvalidRecord) {
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + RecordReader.padding)
    padded += bytes
    padded += repeatElement(0, count: RecordReader.padding)
    self = try RecordReader.reading(padded, nil) { (reader) throws(InvalidRecord) in
      try reader.record()
    }
  }

  /// Throws `InvalidRecord` unless a graph would accept a record, as far as its model tells.
  ///
  /// The code that reads the journal reads the bytes, without building a change. Linear in the
  /// bytes, which are unchanged afterwards.
  static func check(_ record: inout [UInt8], for graph: Graph) throws(InvalidRecord) {
    let count = record.count
    record += repeatElement(0, count: RecordReader.padding)
    defer { record.removeLast(record.count - count) }
    _ = try RecordReader.reading(record, graph) { (reader) throws(InvalidRecord) in
      try reader.record()
    }
  }
}

/// Reads the JSON of a record.
private struct RecordReader {
  /// The number of zero bytes after the record: a scanner looks ahead in words.
  static let padding = InputWindow.padding

  private var scanner: Scanner
  private let end: UnsafePointer<UInt8>
  /// The graph whose model checks each value, without building a change; nil builds the change.
  private let gate: Graph?

  /// Calls `body` for bytes that end with padding; it must read all of them.
  static func reading<Result>(
    _ bytes: [UInt8], _ gate: Graph?,
    _ body: (inout RecordReader) throws(InvalidRecord) -> Result
  ) throws(InvalidRecord) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(InvalidRecord) -> Result in
      guard let start = buffer.baseAddress else { throw InvalidRecord() }
      let count = buffer.count - padding
      var reader = RecordReader(
        scanner: Scanner(start, count: count), end: start + count, gate: gate)
      do throws(InvalidRecord) {
        let result = try body(&reader)
        reader.scanner.skipBlanks()
        guard reader.scanner.p == reader.end else { throw InvalidRecord() }
        return result
      } catch {
        let place = reader.scanner.p - start
        throw InvalidRecord(reason: localized("it cannot be read at byte \(place)"))
      }
    }
  }

  private init(scanner: Scanner, end: UnsafePointer<UInt8>, gate: Graph?) {
    (self.scanner, self.end, self.gate) = (scanner, end, gate)
  }
}

// The parts of a record
extension RecordReader {
  mutating func record() throws(InvalidRecord) -> JournaledChange {
    var record = JournaledChange(change: ChangeSet(), nextNumbers: [:])
    try object(["inserted", "updated", "deleted", "nextObjectID"]) {
      (reader, key) throws(InvalidRecord) in
      switch key {
      case "inserted": record.change.inserted = try reader.batches()
      case "deleted": record.change.deleted = try reader.batches()
      case "updated": record.change.updated = try reader.updates()
      default:
        try reader.members { (reader, root) throws(InvalidRecord) in
          record.nextNumbers[root] = try reader.integer(in: 1...ObjectID.greatestNumber + 1)
        }
      }
    }
    return record
  }

  private mutating func batches() throws(InvalidRecord) -> [ObjectBatch] {
    var batches: [ObjectBatch] = []
    try elements { (reader) throws(InvalidRecord) in
      var batch = ObjectBatch(entity: "")
      try reader.objects(&batch.entity, &batch.numbers) {
        (reader, key, slot) throws(InvalidRecord) in
        let values = try reader.values(slot)
        batch.columns.append(ChangeColumn(key: key, values: values.values))
        return [values.count]
      }
      if reader.gate == nil { batches.append(batch) }
    }
    return batches
  }

  private mutating func updates() throws(InvalidRecord) -> [UpdatedObjects] {
    var batches: [UpdatedObjects] = []
    try elements { (reader) throws(InvalidRecord) in
      var batch = UpdatedObjects(entity: "")
      try reader.objects(&batch.entity, &batch.numbers) {
        (reader, key, slot) throws(InvalidRecord) in
        var column = UpdatedColumn(key: key)
        var counts: [Int] = []
        try reader.object(["old", "new"]) { (reader, side) throws(InvalidRecord) in
          let values = try reader.values(slot)
          counts.append(values.count)
          if side == "old" { column.old = values.values } else { column.new = values.values }
        }
        batch.columns.append(column)
        return counts
      }
      if reader.gate == nil { batches.append(batch) }
    }
    return batches
  }

  /// Reads `{"entity": …, "numbers": …, "columns": {…}}`; `column` reads the value of a column's
  /// key and returns how many values it found.
  private mutating func objects(
    _ entity: inout String, _ numbers: inout [Int64],
    _ column: (inout RecordReader, String, KeySlot?) throws(InvalidRecord) -> [Int]
  ) throws(InvalidRecord) {
    var (name, found, counts) = ("", [Int64](), [Int]())
    try object(["entity", "numbers", "columns"]) { (reader, key) throws(InvalidRecord) in
      switch key {
      case "entity": name = try reader.string()
      case "numbers":
        try reader.elements { (reader) throws(InvalidRecord) in
          found.append(try reader.objectNumber())
        }
      default:
        try reader.members { (reader, key) throws(InvalidRecord) in
          counts += try column(&reader, key, try reader.slot(key, of: name))
        }
      }
    }
    guard counts.allSatisfy({ $0 == found.count }) else { throw InvalidRecord() }
    (entity, numbers) = (name, found)
  }

  /// Returns where the graph stores a key; nil if a change is built, which is checked later.
  private func slot(_ key: String, of entity: String) throws(InvalidRecord) -> KeySlot? {
    guard let gate else { return nil }
    guard let place = gate.place(of: entity),
      let slot = gate.tables[place.table].layout.slots[place.code][key]
    else { throw InvalidRecord() }
    return slot
  }
}

// Values
extension RecordReader {
  private mutating func values(
    _ slot: KeySlot?
  ) throws(InvalidRecord) -> (values: ChangeValues, count: Int) {
    guard let slot else {
      var values: [ChangeValue] = []
      try elements { (reader) throws(InvalidRecord) in values.append(try reader.value()) }
      return (ChangeValues(values), values.count)
    }
    var count = 0
    let isText = slot.attributeType?.admitsEveryText ?? false
    try elements { (reader) throws(InvalidRecord) in
      count += 1
      if isText, reader.scanner.p.pointee == UInt8(ascii: "\"") {
        try reader.need(reader.scanner.checkedString())
      } else if !slot.admits(try reader.value()) {
        throw InvalidRecord()
      }
    }
    return ([], count)
  }

  /// Reads `null`, `7`, `7.0`, `true`, `"text"`, `{"object": 7}`, `{"objects": [7, 8]}`,
  /// `{"double": "7ff8…"}`.
  private mutating func value() throws(InvalidRecord) -> ChangeValue {
    switch scanner.p.pointee {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "{"): return try special()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      var kind = Scanner.NumberKind.integer
      try need(scanner.number(&kind))
      return kind == .integer ? .integer(scanner.token.integer) : .double(scanner.token.double)
    default:
      guard let word = scanner.word() else { throw InvalidRecord() }
      switch word {
      case .null: return .null
      case .true: return .boolean(true)
      case .false: return .boolean(false)
      }
    }
  }

  private mutating func special() throws(InvalidRecord) -> ChangeValue {
    var value: ChangeValue?
    try members { (reader, key) throws(InvalidRecord) in
      guard value == nil else { throw InvalidRecord() }
      switch key {
      case "object": value = .object(try reader.objectNumber())
      case "objects":
        var numbers: [Int64] = []
        try reader.elements { (reader) throws(InvalidRecord) in
          numbers.append(try reader.objectNumber())
        }
        value = .objects(numbers)
      case "double":
        guard let bits = UInt64(hexadecimal: try reader.string()) else { throw InvalidRecord() }
        value = .double(Double(bitPattern: bits))
      default: throw InvalidRecord()
      }
    }
    guard let value else { throw InvalidRecord() }
    return value
  }

  private mutating func objectNumber() throws(InvalidRecord) -> Int64 {
    try integer(in: 1...ObjectID.greatestNumber)
  }

  private mutating func integer(in range: ClosedRange<Int64>) throws(InvalidRecord) -> Int64 {
    var kind = Scanner.NumberKind.integer
    try need(scanner.number(&kind))
    guard kind == .integer, range.contains(scanner.token.integer) else { throw InvalidRecord() }
    return scanner.token.integer
  }

  private mutating func string() throws(InvalidRecord) -> String {
    guard scanner.p.pointee == UInt8(ascii: "\"") else { throw InvalidRecord() }
    try need(scanner.checkedString())
    return scanner.tokenText
  }
}

// JSON
extension RecordReader {
  /// Reads an object that has each of these keys once, and no others.
  private mutating func object(
    _ keys: Set<String>,
    _ body: (inout RecordReader, String) throws(InvalidRecord) -> Void
  ) throws(InvalidRecord) {
    var missing = keys
    try members { (reader, key) throws(InvalidRecord) in
      guard missing.remove(key) != nil else { throw InvalidRecord() }
      try body(&reader, key)
    }
    guard missing.isEmpty else { throw InvalidRecord() }
  }

  /// Calls `body` at the value of each key of an object.
  @inline(__always)
  private mutating func members(
    _ body: (inout RecordReader, String) throws(InvalidRecord) -> Void
  ) throws(InvalidRecord) {
    try list(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { (reader) throws(InvalidRecord) in
      let key = try reader.string()
      try reader.need(reader.scanner.colon())
      reader.scanner.skipBlanks()
      try body(&reader, key)
    }
  }

  /// Calls `body` at each element of an array.
  @inline(__always)
  private mutating func elements(
    _ body: (inout RecordReader) throws(InvalidRecord) -> Void
  ) throws(InvalidRecord) {
    try list(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), body)
  }

  @inline(__always)
  private mutating func list(
    from open: UInt8, to close: UInt8,
    _ body: (inout RecordReader) throws(InvalidRecord) -> Void
  ) throws(InvalidRecord) {
    scanner.skipBlanks()
    guard take(open) else { throw InvalidRecord() }
    scanner.skipBlanks()
    if take(close) { return }
    repeat {
      scanner.skipBlanks()
      try body(&self)
      scanner.skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(close) else { throw InvalidRecord() }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard scanner.p.pointee == byte, scanner.p < end else { return false }
    scanner.p += 1
    return true
  }

  @inline(__always)
  private func need(_ status: ScanStatus) throws(InvalidRecord) {
    if status != .done { throw InvalidRecord() }
  }
}
