import KuraBytes
import KuraGraph
import KuraValues

/// A save as the journal stores it, a change set and the next numbers:
///
///     {"inserted": [{"entity": "Item", "numbers": [3], "columns": {"title": ["x"]}}],
///      "updated": [{"entity": "Item", "numbers": [1], "columns": {"done": {"old": [false], "new": [true]}}}],
///      "deleted": [], "nextObjectID": {"Item": 4}}
struct JournaledChange: Equatable {
  var change: ChangeSet
  /// The next objectIDs, per root entity. Numbers of objects that were created and deleted between
  /// two saves are never reused.
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
    bytes.append(list: change.inserted) { batch, bytes in
      bytes.append(batch: batch, cancel) { $1.append(values: $0.new) }
    }
    bytes += #", "updated": "#.utf8
    bytes.append(list: change.updated) { batch, bytes in
      bytes.append(batch: batch, cancel) { $1.append(old: $0.old, new: $0.new) }
    }
    bytes += #", "deleted": "#.utf8
    bytes.append(list: change.deleted) { batch, bytes in
      bytes.append(batch: batch, cancel) { $1.append(values: $0.old) }
    }
    bytes += #", "nextObjectID": "#.utf8
    bytes.append(members: nextNumbers.sorted { $0.key < $1.key }, key: \.key) {
      JSONWriter.append($0.value, to: &$1)
    }
    bytes += "}".utf8
    return bytes
  }
}

extension [UInt8] {
  /// Appends an object with a member for each item.
  mutating func append<Item>(
    members: [Item], key: (Item) -> String, _ cancel: CancelFlag = CancelFlag(),
    _ write: (Item, inout [UInt8]) -> Void
  ) {
    append(UInt8(ascii: "{"))
    for (i, member) in members.enumerated() where !cancel.isRequested {
      if i > 0 { self += [UInt8(ascii: ","), UInt8(ascii: " ")] }
      JSONWriter.append(key(member), to: &self)
      self += [UInt8(ascii: ":"), UInt8(ascii: " ")]
      write(member, &self)
    }
    append(UInt8(ascii: "}"))
  }

  /// Appends an array of the elements.
  mutating func append<Item>(
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

  /// Reserves memory: a long array would otherwise double as it grows, and need twice its size meanwhile.
  private mutating func makeRoom(for more: Int, like length: Int) {
    reserveCapacity(count + more * (length + 2))
  }

  private mutating func append(entity: String, _ numbers: [Int64]) {
    self += #"{"entity": "#.utf8
    JSONWriter.append(entity, to: &self)
    self += #", "numbers": "#.utf8
    append(list: numbers) { JSONWriter.append($0, to: &$1) }
    self += #", "columns": "#.utf8
  }

  /// Appends a batch; `column` writes the values of a column.
  fileprivate mutating func append(
    batch: ObjectBatch, _ cancel: CancelFlag, _ column: (ChangeColumn, inout [UInt8]) -> Void
  ) {
    append(entity: batch.entity, batch.numbers)
    append(members: batch.columns, key: \.key, cancel) { changed, bytes in
      column(changed, &bytes)
    }
    append(UInt8(ascii: "}"))
  }

  fileprivate mutating func append(values: ChangeValues) { append(list: values) { $1.append($0) } }

  fileprivate mutating func append(old: ChangeValues, new: ChangeValues) {
    self += #"{"old": "#.utf8
    append(values: old)
    self += #", "new": "#.utf8
    append(values: new)
    append(UInt8(ascii: "}"))
  }

  /// Appends `null`, `7`, `7.0`, `true`, `"text"`, `{"object": 7}` or `{"objects": [7, 8]}`; a
  /// number that is not finite is `{"double": "7ff8000000000000"}`, its bits.
  private mutating func append(_ value: StoredCell) {
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
  /// The problem, if known.
  var reason: String?
}

extension JournaledChange {
  /// Reads what `bytes` writes; the members of an object may have any order. Throws `InvalidRecord`.
  init(reading bytes: some Collection<UInt8>) throws(InvalidRecord) {
    self = try RecordReader.reading(copying: bytes, CancelFlag()) {
      (reader) throws(InvalidRecord) in
      try reader.record()
    }
  }

  /// Throws `InvalidRecord` unless a graph would accept a record, as far as its model determines.
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
