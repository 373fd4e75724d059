import Foundation
import KuraBytes
import KuraGraph
import KuraModel
import KuraValues

/// A store's document, always the same bytes for the same store.
struct DocumentWriter {
  let store: OpenedStore
  let rules: ZoneRules

  init(_ store: OpenedStore) {
    self.store = store
    rules = ZoneRules(store.timeZoneID.flatMap { TimeZone(identifier: $0) })
  }

  var graph: Graph { store.graph }

  func write(to output: inout FileOutput) throws(WriteFailure) {
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
    writeNextNumbers(to: &bytes)
    bytes += Array(",\n".utf8)
  }

  /// The numbers that come next, for the roots that have given one.
  private func writeNextNumbers(to bytes: inout [UInt8]) {
    let roots = graph.tables.filter { $0.nextNumber > 1 }
    bytes.append(UInt8(ascii: "{"))
    for (i, table) in roots.enumerated() {
      if i > 0 { bytes += Array(", ".utf8) }
      JSONWriter.append(table.layout.root, to: &bytes)
      bytes += Array(": ".utf8)
      JSONWriter.append(table.nextNumber, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func writeObjects(to output: inout FileOutput) throws(WriteFailure) {
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

  private func writeRows(of entity: String, to output: inout FileOutput) throws(WriteFailure) {
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
  /// Whether there are objects of the entity itself, not of its subentities.
  fileprivate func hasObjects(of entity: String) -> Bool {
    guard let place = place(of: entity) else { return false }
    let table = tables[place.table]
    return (0..<table.count).contains { table.isLive($0) && table.entityCode($0) == place.code }
  }
}
