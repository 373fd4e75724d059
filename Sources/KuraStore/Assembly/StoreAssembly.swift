import KuraGraph
import KuraModel
import KuraValues

/// The builders of a store's entities; joins their rows into a graph.
struct StoreAssembly {
  let model: Model
  let layout: ModelLayout
  private let dates: DateReading
  var builders: [EntityBuilder] = []
  var problems = RowProblems()
  var origins: [RowOrigin] = []

  init(_ model: Model, _ rules: ZoneRules) {
    self.model = model
    dates = DateReading(rules: rules)
    layout = ModelLayout(model)
  }

  func free() { for builder in builders { builder.free() } }

  /// Returns the builder of an entity's rows, created at first use; nil if the model does not have the entity.
  mutating func builder(for entity: String) -> Int? {
    if let known = builders.firstIndex(where: { $0.name == entity }) { return known }
    guard model[entity] != nil else { return nil }
    builders.append(makeBuilder(entity))
    return builders.count - 1
  }

  private func makeBuilder(_ entity: String) -> EntityBuilder {
    var builder = EntityBuilder(name: entity, isInferred: false, dates: dates)
    builder.addColumn("objectID", .objectID)
    for attribute in model.allAttributes(of: entity) {
      let column = builder.addColumn(attribute.name, .attribute(attribute.type))
      builder.columns[column].missing = missingValue(attribute)
    }
    for relationship in model.allRelationships(of: entity) {
      builder.addColumn(relationship.name, relationship.isToMany ? .toMany : .toOne)
    }
    return builder
  }

  /// Returns the default value of a mandatory attribute, for rows without the key.
  ///
  /// A transient attribute is never written, but is read if a document contains it. A derived attribute is written and
  /// read, because `now()` in it is the time of a save. Neither is required.
  private func missingValue(_ attribute: Attribute) -> MissingValue? {
    guard !attribute.isOptional, let value = attribute.defaultValue else { return nil }
    switch StoredCell(value, as: attribute.type) {
    case .null, .object, .objects: return nil
    case .integer(let number): return .word(number)
    case .double(let number): return .word(Int64(bitPattern: number.bitPattern))
    case .boolean(let flag): return .word(flag ? 1 : 0)
    case .text(let text): return .text(Array(text.utf8), isOdd: areOdd(text))
    }
  }
}

private func areOdd(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { OddScalars.areIn($0) }
}

extension StoreAssembly {
  /// Builds the graph, and adds the rows that break the model to `problems`.
  mutating func graph(nextObjectIDs: [String: Int64]) -> Graph {
    for i in builders.indices {
      builders[i].seal()
      problems.append(builders[i].problems)
    }
    let trees = layout.tables.indices.map { tree($0, nextObjectIDs) }
    guard problems.count == 0 else { return Graph(model: model) }
    let tables = linked(trees)
    return Graph(model: model, layout: layout, tables: tables)
  }

  /// Returns the part of a row of the tree, and the row's index in that part.
  func place(of row: Int, in parts: [Int]) -> (part: Int, row: Int) {
    var row = row
    for part in parts {
      if row < builders[part].rowCount { return (part, row) }
      row -= builders[part].rowCount
    }
    return (parts.last ?? 0, row)
  }

  /// Reports the objects without a value for a mandatory attribute.
  mutating func checkMandatory(_ parts: [Int]) {
    for part in parts {
      for attribute in model.allAttributes(of: builders[part].name)
      where !attribute.isOptional && attribute.derivation == nil && !attribute.isTransient {
        guard let column = builders[part].column(attribute.name) else { continue }
        checkMandatory(part, column, attribute.name)
      }
    }
  }

  private mutating func checkMandatory(_ part: Int, _ column: Int, _ key: String) {
    // A value of another type also leaves a null, and has been reported already.
    guard builders[part].problems.count == 0 else { return }
    for (number, chunk) in builders[part].columns[column].sealed.enumerated() {
      guard let nulls = chunk.nulls else { continue }
      nulls.forEachSet { row in
        let row = number << ColumnChunk.shift + row
        problems.note(
          RowProblem(
            kind: .missing, entity: builders[part].name, row: row, objectID: objectID(part, row),
            key: key))
      }
    }
  }

  /// Returns the objectID of a row in the document; nil if it has none.
  func objectID(_ part: Int, _ row: Int) -> Int64? {
    let chunks = builders[part].columns[0].sealed
    let chunk = row >> ColumnChunk.shift
    guard chunk < chunks.count, case .integers(let values) = chunks[chunk].compactValues,
      let place = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return nil }
    return values[place]
  }
}

struct RowOrigin {
  /// The builders of the concatenated rows.
  var parts: [Int]
  /// The order of the table's rows among the concatenated ones; nil if it is the same order.
  var order: [Int]?
}

extension StoreAssembly {
  /// Returns where the document defines the object of a problem: the entity of its list, and the index in that list.
  func origin(of problem: RowProblem) -> (entity: String, row: Int)? {
    switch problem.kind {
    case .dangling, .contradiction, .twice:
      guard let table = layout.places[problem.entity]?.table, origins.indices.contains(table)
      else { return nil }
      let origin = origins[table]
      let place = place(of: origin.order?[problem.row] ?? problem.row, in: origin.parts)
      return (builders[place.part].name, place.row)
    default: return (problem.entity, problem.row)
    }
  }

  /// Converts the numbers of relationships to rows, and joins both sides of the document.
  mutating func linked(_ trees: [EntityTree]) -> [Table] {
    var tables = trees.map(\.table)
    for table in tables.indices {
      for (index, definition) in layout.tables[table].columns.enumerated() {
        switch definition.kind {
        case .attribute: continue
        case .toOne(let destination), .toMany(let destination):
          tables[table].columns[index] =
            wholeColumn(definition, table, destination, trees)
            ?? Column(
              definition.kind, lists: linkRows(definition, table, destination, trees))
        }
      }
    }
    return tables
  }

  /// Returns the column of a relationship in the usual case: the document contains only this side,
  /// without problems. Otherwise returns nil.
  private func wholeColumn(
    _ definition: ColumnDefinition, _ table: Int, _ destination: Int, _ trees: [EntityTree]
  ) -> Column? {
    let key = EntityKey(definition.entity, definition.key)
    guard case .chunks(let said) = trees[table].links[key] else { return nil }
    if let inverse = model.inverse(of: key.key, in: key.entity) {
      let otherKey = EntityKey(inverse.owner, inverse.relationship.name)
      let other = trees[destination].links[otherKey]
      guard inverse.relationship.isToMany, otherKey != key, other?.isSpecified != true else {
        return nil
      }
    }
    return said.column(definition.kind, to: target(of: key, trees[destination].table))
  }

  private func target(of key: EntityKey, _ to: Table) -> LinkTarget {
    let entity = destinationEntity(of: key)
    // Every row of a whole tree is allowed.
    let codes = entity == to.layout.root ? nil : layout.codes(of: entity, model)
    return LinkTarget(
      identifiers: to.identifiers,
      isAllowed: codes.map { codes in { @Sendable row in codes.contains(to.entityCode(row)) } })
  }

  private mutating func linkRows(
    _ definition: ColumnDefinition, _ table: Int, _ destination: Int, _ trees: [EntityTree]
  ) -> LinkLists {
    let key = EntityKey(definition.entity, definition.key)
    guard let raw = trees[table].links[key]?.raw else { return LinkLists() }
    var rows = resolve(raw, key, table, destination, trees)
    if let inverse = model.inverse(of: key.key, in: key.entity) {
      let otherKey = EntityKey(inverse.owner, inverse.relationship.name)
      let isOwnInverse = otherKey == key
      if isOwnInverse {
        makeSymmetric(&rows, raw, key, trees[table].table)
      } else if let other = trees[destination].links[otherKey]?.raw, other.isSpecified {
        let otherRows = resolve(other, otherKey, destination, table, trees)
        takeIn(
          otherRows, other, otherKey, into: &rows, raw, key,
          (trees[table].table, trees[destination].table))
      }
      if !inverse.relationship.isToMany { checkSoleOwners(rows, key, trees[table].table) }
    }
    if !definition.isOrdered { rows.sortLists() }
    return rows
  }

  /// Checks that no two objects share a target if the inverse is a to-one relationship.
  private mutating func checkSoleOwners(_ rows: LinkLists, _ key: EntityKey, _ table: Table) {
    var owners: [UInt32: Int] = [:]
    for row in 0..<rows.count {
      for target in rows[row] {
        if let first = owners.updateValue(row, forKey: target) {
          problems.note(contradiction(row, key, table, with: table, first, key))
        }
      }
    }
  }

  /// Converts numbers to rows; reports objects that are missing or not of the right entity.
  private mutating func resolve(
    _ raw: RawLinks, _ key: EntityKey, _ table: Int, _ destination: Int, _ trees: [EntityTree]
  ) -> LinkLists {
    let entity = destinationEntity(of: key)
    let target = target(of: key, trees[destination].table)
    var rows = LinkLists()
    rows.reserve(owners: raw.ends.count, rows: raw.numbers.count)
    for row in raw.ends.indices {
      let range = raw.range(row)
      if range.count > 1, !isAscending(raw.numbers[range]) {
        noteRepeated(raw.numbers[range], entity, key, trees[table].table, row)
      }
      for place in range {
        let number = raw.numbers[place]
        if let found = target.row(of: number) {
          rows.rows.append(found)
        } else {
          problems.note(
            broken(.dangling(number, destination: entity), key, trees[table].table, row))
        }
      }
      rows.closeRow()
    }
    return rows
  }

  /// Reports objects that a to-many list contains twice.
  private mutating func noteRepeated(
    _ numbers: ArraySlice<Int64>, _ destination: String, _ key: EntityKey, _ table: Table,
    _ row: Int
  ) {
    var seen: Set<Int64> = []
    for number in numbers where !seen.insert(number).inserted {
      problems.note(broken(.twice(number, destination: destination), key, table, row))
    }
  }

  private func destinationEntity(of key: EntityKey) -> String {
    model[key.entity]?.relationships.first { $0.name == key.key }?.destination ?? ""
  }

  /// Returns the problem of a relationship of an object.
  private func broken(
    _ kind: RowProblem.Kind, _ key: EntityKey, _ table: Table, _ row: Int
  ) -> RowProblem {
    RowProblem(
      kind: kind, entity: table.objectID(row).entity, row: row, objectID: table.identifiers[row],
      key: key.key)
  }
}

/// Returns whether a list ascends, as most lists do, and therefore has no duplicates.
private func isAscending(_ numbers: ArraySlice<Int64>) -> Bool {
  for i in numbers.indices.dropFirst() where numbers[i - 1] >= numbers[i] { return false }
  return true
}

extension StoreAssembly {
  /// Adds the pairs of the other side of a relationship.
  ///
  /// A key that is present lists all pairs of its side; a missing key means that they are unknown.
  /// If both keys are present, a pair on only one side is a contradiction.
  mutating func takeIn(
    _ other: LinkLists, _ rawOther: RawLinks, _ otherKey: EntityKey,
    into rows: inout LinkLists, _ raw: RawLinks, _ key: EntityKey,
    _ tables: (here: Table, there: Table)
  ) {
    var lists = rows.lists
    for there in 0..<other.count {
      for here in other[there] {
        let row = Int(here)
        guard !lists[row].contains(UInt32(there)) else { continue }
        let isFull = !raw.isToMany && !lists[row].isEmpty
        if raw.numbers(row) != nil || isFull {
          problems.note(
            contradiction(there, otherKey, tables.there, with: tables.here, row, key))
        } else {
          lists[row].append(UInt32(there))
        }
      }
    }
    // If both sides are written, `checkOther` finds the pairs that the other side lacks.
    if model.writtenSide(of: key.key, in: key.entity) != .both {
      checkOther(other, rawOther, otherKey, lists, key, tables)
    }
    rows = LinkLists(lists: lists)
  }

  /// Checks that the other side has every pair of the written side, if its key is present.
  private mutating func checkOther(
    _ other: LinkLists, _ rawOther: RawLinks, _ otherKey: EntityKey, _ lists: [[UInt32]],
    _ key: EntityKey, _ tables: (here: Table, there: Table)
  ) {
    for (row, list) in lists.enumerated() {
      for there in list.map({ Int($0) }) where rawOther.numbers(there) != nil {
        guard !other[there].contains(UInt32(row)) else { continue }
        problems.note(contradiction(there, otherKey, tables.there, with: tables.here, row, key))
      }
    }
  }

  /// Adds each pair of a relationship that is its own inverse to both objects.
  mutating func makeSymmetric(
    _ rows: inout LinkLists, _ raw: RawLinks, _ key: EntityKey, _ table: Table
  ) {
    var lists = rows.lists
    for from in 0..<rows.count {
      for to in rows[from].map({ Int($0) }) where !lists[to].contains(UInt32(from)) {
        let isFull = !raw.isToMany && !lists[to].isEmpty
        // The document writes a pair on the object with the lower number. The other object may have
        // no value, or only the numbers above its own.
        if isFull || (!raw.isToMany && raw.numbers(to)?.isEmpty == true) {
          problems.note(contradiction(to, key, table, with: table, from, key))
        } else {
          lists[to].append(UInt32(from))
        }
      }
    }
    rows = LinkLists(lists: lists)
  }

  func contradiction(
    _ there: Int, _ otherKey: EntityKey, _ table: Table, with here: Table, _ row: Int,
    _ key: EntityKey
  ) -> RowProblem {
    broken(.contradiction(other: "\(here.objectID(row)) \(key.key)"), otherKey, table, there)
  }
}
