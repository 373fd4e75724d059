import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

extension Loader {
  /// Reads an array at the top: its elements are the rows of one entity, together with those of
  /// the arrays after it, as in the concatenated pages of an API.
  ///
  /// Nil if an array of other values than objects is the first of several: then these are JSON
  /// Lines, each a row.
  mutating func plainArray(name: String) throws(LoadFailure) -> Graph? {
    var builder = EntityBuilder(name: name, isInferred: true, dates: .utc)
    defer { builder.free() }
    let hasObjects = try isArrayOfObjects()
    try rows(into: &builder)
    while try skipToValue() {
      guard hasObjects else { return nil }
      guard scanner.p.pointee == 0x5B else { throw .syntax(trailing) }
      try rows(into: &builder)
    }
    return graph(of: &builder)
  }

  /// Reads JSON Lines: each value at the top is a row.
  mutating func plainLines(name: String) throws(LoadFailure) -> Graph {
    var builder = EntityBuilder(name: name, isInferred: true, dates: .utc)
    defer { builder.free() }
    while try skipToValue() { try row(into: &builder, inArray: false) }
    return graph(of: &builder)
  }

  /// Reads an object at the top: each array of objects in it is an entity, and its other keys are those of the only
  /// object of one more entity.
  ///
  /// Nil if it has no such array: then the object itself is the only object of one entity.
  mutating func plainObject(name: String) throws(LoadFailure) -> Graph? {
    var builders: [EntityBuilder] = []
    defer { for builder in builders { builder.free() } }
    var others: [UInt8] = []
    try object { loader, key, _ throws(LoadFailure) in
      guard try loader.isArrayOfObjects() else {
        others.append(UInt8(ascii: others.isEmpty ? "{" : ","))
        others += Array(JSONNode(ofJSON: .string(key)).text.utf8) + [UInt8(ascii: ":")]
        return try loader.pass(key, into: &others)
      }
      builders.append(EntityBuilder(name: key, isInferred: true, dates: .utc))
      try loader.rows(into: &builders[builders.count - 1])
    }
    guard !builders.isEmpty else { return nil }
    for i in builders.indices { builders[i].seal() }
    let columns = builders.map { $0.inferredColumns() }
    let model = Model(entities: zip(builders, columns).map { $0.inferredEntity($1) })
    let layout = ModelLayout(model)
    let tables = builders.indices.map { builders[$0].inferredTable(columns[$0], layout.tables[$0]) }
    let graph = Graph(model: model, layout: layout, tables: tables)
    if others.isEmpty { return graph }
    var loader = try Loader(InputWindow(others + [UInt8(ascii: "}")]))
    let taken = Set(model.entities.map(\.name))
    let rest = try loader.plainLines(name: name.unless(in: taken))
    guard let entity = rest.model.entities.first, let table = rest.tables.first else {
      return graph
    }
    return graph.adding(entity, table.columns, count: table.count)
  }

  /// Returns whether an array whose first element is an object begins here, or an empty array.
  private mutating func isArrayOfObjects() throws(LoadFailure) -> Bool {
    guard scanner.p.pointee == 0x5B else { return false }
    while true {
      var ahead = scanner
      ahead.p += 1
      ahead.skipBlanks()
      if ahead.p < ahead.end { return ahead.p.pointee == 0x7B || ahead.p.pointee == 0x5D }
      try needMore()
    }
  }

  /// Skips a key's value, and adds it to bytes; throws if the key and value mark a store's document.
  private mutating func pass(_ key: String, into bytes: inout [UInt8]) throws(LoadFailure) {
    let start = window.offset(of: scanner.p)
    try skip()
    let count = window.offset(of: scanner.p) - start
    let value = UnsafeBufferPointer(start: scanner.p - count, count: count)
    if key == "format", String(decoding: value.prefix(64), as: UTF8.self).hasPrefix("\"kura/") {
      throw .isStore
    }
    bytes += value
  }

  mutating func skip() throws(LoadFailure) {
    try finish { scanner in scanner.skipValue() }
  }

  /// Throws if anything but whitespace follows.
  mutating func expectEnd() throws(LoadFailure) {
    guard try skipToValue() else { return }
    throw .syntax(trailing)
  }

  private func graph(of builder: inout EntityBuilder) -> Graph {
    builder.seal()
    let columns = builder.inferredColumns()
    let model = Model(entities: [builder.inferredEntity(columns)])
    let layout = ModelLayout(model)
    let table = builder.inferredTable(columns, layout.tables[0])
    return Graph(model: model, layout: layout, tables: [table])
  }
}
