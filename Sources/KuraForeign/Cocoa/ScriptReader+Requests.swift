import KuraDiagnostics
import KuraModel

// Requests: how they are made, told what they ask, and asked.
extension ScriptReader {
  /// The query that an expression is, also by the name of a request.
  func query(_ tree: ForeignExpression) throws(ForeignProblem) -> QueryBuilder? {
    if case .name(let name) = tree.kind, let request = requests[name] {
      askedRequests.insert(name)
      return request
    }
    if let request = try newRequest(tree) { return request }
    if let asked = try askedRequest(tree) { return asked }
    return try writer.query(tree)
  }

  /// `Item.fetchRequest()`, `NSFetchRequest<Item>(entityName: "Item")`, `FetchDescriptor<Item>(…)`
  func newRequest(_ tree: ForeignExpression) throws(ForeignProblem) -> QueryBuilder? {
    if let (receiver, name, arguments) = tree.methodCall {
      let word = ExpressionWriter.plainName(name)
      if word == "fetchrequest" { return receiver.lastWord.flatMap(writer.source) }
      if word == "fetchrequestwithentityname" || word == "initwithentityname" {
        return arguments.first?.value.literalText.flatMap(writer.source)
      }
      return nil
    }
    guard let (name, arguments) = tree.namedCall,
      ["NSFetchRequest", "FetchDescriptor", "FetchRequest", "SectionedFetchRequest"].contains(name)
    else { return nil }
    let type = arguments["<>"]?.lastWord
    let entity =
      arguments["entityName"]?.literalText ?? (type == "NSFetchRequestResult" ? nil : type)
    guard var query = (entity ?? self.entity).flatMap(writer.source) else { return nil }
    try configure(&query, arguments)
    return query
  }

  /// The request whose property is set, where nothing was read of how it was made.
  func unseenRequest(_ name: String, _ property: String) -> QueryBuilder? {
    let properties = ["predicate", "sortdescriptors", "fetchlimit", "fetchoffset"]
    guard writer.scope[name] == nil, properties.contains(ExpressionWriter.plainName(property))
    else { return nil }
    return entity.flatMap(writer.source)
  }

  /// The arguments of a descriptor, by their labels.
  func configure(
    _ query: inout QueryBuilder, _ arguments: [ForeignArgument]
  ) throws(ForeignProblem) {
    for argument in arguments {
      guard let label = argument.label, !["<>", "entityName", "animation", "order"].contains(label)
      else {
        continue
      }
      try set(label, argument.value, of: &query)
    }
    if case .member(_, "reverse")? = arguments["order"]?.kind {
      for i in query.sort.indices { query.sort[i].isDescending = true }
    }
  }

  /// Sets a property of a request: `predicate`, `sortDescriptors`, `fetchLimit`.
  func set(
    _ property: String, _ tree: ForeignExpression, of query: inout QueryBuilder
  ) throws(ForeignProblem) {
    let element = writer.scope.binding([], to: query.element)
    switch ExpressionWriter.plainName(property) {
    case "predicate", "filter":
      if case .null = tree.kind { return }
      query.conditions = [
        try writer.inside(element) { () throws(ForeignProblem) in try writer.predicate(tree) }
      ]
    case "sortdescriptors", "sortby", "sort":
      query.sort = try writer.inside(element) { () throws(ForeignProblem) in try sortKeys(tree) }
    case "fetchlimit": query.limit = try writer.value(tree).text
    case "fetchoffset": query.offset = try writer.value(tree).text
    case "fetchbatchsize": query.kept.append("batch \(try writer.value(tree).text)")
    case "returnsdistinctresults": query.isDistinct = true
    case "propertiestofetch":
      query.columns = try writer.inside(element) { () throws(ForeignProblem) in
        guard case .list(let keys) = tree.kind else { throw .unreadable(tree.span) }
        var columns: [QueryBuilder.Column] = []
        for key in keys {
          let path = key.literalText.map { writer.path($0, key.span) } ?? key
          columns.append(.init(text: try writer.value(path).text))
        }
        return columns
      }
    case "includessubentities": query.kept.append("without subentities")
    case "resulttype", "returnsobjectsasfaults", "relationshipkeypathsforprefetching",
      "includespropertyvalues", "includespendingchanges", "entity":
      return
    default: throw .noCounterpart(NoCounterpart(property), tree.span)
    }
  }

  private func sortKeys(
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> [QueryBuilder.SortKey] {
    if case .name(let name) = tree.kind, let bound = writer.scope.values[name] {
      return try sortKeys(bound)
    }
    if case .list(let elements) = tree.kind {
      var keys: [QueryBuilder.SortKey] = []
      for element in elements { keys += try sortKeys(element) }
      return keys
    }
    if let (_, name, arguments) = tree.methodCall, name.hasPrefix("sortDescriptorWithKey"),
      let key = arguments.first?.value.literalText
    {
      let isUp = if case .boolean(false)? = arguments["ascending"]?.kind { false } else { true }
      let text = try writer.value(writer.path(key, tree.span)).text
      return [.init(text: text, isDescending: !isUp)]
    }
    if let (_, name, arguments) = tree.methodCall, name.hasPrefix("initWithKey"),
      let key = arguments.first?.value.literalText
    {
      let isUp = if case .boolean(false)? = arguments["ascending"]?.kind { false } else { true }
      let text = try writer.value(writer.path(key, tree.span)).text
      return [.init(text: text, isDescending: !isUp)]
    }
    return try writer.sortKeys(tree)
  }

  /// `context.fetch(request)`, `context.count(for: request)`, `[context executeFetchRequest:request …]`
  func askedRequest(_ tree: ForeignExpression) throws(ForeignProblem) -> QueryBuilder? {
    guard let (receiver, name, arguments) = tree.methodCall, writer.isStoreWord(receiver),
      let first = arguments.first?.value
    else { return nil }
    let word = ExpressionWriter.plainName(name)
    if word.hasPrefix("executefetchrequest") || word == "fetch" || word == "execute" {
      return try query(first)
    }
    guard word.hasPrefix("count"),
      word != "count" || arguments["for"] != nil || arguments.count == 1,
      var counted = try query(first)
    else { return nil }
    counted.result = .count
    return counted
  }
}
