import KuraBytes
import KuraModel
import KuraPredicates
import KuraValues

/// The links of the stored side of a relationship during a migration.
///
/// Every link leads from a row of the table to one of the destination. Links to other objects are
/// set aside, and prevent the migration.
struct MigratedLinks {
  let migration: Migration
  let table: Int
  let layout: ModelLayout
  let here: MigratedEnd
  /// The inverse; for a relationship that is its own inverse, this end; nil without inverse.
  let there: MigratedEnd?
  /// A flag that ends the migration.
  let cancel: CancelFlag
  private let destination: Int
  private let sourceCodes: Set<Int>
  private let targetCodes: Set<Int>
  private var targets: [[UInt32]]
  private var strangers: [MigrationProblem] = []
  /// Objects with an invalid link that was reported, by the owner of the end.
  private var listed: Set<Stranger> = []

  init?(
    _ migration: Migration, _ table: Int, _ settings: ColumnSettings, _ here: MigratedEnd,
    _ there: MigratedEnd?
  ) {
    let layout = settings.layout
    cancel = settings.context.cancel
    guard let destination = layout.places[here.now.destination]?.table else { return nil }
    (self.migration, self.table, self.layout) = (migration, table, layout)
    (self.here, self.there, self.destination) = (here, there, destination)
    sourceCodes = layout.codes(of: there?.now.destination ?? here.owner, migration.model)
    targetCodes = layout.codes(of: here.now.destination, migration.model)
    targets = Array(repeating: [], count: migration.old.tables[table].count)
  }
}

extension MigratedLinks {
  /// Adds the links of both ends.
  mutating func addAll() {
    addOwn()
    if let there, there != here { addReversed(there) }
    if there == here { mirror() }
    for row in targets.indices where targets[row].count > 1 { targets[row].keepFirstOfEach() }
  }

  private mutating func addOwn() {
    for (row, rows, table) in oldLinks(here) where !cancel.isRequested {
      for target in rows { link(row, GraphPlace(table: table, row: target)) }
    }
  }

  /// Adds the links of the other end, if the two were not inverses before.
  private mutating func addReversed(_ there: MigratedEnd) {
    guard !wereInverses(there) else { return }
    for (source, rows, table) in oldLinks(there) where !cancel.isRequested {
      for row in rows { link(GraphPlace(table: table, row: row), source, there) }
    }
  }

  /// Adds the opposite links of a relationship that is its own inverse.
  private mutating func mirror() {
    let forward = targets
    for (row, list) in forward.enumerated() {
      for target in list { targets[Int(target)].append(UInt32(truncatingIfNeeded: row)) }
    }
  }

  private func wereInverses(_ there: MigratedEnd) -> Bool {
    guard let before = here.before, let other = there.before,
      let inverse = migration.old.model.inverse(
        of: before.name, in: migration.oldEntity(here.owner))
    else { return false }
    return inverse.relationship.name == other.name
      && inverse.owner == migration.oldEntity(there.owner)
  }

  private func oldLinks(_ end: MigratedEnd) -> [(row: Int, targets: [Int], table: Int)] {
    guard let before = end.before, let table = migration.old.place(of: before.destination)?.table,
      let links = migration.old.links(before.name, of: migration.oldEntity(end.owner))
    else { return [] }
    return links.rows.map { ($0, $1, table) }
  }
}

// Valid links
extension MigratedLinks {
  /// Adds a link from this end.
  private mutating func link(_ row: Int, _ target: GraphPlace) {
    if !isTarget(target) { return setAside(here, GraphPlace(table: table, row: row), target) }
    guard isSource(GraphPlace(table: table, row: row)) else {
      return setAside(there ?? here, target, GraphPlace(table: table, row: row))
    }
    targets[row].append(UInt32(truncatingIfNeeded: target.row))
  }

  /// Adds a link from the other end.
  private mutating func link(_ place: GraphPlace, _ source: Int, _ there: MigratedEnd) {
    let other = GraphPlace(table: destination, row: source)
    guard isSource(place) else { return setAside(there, other, place) }
    guard isTarget(other) else { return setAside(here, place, other) }
    targets[place.row].append(UInt32(truncatingIfNeeded: source))
  }

  private func isSource(_ place: GraphPlace) -> Bool {
    place.table == table && sourceCodes.contains(migration.old.tables[table].entityCode(place.row))
  }

  private func isTarget(_ place: GraphPlace) -> Bool {
    place.table == destination
      && targetCodes.contains(migration.old.tables[destination].entityCode(place.row))
  }

  private mutating func setAside(_ end: MigratedEnd, _ source: GraphPlace, _ target: GraphPlace) {
    guard listed.insert(Stranger(owner: end.owner, source: source)).inserted else { return }
    strangers.append(
      .wrongDestination(
        objectID(source), key: end.now.name, objectID(target), destination: end.now.destination))
  }

  private func objectID(_ place: GraphPlace) -> ObjectID {
    migration.old.tables[place.table].objectID(place.row)
  }
}

private struct Stranger: Hashable {
  var owner: String
  var source: GraphPlace
}

extension MigratedLinks {
  func column(_ kind: ColumnKind) -> Column {
    var column = Column(kind)
    for list in targets where !cancel.isRequested {
      switch kind {
      case .attribute: column.append(.null)
      case .toOne: column.append(list.first.map { .object(Int64($0)) } ?? .null)
      case .toMany: column.append(.objects(list.map { Int64($0) }))
      }
    }
    return column
  }

  /// Reports objects with a link to another entity, or with several objects of a to-one relationship, at either end.
  func check(_ problems: inout [MigrationProblem]) {
    problems += strangers
    if !here.now.isToMany {
      for (row, list) in targets.enumerated() where list.count > 1 {
        problems.append(several(here, table, row, list, destination))
      }
    }
    if let there, there != here, !there.now.isToMany { checkSources(there, &problems) }
  }

  private func checkSources(_ there: MigratedEnd, _ problems: inout [MigrationProblem]) {
    var sources: [UInt32: [UInt32]] = [:]
    for (row, list) in targets.enumerated() {
      for target in list { sources[target, default: []].append(UInt32(truncatingIfNeeded: row)) }
    }
    for (target, list) in sources.sorted(by: { $0.key < $1.key }) where list.count > 1 {
      problems.append(several(there, destination, Int(target), list, table))
    }
  }

  private func several(
    _ end: MigratedEnd, _ table: Int, _ row: Int, _ list: [UInt32], _ destination: Int
  ) -> MigrationProblem {
    .several(
      migration.old.tables[table].objectID(row), key: end.now.name,
      list.map { migration.old.tables[destination].objectID(Int($0)) })
  }
}

extension [UInt32] {
  /// Removes duplicates.
  fileprivate mutating func keepFirstOfEach() {
    var seen: Set<UInt32> = []
    self = filter { seen.insert($0).inserted }
  }
}
