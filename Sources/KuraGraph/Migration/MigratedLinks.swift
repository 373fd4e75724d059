import KuraModel
import KuraValues

/// The links of a relationship's written side, while they are carried over.
struct MigratedLinks {
  let migration: Migration
  let table: Int
  let layout: ModelLayout
  private var targets: [[UInt32]]

  init(_ migration: Migration, _ table: Int, _ layout: ModelLayout) {
    self.migration = migration
    self.table = table
    self.layout = layout
    targets = Array(repeating: [], count: migration.old.tables[table].count)
  }
}

extension MigratedLinks {
  /// What this end led to.
  mutating func add(_ end: MigratedEnd) {
    for (row, rows) in oldLinks(end) {
      targets[row] = rows.map { UInt32(truncatingIfNeeded: $0) }
    }
  }

  /// What the other end led to, where the two were not each other's inverse before.
  mutating func add(reversed end: MigratedEnd, of here: MigratedEnd) {
    if let before = here.before, let there = end.before,
      migration.old.model.inverse(of: before.name, in: migration.oldEntity(here.owner))?
        .relationship.name == there.name
    {
      return
    }
    for (row, sources) in oldLinks(end) { for source in sources { link(source, row) } }
  }

  /// A relationship that is its own inverse leads both ways.
  mutating func mirror() {
    for (row, list) in targets.enumerated() { for target in list { link(Int(target), row) } }
  }

  private mutating func link(_ row: Int, _ target: Int) {
    guard targets.indices.contains(row) else { return }
    let target = UInt32(truncatingIfNeeded: target)
    if !targets[row].contains(target) { targets[row].append(target) }
  }

  private func oldLinks(_ end: MigratedEnd) -> [(row: Int, targets: [Int])] {
    guard let before = end.before else { return [] }
    return migration.old.links(before.name, of: migration.oldEntity(end.owner))?.rows ?? []
  }

  func column(_ kind: ColumnKind) -> Column {
    var column = Column(kind)
    for list in targets {
      switch kind {
      case .attribute: column.append(.null)
      case .toOne: column.append(list.first.map { .link($0) } ?? .null)
      case .toMany: column.append(.links(list))
      }
    }
    return column
  }
}

extension MigratedLinks {
  /// Objects that would have several of a to-one, at either end, or one of another entity.
  func check(_ here: MigratedEnd, _ there: MigratedEnd?, _ problems: inout [MigrationFacts]) {
    guard let destination = layout.places[here.now.destination]?.table else { return }
    let codes = Set(
      ([here.now.destination] + migration.model.descendants(of: here.now.destination))
        .compactMap { layout.places[$0]?.code })
    for (row, list) in targets.enumerated() {
      if let stranger = list.first(where: { !isOne($0, destination, codes, here) }) {
        problems.append(wrong(here, row, stranger))
      } else if !here.now.isToMany, list.count > 1 {
        problems.append(several(here, table, row, list, destination))
      }
    }
    if let there, there != here, !there.now.isToMany {
      checkSources(there, destination, &problems)
    }
  }

  private func checkSources(
    _ there: MigratedEnd, _ destination: Int, _ problems: inout [MigrationFacts]
  ) {
    var sources: [UInt32: [UInt32]] = [:]
    for (row, list) in targets.enumerated() {
      for target in list { sources[target, default: []].append(UInt32(truncatingIfNeeded: row)) }
    }
    for (target, list) in sources.sorted(by: { $0.key < $1.key }) where list.count > 1 {
      problems.append(several(there, destination, Int(target), list, table))
    }
  }

  /// Whether a row is an object of the destination.
  private func isOne(
    _ target: UInt32, _ destination: Int, _ codes: Set<Int>, _ here: MigratedEnd
  ) -> Bool {
    let wasThere = here.before.map { migration.old.place(of: $0.destination)?.table }
    if let wasThere, wasThere != destination { return false }
    return codes.contains(migration.old.tables[destination].entityCode(Int(target)))
  }

  private func wrong(_ end: MigratedEnd, _ row: Int, _ target: UInt32) -> MigrationFacts {
    let old = migration.old
    let destination = end.before.flatMap { old.place(of: $0.destination)?.table } ?? table
    return .wrongDestination(
      old.tables[table].objectID(row), key: end.now.name,
      old.tables[destination].objectID(Int(target)), destination: end.now.destination)
  }

  private func several(
    _ end: MigratedEnd, _ table: Int, _ row: Int, _ list: [UInt32], _ destination: Int
  ) -> MigrationFacts {
    .several(
      migration.old.tables[table].objectID(row), key: end.now.name,
      list.map { migration.old.tables[destination].objectID(Int($0)) })
  }
}
