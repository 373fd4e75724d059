import KuraGraph
import KuraModel
import KuraValues

extension StoreAssembly {
  /// Turns the numbers of relationships into rows; both sides of the document are taken in.
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

  /// The column of a relationship of which only this side says anything, and nothing that is wrong:
  /// nearly each one is so. Nil for all others.
  private func wholeColumn(
    _ definition: ColumnDefinition, _ table: Int, _ destination: Int, _ trees: [EntityTree]
  ) -> Column? {
    let key = RelationshipKey(entity: definition.entity, key: definition.key)
    guard case .chunks(let said) = trees[table].links[key] else { return nil }
    if let inverse = model.inverse(of: key.key, in: key.entity) {
      let otherKey = RelationshipKey(entity: inverse.owner, key: inverse.relationship.name)
      let other = trees[destination].links[otherKey]
      guard inverse.relationship.isToMany, otherKey != key, other?.saysAnything != true else {
        return nil
      }
    }
    return said.column(definition.kind, to: target(of: key, trees[destination].table))
  }

  private func target(of key: RelationshipKey, _ to: Table) -> LinkTarget {
    let codes = allowedCodes(destinationEntity(of: key), in: to)
    return LinkTarget(
      identifiers: to.identifiers,
      isAllowed: codes.map { codes in { @Sendable row in codes.contains(to.entityCode(row)) } })
  }

  /// For each row the rows it leads to.
  private mutating func linkRows(
    _ definition: ColumnDefinition, _ table: Int, _ destination: Int, _ trees: [EntityTree]
  ) -> LinkRows {
    let key = RelationshipKey(entity: definition.entity, key: definition.key)
    guard let raw = trees[table].links[key]?.raw else { return LinkRows() }
    var rows = resolve(raw, key, table, destination, trees)
    if let inverse = model.inverse(of: key.key, in: key.entity) {
      let otherKey = RelationshipKey(entity: inverse.owner, key: inverse.relationship.name)
      let isOwnInverse = otherKey == key
      if isOwnInverse {
        makeSymmetric(&rows, raw, key, trees[table].table)
      } else if let other = trees[destination].links[otherKey]?.raw, other.saysAnything {
        let otherRows = resolve(other, otherKey, destination, table, trees)
        takeIn(
          otherRows, other, otherKey, into: &rows, raw, key,
          (trees[table].table, trees[destination].table))
      }
      if !inverse.relationship.isToMany { checkSoleOwners(rows, key, trees[table].table) }
    }
    return rows
  }

  /// Where the other side is a to-one, no two objects have the same one.
  private mutating func checkSoleOwners(_ rows: LinkRows, _ key: RelationshipKey, _ table: Table) {
    var owners: [UInt32: Int] = [:]
    for row in 0..<rows.count {
      for target in rows[row] {
        if let first = owners.updateValue(row, forKey: target) {
          note(contradiction(row, key, table, with: table, first, key))
        }
      }
    }
  }

  /// Numbers to rows; an object that is not there, or not of the right entity, is a problem.
  private mutating func resolve(
    _ raw: RawLinks, _ key: RelationshipKey, _ table: Int, _ destination: Int, _ trees: [EntityTree]
  ) -> LinkRows {
    let entity = destinationEntity(of: key)
    let target = target(of: key, trees[destination].table)
    var rows = LinkRows()
    rows.reserve(owners: raw.ends.count, rows: raw.numbers.count)
    for row in raw.ends.indices {
      let range = raw.range(row)
      if range.count > 1, !isAscending(raw.numbers[range]) {
        noteRepeated(raw.numbers[range], entity, key, trees[table].table, row)
      }
      for place in range {
        let number = raw.numbers[place]
        if let found = target.row(of: number) {
          rows.add(found)
        } else {
          note(dangling(number, entity, key, trees[table].table, row))
        }
      }
      rows.closeRow()
    }
    return rows
  }

  /// A to-many has an object once.
  private mutating func noteRepeated(
    _ numbers: ArraySlice<Int64>, _ destination: String, _ key: RelationshipKey, _ table: Table,
    _ row: Int
  ) {
    var seen: Set<Int64> = []
    for number in numbers where !seen.insert(number).inserted {
      note(
        RowProblem(
          kind: .twice(number, destination: destination), entity: table.objectID(row).entity,
          row: row, objectID: table.identifiers[row], key: key.key))
    }
  }

  private func destinationEntity(of key: RelationshipKey) -> String {
    model[key.entity]?.relationships.first { $0.name == key.key }?.destination ?? ""
  }

  /// The codes of the destination and its subentities; nil if every row of the table is one.
  private func allowedCodes(_ entity: String, in table: Table) -> Set<Int>? {
    guard entity != table.layout.root else { return nil }
    let names = Set([entity] + model.descendants(of: entity))
    return Set(table.layout.entities.indices.filter { names.contains(table.layout.entities[$0]) })
  }

  private func dangling(
    _ number: Int64, _ destination: String, _ key: RelationshipKey, _ table: Table, _ row: Int
  ) -> RowProblem {
    RowProblem(
      kind: .dangling(number, destination: destination), entity: table.objectID(row).entity,
      row: row, objectID: table.identifiers[row], key: key.key)
  }
}

/// Most lists are, and have nothing twice.
private func isAscending(_ numbers: ArraySlice<Int64>) -> Bool {
  for i in numbers.indices.dropFirst() where numbers[i - 1] >= numbers[i] { return false }
  return true
}

extension StoreAssembly {
  /// Takes in what the other side of a relationship says.
  ///
  /// A key that is there is the whole of that side, a key left out says nothing; a pair that one
  /// side has and the other, being there, has not is a contradiction.
  mutating func takeIn(
    _ other: LinkRows, _ rawOther: RawLinks, _ otherKey: RelationshipKey,
    into rows: inout LinkRows, _ raw: RawLinks, _ key: RelationshipKey,
    _ tables: (here: Table, there: Table)
  ) {
    var lists = rows.lists
    for there in 0..<other.count {
      for here in other[there] {
        let row = Int(here)
        guard !lists[row].contains(UInt32(there)) else { continue }
        let isFull = !raw.isToMany && !lists[row].isEmpty
        if raw.numbers(row) != nil || isFull {
          note(contradiction(there, otherKey, tables.there, with: tables.here, row, key))
        } else {
          lists[row].append(UInt32(there))
        }
      }
    }
    // Where both sides are kept, what is missing there is found from there.
    if model.writtenSide(of: key.key, in: key.entity) != .both {
      checkOther(other, rawOther, otherKey, lists, key, tables)
    }
    rows = LinkRows(lists: lists)
  }

  /// Every pair of the written side must be on the other side where that one is there.
  private mutating func checkOther(
    _ other: LinkRows, _ rawOther: RawLinks, _ otherKey: RelationshipKey, _ lists: [[UInt32]],
    _ key: RelationshipKey, _ tables: (here: Table, there: Table)
  ) {
    for (row, list) in lists.enumerated() {
      for there in list.map({ Int($0) }) where rawOther.numbers(there) != nil {
        guard !other[there].contains(UInt32(row)) else { continue }
        note(contradiction(there, otherKey, tables.there, with: tables.here, row, key))
      }
    }
  }

  /// A relationship that is its own inverse is on both objects.
  mutating func makeSymmetric(
    _ rows: inout LinkRows, _ raw: RawLinks, _ key: RelationshipKey, _ table: Table
  ) {
    var lists = rows.lists
    for from in 0..<rows.count {
      for to in rows[from].map({ Int($0) }) where !lists[to].contains(UInt32(from)) {
        let isFull = !raw.isToMany && !lists[to].isEmpty
        // The document writes a pair on the object with the lower number; the other may be silent,
        // or list only those that are above itself.
        if isFull || (!raw.isToMany && raw.numbers(to)?.isEmpty == true) {
          note(contradiction(to, key, table, with: table, from, key))
        } else {
          lists[to].append(UInt32(from))
        }
      }
    }
    rows = LinkRows(lists: lists)
  }

  func contradiction(
    _ there: Int, _ otherKey: RelationshipKey, _ table: Table, with here: Table, _ row: Int,
    _ key: RelationshipKey
  ) -> RowProblem {
    RowProblem(
      kind: .contradiction("\(here.objectID(row)) \(key.key)"),
      entity: table.objectID(there).entity, row: there, objectID: table.identifiers[there],
      key: otherKey.key)
  }
}
