import KuraDiagnostics
import KuraSentences

// MongoDB's aggregate([{$match: …}, {$group: …}]).
extension ExpressionWriter {
  func aggregatePipeline(
    _ query: inout QueryBuilder, _ step: QueryStep
  ) throws(ForeignProblem) {
    parser.mark(.mongoDB, at: step.span)
    guard case .list(let stages)? = step.first?.kind else { throw .unreadable(step.span) }
    for stage in stages {
      guard case .record(let entries) = stage.kind, let (name, value) = entries.first else {
        throw .unreadable(stage.span)
      }
      try perform(name, value, &query)
    }
  }

  private func perform(
    _ stage: String, _ value: ForeignExpression, _ query: inout QueryBuilder
  ) throws(ForeignProblem) {
    let step = QueryStep(stage, [ForeignArgument(value: value)], value.span)
    switch stage {
    case "$match":
      guard query.groups.isEmpty else {
        throw missing(localized("$match behind $group"), "having …", at: value.span)
      }
      try filter(&query, step)
    case "$sort": try order(&query, step, isDescending: false)
    case "$limit": query.limit = try count(step)
    case "$skip": query.offset = try count(step)
    case "$count": query.result = .count
    case "$group": try group(&query, value)
    case "$project": try project(&query, value)
    default: throw missing(stage, at: value.span)
    }
  }

  /// `{_id: "$author.name", n: {$sum: 1}}`
  private func group(
    _ query: inout QueryBuilder, _ value: ForeignExpression
  ) throws(ForeignProblem) {
    guard case .record(let entries) = value.kind else { throw .unreadable(value.span) }
    let element = scope.binding([], to: query.element)
    let (columns, groups) = try inside(element) { () throws(ForeignProblem) in
      var (columns, groups) = ([QueryBuilder.Column](), [String]())
      for (key, tree) in entries {
        let text = try accumulated(tree)
        if key == "_id", text != "NULL" { groups.append(text) }
        if key != "_id" { columns.append(.init(text: text, name: key)) }
      }
      return (columns, groups)
    }
    query.columns = groups.map { .init(text: $0) } + columns
    query.groups = groups
  }

  /// `"$year"`, `{$sum: "$pages"}`, `{$sum: 1}`
  private func accumulated(_ tree: ForeignExpression) throws(ForeignProblem) -> String {
    if let text = tree.literalText, text.hasPrefix("$") {
      return try value(path(String(text.dropFirst()), tree.span)).text
    }
    guard case .record(let entries) = tree.kind, let (name, operand) = entries.first else {
      return try value(tree).text
    }
    if name == "$count" || name == "$sum" && operand.literalInteger == 1 { return "count(SELF)" }
    guard ["$sum", "$avg", "$min", "$max"].contains(name) else {
      throw missing(name, at: tree.span)
    }
    return "\(name.dropFirst())(\(try accumulated(operand)))"
  }

  /// `{title: 1, y: "$year", _id: 0}`
  private func project(
    _ query: inout QueryBuilder, _ value: ForeignExpression
  ) throws(ForeignProblem) {
    guard case .record(let entries) = value.kind else { throw .unreadable(value.span) }
    query.columns = try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      var columns: [QueryBuilder.Column] = []
      for (key, tree) in entries where tree.literalInteger != 0 {
        let text =
          tree.literalInteger == 1
          ? try self.value(path(key, tree.span)).text : try accumulated(tree)
        columns.append(.init(text: text, name: text == key ? nil : key))
      }
      return columns
    }
  }
}
