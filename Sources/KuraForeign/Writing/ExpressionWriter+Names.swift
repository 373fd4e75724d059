import KuraDiagnostics
import KuraModel
import KuraSentences

// Names and the paths that begin with them.
extension ExpressionWriter {
  func name(_ name: String, _ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    if let place = scope[name] { return written(place) }
    if name.hasPrefix("%"), let place = Int(name.dropFirst()),
      place <= parser.placeholderValues.count
    {
      return try value(parser.placeholderValues[place - 1])
    }
    if let tree = scope.values[name] { return try bound(name, tree) }
    if let key = key(name, of: scope.root) { return key }
    if let constant = try constantFunction(name) { return constant }
    if parser.dialect == .jq, Self.functions[Self.plainName(name)] != nil {
      return try jqCall(name, [], tree)
    }
    if Self.selfWords.contains(name.lowercased()), scope.root != nil { return try root(tree) }
    if let way = wayToEntity(named: name) { return written(way) }
    for place in scope.names.values.sorted(by: { $0.path < $1.path }) {
      if let key = key(name, of: place) { return key }
    }
    if scope.root == nil, names.entity(name) != nil { return try nestedQuery(tree) }
    return Written(ModelNames.written(name))
  }

  /// The value of a name that a script has given to it, which does not see itself.
  private func bound(_ name: String, _ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    var scope = scope
    scope.values[name] = nil
    changes += 1
    return try inside(scope) { () throws(ForeignProblem) in try value(tree) }
  }

  private static let selfWords: Set = ["self", "this", "it", "_", "$$root", "$$current"]

  /// `"Office"`, or in SQL the name of a key in double quotes.
  func string(_ text: String, _ mayBeName: Bool) -> Written {
    if mayBeName, let key = key(text, of: scope.root) { return key }
    return Written(StatementText.string(text), .text)
  }

  func parameter(_ name: String, _ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    if let place = scope[name] { return written(place) }
    if name == "$0", scope.root != nil { return try root(tree) }
    if name.hasPrefix("$"), !name.dropFirst().allSatisfy(\.isNumber) { return Written(name) }
    if name.hasPrefix(":") || name.hasPrefix("@") {
      throw .noCounterpart(.parameter(name), tree.span)
    }
    throw .unreadable(tree.span)
  }

  func root(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    guard let root = scope.root else { throw .unreadable(tree.span) }
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

extension ExpressionWriter {
  /// The place as a value: SELF, a path, a variable.
  func written(_ place: ForeignScope.Place) -> Written {
    changes += 1
    if let value = place.value { return value }
    let type = place.entity.map { WrittenType.object($0) } ?? .unknown
    return Written(place.path.isEmpty ? "SELF" : place.path, type, isMany: place.isMany)
  }

  /// The place that a value is, if it is an object or a way to some.
  func place(of written: Written) -> ForeignScope.Place? {
    guard case .object(let entity) = written.type else { return nil }
    let path = written.text == "SELF" ? "" : written.text
    return ForeignScope.Place(
      path: path, entity: entity.isEmpty ? nil : entity, isMany: written.isMany)
  }

  /// A key of the objects at a place; nil where they have none of that name, or nothing is known.
  func key(_ name: String, of place: ForeignScope.Place?) -> Written? {
    guard let place, place.value == nil, let entity = place.entity,
      let (key, property) = names.key(name, of: entity)
    else { return nil }
    if key != name { changes += 1 }
    var written = Written(join(place.path, key), isMany: place.isMany)
    if property?.isOptional == true, !place.isMany { nullable.append(written.text) }
    switch property {
    case .attribute(let attribute)?: written.type = WrittenType(attribute.type)
    case .relationship(let way)?:
      written.type = .object(way.destination)
      written.isMany = place.isMany || way.isToMany
    case nil: written.type = .number
    }
    return written
  }

  /// `parentCategory.name`
  func join(_ path: String, _ key: String) -> String {
    let key = ModelNames.written(key)
    return path.isEmpty ? key : path + "." + key
  }

  /// The only way from the object that is asked to those of an entity: `tags` for `Tag`.
  private func wayToEntity(named name: String) -> ForeignScope.Place? {
    guard let entity = names.entity(name), let root = scope.root, let from = root.entity else {
      return nil
    }
    if entity == from { return root }
    let ways = names.relationships(from: from, to: entity)
    guard ways.count == 1, let way = ways.first else { return nil }
    return ForeignScope.Place(
      path: join(root.path, way.name), entity: way.destination,
      isMany: root.isMany || way.isToMany)
  }
}

extension Property {
  /// Whether an object may have nothing there.
  fileprivate var isOptional: Bool {
    switch self {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let way): !way.isToMany && way.isOptional
    }
  }
}

extension NoCounterpart {
  static func parameter(_ name: String) -> NoCounterpart {
    let variable = "$" + name.dropFirst()
    return NoCounterpart(
      name,
      instead:
        localized(
          "write \(variable), with let \(variable) = … before, or --arg \(name.dropFirst()) VALUE"))
  }
}
