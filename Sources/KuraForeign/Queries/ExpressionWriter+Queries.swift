import KuraDiagnostics
import KuraSentences

// Queries that begin with an entity and continue in steps: `items.filter { … }.count`
extension ExpressionWriter {
  /// The query that an expression is; nil if it is not a query.
  func query(_ tree: Tree) throws -> QueryBuilder? {
    guard !isSQL else { return nil }
    try parser.step()
    switch tree.kind {
    case .name(let name): return source(named: name)
    case .parameter(let name): return scope[name] == nil ? nil : source(named: name)
    case .member(let base, let name):
      if let query = try query(base) {
        var step = Call(name, tree.span)
        step.isProperty = true
        if let next = try stepped(query, step) { return next }
        guard scope.root == nil, query.limit == 1, let key = key(name, of: query.element) else {
          return nil
        }
        var keyed = query
        keyed.setColumns([key])
        return keyed
      }
      return isStoreWord(base) ? source(named: name) : nil
    case .call(let callee, let arguments): return try callQuery(callee, arguments, tree)
    case .index(let base, let index):
      guard let query = try query(base), let place = index.literalInteger, place < .max else {
        return nil
      }
      return try part(of: query, from: place, to: place + 1, tree.span)
    case .slice(let base, let from, let to):
      guard let query = try query(base) else { return nil }
      guard let start = from.literalInteger, let end = to.literalInteger else {
        throw tree.span.unreadable
      }
      return try part(of: query, from: start, to: end, tree.span)
    default: return nil
    }
  }

  /// `items[2]`, `items[1..<3]`
  private func part(
    of query: QueryBuilder, from start: Int, to end: Int, _ span: SourceSpan
  ) throws -> QueryBuilder {
    guard start >= 0, start < end else {
      throw missing(
        localized("a slice from the end"), localized("sort … desc limit N takes the last ones"),
        at: span)
    }
    guard !query.isCut else { throw span.unreadable }
    var query = query
    query.offset = start > 0 ? start : nil
    query.limit = end - start
    return query
  }

  /// The objects of an entity, or those in a variable.
  func source(named name: String) -> QueryBuilder? {
    if let place = scope[name] {
      guard place.isMany, place.path.hasPrefix("$") else { return nil }
      return QueryBuilder(place.path, of: place.entity)
    }
    guard key(name, of: scope.root) == nil, let entity = names.entity(name) else { return nil }
    return QueryBuilder(ModelNames.written(entity), of: entity)
  }

  /// Whether an expression is what a program asks for objects: `context`, `self`.
  func isStoreWord(_ tree: Tree) -> Bool {
    switch tree.kind {
    case .name(let name):
      let word = name.lowercased()
      return scope[name] == nil && key(name, of: scope.root) == nil && names.entity(name) == nil
        && (word.hasSuffix("context") || ["self", "moc", "store", "container"].contains(word))
    case .member(let base, _): return isStoreWord(base)
    default: return false
    }
  }

  private func callQuery(
    _ callee: Tree, _ arguments: [Argument], _ tree: Tree
  ) throws -> QueryBuilder? {
    if case .member(let base, let name) = callee.kind {
      guard let query = try query(base) else { return nil }
      return try stepped(query, Call(name, tree.span, arguments))
    }
    guard case .name(let name) = callee.kind, let first = arguments.first else { return nil }
    guard name == "Array" || name == "Set", arguments.count == 1, first.label == nil,
      var found = try query(first.value)
    else { return nil }
    if name == "Set" {
      guard !found.isCut else { throw tree.span.unreadable }
      found.isDistinct = true
    }
    return found
  }

  /// A query in brackets, as a value; nil if the expression is not a query.
  func queryValue(_ tree: Tree) throws -> Written? {
    guard let query = try query(tree) else { return nil }
    guard let value = query.value else { throw tree.span.unreadable }
    changes += 1
    return value
  }
}

// Methods of to-manys and lists: `items.contains { $0.done }`, `[1, 2].contains(x)`
extension ExpressionWriter {
  /// A method of a collection; nil if the object is not one, or is called as a text is.
  func collectionMethod(
    _ receiver: Tree, _ name: String, _ arguments: [Argument],
    _ tree: Tree
  ) throws -> Written? {
    let isMembership = ["contains", "includes", "include"].contains(name)
    if isMembership, let found = try literalMembership(receiver, arguments) { return found }
    let many = try value(receiver)
    let step = Call(name, tree.span, arguments)
    if let label = arguments.first?.label, label != "where", step.closure != nil {
      throw missing(".\(name)(\(label):)", at: tree.span)
    }
    guard many.isMany, let place = place(of: many) else {
      guard step.closure == nil else {
        throw missing(localized(".\(step.name) of such values"), at: step.span)
      }
      return nil
    }
    if let closure = step.closure { return try quantified(many, place, closure, step) }
    if isMembership, arguments.count == 1 {
      changes += 1
      return .predicate("\(many.text) CONTAINS \(try value(arguments[0].value).text(in: .sum))")
    }
    return nil
  }

  /// `["a", "b"].contains(title)`, `(1900...1950).contains(year)`
  private func literalMembership(_ receiver: Tree, _ arguments: [Argument]) throws -> Written? {
    guard arguments.count == 1, arguments[0].label == nil else { return nil }
    let element = arguments[0].value
    switch receiver.kind {
    case .list:
      changes += 1
      return try comparison("IN", element, receiver, receiver)
    case .infix("...", let low, let high):
      changes += 1
      let bounds = Tree(.list([low, high]), receiver.span)
      return try comparison("BETWEEN", element, bounds, receiver)
    case .infix("..<", let low, let high):
      changes += 1
      return connected(
        "AND", try comparison(">=", element, low, receiver),
        try comparison("<", element, high, receiver))
    default: return nil
    }
  }

  /// `items.contains { $0.done }`, `items.filter { … }`
  private func quantified(
    _ many: Written, _ place: Place,
    _ closure: (names: [String], body: Tree), _ step: Call
  ) throws -> Written {
    changes += 1
    switch step.name {
    case "contains", "some": return try some(many, place, closure, isAll: false)
    case "allSatisfy", "every": return try some(many, place, closure, isAll: true)
    case "count", "filter":
      let found = try subquery(many.text, of: place.entity, [closure.body]) {
        scope.binding(closure.names, to: $0)
      }
      return step.name == "count"
        ? Written(found + ".@count", .integer) : Written(found, .unknown, isMany: true)
    case "map":
      return try inside(scope.binding(closure.names, to: place)) { try value(closure.body) }
    default: throw missing(localized(".\(step.name) of a to-many"), at: step.span)
    }
  }

  /// One comparison is asked with ANY or ALL, several of one object with a subquery.
  private func some(
    _ many: Written, _ place: Place,
    _ closure: (names: [String], body: Tree), isAll: Bool
  ) throws -> Written {
    if closure.body.conjuncts.count == 1 {
      var quantified = scope.binding(closure.names, to: place)
      quantified.isQuantified = true
      let condition = try inside(quantified) { try predicate(closure.body) }
      if condition.binding == .comparison, condition.text.hasPrefix(many.text + ".") {
        return .predicate("\(isAll ? "ALL" : "ANY") \(condition.text)")
      }
    }
    let found = try subquery(many.text, of: place.entity, [closure.body], isNegated: isAll) {
      scope.binding(closure.names, to: $0)
    }
    return .predicate("\(found).@count \(isAll ? "==" : ">") 0")
  }

  /// `SUBQUERY(items, $x, $x.done == NO)`; without conditions `items`.
  ///
  /// The scope of the conditions depends on the place of the variable.
  func subquery(
    _ path: String, of entity: String?, _ conditions: [Tree], isNegated: Bool = false,
    _ scope: (Place) -> Scope
  ) throws -> String {
    guard !conditions.isEmpty else { return path }
    let variable = newVariable()
    let all = try inside(scope(Place(path: variable, entity: entity))) {
      Written.all(try conditions.map(predicate))
    }
    guard let all else { return path }
    let text = isNegated ? "NOT \(all.text(in: .comparison))" : all.text
    return "SUBQUERY(\(path), \(variable), \(text))"
  }
}
