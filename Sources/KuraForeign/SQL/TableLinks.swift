import KuraModel

/// The tables of a SELECT, and the relationships by which they are joined.
struct TableLinks {
  /// A table with its name and its place on the way from the root.
  struct Table {
    let name: String
    let entity: String?
    var place: Place?
    /// Whether rows without a partner stay.
    var isOuter = false
    /// Whether it surrounds the SELECT, which then asks about its row.
    var isAround = false
    /// Whether a condition has taken its place.
    var isDismissed = false
  }

  /// A relationship from one table to another.
  struct Link {
    let from: Int
    let way: Relationship
    let to: Int
    /// Whether it has given a table its place.
    var isUsed = false
  }

  let names: ModelNames
  var tables: [Table] = []
  var links: [Link] = []

  init(_ names: ModelNames) { self.names = names }

  mutating func add(_ table: SelectQuery.Table, isOuter: Bool = false) {
    let entity = names.entity(table.value.lastWord ?? "")
    tables.append(Table(name: table.name, entity: entity, isOuter: isOuter))
  }

  /// Adds a table around the SELECT, whose place is known.
  mutating func add(around name: String, _ place: Place) {
    tables.append(Table(name: name, entity: place.entity, place: place, isAround: true))
  }

  func index(of name: String) -> Int? {
    tables.firstIndex { $0.name.lowercased() == name.lowercased() }
  }
}

// The conditions that are links
extension TableLinks {
  /// Notes a condition of a join, or of WHERE, that only says how tables belong together; false if it
  /// says something else.
  mutating func take(_ condition: Tree, ofJoin join: Int?) -> Bool {
    guard case .infix("==", let left, let right) = condition.kind, let first = side(left),
      let second = side(right), first.table != second.table,
      let link = link(first, second) ?? link(second, first)
    else { return false }
    // A condition in WHERE does not join a table whose rows may stay without a partner.
    let isJoining =
      join.map { link.from == $0 || link.to == $0 || !tables[$0].isOuter }
      ?? (!tables[link.from].isOuter && !tables[link.to].isOuter)
    guard isJoining else { return false }
    links.append(link)
    return true
  }

  private typealias Side = (table: Int, key: String?)

  /// `i.parentCategory`, `Category.objectID`, `c`; nil if it is not a column of a table.
  private func side(_ tree: Tree) -> Side? {
    guard let words = tree.words else { return nil }
    if words.count >= 2 {
      return index(of: words[words.count - 2]).map { ($0, words[words.count - 1]) }
    }
    let owner = tables.firstIndex { table in
      guard let entity = table.entity else { return false }
      return names.key(words[0], of: entity)?.property != nil
    }
    return owner.map { ($0, words[0]) } ?? index(of: words[0]).map { ($0, nil) }
  }

  private func link(_ from: Side, _ to: Side) -> Link? {
    guard let entity = tables[from.table].entity, let other = tables[to.table].entity,
      let key = from.key, to.key.map({ names.isIdentity($0, of: other) }) ?? true
    else { return nil }
    if case .relationship(let way)? = names.key(key, of: entity)?.property {
      return way.destination == other && !way.isToMany
        ? Link(from: from.table, way: way, to: to.table) : nil
    }
    let ways = names.relationships(from: entity, to: other).filter { !$0.isToMany }
    guard ModelNames.plain(key).hasSuffix("id"), ways.count == 1,
      names.key(key, of: entity) == nil
    else { return nil }
    return Link(from: from.table, way: ways[0], to: to.table)
  }
}

// The places of the tables
extension TableLinks {
  /// The tables whose objects are the rows of the join: from each of them the others are reached by
  /// to-ones.
  var exactRoots: [Int] {
    tables.indices.filter { root in
      guard !tables[root].isOuter else { return false }
      var copy = self
      copy.place(from: root)
      return copy.tables.allSatisfy { $0.place.map { !$0.isMany } ?? false }
    }
  }

  /// Gives each table its path from one of them.
  mutating func place(from root: Int) {
    tables[root].place = Place(path: "", entity: tables[root].entity)
    spread()
  }

  /// Continues from the tables whose places are known.
  mutating func spread() {
    var isMoving = true
    while isMoving {
      isMoving = false
      for (i, link) in links.enumerated() where !link.isUsed {
        let (from, to) = (tables[link.from], tables[link.to])
        if let start = from.place, to.place == nil {
          tables[link.to].place = step(start, link.way, to: link.to)
        } else if let start = to.place, from.place == nil, let back = inverse(of: link) {
          tables[link.from].place = step(start, back, to: link.from)
        } else {
          continue
        }
        (isMoving, links[i].isUsed) = (true, true)
      }
    }
  }

  private func step(_ start: Place, _ way: Relationship, to table: Int) -> Place {
    let key = ModelNames.written(way.name)
    return Place(
      path: start.path.isEmpty ? key : start.path + "." + key, entity: tables[table].entity,
      isMany: start.isMany || way.isToMany,
      isNullable: tables[table].isOuter && (way.isOptional || start.isNullable))
  }

  private func inverse(of link: Link) -> Relationship? {
    guard let name = link.way.inverse, let entity = tables[link.to].entity,
      case .relationship(let back)? = names.model.property(named: name, of: entity)
    else { return nil }
    return back
  }

  /// Whether a link that leads to a table may lead nowhere.
  func mayBeMissing(_ table: Int) -> Bool {
    links.contains { link in
      link.isUsed && link.to == table
        && (link.way.isOptional || tables[link.from].place?.isNullable == true)
    }
  }

  /// Whether the key of a table is one by which it is joined, or is there in each object.
  func isAlwaysThere(_ key: String, of table: Int) -> Bool {
    guard let entity = tables[table].entity else { return false }
    if names.isIdentity(key, of: entity) { return true }
    let found = names.key(key, of: entity)
    if links.contains(where: { $0.from == table && $0.way.name == found?.name }) { return true }
    guard case .attribute(let attribute)? = found?.property else { return false }
    return !attribute.isOptional && attribute.derivation == nil
  }
}

extension ModelNames {
  /// Whether a name is that of the objectID: `id`, `item_id`.
  func isIdentity(_ key: String, of entity: String) -> Bool {
    self.key(key, of: entity).map { $0.name == "objectID" } ?? false
  }
}
