import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

struct PlainJSON {
  var graph: Graph
  /// The objects that have a key twice. The last value of the key counts.
  var repeated = RowProblems()
}

extension PlainJSON {
  /// Infers an entity from the rows of each builder.
  fileprivate init(_ builders: inout [EntityBuilder], repeated: RowProblems = RowProblems()) {
    self.repeated = repeated
    for i in builders.indices {
      builders[i].seal()
      self.repeated.append(builders[i].problems)
    }
    let columns = builders.map { $0.inferredColumns() }
    let model = Model(entities: zip(builders, columns).map { $0.inferredEntity($1) })
    let layout = ModelLayout(model)
    let tables = builders.indices.map { builders[$0].inferredTable(columns[$0], layout.tables[$0]) }
    graph = Graph(model: model, layout: layout, tables: tables)
  }
}

extension Loader {
  /// Reads an array at the top: its elements, and the elements of the arrays after it, are the rows
  /// of one entity. The concatenated pages of an API have this form.
  ///
  /// Nil if an array of other values than objects is the first of several: then these are JSON Lines, each a row.
  mutating func plainArray(name: String) throws(LoadFailure) -> PlainJSON? {
    var builders = [EntityBuilder(name: name, isInferred: true, dates: .utc)]
    defer { builders[0].free() }
    let hasObjects = try isArrayOfObjects()
    try rows(into: &builders[0])
    while try skipToValue() {
      guard hasObjects else { return nil }
      guard scanner.p.pointee == 0x5B else { throw .syntax(trailing) }
      try rows(into: &builders[0])
    }
    return PlainJSON(&builders)
  }

  /// Reads JSON Lines: each value at the top is a row.
  mutating func plainLines(name: String) throws(LoadFailure) -> PlainJSON {
    var builders = [EntityBuilder(name: name, isInferred: true, dates: .utc)]
    defer { builders[0].free() }
    while try skipToValue() { try row(into: &builders[0], inArray: false) }
    return PlainJSON(&builders)
  }

  /// Reads an object at the top: each array of objects in it is an entity, and its other keys are
  /// the attributes of one more entity with a single object.
  ///
  /// Nil if it has no such array: then the object itself is the only object of one entity.
  mutating func plainObject(name: String) throws(LoadFailure) -> PlainJSON? {
    var builders: [EntityBuilder] = []
    defer { for builder in builders { builder.free() } }
    var others: [(key: String, value: [UInt8])] = []
    var known: Set<String> = []
    var repeated = RowProblems()
    try object(keepsLast: true) { loader, key, offset throws(LoadFailure) in
      if !known.insert(key).inserted {
        repeated.note(
          RowProblem(kind: .repeatedKey(), entity: name, row: 0, key: key, offset: offset))
        builders.firstIndex { $0.name == key }.map { builders.remove(at: $0).free() }
        others.removeAll { $0.key == key }
      }
      guard try loader.isArrayOfObjects() else {
        return others.append((key, try loader.passed(key)))
      }
      builders.append(EntityBuilder(name: key, isInferred: true, dates: .utc))
      try loader.rows(into: &builders[builders.count - 1])
    }
    guard !builders.isEmpty else { return nil }
    var plain = PlainJSON(&builders, repeated: repeated)
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
    repeated.append(rest.repeated)
  }
}
