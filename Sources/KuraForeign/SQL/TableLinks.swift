import KuraModel

/// The tables of a SELECT, and the relationships by which they are joined.
struct TableLinks {
  /// A table with what it is called and where it lies on the way from the first.
  struct Table {
    let name: String
    let entity: String?
    var place: ForeignScope.Place?
    var isOuter = false
  }

  /// A relationship from one table to another.
  struct Link {
    let from: Int
    let way: Relationship
    let to: Int
  }

  let names: ModelNames
  private(set) var tables: [Table] = []
  private(set) var links: [Link] = []

  init(_ names: ModelNames) { self.names = names }

  mutating func add(_ table: SelectQuery.Table, isOuter: Bool = false) {
    let word = table.value.lastWord ?? ""
    let entity = names.entity(word)
    tables.append(Table(name: table.alias ?? word, entity: entity, isOuter: isOuter))
  }

  /// A table around the SELECT, whose place is known.
  mutating func add(outer name: String, _ place: ForeignScope.Place) {
    tables.append(Table(name: name, entity: place.entity, place: place))
  }

  func index(of name: String) -> Int? {
    tables.firstIndex { $0.name.lowercased() == name.lowercased() }
      ?? tables.firstIndex { $0.entity != nil && $0.entity == names.entity(name) }
  }
}

// Which conditions are links
extension TableLinks {
  /// Notes a condition that only says how tables belong together; false: it says something else.
  mutating func take(_ condition: ForeignExpression) -> Bool {
    guard case .infix("==", let left, let right) = condition.kind, let first = side(left),
      let second = side(right), first.table != second.table
    else { return false }
    guard let link = link(first, second) ?? link(second, first) else { return false }
    links.append(link)
    return true
  }

  private typealias Side = (table: Int, key: String?)

  /// `i.parentCategory`, `Category.objectID`, `c`; nil: no column of a table.
  private func side(_ tree: ForeignExpression) -> Side? {
    guard let words = tree.words else { return nil }
    if words.count >= 2, let table = index(of: words[words.count - 2]) {
      return (table, words[words.count - 1])
    }
    guard words.count == 1 else { return nil }
    let owner = tables.firstIndex { table in
      guard let entity = table.entity, let found = names.key(words[0], of: entity) else {
        return false
      }
      return found.property != nil || names.model.property(named: words[0], of: entity) != nil
    }
    return owner.map { ($0, words[0]) } ?? index(of: words[0]).map { ($0, nil) }
  }

  private func link(_ from: Side, _ to: Side) -> Link? {
    guard let entity = tables[from.table].entity, let other = tables[to.table].entity,
      let key = from.key, isIdentity(to.key, of: other)
    else { return nil }
    if case .relationship(let way)? = names.key(key, of: entity)?.property, way.destination == other
    {
      return Link(from: from.table, way: way, to: to.table)
    }
    let ways = names.relationships(from: entity, to: other).filter { !$0.isToMany }
    guard ModelNames.plain(key).hasSuffix("id"), ways.count == 1,
      names.key(key, of: entity)?.name != "objectID"
    else { return nil }
    return Link(from: from.table, way: ways[0], to: to.table)
  }

  private func isIdentity(_ key: String?, of entity: String) -> Bool {
    guard let key else { return true }
    return names.key(key, of: entity).map { $0.name == "objectID" } ?? false
  }
}

// Where the tables lie
extension TableLinks {
  /// The tables from which every other is reached by to-ones: one row of them is one of the join.
  var exactRoots: [Int] {
    tables.indices.filter { root in
      var copy = self
      copy.place(from: root)
      return copy.tables.allSatisfy { $0.place.map { !$0.isMany } ?? false }
    }
  }

  /// Gives each table its path from one of them.
  mutating func place(from root: Int) {
    tables[root].place = ForeignScope.Place(path: "", entity: tables[root].entity)
    spread()
  }

  mutating func setPath(_ path: String, of table: Int) { tables[table].place?.path = path }

  /// Goes on from the tables whose places are known.
  mutating func spread() {
    var isMoving = true
    while isMoving {
      isMoving = false
      for link in links {
        if let start = tables[link.from].place, tables[link.to].place == nil {
          tables[link.to].place = step(start, link.way, to: link.to)
          isMoving = true
        } else if let start = tables[link.to].place, tables[link.from].place == nil,
          let back = inverse(of: link)
        {
          tables[link.from].place = step(start, back, to: link.from)
          isMoving = true
        }
      }
    }
  }

  private func step(
    _ start: ForeignScope.Place, _ way: Relationship, to table: Int
  ) -> ForeignScope.Place {
    let key = ModelNames.written(way.name)
    return ForeignScope.Place(
      path: start.path.isEmpty ? key : start.path + "." + key, entity: tables[table].entity,
      isMany: start.isMany || way.isToMany)
  }

  private func inverse(of link: Link) -> Relationship? {
    guard let name = link.way.inverse, let entity = tables[link.to].entity,
      case .relationship(let back)? = names.model.property(named: name, of: entity)
    else { return nil }
    return back
  }

  /// Whether a link that leads to a table may lead nowhere.
  func mayBeMissing(_ table: Int) -> Bool {
    links.contains { $0.to == table && $0.way.isOptional && tables[$0.from].place != nil }
  }
}
