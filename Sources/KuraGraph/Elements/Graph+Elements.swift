import KuraBytes
package import KuraModel

/// The elements at a path, each with the row of the object from which the path starts.
package enum PathElements: Sendable {
  /// The rows of the destination's table
  case objects(owners: [UInt32], rows: [UInt32])
  case json(JSONElements, owners: [UInt32])
}

extension Graph {
  /// Returns the elements at a path, in the order of the objects that own them.
  package func elements(at steps: ElementPath.Steps, of entity: String) -> PathElements {
    guard let start = rows(of: entity), let end = self.place(of: steps.destination) else {
      return .objects(owners: [], rows: [])
    }
    var owners = start.rows.map { UInt32(truncatingIfNeeded: $0) }
    var rows = owners
    for (entity, relationship) in steps.relationships {
      (owners, rows) = linked(owners, rows, by: relationship.name, of: entity)
    }
    guard let start = steps.json else { return .objects(owners: owners, rows: rows) }
    let found = elements(of: rows, end, from: start, at: steps.keysInJSON)
    return .json(found, owners: found.rows.map { owners[Int($0)] })
  }

  /// Returns the elements at keys in the JSON of some rows; their rows are places among these.
  private func elements(
    of rows: [UInt32], _ place: EntityPlace, from start: ElementPath.Steps.Start,
    at keys: [String?]
  ) -> JSONElements {
    let table = tables[place.table]
    func column(_ name: String) -> Column? {
      guard case .attribute(let column, _)? = table.layout.slots[place.code][name] else {
        return nil
      }
      return table.columns[column]
    }
    switch start {
    case .attribute(let name):
      let column = column(name)
      return JSONElements(of: rows.count, at: keys) { place, body in
        _ = column?.withText(Int(rows[place])) { body($0.bindMemory(to: UInt8.self)) }
      }
    case .attributes(let names):
      let columns = names.compactMap { name in column(name).map { (name, $0) } }
      return JSONElements(of: rows.count, at: keys) { place, body in
        var json: [UInt8] = []
        for (name, column) in columns {
          _ = column.withText(Int(rows[place])) { value in
            json.append(UInt8(ascii: json.isEmpty ? "{" : ","))
            JSONWriter.append(name, to: &json)
            json.append(UInt8(ascii: ":"))
            json.append(contentsOf: value)
          }
        }
        if json.isEmpty { return }
        json.append(UInt8(ascii: "}"))
        json.withUnsafeBufferPointer(body)
      }
    }
  }

  /// Follows a relationship of an entity from some rows.
  private func linked(
    _ owners: [UInt32], _ rows: [UInt32], by key: String, of entity: String
  ) -> ([UInt32], [UInt32]) {
    guard let place = place(of: entity),
      let slot = tables[place.table].layout.slots[place.code][key]
    else { return ([], []) }
    var (newOwners, newRows): ([UInt32], [UInt32]) = ([], [])
    for (owner, row) in zip(owners, rows) {
      for link in self.rows(slot, place.table, Int(row)) {
        newOwners.append(owner)
        newRows.append(UInt32(truncatingIfNeeded: link))
      }
    }
    return (newOwners, newRows)
  }
}

extension JSONElements {
  /// Collects the elements at keys in several texts; `read` calls a closure with the text at a place, if there is one.
  fileprivate init(
    of count: Int, at keys: [String?],
    _ read: @Sendable (Int, (UnsafeBufferPointer<UInt8>) -> Void) -> Void
  ) {
    let size = ColumnChunk.capacity
    let parts = Workers.map(count: (count + size - 1) / size, inParallel: count > size) { part in
      var elements = JSONElements(keys)
      for place in part * size..<min(count, (part + 1) * size) {
        read(place) { elements.add($0, row: UInt32(truncatingIfNeeded: place)) }
      }
      return elements
    }
    self.init(keys)
    for part in parts { append(part) }
  }
}

extension Graph {
  /// Whether an entity was added for elements.
  package func isOfElements(_ entity: String) -> Bool { elementEntities.contains(entity) }

  /// Returns the graph with a table for another entity.
  package func adding(_ entity: Entity, _ columns: [Column], count: Int) -> Graph {
    var model = model
    model.define(entity)
    let layout = ModelLayout(model)
    var tables = tables
    guard let own = layout.tables.last else { return self }
    tables.append(
      Table(
        layout: own, columns: columns, identifiers: .dense(first: 1, count: count),
        nextNumber: Int64(count) + 1))
    var graph = Graph(model: model, layout: layout, tables: tables)
    graph.mayDangle = mayDangle
    graph.elementEntities = elementEntities
    return graph
  }

  /// Returns the graph with a table of elements.
  package func addingElements(_ entity: Entity, _ columns: [Column], count: Int) -> Graph {
    var graph = adding(entity, columns, count: count)
    graph.elementEntities.insert(entity.name)
    return graph
  }
}

extension Column {
  /// Returns a column with the values of some rows of an attribute, in their order.
  package func gathered(_ rows: [UInt32]) -> Column {
    var result = Column(kind)
    for row in rows {
      if case .toOne = kind {
        result.append(link(Int(row)).map { .object(Int64($0)) } ?? .null)
      } else {
        result.append(cell(Int(row)))
      }
    }
    return result
  }

  package init(links rows: [UInt32], to table: Int) {
    let size = ColumnChunk.capacity
    self.init(
      .toOne(destination: table),
      chunks: stride(from: 0, to: rows.count, by: size).map {
        ColumnChunk(.links(Array(rows[$0..<min(rows.count, $0 + size)])))
      })
  }
}

/// The identity of a table's data. Two equal states have the same data.
package struct TableState: Sendable, Equatable {
  private let chunks: [ChunkDerived]
  private let live: Bitmap?
  private let count: Int
  private let place: Int

  package init(_ table: Table, at place: Int) {
    self.place = place
    chunks = table.columns.flatMap { $0.chunks.map(\.derived) }
    (live, count) = (table.live, table.count)
  }

  package static func == (a: TableState, b: TableState) -> Bool {
    a.place == b.place && a.count == b.count && a.live == b.live && a.chunks.count == b.chunks.count
      && zip(a.chunks, b.chunks).allSatisfy { $0 === $1 }
  }
}

/// The elements at a path in the JSON of some rows, as one JSON array.
package struct JSONElements: Sendable {
  /// The array without its brackets.
  package private(set) var json: [UInt8] = []
  /// The place of each element's row among the rows.
  package private(set) var rows: [UInt32] = []
  /// The key of each element, if it was in an object and not in a list.
  package private(set) var keys: [String?] = []
  /// The keys of the values that `@allValues` passed before each element.
  package private(set) var outerKeys: [[String]] = []

  /// The keys of the path; nil for each value of an object.
  private let path: [[UInt8]?]
  /// The keys of the values that are being passed.
  private var passed: [String] = []

  init(_ path: [String?]) { self.path = path.map { $0.map { Array($0.utf8) } } }
}

extension JSONElements {
  mutating func add(_ json: UnsafeBufferPointer<UInt8>, row: UInt32) {
    var reader = JSONSkipper(json)
    add(&reader, row, path[...])
  }

  /// Adds the elements at the rest of the path. Values that are neither a list nor an object have none.
  private mutating func add(
    _ reader: inout JSONSkipper, _ row: UInt32, _ rest: ArraySlice<[UInt8]?>
  ) {
    if reader.isAtList {
      while reader.stepsToElement() {
        var element = reader
        if rest.isEmpty {
          append(&element, row, nil)
        } else {
          add(&element, row, rest)
        }
        reader.skipValue()
      }
    } else if case let key?? = rest.first {
      guard reader.findInAnyForm(key) else { return }
      add(&reader, row, rest.dropFirst())
    } else if reader.entersObject() {
      // The elements of an object are its values, with and without a last `@allValues`.
      let isEnd = rest.count <= 1
      while let (place, isPlain) = reader.stepsToKey() {
        var element = reader
        let key = reader.text(place, isPlain: isPlain)
        if isEnd {
          append(&element, row, key)
        } else {
          passed.append(key)
          add(&element, row, rest.dropFirst())
          passed.removeLast()
        }
        reader.stepsOver(read: isEnd ? element : reader)
      }
    }
  }

  private mutating func append(_ reader: inout JSONSkipper, _ row: UInt32, _ key: String?) {
    if !json.isEmpty { json.append(UInt8(ascii: ",")) }
    json += reader.json[reader.passesValue()]
    rows.append(row)
    keys.append(key)
    outerKeys.append(passed)
  }

  /// Adds the elements of later rows.
  mutating func append(_ other: JSONElements) {
    if !json.isEmpty, !other.json.isEmpty { json.append(UInt8(ascii: ",")) }
    json += other.json
    rows += other.rows
    keys += other.keys
    outerKeys += other.outerKeys
  }

  package var array: [UInt8] { [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")] }
}
