import KuraGraph
import KuraJSON

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
