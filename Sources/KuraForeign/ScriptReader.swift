import KuraDiagnostics

/// Reads lines of a Swift or Objective-C program that query or change objects, as statements of
/// Kura.
///
/// A request that is created in one line and gets its predicate in the next becomes one fetch.
final class ScriptReader {
  let parser: ForeignParser
  let names: ModelNames
  let writer: ExpressionWriter
  /// The statements so far.
  private var statements: [String] = []
  /// Requests by name, whether a line has declared them, and whether one has executed them.
  private var requests: [String: (query: Query, isDeclared: Bool, isAsked: Bool)] = [:]
  /// New objects by their names, while their keys are being set.
  private var newObjects: [(name: String, entity: String, assignments: [String])] = []
  /// Predicates by name, which become statements if nothing else does.
  private var predicates: [(name: String, text: String)] = []
  /// The entity of a condition or request that does not name one.
  private let entity: String?

  init(_ parser: ForeignParser, _ names: ModelNames, about entity: String?) {
    self.parser = parser
    self.names = names
    self.entity = entity
    writer = ExpressionWriter(names, parser)
  }

  func read() throws -> [String] {
    while !parser.isAtEnd {
      if parser.take(";") || parser.take("}") { continue }
      try line()
      guard isAtLineEnd else { throw parser.unreadable }
    }
    flush()
    for (name, request) in requests.sorted(by: { $0.key < $1.key }) where !request.isAsked {
      statements.append((request.isDeclared ? "let $\(name) = " : "") + request.query.statement)
    }
    if statements.isEmpty {
      statements = predicates.map { "let $\($0.name) = predicate \($0.text)" }
    }
    guard let last = statements.last else { throw parser.unreadable }
    let whole = statements.joined(separator: "\n")
    // Also returns the fetch of a single `let $x = fetch …` alone.
    guard last.hasPrefix("let $"), let sign = last.firstRange(of: " = "),
      case let asked = last[sign.upperBound...],
      ["fetch ", "count ", "exists "].contains(where: { asked.hasPrefix($0) })
    else { return [whole] }
    return [whole, (statements.dropLast() + [String(asked)]).joined(separator: "\n")]
  }

  /// Writes the new objects whose keys are complete.
  private func flush() {
    for (name, entity, assignments) in newObjects {
      statements.append("let $\(name) = " + Self.insertion(entity, assignments))
    }
    newObjects = []
  }

  /// Adds a statement after the new objects.
  private func add(_ statement: String) {
    flush()
    statements.append(statement)
  }
}

// Lines
extension ScriptReader {
  private func line() throws {
    if skipsLine() { return }
    if parser.token.isWord("for") { return try loop() }
    if parser.token.isWord("@Query") { return try queryProperty() }
    if let name = declaredName() { return try bind(name, try parser.expression()) }
    _ = parser.takeWords("return")
    let tree = try parser.expression(.coalescing)
    if parser.take("=") { return try assign(tree, try parser.expression()) }
    guard isAtLineEnd else { throw parser.unreadable }
    try perform(tree)
  }

  private var isAtLineEnd: Bool {
    parser.isAtEnd || parser.token.startsLine || parser.token.is(";") || parser.token.is("}")
  }

  /// Skips a line without a counterpart: `import CoreData`, `do {`, `} catch { … }`
  private func skipsLine() -> Bool {
    if parser.token.isWord(among: ["import", "#import", "@import"]) {
      repeat { parser.take() } while !parser.isAtEnd && !parser.token.startsLine
      return true
    }
    if parser.token.isWord("do"), parser.peek().is("{") {
      return parser.takeWords("do") && parser.take("{")
    }
    guard parser.takeWords("catch") else { return false }
    while !parser.isAtEnd, !parser.token.is("{") { parser.take() }
    parser.skipBrackets()
    return true
  }

  /// Reads the name in `let x =`, `NSArray *x =`, `var x: [Item] =`; nil if no declaration begins
  /// here.
  private func declaredName() -> String? {
    parser.attempt {
      if !parser.takeWords("let"), !parser.takeWords("var") {
        guard parser.peek().kind == .word || parser.peek().is("*") || parser.peek().is("<") else {
          throw parser.unreadable
        }
        try parser.skipType()
      }
      guard parser.token.kind == .word else { throw parser.unreadable }
      let name = parser.take().text
      if parser.take(":") { try parser.skipType() }
      try parser.expect("=")
      return name
    }
  }

  /// Translates `for item in items where item.done { print(item.title) }`.
  private func loop() throws {
    parser.take()
    let isBracketed = parser.take("(")
    if isBracketed { try parser.skipType() }
    let name = try parser.takeName()
    try parser.expectWord("in")
    parser.allowsTrailingClosure = false
    let source = try parser.expression()
    let condition = parser.takeWords("where") ? try parser.expression() : nil
    parser.allowsTrailingClosure = true
    if isBracketed { try parser.expect(")") }
    try parser.expect("{")
    let body = try parser.expression()
    _ = parser.take(";")
    try parser.expect("}")
    guard var query = try query(source), let call = body.namedCall, call.name == "print",
      call.arguments.allSatisfy({ $0.label == nil })
    else { throw body.span.unreadable }
    func step(_ word: String, _ body: Tree) -> Call {
      Call(word, body.span, [Argument(value: Tree(.closure([name], body), body.span))])
    }
    if let condition { try writer.filter(&query, step("filter", condition)) }
    if call.arguments.count != 1 || call.arguments[0].value.lastWord != name {
      try writer.map(&query, step("map", body))
    }
    statements.append(query.statement)
  }

  /// Translates `@Query(filter: #Predicate<Item> { … }, sort: \.date) var items: [Item]`.
  private func queryProperty() throws {
    let tree = try parser.expression(.unary)
    parser.takeAll(of: ["private", "var", "static"])
    _ = try parser.takeName()
    try parser.expect(":")
    let isList = parser.take("[")
    let type = try parser.takeName()
    if isList { try parser.expect("]") }
    parser.mark(.swift, at: tree.span)
    guard var query = writer.source(named: type) else { throw parser.unreadable }
    try configure(&query, tree.namedCall?.arguments ?? [])
    statements.append(query.statement)
  }
}

// The meaning of a line
extension ScriptReader {
  /// Translates `let x = …`.
  private func bind(_ name: String, _ tree: Tree) throws {
    if let request = try newRequest(tree) {
      requests[name] = (request, true, false)
    } else if let (entity, values) = try newObject(tree) {
      if newObjects.contains(where: { $0.name == name }) { flush() }
      newObjects.append((name, entity, values))
      writer.scope[name] = .object("$" + name, entity)
    } else if let query = try query(tree) {
      let statement = query.statement
      let value = statement.hasPrefix("print ") ? String(statement.dropFirst(6)) : statement
      add("let $\(name) = " + value)
      let entity = query.columns.isEmpty ? query.element.entity : nil
      writer.scope[name] = .object("$" + name, entity, isMany: query.limit != 1)
    } else if case .object(let entity, _) = tree.kind {
      add("let $\(name) = \(try writer.value(tree).text)")
      writer.scope[name] = .object("$" + name, names.entity(entity))
    } else {
      writer.scope.values[name] = tree
      if let condition = try condition(tree) { predicates.append((name, condition.text)) }
    }
  }

  /// Translates `Item(title: "x")`, `NSEntityDescription.insertNewObject(forEntityName: "Item",
  /// into: context)`.
  private func newObject(_ tree: Tree) throws -> (entity: String, values: [String])? {
    if let (name, arguments) = tree.namedCall, let entity = names.entity(name),
      name.first?.isUppercase == true
    {
      let keys = arguments.filter { !["context", "entity", "insertInto"].contains($0.label ?? "") }
      let values = try keys.map { argument in
        guard let label = argument.label else { throw argument.value.span.unreadable }
        return try writer.assignment(label, argument.value, .object("", entity))
      }
      return (entity, values)
    }
    guard let (receiver, name, arguments) = tree.methodCall else { return nil }
    if name == "insertNewObject" {
      return arguments.first?.value.literalText.flatMap(names.entity).map { ($0, []) }
    }
    let isMade = name == "new" || name == "init" && receiver.methodCall?.name == "alloc"
    guard isMade, arguments.isEmpty else { return nil }
    let type = receiver.methodCall?.receiver ?? receiver
    return type.lastWord.flatMap(names.entity).map { ($0, []) }
  }

  /// Translates `insert Item title = "x"`.
  private static func insertion(_ entity: String, _ values: [String]) -> String {
    let keys = values.isEmpty ? "{}" : values.joined(separator: ", ")
    return "insert \(ModelNames.written(entity)) \(keys)"
  }

  /// Translates `request.predicate = …`, `item.title = "x"`.
  private func assign(_ target: Tree, _ tree: Tree) throws {
    if case .name(let name) = target.kind { return try bind(name, tree) }
    guard case .member(let owner, let key) = target.kind else { throw target.span.unreadable }
    guard case .name(let name) = owner.kind,
      var request = requests[name] ?? undeclaredRequest(name, key)
    else { return try setKey(key, of: owner, to: tree) }
    try set(key, tree, of: &request.query)
    requests[name] = request
  }

  /// Returns the request in a fragment that does not show how the request was created.
  private func undeclaredRequest(
    _ name: String, _ property: String
  ) -> (query: Query, isDeclared: Bool, isAsked: Bool)? {
    guard writer.scope[name] == nil,
      ["predicate", "sortDescriptors", "fetchLimit", "fetchOffset"].contains(property)
    else { return nil }
    return entity.flatMap(writer.source).map { ($0, false, false) }
  }

  /// Sets a key of an object.
  private func setKey(_ key: String, of owner: Tree, to tree: Tree) throws {
    let written = try writer.value(owner)
    guard let entity = written.entity, !written.path.isEmpty, !written.isMany else {
      throw owner.span.unreadable
    }
    let text = try writer.assignment(key, tree, .object("", entity))
    if case .name(let name) = owner.kind, let i = newObjects.firstIndex(where: { $0.name == name })
    {
      newObjects[i].assignments.append(text)
    } else {
      add("update \(written.text) set \(text)")
    }
  }

  /// Translates a line that is an expression: a call with an effect, or a query.
  private func perform(_ tree: Tree) throws {
    if try performsStoreCall(tree) { return }
    if let (entity, values) = try newObject(tree) {
      statements.append(Self.insertion(entity, values))
    } else if let (name, arguments) = tree.namedCall, ExpressionWriter.printWords.contains(name) {
      guard arguments.count == 1, arguments[0].label == nil else { throw tree.span.unreadable }
      try show(arguments[0].value)
    } else {
      try show(tree)
    }
  }

  /// Translates a query: objects, a value, or a condition alone.
  private func show(_ tree: Tree) throws {
    if let query = try query(tree) { return add(query.statement) }
    if let entity, let condition = try condition(tree) {
      var query = Query(of: entity)
      query.conditions = [condition]
      statements.append(query.statement)
      return
    }
    if case .name(let name) = tree.kind, writer.scope[name] == nil, writer.scope.values[name] == nil
    {
      throw tree.span.unreadable
    }
    let isObject = if case .object = tree.kind { true } else { false }
    add("\(isObject ? "fetch" : "print") \(try writer.value(tree).text)")
  }

  /// Translates `NSPredicate(format: …)`, `#Predicate<Item> { … }` alone.
  private func condition(_ tree: Tree) throws -> Snippet? {
    let name = tree.namedCall?.name ?? tree.methodCall?.receiver.lastWord ?? ""
    guard let entity,
      ["NSPredicate", "#Predicate", "Predicate", "NSCompoundPredicate"].contains(name)
    else { return nil }
    var scope = writer.scope
    scope.root = .object("", entity)
    return try writer.inside(scope) { try writer.predicate(tree) }
  }

  /// Translates `context.save()`, `context.delete(item)`, `item.setValue("x", forKey: "title")`.
  private func performsStoreCall(_ tree: Tree) throws -> Bool {
    guard let (receiver, name, arguments) = tree.methodCall else { return false }
    let values = arguments.map(\.value)
    if name == "setValue", values.count == 2, arguments[1].label == "forKey",
      let key = values[1].literalText
    {
      try setKey(key, of: receiver, to: values[0])
      return true
    }
    if name.hasPrefix("set"), name.hasSuffix(":"), case .name(let request) = receiver.kind,
      var found = requests[request], values.count == 1
    {
      let property = name.dropFirst(3).dropLast()
      try set(property.prefix(1).lowercased() + property.dropFirst(), values[0], of: &found.query)
      requests[request] = found
      return true
    }
    guard writer.isStoreWord(receiver) else { return false }
    switch (name, values.count) {
    case ("save", 0...1), ("rollback", 0), ("undo", 0), ("redo", 0): add(name)
    case ("delete", 1): add("delete " + (try writer.value(values[0]).text))
    case ("insert", 1):
      if newObjects.contains(where: { $0.name == values[0].lastWord }) { return true }
      guard let (entity, keys) = try newObject(values[0]) else { return false }
      statements.append(Self.insertion(entity, keys))
    default: return false
    }
    return true
  }
}

// Requests: how they are created, configured, and executed
extension ScriptReader {
  /// Returns the query that an expression is, also by the name of a request, or in
  /// `context.fetch(request)`, `context.count(for: request)`, `[context executeFetchRequest:request
  /// …]`.
  private func query(_ tree: Tree) throws -> Query? {
    if case .name(let name) = tree.kind, let request = requests[name] {
      requests[name]?.isAsked = true
      return request.query
    }
    if let request = try newRequest(tree) { return request }
    guard let (receiver, name, arguments) = tree.methodCall, writer.isStoreWord(receiver),
      ["fetch", "count", "fetchCount"].contains(name), let first = arguments.first?.value,
      var asked = try query(first)
    else { return try writer.query(tree) }
    if name == "fetch" { return asked }
    guard asked.result == .objects else { return nil }
    (asked.result, asked.sort) = (.count, [])
    return asked
  }

  /// Translates `Item.fetchRequest()`, `NSFetchRequest<Item>(entityName: "Item")`,
  /// `FetchDescriptor<Item>(…)`.
  private func newRequest(_ tree: Tree) throws -> Query? {
    if let (receiver, name, arguments) = tree.methodCall {
      guard name == "fetchRequest" else { return nil }
      return (arguments.first?.value.literalText ?? receiver.lastWord).flatMap(writer.source)
    }
    guard let (name, arguments) = tree.namedCall,
      ["NSFetchRequest", "FetchDescriptor", "FetchRequest"].contains(name)
    else { return nil }
    let type = arguments["<>"]?.lastWord
    let named =
      arguments["entityName"]?.literalText ?? (type == "NSFetchRequestResult" ? nil : type)
    guard var query = (named ?? entity).flatMap(writer.source) else { return nil }
    try configure(&query, arguments)
    return query
  }

  /// Applies the arguments of a descriptor, by their labels.
  private func configure(_ query: inout Query, _ arguments: [Argument]) throws {
    for argument in arguments
    where !["<>", "entityName", "animation", "order"].contains(argument.label) {
      guard let label = argument.label else { throw argument.value.span.unreadable }
      try set(label, argument.value, of: &query)
    }
    guard let order = arguments["order"] else { return }
    guard let word = order.memberName, word == "reverse" || word == "forward" else {
      throw order.span.unreadable
    }
    if word == "reverse" {
      for i in query.sort.indices { query.sort[i].isDescending = true }
    }
  }

  /// Sets a property of a request: `predicate`, `sortDescriptors`, `fetchLimit`.
  private func set(_ property: String, _ tree: Tree, of query: inout Query) throws {
    let element = query.element
    switch property {
    case "predicate", "filter":
      query.conditions =
        tree.isNull ? [] : [try writer.asking(element) { try writer.predicate(tree) }]
    case "sortDescriptors", "sortBy", "sort":
      query.sort = try writer.asking(element) { try writer.sortKeys(tree) }
    case "fetchLimit": query.limit = try count(tree)
    case "fetchOffset": query.offset = try count(tree)
    case "fetchBatchSize": query.unchangedClauses += try count(tree).map { ["batch \($0)"] } ?? []
    case "returnsDistinctResults" where tree.literalBoolean != nil:
      query.isDistinct = tree.literalBoolean == true
    case "includesSubentities" where tree.literalBoolean != nil:
      query.unchangedClauses += tree.literalBoolean == true ? [] : ["without subentities"]
    case "propertiesToFetch":
      guard case .list(let keys) = tree.kind else { throw tree.span.unreadable }
      query.columns = try keys.map { key in
        let path = key.literalText.map { Tree.path($0, key.span) } ?? key
        guard path.words != nil || path.isKeyPath else { throw key.span.unreadable }
        return .init(value: try writer.asking(element) { try writer.value(path) })
      }
    case "resultType":
      let type = (tree.memberName ?? tree.lastWord ?? "").lowercased()
      switch type.hasPrefix("ns") ? String(type.dropFirst(2)) : type {
      case "dictionaryresulttype", "managedobjectresulttype": break
      case "countresulttype": query.result = .count
      case "managedobjectidresulttype":
        query.columns = [.init(value: Snippet("objectID", .integer))]
      default: throw tree.span.missing(property)
      }
    // These affect only the speed.
    case "returnsObjectsAsFaults", "relationshipKeyPathsForPrefetching", "includesPropertyValues",
      "includesPendingChanges":
      break
    default: throw tree.span.missing(property)
    }
  }

  /// Returns a number of a request; nil for 0, which means no limit.
  private func count(_ tree: Tree) throws -> Int? {
    guard let number = tree.literalInteger, number >= 0 else { throw tree.span.unreadable }
    return number == 0 ? nil : number
  }
}
