import KuraDiagnostics
import KuraModel

// Steps that choose objects.
extension ExpressionWriter {
  func filter(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    for condition in try conditions(of: query, step) { query.conditions.append(condition) }
  }

  func exclude(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    guard let all = QueryBuilder.all(try conditions(of: query, step)) else { return }
    query.conditions.append(.predicate("NOT " + all.text(in: .comparison), .not))
  }

  func condition(of query: QueryBuilder, _ step: QueryStep) throws(ForeignProblem) -> Written {
    guard let all = QueryBuilder.all(try conditions(of: query, step)) else {
      throw .unreadable(step.span)
    }
    return all
  }

  /// The conditions that a step names: in a closure, a record, arguments with labels, a text.
  private func conditions(
    of query: QueryBuilder, _ step: QueryStep
  ) throws(ForeignProblem) -> [Written] {
    if let (names, body) = step.closure {
      return try inside(scope.binding(names, to: query.element)) { () throws(ForeignProblem) in
        var found: [Written] = []
        for part in body.conjuncts { found.append(try predicate(part)) }
        return found
      }
    }
    return try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      var found: [Written] = []
      for argument in step.arguments { found += try condition(argument) }
      return found
    }
  }

  private func condition(_ argument: ForeignArgument) throws(ForeignProblem) -> [Written] {
    let tree = argument.value
    if let label = argument.label, !Self.predicateLabels.contains(label) {
      return [try lookup(label, tree)]
    }
    switch tree.kind {
    case .record(let entries): return try mongoConditions(entries)
    case .string(let text, _): return [.predicate(try formatted(text, [], tree.span), .or)]
    default: return [try predicate(tree)]
    }
  }

  private static let predicateLabels: Set = ["where", "using", "predicate", "isIncluded", "by"]

  /// `title__contains="x"`, as one framework asks.
  private func lookup(_ label: String, _ tree: ForeignExpression) throws(ForeignProblem) -> Written
  {
    var words = label.components(of: "__")
    let sign = words.count > 1 ? Self.lookups[words.last ?? ""] : nil
    if sign != nil { words.removeLast() }
    let path = self.path(words.joined(separator: "."), tree.span)
    if words.last == "isnull" { throw .unreadable(tree.span) }
    return try comparison(sign ?? "==", path, tree, tree)
  }

  private static let lookups = [
    "contains": "CONTAINS", "icontains": "CONTAINS[c]", "startswith": "BEGINSWITH",
    "istartswith": "BEGINSWITH[c]", "endswith": "ENDSWITH", "iendswith": "ENDSWITH[c]",
    "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "exact": "==", "iexact": "==[c]", "in": "IN",
    "regex": "SEARCH", "iregex": "SEARCH[c]", "range": "BETWEEN", "ne": "!=",
  ]
}

// Conditions in records, as MongoDB has them
extension ExpressionWriter {
  func mongoConditions(
    _ entries: [(key: String, value: ForeignExpression)]
  ) throws(ForeignProblem) -> [Written] {
    var found: [Written] = []
    for (key, value) in entries {
      switch key {
      case "$or", "$and", "$nor": found.append(try connected(key, value))
      case "$where", "$expr", "$text": throw missing(key, at: value.span)
      default: found += try mongoConditions(key, value)
      }
    }
    return found
  }

  private func connected(_ key: String, _ tree: ForeignExpression) throws(ForeignProblem) -> Written
  {
    guard case .list(let records) = tree.kind else { throw .unreadable(tree.span) }
    let place: KuraPrecedence = key == "$and" ? .and : .or
    var texts: [String] = []
    for record in records {
      guard case .record(let entries) = record.kind,
        let all = QueryBuilder.all(try mongoConditions(entries))
      else { throw .unreadable(record.span) }
      texts.append(all.text(in: place))
    }
    let whole = Written.predicate(texts.joined(separator: key == "$and" ? " AND " : " OR "), place)
    return key == "$nor" ? .predicate("NOT (\(whole.text))", .not) : whole
  }

  private func mongoConditions(
    _ key: String, _ value: ForeignExpression
  ) throws(ForeignProblem) -> [Written] {
    let path = self.path(key, value.span)
    guard case .record(let entries) = value.kind, entries.first?.key.hasPrefix("$") == true else {
      if case .pattern = value.kind { return [try comparison("SEARCH", path, value, value)] }
      return [try mongoComparison("==", path, value)]
    }
    var found: [Written] = []
    for (sign, operand) in entries where sign != "$options" {
      found.append(try mongoCondition(path, sign, operand, entries))
    }
    return found
  }

  /// A comparison, which asks each of an array: what a key of JSON holds may be one.
  private func mongoComparison(
    _ sign: String, _ path: ForeignExpression, _ operand: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let found = try comparison(sign, path, operand, operand)
    guard case .name = path.kind, operand.literalText != nil || sign == "IN",
      try value(path).type == .unknown, found.binding == .comparison
    else { return found }
    return .predicate("ANY " + found.text)
  }

  /// `author.name` as a path.
  func path(_ key: String, _ span: SourceSpan) -> ForeignExpression {
    let words = key.components(of: ".")
    let span = SourceSpan(span.start, span.start)
    var path = ForeignExpression(.name(words[0]), span)
    for word in words.dropFirst() { path = ForeignExpression(.member(path, word), span) }
    return path
  }

  private func mongoCondition(
    _ path: ForeignExpression, _ sign: String, _ operand: ForeignExpression,
    _ entries: [(key: String, value: ForeignExpression)]
  ) throws(ForeignProblem) -> Written {
    let span = operand.span
    let options = entries.first { $0.key == "$options" }?.value.literalText ?? ""
    let signs = [
      "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<=", "$eq": "==", "$ne": "!=", "$in": "IN",
      "$regex": options.contains("i") ? "SEARCH[c]" : "SEARCH",
    ]
    if let known = signs[sign] { return try mongoComparison(known, path, operand) }
    switch sign {
    case "$nin":
      let inside = try comparison("IN", path, operand, operand)
      return .predicate("NOT " + inside.text, .not)
    case "$exists":
      let isThere = if case .boolean(false) = operand.kind { "==" } else { "!=" }
      return .predicate("\(try value(path).text(in: .sum)) \(isThere) NULL")
    case "$not":
      guard case .record(let inner) = operand.kind, let first = inner.first else { break }
      let condition = try mongoCondition(path, first.key, first.value, inner)
      return .predicate("NOT " + condition.text(in: .comparison), .not)
    case "$size":
      return .predicate("\(try value(path).text).@count == \(try value(operand).text)")
    case "$elemMatch":
      guard case .record(let inner) = operand.kind else { break }
      return try some(of: path, inner)
    default: break
    }
    throw missing(sign, at: span)
  }

  /// `{$elemMatch: {done: true}}`
  private func some(
    of path: ForeignExpression, _ entries: [(key: String, value: ForeignExpression)]
  ) throws(ForeignProblem) -> Written {
    let many = try value(path)
    guard var place = place(of: many) else { throw .unreadable(path.span) }
    let variable = newVariable()
    place.path = variable
    place.isMany = false
    let all = try inside(scope.binding([], to: place)) { () throws(ForeignProblem) in
      QueryBuilder.all(try mongoConditions(entries))
    }
    guard let all else { return .predicate("\(many.text).@count > 0") }
    return .predicate("SUBQUERY(\(many.text), \(variable), \(all.text)).@count > 0")
  }
}

extension String {
  /// The parts between a separator.
  func components(of separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
