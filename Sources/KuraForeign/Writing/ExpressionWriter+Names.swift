import KuraDiagnostics
import KuraModel
import KuraSentences

// Names and the paths that begin with them
extension ExpressionWriter {
  func name(_ name: String, _ tree: Tree) throws -> Written {
    if isSQL, let key = key(name, of: scope.root) { return key }
    if let place = scope[name] { return written(place) }
    if name.hasPrefix("%"), let place = Int(name.dropFirst()),
      place <= parser.placeholderValues.count
    {
      return try value(parser.placeholderValues[place - 1])
    }
    if let tree = scope.values[name] { return try bound(name, tree) }
    if let key = key(name, of: scope.root) { return key }
    if let constant = try constantFunction(name, tree) { return constant }
    if ["self", "this", "it"].contains(name.lowercased()), scope.root != nil {
      return try root(tree)
    }
    let keys = scope.names.values.sorted { $0.path < $1.path }.compactMap { key(name, of: $0) }
    if let key = keys.first {
      if isSQL, Set(keys.map(\.text)).count > 1 { throw missing(name, at: tree.span) }
      return key
    }
    if !isSQL, let way = wayToEntity(named: name) { return written(way) }
    if scope.root == nil, names.entity(name) != nil {
      guard let query = try queryValue(tree) else { throw tree.span.unreadable }
      return query
    }
    return Written(ModelNames.written(name), nulls: [ModelNames.written(name)])
  }

  /// The value that a script has given to a name; the value does not see the name.
  private func bound(_ name: String, _ tree: Tree) throws -> Written {
    var scope = scope
    scope.values[name] = nil
    changes += 1
    return try inside(scope) { try value(tree) }
  }

  /// `"Office"`, or in SQL a key in double quotation marks.
  func string(_ text: String, _ mayBeName: Bool) -> Written {
    if mayBeName, let key = key(text, of: scope.root) { return key }
    return Written(StatementText.string(text), .text)
  }

  func parameter(_ name: String, _ tree: Tree) throws -> Written {
    if let place = scope[name] { return written(place) }
    if name == "$0", scope.root != nil { return try root(tree) }
    if name.hasPrefix("$"), !name.dropFirst().allSatisfy(\.isNumber) {
      return Written(name, nulls: [name])
    }
    guard name.hasPrefix(":") || name.hasPrefix("@") else { throw tree.span.unreadable }
    let variable = "$" + name.dropFirst()
    throw missing(
      name,
      localized(
        "write \(variable), with let \(variable) = … before, or --arg \(name.dropFirst()) VALUE"),
      at: tree.span)
  }

  func root(_ tree: Tree) throws -> Written {
    guard let root = scope.root else { throw tree.span.unreadable }
    return written(root)
  }

  func object(_ name: String, _ number: String) -> Written {
    let entity = names.entity(name) ?? name
    return Written("\(ModelNames.written(entity))/\(number)", .object(entity))
  }

  func keyPath(_ path: [String]) -> Written {
    var path = path
    if path.count > 1, let first = path.first, names.entity(first) == scope.root?.entity,
      scope.root?.entity != nil, key(first, of: scope.root) == nil
    {
      path.removeFirst()
    }
    var written = Written("", .object(scope.root?.entity ?? ""))
    var place = scope.root
    for name in path {
      written = key(name, of: place) ?? Written(join(place?.path ?? "", name))
      place = self.place(of: written)
    }
    changes += 1
    return written
  }
}

// Places
extension ExpressionWriter {
  /// A place as a value: SELF, a path, a variable.
  func written(_ place: Place) -> Written {
    changes += 1
    if let value = place.value { return value }
    let type = place.entity.map { WrittenType.object($0) } ?? .unknown
    return Written(
      place.path.isEmpty ? "SELF" : place.path, type, isMany: place.isMany,
      nulls: place.isNullable ? [place.path] : [])
  }

  /// The place of a value that is an object or a way to objects.
  func place(of written: Written) -> Place? {
    guard case .object(let entity) = written.type else { return nil }
    let path = written.text == "SELF" ? "" : written.text
    return Place(
      path: path, entity: entity.isEmpty ? nil : entity, isMany: written.isMany,
      isNullable: !written.nulls.isEmpty)
  }

  /// A key of the objects at a place; nil if they have none of that name, or are unknown.
  func key(_ name: String, of place: Place?) -> Written? {
    guard let place, place.value == nil, let entity = place.entity,
      let (key, property) = names.key(name, of: entity)
    else { return nil }
    if key != name { changes += 1 }
    var written = Written(join(place.path, key), .integer, isMany: place.isMany)
    var isOptional = place.isNullable
    switch property {
    case .attribute(let attribute)?:
      written.type = WrittenType(attribute.type)
      isOptional = isOptional || attribute.isOptional || attribute.derivation != nil
    case .relationship(let way)?:
      written.type = .object(way.destination)
      written.isMany = place.isMany || way.isToMany
      isOptional = isOptional || way.isOptional
    case nil: break
    }
    if isOptional, !written.isMany { written.nulls = [written.text] }
    return written
  }

  /// `parentCategory.name`
  func join(_ path: String, _ key: String) -> String {
    let key = ModelNames.written(key)
    return path.isEmpty ? key : path + "." + key
  }

  /// The only way from the object that is asked to those of an entity: `tags` for `Tag`.
  private func wayToEntity(named name: String) -> Place? {
    guard let entity = names.entity(name), let root = scope.root, let from = root.entity else {
      return nil
    }
    if entity == from { return root }
    let ways = names.relationships(from: from, to: entity)
    guard ways.count == 1, let way = ways.first else { return nil }
    return Place(
      path: join(root.path, way.name), entity: way.destination,
      isMany: root.isMany || way.isToMany)
  }
}

// Keys, indexes and slices of values
extension ExpressionWriter {
  /// `i.title`, `title.count`, `$0.parentCategory.name`
  func member(_ base: Tree, _ name: String, _ tree: Tree) throws -> Written {
    if name.hasPrefix("@") { return Written(try value(base).text + "." + name, .number) }
    if case .name(let first) = base.kind {
      if isSQL, let place = scope[first] {
        let path = join(place.path, name)
        return key(name, of: place) ?? Written(path, nulls: [path])
      }
      if let written = qualified(first, name) { return written }
      if let constant = try constantFunction("\(first).\(name)", tree) { return constant }
    }
    if let query = try queryValue(tree) { return query }
    let owner = try value(base)
    let function = isSQL ? nil : Self.property(name)
    if let place = place(of: owner) {
      if let key = key(name, of: place) { return key }
      if place.entity == nil || function == nil {
        let path = join(place.path, name)
        return Written(path, isMany: place.isMany, nulls: [path])
      }
    }
    if let function, !isPlainKey(owner, name) {
      changes += 1
      parser.note(tree.span)
      return try function.write(self, Call(name, tree.span, [Argument(value: base)]))
    }
    let path = join(owner.text(in: .unary), name)
    return Written(path, isMany: owner.isMany, nulls: [path])
  }

  /// A key of a JSON value may have any name, such as `pages.length`.
  private func isPlainKey(_ owner: Written, _ name: String) -> Bool {
    owner.type == .unknown && parser.dialect == .kura
      && ["length", "name", "year", "month", "day", "value"].contains(name)
  }

  /// `Item.title`, where Item is the entity that is asked.
  private func qualified(_ first: String, _ name: String) -> Written? {
    guard scope[first] == nil, key(first, of: scope.root) == nil, let root = scope.root,
      let entity = names.entity(first), entity == root.entity
    else { return nil }
    changes += 1
    return key(name, of: root)
  }

  /// `items[0]`, `title[0]`, `title[FIRST]`
  func index(_ base: Tree, _ index: Tree, _ tree: Tree) throws -> Written {
    if let query = try queryValue(tree) { return query }
    let owner = try value(base)
    if case .name(let word) = index.kind, ["first", "last", "size"].contains(word.lowercased()) {
      return Written("\(owner.text(in: .unary))[\(word.uppercased())]", owner.type)
    }
    if owner.isMany, case .object(let entity) = owner.type, case .infix = index.kind {
      changes += 1
      let found = try subquery(owner.text, of: entity, [index]) { scope.binding([], to: $0) }
      return Written(found, .unknown, isMany: true)
    }
    if owner.isMany, parser.dialect != .kura {
      throw missing(localized("the first of a set"), at: tree.span)
    }
    return Written("\(owner.text(in: .unary))[\(try value(index).text)]")
  }

  /// `items[1..<3]`
  func slice(_ tree: Tree) throws -> Written {
    if let query = try queryValue(tree) { return query }
    throw missing(parser.source(tree.span), at: tree.span)
  }
}
