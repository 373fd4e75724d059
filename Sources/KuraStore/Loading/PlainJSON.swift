import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

/// The result of reading plain JSON.
struct PlainJSON {
  var graph: Graph
  /// Keys of the top object whose values are not arrays of objects.
  var leftOut: [String] = []
}

extension Loader {
  /// Reads an array at the top: its elements are the rows of one entity, together with those of
  /// the arrays after it, as in the concatenated pages of an API.
  ///
  /// Nil if an array of other values than objects is the first of several: then these are JSON
  /// Lines, each a row.
  mutating func plainArray(name: String) throws(LoadFailure) -> PlainJSON? {
    var builder = EntityBuilder(name: name, isInferred: true, dates: .utc)
    defer { builder.free() }
    let hasObjects = try isArrayOfObjects()
    try rows(into: &builder)
    while try skipToValue() {
      guard hasObjects else { return nil }
      guard scanner.p.pointee == 0x5B else { throw .syntax(trailing) }
      try rows(into: &builder)
    }
    return PlainJSON(graph: graph(of: &builder))
  }

  /// Reads JSON Lines: each value at the top is a row.
  mutating func plainLines(name: String) throws(LoadFailure) -> PlainJSON {
    var builder = EntityBuilder(name: name, isInferred: true, dates: .utc)
    defer { builder.free() }
    while try skipToValue() { try row(into: &builder, inArray: false) }
    return PlainJSON(graph: graph(of: &builder))
  }

  /// Reads an object at the top: each array of objects in it is an entity.
  ///
  /// Nil if it has none: then the object itself is the only object of one entity.
  mutating func plainObject() throws(LoadFailure) -> PlainJSON? {
    var builders: [EntityBuilder] = []
    defer { for builder in builders { builder.free() } }
    var leftOut: [String] = []
    try object { loader, key, _ throws(LoadFailure) in
      guard try loader.isArrayOfObjects() else {
        leftOut.append(key)
        return try loader.skip(key)
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
    return PlainJSON(graph: Graph(model: model, layout: layout, tables: tables), leftOut: leftOut)
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

  /// Skips a key's value; throws if the key and value mark a store's document.
  private mutating func skip(_ key: String) throws(LoadFailure) {
    let start = window.offset(of: scanner.p)
    try skip()
    guard key == "format", window.offset(of: scanner.p) - start < 64 else { return }
    let text = UnsafeBufferPointer(
      start: scanner.p - (window.offset(of: scanner.p) - start),
      count: window.offset(of: scanner.p) - start)
    if String(decoding: text, as: UTF8.self).hasPrefix("\"kura/") { throw .isStore }
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
