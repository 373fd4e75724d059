import KuraModel
import KuraValues

extension Migration {
  /// The column of a relationship's written side: as it was, or made of what both ends had.
  func linkColumn(
    _ definition: ColumnDefinition, _ number: Int, _ settings: ColumnSettings,
    _ problems: inout [MigrationFacts]
  ) -> Column {
    guard let here = end(definition.key, of: definition.entity) else {
      return Column(definition.kind)
    }
    let there = model.inverse(of: definition.key, in: definition.entity)
      .flatMap { end($0.relationship.name, of: $0.owner) }
    if let kept = keptColumn(definition, here, there, number) { return kept }
    guard var links = MigratedLinks(self, number, settings, here, there) else {
      return Column(definition.kind)
    }
    links.addAll()
    links.check(&problems)
    return links.column(definition.kind)
  }

  /// One end of a relationship in the new model.
  func end(_ key: String, of owner: String) -> MigratedEnd? {
    guard case .relationship(let now)? = model.property(named: key, of: owner) else { return nil }
    var before: Relationship?
    if case .relationship(let relationship)? = oldProperty(key, of: owner) { before = relationship }
    return MigratedEnd(owner: owner, now: now, before: before)
  }

  /// The column as it was, where neither end has changed but in name.
  private func keptColumn(
    _ definition: ColumnDefinition, _ here: MigratedEnd, _ there: MigratedEnd?, _ number: Int
  ) -> Column? {
    guard isAsBefore(here), there.map(isAsBefore) ?? true else { return nil }
    let table = old.tables[number]
    let entity = oldEntity(definition.entity)
    let key = oldKey(definition.key, of: definition.entity)
    let place = table.layout.columns.firstIndex {
      $0.entity == entity && $0.key == key && $0.kind == definition.kind
    }
    return place.map {
      Column(definition.kind, chunks: table.columns[$0].chunks)
    }
  }

  private func isAsBefore(_ end: MigratedEnd) -> Bool {
    guard let before = end.before else { return false }
    let inverse = end.now.inverse.map { oldKey($0, of: inverseOwner(end) ?? "") }
    return before.isToMany == end.now.isToMany && before.inverse == inverse
      && before.destination == oldEntity(end.now.destination)
  }

  private func inverseOwner(_ end: MigratedEnd) -> String? {
    end.now.inverse.flatMap { model.ownedProperty(named: $0, of: end.now.destination)?.owner }
  }
}

/// One end of a relationship: as it is to be, and as it was, if it was there.
struct MigratedEnd: Equatable {
  var owner: String
  var now: Relationship
  var before: Relationship?

  static func == (a: MigratedEnd, b: MigratedEnd) -> Bool {
    a.owner == b.owner && a.now.name == b.now.name
  }
}

extension Graph {
  /// What a relationship of the entity that declares it leads to, row by row.
  func links(_ key: String, of owner: String) -> (table: Int, rows: [(row: Int, targets: [Int])])? {
    guard let place = place(of: owner) else { return nil }
    let table = tables[place.table]
    let codes = codes(of: owner)
    let rows = (0..<table.count).filter { table.isLive($0) && codes.contains(table.entityCode($0)) }
    guard let slot = table.layout.slots[place.code][key] else { return nil }
    return (place.table, rows.map { ($0, self.rows(slot, place.table, $0)) })
  }
}
