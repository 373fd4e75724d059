import Foundation
import KuraBytes
import KuraGraph
import KuraModel
import KuraValues

/// Writes a store's document; equal stores give equal bytes.
struct DocumentWriter {
  let store: StoreContents
  let rules: ZoneRules

  init(_ store: StoreContents) {
    self.store = store
    rules = ZoneRules(store.timeZoneID.flatMap { TimeZone(identifier: $0) })
  }

  var graph: Graph { store.graph }

  func write(to output: inout FileOutput) throws(FileError) {
    writeHeader(to: &output.bytes)
    try writeObjects(to: &output)
    output.bytes += Array("}\n".utf8)
  }

  private func writeHeader(to bytes: inout [UInt8]) {
    bytes += Array("{\n  \"format\": \"kura/1\",\n".utf8)
    if let zone = store.timeZoneID {
      bytes += Array("  \"timezone\": ".utf8)
      JSONWriter.append(zone, to: &bytes)
      bytes += Array(",\n".utf8)
    }
    if let userInfo = store.userInfo { bytes += Array("  \"userInfo\": \(userInfo),\n".utf8) }
    bytes += Array("  \"model\": ".utf8)
    graph.model.appendJSON(to: &bytes, in: rules, indentation: 2)
    bytes += Array(",\n  \"nextObjectID\": ".utf8)
    // Only the root entities that have given a number
    bytes.append(members: graph.tables.filter { $0.nextNumber > 1 }, key: \.layout.root) {
      JSONWriter.append($0.nextNumber, to: &$1)
    }
    bytes += Array(",\n".utf8)
  }

  private func writeObjects(to output: inout FileOutput) throws(FileError) {
    let entities = graph.model.entities.filter { graph.hasObjects(of: $0.name) }
    guard !entities.isEmpty else {
      output.bytes += Array("  \"objects\": {}\n".utf8)
      return
    }
    output.bytes += Array("  \"objects\": {\n".utf8)
    for (i, entity) in entities.enumerated() {
      output.bytes += Array("    ".utf8)
      JSONWriter.append(entity.name, to: &output.bytes)
      output.bytes += Array(": [\n".utf8)
      try writeRows(of: entity.name, to: &output)
      output.bytes += Array((i + 1 < entities.count ? "\n    ],\n" : "\n    ]\n").utf8)
    }
    output.bytes += Array("  }\n".utf8)
  }

  private func writeRows(of entity: String, to output: inout FileOutput) throws(FileError) {
    guard let writer = RowWriter(graph, entity, rules) else { return }
    var isFirst = true
    for row in writer.rows {
      output.bytes += Array((isFirst ? "      " : ",\n      ").utf8)
      writer.write(row, to: &output.bytes)
      isFirst = false
      try output.flushIfFull()
    }
  }
}

extension Graph {
  /// Returns whether there are objects of the entity itself, not of its subentities.
  fileprivate func hasObjects(of entity: String) -> Bool {
    guard let place = place(of: entity) else { return false }
    let table = tables[place.table]
    return (0..<table.count).contains { table.isLive($0) && table.entityCode($0) == place.code }
  }
}

/// Writes the rows of one entity as a document has them: `{"objectID": 1, "title": "x"}`.
struct RowWriter {
  private let graph: Graph
  private let place: EntityPlace
  private let rules: ZoneRules
  private let keys: [RowKey]

  init?(_ graph: Graph, _ entity: String, _ rules: ZoneRules) {
    guard let place = graph.place(of: entity) else { return nil }
    self.graph = graph
    self.place = place
    self.rules = rules
    let slots = graph.tables[place.table].layout.slots[place.code]
    let model = graph.model
    let attributes = model.allAttributes(of: entity).filter { !$0.isTransient }.map(\.name)
    let relationships = model.allRelationships(of: entity).map(\.name).filter {
      model.writtenSide(of: $0, in: entity) != .there
    }
    keys = (attributes + relationships).compactMap { name in
      slots[name].map {
        RowKey(
          name, $0, graph.tables[place.table],
          onlyAbove: model.writtenSide(of: name, in: entity) == .lowerObjectID)
      }
    }
  }

  private var table: Table { graph.tables[place.table] }

  /// The rows of the entity, by objectID.
  var rows: [Int] {
    let table = table
    let rows = (0..<table.count).filter {
      table.isLive($0) && table.entityCode($0) == place.code
    }
    if table.identifiers.isAscending { return rows }
    return rows.sorted { table.identifiers[$0] < table.identifiers[$1] }
  }

  func write(_ row: Int, to bytes: inout [UInt8]) {
    bytes += RowKey.objectID
    JSONWriter.append(table.identifiers[row], to: &bytes)
    for key in keys { write(key, row, to: &bytes) }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// A key of a row, with the bytes before its value.
private struct RowKey {
  let slot: KeySlot
  let prefix: [UInt8]
  /// The values of an attribute.
  let values: Column?
  /// Whether only links to higher numbers are written, as for a relationship that is its own inverse.
  let onlyAbove: Bool

  static let objectID = Array("{\"objectID\": ".utf8)

  init(_ name: String, _ slot: KeySlot, _ table: Table, onlyAbove: Bool) {
    self.slot = slot
    if case .attribute(let column, _) = slot {
      values = table.columns[column]
    } else {
      values = nil
    }
    self.onlyAbove = onlyAbove
    var bytes = Array(", ".utf8)
    JSONWriter.append(name, to: &bytes)
    prefix = bytes + Array(": ".utf8)
  }
}

extension RowWriter {
  /// Writes a key and its value; nothing for null.
  private func write(_ key: RowKey, _ row: Int, to bytes: inout [UInt8]) {
    switch key.slot {
    case .attribute(_, let type):
      guard let values = key.values else { return }
      if values.kind.isText {
        _ = values.withText(row) { write($0, type, key, to: &bytes) }
        return
      }
      let value = values.value(row)
      if value.isNull { return }
      bytes += key.prefix
      write(value, type, to: &bytes)
    case .toOne(_, let destination):
      guard let target = targets(key, row, destination).first else { return }
      bytes += key.prefix
      JSONWriter.append(target, to: &bytes)
    case .toMany(_, let destination, _):
      bytes += key.prefix
      bytes.append(list: targets(key, row, destination)) { JSONWriter.append($0, to: &$1) }
    case .inverse, .unresolved: return
    }
  }

  private func targets(_ key: RowKey, _ row: Int, _ destination: Int) -> [Int64] {
    let numbers = graph.rows(key.slot, place.table, row).map {
      graph.tables[destination].identifiers[$0]
    }
    return key.onlyAbove ? numbers.filter { $0 >= table.identifiers[row] } : numbers
  }

  private func write(
    _ text: UnsafeRawBufferPointer, _ type: AttributeType, _ key: RowKey, to bytes: inout [UInt8]
  ) {
    // A reader would read a decimal that is not a number as null.
    if type == .decimal, text.elementsEqual("NaN".utf8) { return }
    bytes += key.prefix
    // JSON is stored as its text.
    if type == .json {
      bytes.append(contentsOf: text)
    } else {
      JSONWriter.append(utf8: text, to: &bytes)
    }
  }

  private func write(_ value: Value, _ type: AttributeType, to bytes: inout [UInt8]) {
    switch value {
    case .integer(let number): JSONWriter.append(number, to: &bytes)
    case .double(let number) where type == .float: JSONWriter.append(Float(number), to: &bytes)
    case .double(let number): JSONWriter.append(number, to: &bytes)
    case .boolean(let flag): JSONWriter.append(flag, to: &bytes)
    case .date(let date): writeDate(date, to: &bytes)
    case .null, .decimal, .string, .uuid, .uri, .binary, .list, .set, .dictionary, .object: return
    }
  }

  private func writeDate(_ date: Timestamp, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    date.write(date.isMidnight(in: rules) ? .day : .rfc3339, in: rules, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
