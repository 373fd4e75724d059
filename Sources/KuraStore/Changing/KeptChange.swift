import KuraBytes
import KuraGraph
import KuraJSON

/// A save as a record of the journal has it: a change set, and the numbers that come next.
///
///     {"inserted": [{"entity": "Item", "numbers": [3], "columns": {"title": ["x"]}}],
///      "updated": [{"entity": "Item", "numbers": [1], "columns": {"done": {"old": [false], "new": [true]}}}],
///      "deleted": [], "nextObjectID": {"Item": 4}}
struct KeptChange: Equatable {
  var change: ChangeSet
  /// By root entity: numbers of objects that came and went between two saves are gone for good.
  var nextNumbers: [String: Int64]
}

extension KeptChange {
  init(_ change: ChangeSet, in graph: Graph) {
    self.change = change
    let given = graph.tables.filter { $0.nextNumber > 1 }
    nextNumbers = Dictionary(
      given.map { ($0.layout.root, $0.nextNumber) }, uniquingKeysWith: { first, _ in first })
  }

  /// The record's JSON, on one line.
  var bytes: [UInt8] { bytes(CancelFlag()) }

  /// The same; not the whole of it where somebody asks to stop.
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
    return bytes + Array("}}".utf8)
  }
}

extension [UInt8] {
  fileprivate mutating func append(key: String) {
    JSONWriter.append(key, to: &self)
    self += [UInt8(ascii: ":"), UInt8(ascii: " ")]
  }

  fileprivate mutating func append<Item>(
    list: some Sequence<Item>, _ write: (Item, inout [UInt8]) -> Void
  ) {
    append(UInt8(ascii: "["))
    for (i, element) in list.enumerated() {
      if i > 0 { self += [UInt8(ascii: ","), UInt8(ascii: " ")] }
      write(element, &self)
    }
    append(UInt8(ascii: "]"))
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

  /// `null`, `7`, `7.0`, `true`, `"text"`, `{"object": 7}`, `{"objects": [7, 8]}`; what is no
  /// finite number is `{"double": "7ff8000000000000"}`, its bits.
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

/// A record that is whole and is no change of this store.
struct StrangeRecord: Error {}

extension KeptChange {
  /// Reads what `bytes` writes. Throws `StrangeRecord` or `JSONSyntaxError`.
  init(reading bytes: [UInt8]) throws { try self.init(reading: JSONNode(reading: bytes)) }

  init(reading node: JSONNode) throws(StrangeRecord) {
    try node.check(["inserted", "updated", "deleted", "nextObjectID"])
    change = ChangeSet(
      inserted: try node.elements("inserted").map { node throws(StrangeRecord) in
        try ObjectBatch(reading: node)
      },
      updated: try node.elements("updated").map { node throws(StrangeRecord) in
        try UpdatedObjects(reading: node)
      },
      deleted: try node.elements("deleted").map { node throws(StrangeRecord) in
        try ObjectBatch(reading: node)
      })
    nextNumbers = [:]
    for member in try node.members("nextObjectID") {
      nextNumbers[member.key] = try member.value.integer
    }
  }
}

extension ObjectBatch {
  fileprivate init(reading node: JSONNode) throws(StrangeRecord) {
    try node.check(["entity", "numbers", "columns"])
    let numbers = try node.elements("numbers").map { node throws(StrangeRecord) in try node.integer
    }
    let columns = try node.members("columns").map { member throws(StrangeRecord) in
      ChangeColumn(key: member.key, values: try member.value.values(count: numbers.count))
    }
    self.init(entity: try node.string("entity"), numbers: numbers, columns: columns)
  }
}

extension UpdatedObjects {
  fileprivate init(reading node: JSONNode) throws(StrangeRecord) {
    try node.check(["entity", "numbers", "columns"])
    let numbers = try node.elements("numbers").map { node throws(StrangeRecord) in try node.integer
    }
    let columns = try node.members("columns").map { member throws(StrangeRecord) in
      UpdatedColumn(
        key: member.key, old: try member.value.member("old").values(count: numbers.count),
        new: try member.value.member("new").values(count: numbers.count))
    }
    self.init(entity: try node.string("entity"), numbers: numbers, columns: columns)
  }
}

extension JSONNode {
  /// What has another key says something that is not known here.
  fileprivate func check(_ keys: [String]) throws(StrangeRecord) {
    guard case .object(let members) = kind, members.count == keys.count,
      members.allSatisfy({ keys.contains($0.key) })
    else { throw StrangeRecord() }
  }

  fileprivate func member(_ key: String) throws(StrangeRecord) -> JSONNode {
    guard let node = self[key] else { throw StrangeRecord() }
    return node
  }

  fileprivate func elements(_ key: String) throws(StrangeRecord) -> [JSONNode] {
    try member(key).elements
  }

  fileprivate func members(_ key: String) throws(StrangeRecord) -> [JSONMember] {
    guard case .object(let members) = try member(key).kind else { throw StrangeRecord() }
    return members
  }

  fileprivate func string(_ key: String) throws(StrangeRecord) -> String {
    guard case .string(let text) = try member(key).kind else { throw StrangeRecord() }
    return text
  }

  private var elements: [JSONNode] {
    get throws(StrangeRecord) {
      guard case .array(let elements) = kind else { throw StrangeRecord() }
      return elements
    }
  }

  fileprivate var integer: Int64 {
    get throws(StrangeRecord) {
      guard case .number(let digits) = kind, let number = Int64(digits) else {
        throw StrangeRecord()
      }
      return number
    }
  }

  fileprivate func values(count: Int) throws(StrangeRecord) -> ChangeValues {
    let nodes = try elements
    guard nodes.count == count else { throw StrangeRecord() }
    var values: [ChangeValue] = []
    values.reserveCapacity(count)
    for node in nodes { values.append(try node.value) }
    return ChangeValues(values)
  }

  private var value: ChangeValue {
    get throws(StrangeRecord) {
      switch kind {
      case .null: return .null
      case .boolean(let flag): return .boolean(flag)
      case .string(let text): return .text(text)
      case .number(let digits):
        if let number = Int64(digits) { return .integer(number) }
        guard let number = Double(digits) else { throw StrangeRecord() }
        return .double(number)
      case .array: throw StrangeRecord()
      case .object: return try special
      }
    }
  }

  private var special: ChangeValue {
    get throws(StrangeRecord) {
      guard case .object(let members) = kind, members.count == 1 else { throw StrangeRecord() }
      if let object = self["object"] { return .object(try object.integer) }
      if let objects = self["objects"] {
        var numbers: [Int64] = []
        for node in try objects.elements { numbers.append(try node.integer) }
        return .objects(numbers)
      }
      guard case .string(let digits)? = self["double"]?.kind,
        let bits = UInt64(hexadecimal: digits)
      else { throw StrangeRecord() }
      return .double(Double(bitPattern: bits))
    }
  }
}
