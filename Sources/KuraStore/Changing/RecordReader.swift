import KuraBytes
import KuraGraph
import KuraJSON
import KuraSentences
import KuraValues

/// The members of a JSON object: one change, under the key `change`, and small values.
struct RecordMembers {
  /// The change; nil for `null`.
  fileprivate(set) var change: JournaledChange?
  fileprivate var nodes: [String: JSONNode] = [:]

  /// Throws `InvalidRecord` for anything but an object with distinct keys, and if the work was cancelled.
  init(
    reading bytes: some Collection<UInt8>, _ cancel: CancelFlag = CancelFlag()
  ) throws(InvalidRecord) {
    self = try RecordReader.reading(copying: bytes, cancel) { (reader) throws(InvalidRecord) in
      try reader.recordMembers()
    }
  }

  fileprivate init() {}

  /// The value of a key other than `change`; nil if it is missing.
  subscript(key: String) -> JSONNode? { nodes[key] }
}

struct RecordReader {
  /// The number of zero bytes after the record: a scanner looks ahead in words.
  static let padding = InputWindow.padding

  private var scanner: Scanner
  private let end: UnsafePointer<UInt8>
  /// The graph with the model that checks each value, without building a change; nil builds the change.
  private let gate: Graph?
  /// Ends the reading with `InvalidRecord`.
  private let cancel: CancelFlag

  /// Calls `body` for a copy of bytes; it must read all of them.
  static func reading<Result>(
    copying bytes: some Collection<UInt8>, _ cancel: CancelFlag,
    _ body: (inout RecordReader) throws(InvalidRecord) -> Result
  ) throws(InvalidRecord) -> Result {
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + padding)
    padded += bytes
    padded += repeatElement(0, count: padding)
    return try reading(padded, nil, cancel, body)
  }

  /// Calls `body` for bytes that end with padding; it must read all of them.
  static func reading<Result>(
    _ bytes: [UInt8], _ gate: Graph?, _ cancel: CancelFlag = CancelFlag(),
    _ body: (inout RecordReader) throws(InvalidRecord) -> Result
  ) throws(InvalidRecord) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(InvalidRecord) -> Result in
      guard let start = buffer.baseAddress else { throw InvalidRecord() }
      let count = buffer.count - padding
      var reader = RecordReader(
        scanner: Scanner(start, count: count), end: start + count, gate: gate, cancel: cancel)
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
}

// The parts of a record
extension RecordReader {
  fileprivate mutating func recordMembers() throws(InvalidRecord) -> RecordMembers {
    var (read, seen) = (RecordMembers(), Set<String>())
    try members { (reader, key) throws(InvalidRecord) in
      guard seen.insert(key).inserted else { throw InvalidRecord() }
      guard key == "change", reader.scanner.p.pointee == UInt8(ascii: "{") else {
        read.nodes[key] = try reader.node()
        return
      }
      read.change = try reader.record()
    }
    return read
  }

  private mutating func node() throws(InvalidRecord) -> JSONNode {
    let start = scanner.p
    try need(scanner.skipValue())
    let bytes = Array(UnsafeBufferPointer(start: start, count: scanner.p - start))
    guard let node = try? JSONNode(reading: bytes) else { throw InvalidRecord() }
    return node
  }

  mutating func record() throws(InvalidRecord) -> JournaledChange {
    var record = JournaledChange(change: ChangeSet(), nextNumbers: [:])
    try object(["inserted", "updated", "deleted", "nextObjectID"]) {
      (reader, key) throws(InvalidRecord) in
      switch key {
      case "inserted":
        record.change.inserted = try reader.batches {
          (reader, column, slot) throws(InvalidRecord) in
          [try reader.values(slot, into: &column.new)]
        }
      case "deleted":
        record.change.deleted = try reader.batches { (reader, column, slot) throws(InvalidRecord) in
          [try reader.values(slot, into: &column.old)]
        }
      case "updated":
        record.change.updated = try reader.batches { (reader, column, slot) throws(InvalidRecord) in
          try reader.bothSides(of: &column, slot)
        }
      default:
        try reader.members { (reader, root) throws(InvalidRecord) in
          record.nextNumbers[root] = try reader.integer(in: 1...ObjectID.greatestNumber + 1)
        }
      }
    }
    return record
  }

  /// Reads batches; `column` reads the values of a column and returns how many they are.
  private mutating func batches(
    _ column: (inout RecordReader, inout ChangeColumn, KeySlot?) throws(InvalidRecord) -> [Int]
  ) throws(InvalidRecord) -> [ObjectBatch] {
    var batches: [ObjectBatch] = []
    try elements { (reader) throws(InvalidRecord) in
      let batch = try reader.batch(column)
      if reader.gate == nil { batches.append(batch) }
    }
    return batches
  }

  /// Reads `{"entity": …, "numbers": …, "columns": {…}}`.
  private mutating func batch(
    _ column: (inout RecordReader, inout ChangeColumn, KeySlot?) throws(InvalidRecord) -> [Int]
  ) throws(InvalidRecord) -> ObjectBatch {
    var (batch, counts) = (ObjectBatch(entity: ""), [Int]())
    try object(["entity", "numbers", "columns"]) { (reader, key) throws(InvalidRecord) in
      switch key {
      case "entity": batch.entity = try reader.string()
      case "numbers":
        try reader.elements { (reader) throws(InvalidRecord) in
          batch.numbers.append(try reader.objectNumber())
        }
      default:
        try reader.members { (reader, key) throws(InvalidRecord) in
          var read = ChangeColumn(key: key)
          counts += try column(&reader, &read, try reader.slot(key, of: batch.entity))
          batch.columns.append(read)
        }
      }
    }
    guard counts.allSatisfy({ $0 == batch.numbers.count }) else { throw InvalidRecord() }
    return batch
  }

  /// Reads `{"old": […], "new": […]}`.
  private mutating func bothSides(
    of column: inout ChangeColumn, _ slot: KeySlot?
  ) throws(InvalidRecord) -> [Int] {
    var counts: [Int] = []
    try object(["old", "new"]) { (reader, side) throws(InvalidRecord) in
      let count =
        side == "old"
        ? try reader.values(slot, into: &column.old) : try reader.values(slot, into: &column.new)
      counts.append(count)
    }
    return counts
  }

  /// Returns the slot of a key in the graph; nil if a change is built, which is checked later.
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
  /// Reads a list of values, and returns their number. With a slot, it only checks them.
  private mutating func values(
    _ slot: KeySlot?, into read: inout ChangeValues
  ) throws(InvalidRecord) -> Int {
    guard let slot else {
      var values: [StoredCell] = []
      try elements { (reader) throws(InvalidRecord) in values.append(try reader.value()) }
      read = ChangeValues(values)
      return values.count
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
    return count
  }

  /// Reads `null`, `7`, `7.0`, `true`, `"text"`, `{"object": 7}`, `{"objects": [7, 8]}`, `{"double": "7ff8…"}`.
  private mutating func value() throws(InvalidRecord) -> StoredCell {
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

  private mutating func special() throws(InvalidRecord) -> StoredCell {
    var value: StoredCell?
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
      if cancel.isRequested { throw InvalidRecord() }
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
