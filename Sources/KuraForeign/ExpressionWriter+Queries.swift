import KuraDiagnostics
import KuraSentences

// Queries that begin with an entity and continue in steps: `items.filter { … }.count`
extension ExpressionWriter {
  /// Returns the query that an expression is; nil if it is not a query.
  func query(_ tree: Tree) throws -> Query? {
    guard !isSQL else { return nil }
    try parser.step()
    switch tree.kind {
    case .name(let name): return source(named: name)
    case .parameter(let name): return scope[name] == nil ? nil : source(named: name)
    case .member(let base, let name):
      guard let query = try query(base) else {
        return isStoreWord(base) ? source(named: name) : nil
      }
      var step = Call(name, tree.span)
      step.isProperty = true
      if let next = try stepped(query, step) { return next }
      guard scope.root == nil, query.limit == 1, let key = key(name, of: query.element) else {
        return nil
      }
      return query.selecting([key])
    case .call(let callee, let arguments):
      if case .member(let base, let name) = callee.kind {
        return try query(base).flatMap { try stepped($0, Call(name, tree.span, arguments)) }
      }
      guard case .name(let name) = callee.kind, name == "Array" || name == "Set",
        arguments.count == 1, arguments[0].label == nil,
        var found = try query(arguments[0].value)
      else { return nil }
      guard name == "Set" else { return found }
      if found.isCut { throw tree.span.unreadable }
      found.isDistinct = true
      return found
    case .index(let base, let index):
      guard let found = try query(base) else { return nil }
      if case .infix("..<", let from, let to) = index.kind {
        guard let start = from.literalInteger, let end = to.literalInteger else {
          throw tree.span.unreadable
        }
        return try part(of: found, from: start, to: end, tree.span)
      }
      guard let place = index.literalInteger, place < .max else { return nil }
      return try part(of: found, from: place, to: place + 1, tree.span)
    default: return nil
    }
  }

  /// Returns a part of a query: `items[2]`, `items[1..<3]`
  private func part(
    of query: Query, from start: Int, to end: Int, _ span: SourceSpan
  ) throws -> Query {
    guard start >= 0, start < end else {
      throw span.missing(
        localized("a slice from the end"), localized("sort … desc limit N returns the last N"))
    }
    guard !query.isCut else { throw span.unreadable }
    var query = query
    (query.offset, query.limit) = (start > 0 ? start : nil, end - start)
    return query
  }

  /// Returns the objects of an entity, or those in a variable.
  func source(named name: String) -> Query? {
    if let place = scope[name] {
      return place.isMany && place.text.hasPrefix("$") ? Query(place.text, of: place.entity) : nil
    }
    guard key(name, of: scope.root) == nil, let entity = names.entity(name) else { return nil }
    return Query(of: entity)
  }

  /// Returns whether an expression refers to the store of a program: `context`, `self`.
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

  /// Returns a query in brackets, as a value; nil if the expression is not a query.
  func queryValue(_ tree: Tree) throws -> Snippet? {
    guard let query = try query(tree) else { return nil }
    guard let value = query.value else { throw tree.span.unreadable }
    changes += 1
    return value
  }
}

// Methods of to-many relationships and lists: `items.contains { $0.done }`, `[1, 2].contains(x)`
extension ExpressionWriter {
  /// Writes a method of a collection; nil if the receiver is not a collection, or the method is one
  /// of texts.
  func collectionMethod(
    _ receiver: Tree, _ name: String, _ arguments: [Argument], _ tree: Tree
  ) throws -> Snippet? {
    let isMembership = ["contains", "includes", "include"].contains(name)
    if isMembership, let found = try literalMembership(receiver, arguments) { return found }
    let many = try value(receiver)
    let step = Call(name, tree.span, arguments)
    if let label = arguments.first?.label, label != "where", step.closure != nil {
      throw tree.span.missing(".\(name)(\(label):)")
    }
    guard many.isMany, many.entity != nil else {
      guard step.closure == nil else {
        throw step.span.missing(localized(".\(step.name) on these values"))
      }
      return nil
    }
    if let closure = step.closure { return try quantified(many, closure, step) }
    guard isMembership, arguments.count == 1 else { return nil }
    changes += 1
    return .predicate("\(many.text) CONTAINS \(try value(arguments[0].value).text(in: .sum))")
  }

  /// Writes `["a", "b"].contains(title)`, `(1900...1950).contains(year)`.
  private func literalMembership(_ receiver: Tree, _ arguments: [Argument]) throws -> Snippet? {
    guard arguments.count == 1, arguments[0].label == nil else { return nil }
    let element = arguments[0].value
    var found: Snippet
    switch receiver.kind {
    case .list: found = try comparison("IN", element, receiver, receiver)
    case .infix("...", let low, let high):
      let bounds = Tree(.list([low, high]), receiver.span)
      found = try comparison("BETWEEN", element, bounds, receiver)
    case .infix("..<", let low, let high):
      found = try comparison(">=", element, low, receiver)
      found = connected("AND", found, try comparison("<", element, high, receiver))
    default: return nil
    }
    changes += 1
    return found
  }

  /// Writes `items.contains { $0.done }`, `items.filter { … }`.
  private func quantified(
    _ many: Snippet, _ closure: (names: [String], body: Tree), _ step: Call
  ) throws -> Snippet {
    changes += 1
    func subquery(isNegated: Bool = false) throws -> String {
      try self.subquery(many.text, of: many.entity, [closure.body], isNegated: isNegated) {
        scope.binding(closure.names, to: $0)
      }
    }
    switch step.name {
    case "contains", "some", "allSatisfy", "every":
      // One comparison is written with ANY or ALL, several about the same object with a subquery.
      let isAll = ["allSatisfy", "every"].contains(step.name)
      if closure.body.conjuncts.count == 1 {
        var quantified = scope.binding(closure.names, to: many)
        quantified.isQuantified = true
        let condition = try inside(quantified) { try predicate(closure.body) }
        if condition.binding == .comparison, condition.text.hasPrefix(many.text + ".") {
          return .predicate("\(isAll ? "ALL" : "ANY") \(condition.text)")
        }
      }
      return .predicate("\(try subquery(isNegated: isAll)).@count \(isAll ? "==" : ">") 0")
    case "count": return Snippet(try subquery() + ".@count", .integer)
    case "filter": return Snippet(try subquery(), .unknown, isMany: true)
    case "map": return try asking(many, closure.names) { try value(closure.body) }
    default: throw step.span.missing(localized(".\(step.name) on a to-many relationship"))
    }
  }

  /// Returns `SUBQUERY(items, $x, $x.done == NO)`; without conditions `items`.
  ///
  /// The scope of the conditions depends on the place of the variable.
  func subquery(
    _ path: String, of entity: String?, _ conditions: [Tree], isNegated: Bool = false,
    _ scope: (Snippet) -> Scope
  ) throws -> String {
    let variable = newVariable()
    let all = try inside(scope(.object(variable, entity))) {
      Snippet.all(try conditions.map(predicate))
    }
    guard let all else { return path }
    let text = isNegated ? "NOT \(all.text(in: .comparison))" : all.text
    return "SUBQUERY(\(path), \(variable), \(text))"
  }
}

// NSPredicate with a format, NSCompoundPredicate, #Predicate with a closure
extension ExpressionWriter {
  /// Returns the condition in `NSPredicate(format: "…", x)` or `#Predicate<Item> { … }`; nil for
  /// anything else.
  func embeddedPredicate(_ tree: Tree) throws -> Snippet? {
    guard !isSQL else { return nil }
    if let (receiver, name, arguments) = tree.methodCall, receiver.lastWord == "NSPredicate" {
      guard name == "predicateWithFormat:" else { throw tree.span.missing(name) }
      return try formattedPredicate(arguments, tree)
    }
    guard let (name, arguments) = tree.namedCall else { return nil }
    switch name {
    case "NSPredicate" where arguments.first?.label == "format":
      return try formattedPredicate(arguments, tree)
    case "NSCompoundPredicate": return try compound(arguments, tree)
    case "#Predicate", "Predicate":
      let closures = arguments.filter { $0.label != "<>" }
      guard closures.count == 1, case .closure(let names, let body) = closures[0].value.kind else {
        throw tree.span.unreadable
      }
      changes += 1
      return try asking(scope.root ?? .object("", nil), names) { try predicate(body) }
    default: return nil
    }
  }

  private func formattedPredicate(_ arguments: [Argument], _ tree: Tree) throws -> Snippet {
    changes += 1
    guard let first = arguments.first, let format = first.value.literalText else {
      throw tree.span.unreadable
    }
    var values: [Tree] = []
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value.kind) {
      case ("argumentArray"?, .list(let all)): values += all
      case (nil, _): values.append(argument.value)
      default: throw argument.value.span.missing("\(argument.label ?? ""):")
      }
    }
    // The precedence of the condition depends on its operators.
    let text = try formatted(format, values, tree.span)
    let words = text.lowercased()
    let hasOr = words.contains("or") || words.contains("||")
    let hasAnd = words.contains("and") || words.contains("&&")
    return .predicate(text, hasOr ? .or : hasAnd ? .and : .not)
  }

  /// Writes `NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])`.
  private func compound(_ arguments: [Argument], _ tree: Tree) throws -> Snippet {
    guard arguments.count == 1 else { throw tree.span.missing(parser.source(tree.span)) }
    let (word, only) = (arguments[0].label ?? "", arguments[0].value)
    if word == "notPredicateWithSubpredicate" { return try negation(of: only) }
    guard ["andPredicateWithSubpredicates", "orPredicateWithSubpredicates"].contains(word),
      case .list(let trees) = only.kind, !trees.isEmpty
    else { throw tree.span.missing("\(word):") }
    let place: Precedence = word.hasPrefix("and") ? .and : .or
    let texts = try trees.map { try predicate($0).text(in: place) }
    return .predicate(texts.joined(separator: place == .and ? " AND " : " OR "), place)
  }

  /// Returns the format with its arguments inserted.
  private func formatted(_ format: String, _ values: [Tree], _ span: SourceSpan) throws -> String {
    var (result, rest) = ("", values[...])
    var characters = Array(format)[...]
    while let character = characters.popFirst() {
      if character == "%" {
        result += try specifier(&characters, &rest, span)
        continue
      }
      result.append(character)
      guard character == "\"" || character == "'" else { continue }
      // Quoted text does not have arguments.
      while let inside = characters.popFirst() {
        result.append(inside)
        if inside == character { break }
        if inside == "\\", let next = characters.popFirst() { result.append(next) }
      }
    }
    if let odd = rest.first {
      throw odd.span.missing(localized("an argument without a placeholder in the format"))
    }
    return result.trimmed
  }

  /// Returns the value of `%@`, `%K`, `%ld`.
  private func specifier(
    _ characters: inout ArraySlice<Character>, _ arguments: inout ArraySlice<Tree>,
    _ span: SourceSpan
  ) throws -> String {
    while let first = characters.first, "hlqzjtL".contains(first) { characters.removeFirst() }
    guard let letter = characters.popFirst() else { throw span.unreadable }
    if letter == "%" { return "%" }
    guard var tree = arguments.popFirst() else { throw span.missingValue(of: "%\(letter)") }
    if letter == "K", let name = tree.literalText { return name }
    // The value in `NSNumber(value: true)`.
    if let (name, arguments) = tree.namedCall, arguments.count == 1,
      ["NSNumber", "NSString", "NSDecimalNumber"].contains(name)
    {
      tree = arguments[0].value
    }
    if tree.isKeyPath { return try value(tree).text }
    // A value of a format does not belong to an object.
    var outside = scope
    outside.root = nil
    let written = try inside(outside) { try value(tree) }
    if case .name(let name) = tree.kind, written.text == ModelNames.written(name) {
      throw tree.span.missing(
        name, sentence: localized("\(name) has no value here"),
        localized("write the value itself, or let $\(name) = …, then $\(name)"))
    }
    return written.text(in: .sum)
  }
}

extension Tree {
  var isKeyPath: Bool { if case .keyPath = kind { true } else { false } }
}
