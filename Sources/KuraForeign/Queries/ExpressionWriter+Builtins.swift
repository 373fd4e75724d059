import KuraDiagnostics
import KuraSentences

// Functions that take a query: Python's `sorted(books, key=…)`, jq's `map(select(…))`.
extension ExpressionWriter {
  func functionQuery(
    _ name: String, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    if parser.dialect == .jq { return try jqQuery(name, arguments, tree) }
    if name == "Dictionary", let items = arguments["grouping"], var grouped = try query(items) {
      try section(&grouped, QueryStep("group", Array(arguments.dropFirst()), tree.span))
      return grouped
    }
    if name == "any" || name == "all", let asked = try quantified(name, arguments, tree) {
      return asked
    }
    guard let (source, rest) = try sourceArgument(name, arguments) else { return nil }
    parser.mark(name.contains(".") ? .javaScript : .python, at: tree.span)
    guard var step = Self.builtins[name] else { return source }
    if arguments["key"] != nil, step == "max" || step == "min" { step += "by" }
    if step == "sum", source.columns.map(\.text) == ["1"] {
      step = "count"
      var counted = source
      counted.columns = []
      return try stepped(counted, QueryStep(step, [], tree.span))
    }
    return try stepped(source, QueryStep(step, rest, tree.span))
  }

  /// `any(b.year > 1930 for b in books)`
  private func quantified(
    _ name: String, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    guard let first = arguments.first, case .comprehension(let found) = first.value.kind,
      var source = try query(found.source)
    else { return nil }
    let closures = (found.conditions + (name == "any" ? [found.value] : [])).map {
      ForeignArgument(value: ForeignExpression(.closure([found.name], $0), $0.span))
    }
    for closure in closures { try filter(&source, QueryStep("filter", [closure], tree.span)) }
    guard name == "all" else { return try stepped(source, QueryStep("any", [], tree.span)) }
    let all = ForeignExpression(.closure([found.name], found.value), found.value.span)
    return try stepped(source, QueryStep("every", [ForeignArgument(value: all)], tree.span))
  }

  /// The argument that is a query, and the others: in `filter` and `map` the function comes first.
  private func sourceArgument(
    _ name: String, _ arguments: [ForeignArgument]
  ) throws(ForeignProblem) -> (QueryBuilder, [ForeignArgument])? {
    guard Self.builtins[name] != nil || Self.wrappers.contains(name) else { return nil }
    let isLast = name == "filter" || name == "map"
    let index = isLast ? arguments.count - 1 : 0
    guard arguments.indices.contains(index), let found = try query(arguments[index].value) else {
      return nil
    }
    var rest = arguments
    rest.remove(at: index)
    return (found, rest.map(Self.withoutKey))
  }

  private static func withoutKey(_ argument: ForeignArgument) -> ForeignArgument {
    ForeignArgument(
      label: argument.label == "key" ? nil : argument.label, value: argument.value)
  }

  private static let builtins = [
    "sorted": "sorted", "len": "count", "filter": "filter", "map": "map", "sum": "sum",
    "max": "max", "min": "min", "any": "any", "set": "distinct", "reversed": "reversed",
    "count": "count", "next": "first", "Set": "distinct", "_.filter": "filter", "_.map": "map",
    "_.sortBy": "sorted", "_.find": "first", "_.some": "any", "_.every": "every",
    "_.groupBy": "group",
    "_.take": "take", "_.size": "count", "_.uniq": "distinct", "Math.max": "max", "Math.min": "min",
  ]

  private static let wrappers: Set = [
    "list", "tuple", "print", "iter", "enumerate", "Array", "pprint",
  ]
}

// jq
extension ExpressionWriter {
  /// `.[] | select(…) | .title`
  func pipedQuery(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    guard parser.dialect == .jq, let query = try query(left) else { return nil }
    var scope = scope
    scope.root = query.element
    return try inside(scope) { () throws(ForeignProblem) in try jqStep(query, right) }
  }

  /// What a filter of jq makes of objects that come in.
  func jqStep(
    _ query: QueryBuilder, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder {
    var query = query
    switch tree.kind {
    case .elements(let base) where namedSource(base) != nil,
      .member(let base, _) where base.isRoot && namedSource(tree) != nil:
      return namedSource(tree) ?? namedSource(base) ?? query
    case .list(let parts) where parts.count == 1: return try jqStep(query, parts[0])
    case .member(let base, let name) where indexed(base):
      let found = try jqStep(query, base)
      return try jqStep(
        found, ForeignExpression(.member(ForeignExpression(.root, tree.span), name), tree.span))
    case .infix("|", let left, let right):
      return try jqStep(try jqStep(query, left), right)
    case .root: return query
    case .elements(let base) where base.isRoot: return query
    case .name(let word): return try jqFunction(query, word, [], tree)
    case .call(let callee, let arguments):
      guard case .name(let word) = callee.kind else { throw .unreadable(tree.span) }
      return try jqFunction(query, word, arguments, tree)
    case .slice(let base, let from, let to) where base.isRoot:
      if let start = from?.literalInteger, start > 0 { query.offset = String(start) }
      if let end = to?.literalInteger {
        query.limit = String(max(0, end - (from?.literalInteger ?? 0)))
      }
    case .index(let base, let index) where base.isRoot:
      guard let place = index.literalInteger else { throw .unreadable(tree.span) }
      if place < 0 { query.reverse() }
      if place > 0 { query.offset = String(place) }
      query.limit = "1"
    default:
      let columns = try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
        try self.columns(tree)
      }
      query.setColumns(columns)
    }
    return query
  }

  /// `.[0]`, `.[]`
  private func indexed(_ tree: ForeignExpression) -> Bool {
    switch tree.kind {
    case .index(let base, _), .elements(let base), .slice(let base, _, _): base.isRoot
    default: false
    }
  }

  /// `.books`, where a document holds them under their name.
  private func namedSource(_ tree: ForeignExpression) -> QueryBuilder? {
    guard case .member(let base, let name) = tree.kind, base.isRoot,
      key(name, of: scope.root) == nil,
      let entity = names.entity(name)
    else { return nil }
    return QueryBuilder(ModelNames.written(entity), of: entity)
  }

  private func jqQuery(
    _ name: String, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder? {
    guard let root = scope.root, root.isMany, let entity = root.entity else { return nil }
    return try jqFunction(
      QueryBuilder(ModelNames.written(entity), of: entity), name, arguments, tree)
  }

  private func jqFunction(
    _ query: QueryBuilder, _ name: String, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder {
    var query = query
    let step = Self.jqSteps[name]
    switch name {
    case "map":
      guard let inner = arguments.first?.value else { throw .unreadable(tree.span) }
      return try jqStep(query, inner)
    case "limit":
      guard arguments.count == 2, let count = arguments[0].value.literalInteger else {
        throw .unreadable(tree.span)
      }
      query = try jqStep(query, arguments[1].value)
      query.limit = String(count)
      return query
    case "any", "all", "min_by", "max_by", "group_by", "unique_by", "select", "sort_by":
      return try jqClosure(query, step ?? name, arguments, tree)
    case "first", "last", "length", "reverse", "unique", "sort", "add", "keys", "count", "min",
      "max":
      if name == "first" || name == "last", let inner = arguments.first?.value {
        query = try jqStep(query, inner)
      }
      return try jqPlain(query, name, tree)
    default:
      let columns = try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
        try self.columns(tree)
      }
      query.setColumns(columns)
      return query
    }
  }

  private static let jqSteps = [
    "select": "filter", "sort_by": "sorted", "min_by": "minby", "max_by": "maxby", "all": "every",
    "unique_by": "distinct",
  ]

  private func jqPlain(
    _ query: QueryBuilder, _ name: String, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder {
    var query = query
    switch name {
    case "add": query.columns = query.columns.map { .init(text: "sum(\($0.text))") }
    case "unique": query.isDistinct = true
    case "sort":
      query.sort = query.columns.map { .init(text: $0.text) }
    case "keys": throw missing("keys", localized("describe ENTITY lists the keys"), at: tree.span)
    default:
      let word = name == "length" ? "count" : name
      guard let next = try stepped(query, QueryStep(word, [], tree.span)) else { return query }
      query = next
    }
    return query
  }

  /// A filter with a condition or key, as a closure of the objects that come in.
  private func jqClosure(
    _ query: QueryBuilder, _ name: String, _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder {
    guard let body = arguments.last?.value else { throw .unreadable(tree.span) }
    let closure = ForeignExpression(.closure([], body), body.span)
    let step = QueryStep(name, [ForeignArgument(value: closure)], tree.span)
    return try stepped(query, step) ?? query
  }
}

extension ForeignExpression {
  /// Whether it makes columns, and is no condition.
  var isRecord: Bool {
    switch kind {
    case .record, .list: true
    default: false
    }
  }

  var isRoot: Bool { if case .root = kind { true } else { false } }
}
