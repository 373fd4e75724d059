import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

struct PlainJSON {
  var graph: Graph
  /// The first object that has a key twice, and the number of such objects. The last value of the key counts.
  private(set) var repeated: (first: RowProblem, count: Int)?

  init(_ graph: Graph, _ problems: [RowProblem] = [], count: Int = 0) {
    self.graph = graph
    note(problems, count)
  }

  mutating func note(_ problems: [RowProblem], _ count: Int) {
    guard let first = problems.first else { return }
    repeated = (repeated?.first ?? first, (repeated?.count ?? 0) + count)
  }
}

extension Loader {
  /// Reads an array at the top: its elements, and the elements of the arrays after it, are the rows
  /// of one entity. The concatenated pages of an API have this form.
  ///
  /// Nil if an array of other values than objects is the first of several: then these are JSON Lines, each a row.
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
    return PlainJSON(graph(of: &builder), builder.problems, count: builder.problemCount)
  }

  /// Reads JSON Lines: each value at the top is a row.
  mutating func plainLines(name: String) throws(LoadFailure) -> PlainJSON {
    var builder = EntityBuilder(name: name, isInferred: true, dates: .utc)
    defer { builder.free() }
    while try skipToValue() { try row(into: &builder, inArray: false) }
    return PlainJSON(graph(of: &builder), builder.problems, count: builder.problemCount)
  }

  /// Reads an object at the top: each array of objects in it is an entity, and its other keys are
  /// the attributes of one more entity with a single object.
  ///
  /// Nil if it has no such array: then the object itself is the only object of one entity.
  mutating func plainObject(name: String) throws(LoadFailure) -> PlainJSON? {
    var builders: [EntityBuilder] = []
    defer { for builder in builders { builder.free() } }
    var others: [(key: String, value: [UInt8])] = []
    var repeated: [RowProblem] = []
    try object(keepsLast: true) { loader, key, offset throws(LoadFailure) in
      let old = builders.firstIndex { $0.name == key }
      if old != nil || others.contains(where: { $0.key == key }) {
        repeated.append(
          RowProblem(kind: .repeatedKey, entity: name, row: 0, key: key, offset: offset))
        old.map { builders.remove(at: $0).free() }
        others.removeAll { $0.key == key }
      }
      guard try loader.isArrayOfObjects() else {
        return others.append((key, try loader.passed(key)))
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
    var plain = PlainJSON(
      Graph(model: model, layout: layout, tables: tables), repeated, count: repeated.count)
    for builder in builders { plain.note(builder.problems, builder.problemCount) }
    if !others.isEmpty { try plain.add(others, named: name) }
    return plain
  }

  /// Returns whether an empty array, or an array with an object as its first element, begins here.
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

  /// Skips a key's value, and returns it; throws if the key and value mark a store's document.
  private mutating func passed(_ key: String) throws(LoadFailure) -> [UInt8] {
    let start = window.offset(of: scanner.p)
    try skip()
    let count = window.offset(of: scanner.p) - start
    let value = UnsafeBufferPointer(start: scanner.p - count, count: count)
    if key == "format", String(decoding: value.prefix(64), as: UTF8.self).hasPrefix("\"kura/") {
      throw .isStore
    }
    return Array(value)
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

extension PlainJSON {
  /// Adds an entity with one object, which has these keys.
  fileprivate mutating func add(
    _ keys: [(key: String, value: [UInt8])], named name: String
  ) throws(LoadFailure) {
    var json: [UInt8] = []
    for (key, value) in keys {
      json.append(UInt8(ascii: json.isEmpty ? "{" : ","))
      json += Array(JSONNode(ofJSON: .string(key)).text.utf8) + [UInt8(ascii: ":")] + value
    }
    var loader = try Loader(InputWindow(json + [UInt8(ascii: "}")]))
    let taken = Set(graph.model.entities.map(\.name))
    let rest = try loader.plainLines(name: name.unless(in: taken))
    guard let entity = rest.graph.model.entities.first, let table = rest.graph.tables.first else {
      return
    }
    graph = graph.adding(entity, table.columns, count: table.count)
    if let (first, count) = rest.repeated { note([first], count) }
  }
}
