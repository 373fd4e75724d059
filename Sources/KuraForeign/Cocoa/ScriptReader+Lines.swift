import KuraDiagnostics
import KuraModel

// What each line does.
extension ScriptReader {
  /// `let x = …`
  func bind(_ name: String, _ tree: ForeignExpression) throws(ForeignProblem) {
    if let request = try newRequest(tree) {
      requests[name] = request
    } else if let (entity, values) = try newObject(tree) {
      flushUnless(name)
      newObjects.append((name, entity, values))
      writer.scope[name] = ForeignScope.Place(path: "$" + name, entity: entity)
    } else if let query = try query(tree) {
      flush()
      statements.append("let $\(name) = " + Self.assigned(query))
      writer.scope[name] = ForeignScope.Place(
        path: "$" + name, entity: query.element.entity, isMany: query.limit != "1")
    } else if case .object(let entity, _) = tree.kind {
      flush()
      statements.append("let $\(name) = \(try writer.value(tree).text)")
      writer.scope[name] = ForeignScope.Place(path: "$" + name, entity: names.entity(entity))
    } else {
      writer.scope.values[name] = tree
      if let entity, let condition = try condition(tree, of: entity) {
        predicates.append((name, condition.text))
      }
    }
  }

  /// A query as `let` takes it.
  private static func assigned(_ query: QueryBuilder) -> String {
    let statement = query.statement
    return statement.hasPrefix("print ") ? String(statement.dropFirst(6)) : statement
  }

  private func flushUnless(_ name: String) {
    if newObjects.contains(where: { $0.name == name }) { flush() }
  }

  /// `Item(title: "x")`, `NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)`
  func newObject(
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> (entity: String, values: [String])? {
    if let (name, arguments) = tree.namedCall, let entity = names.entity(name),
      name.first?.isUppercase == true
    {
      let given = arguments.filter {
        !["context", "entity", "insertInto"].contains($0.label ?? "")
      }
      let query = QueryBuilder(ModelNames.written(entity), of: entity)
      let step = QueryStep("insert", given, tree.span)
      return (entity, try writer.assignments(step, query))
    }
    guard let (receiver, name, arguments) = tree.methodCall else { return nil }
    let word = ExpressionWriter.plainName(name)
    if word.hasPrefix("insertnewobject"), let first = arguments.first?.value.literalText {
      return names.entity(first).map { ($0, []) }
    }
    guard word == "init" || word == "alloc" || word == "new" || word == "create", arguments.isEmpty
    else {
      return nil
    }
    if let inner = receiver.methodCall, inner.name == "alloc" {
      return inner.receiver.lastWord.flatMap(names.entity).map { ($0, []) }
    }
    return word == "new" ? receiver.lastWord.flatMap(names.entity).map { ($0, []) } : nil
  }

  /// `request.predicate = …`, `item.title = "x"`
  func assign(_ target: ForeignExpression, _ tree: ForeignExpression) throws(ForeignProblem) {
    switch target.kind {
    case .name(let name): return try bind(name, tree)
    case .parameter(let name): return try bind(String(name.dropFirst()), tree)
    case .member(let owner, let key):
      if case .name(let name) = owner.kind, var request = requests[name] ?? unseenRequest(name, key)
      {
        try set(key, tree, of: &request)
        requests[name] = request
        return
      }
      try setKey(key, of: owner, to: tree)
    default: throw .unreadable(target.span)
    }
  }

  /// Sets a key of an object: of a new one with others, of one that is there at once.
  func setKey(
    _ key: String, of owner: ForeignExpression, to tree: ForeignExpression
  ) throws(ForeignProblem) {
    let written = try writer.value(owner)
    guard let place = writer.place(of: written), let entity = place.entity, !place.path.isEmpty
    else {
      throw .unreadable(owner.span)
    }
    var query = QueryBuilder(written.text, of: entity)
    let text = try writer.assignment(key, tree, query)
    if case .name(let name) = owner.kind, let i = newObjects.firstIndex(where: { $0.name == name })
    {
      newObjects[i].assignments.append(text)
      return
    }
    query.result = .update([text])
    flush()
    statements.append("update \(written.text) set \(text)")
  }
}

extension ScriptReader {
  /// A line that is an expression: a call that does something, or a question.
  func perform(_ tree: ForeignExpression) throws(ForeignProblem) {
    if try performsStoreCall(tree) { return }
    if let shown = shown(tree) { return try show(shown) }
    if let (entity, values) = try newObject(tree) {
      let keys = values.isEmpty ? "{}" : values.joined(separator: ", ")
      statements.append("insert \(ModelNames.written(entity)) \(keys)")
      return
    }
    try show(tree)
  }

  /// What `print(x)` shows; nil: it is no such call.
  private func shown(_ tree: ForeignExpression) -> ForeignExpression? {
    let call = tree.namedCall ?? tree.methodCall.map { ($0.name, $0.arguments) }
    guard let call,
      ["print", "log", "puts", "NSLog", "WriteLine", "dump", "debugPrint"].contains(call.0)
    else { return nil }
    return call.1.last?.value
  }

  /// A question: objects, a value, a condition alone.
  private func show(_ tree: ForeignExpression) throws(ForeignProblem) {
    if let query = try query(tree) {
      flush()
      statements.append(query.statement)
      return
    }
    if let entity, let condition = try condition(tree, of: entity) {
      var query = QueryBuilder(ModelNames.written(entity), of: entity)
      query.conditions = [condition]
      statements.append(query.statement)
      return
    }
    let written = try writer.value(tree)
    guard isValue(tree) else { throw .unreadable(tree.span) }
    flush()
    let isObject = if case .object = tree.kind { true } else { false }
    statements.append("\(isObject ? "fetch" : "print") \(written.text)")
  }

  /// Whether it is worth printing: a name alone is nobody's.
  private func isValue(_ tree: ForeignExpression) -> Bool {
    if case .name(let name) = tree.kind {
      return writer.scope[name] != nil || writer.scope.values[name] != nil
    }
    return true
  }

  /// `NSPredicate(format: …)`, `#Predicate<Item> { … }` alone
  func condition(
    _ tree: ForeignExpression, of entity: String
  ) throws(ForeignProblem) -> Written? {
    let name = tree.namedCall?.name ?? tree.methodCall?.receiver.lastWord
    guard let name,
      ["NSPredicate", "#Predicate", "Predicate", "NSCompoundPredicate"].contains(name)
    else {
      return nil
    }
    var scope = writer.scope
    scope.root = ForeignScope.Place(path: "", entity: entity)
    return try writer.inside(scope) { () throws(ForeignProblem) in try writer.predicate(tree) }
  }

  /// `context.save()`, `context.delete(item)`, `item.setValue("x", forKey: "title")`
  private func performsStoreCall(_ tree: ForeignExpression) throws(ForeignProblem) -> Bool {
    guard let (receiver, name, arguments) = tree.methodCall else { return false }
    let word = ExpressionWriter.plainName(name)
    if word.hasPrefix("setvalue"), arguments.count == 2, let key = arguments[1].value.literalText {
      try setKey(key, of: receiver, to: arguments[0].value)
      return true
    }
    if word == "toggle", case .member(let owner, let key) = receiver.kind {
      let negated = ForeignExpression(.prefix("NOT", receiver), receiver.span)
      try setKey(key, of: owner, to: negated)
      return true
    }
    if word.hasPrefix("set"), case .name(let request) = receiver.kind,
      var found = requests[request],
      let value = arguments.first?.value
    {
      try set(String(word.dropFirst(3)), value, of: &found)
      requests[request] = found
      return true
    }
    guard writer.isStoreWord(receiver) || isOwnObject(receiver) else { return false }
    return try performsStoreCall(word, receiver, arguments)
  }

  private func isOwnObject(_ tree: ForeignExpression) -> Bool {
    if case .object = tree.kind { return true }
    guard case .name(let name) = tree.kind else { return false }
    return writer.scope[name] != nil
  }

  private func performsStoreCall(
    _ word: String, _ receiver: ForeignExpression, _ arguments: [ForeignArgument]
  ) throws(ForeignProblem) -> Bool {
    switch word {
    case "save", "savechanges", "commit", "savechangesasync", "flush":
      flush()
      statements.append("save")
    case "rollback", "undo", "redo":
      flush()
      statements.append(word)
    case "delete", "deleteobject", "remove", "destroy":
      flush()
      let target = arguments.first?.value ?? receiver
      guard !(arguments.isEmpty && !isOwnObject(receiver)) else { return false }
      statements.append("delete " + (try deleted(target)))
    case "insert", "add", "persist":
      guard let object = arguments.first?.value else { return false }
      if case .name(let name) = object.kind, newObjects.contains(where: { $0.name == name }) {
        return true
      }
      guard let (entity, values) = try newObject(object) else { return false }
      statements.append("insert \(ModelNames.written(entity)) \(values.joined(separator: ", "))")
    case "performandwait", "perform", "processpendingchanges": return true
    default: return false
    }
    return true
  }

  private func deleted(_ tree: ForeignExpression) throws(ForeignProblem) -> String {
    if let query = try query(tree), case .objects = query.result {
      var deleting = query
      deleting.result = .delete
      return String(deleting.statement.dropFirst("delete ".count))
    }
    return try writer.value(tree).text
  }
}
