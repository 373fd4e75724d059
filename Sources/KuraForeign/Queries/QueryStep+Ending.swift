import KuraDiagnostics
import KuraModel
import KuraSentences

// Steps that take a part, one value, or change what was found.
extension ExpressionWriter {
  func count(_ step: QueryStep) throws(ForeignProblem) -> String {
    guard let first = step.arguments.last?.value else { return "1" }
    guard let number = first.literalInteger, number >= 0 else { throw .unreadable(first.span) }
    return String(number)
  }

  func slice(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    let bounds = step.arguments.compactMap(\.value.literalInteger)
    guard let start = bounds.first, start >= 0, (bounds.last ?? 0) >= 0 else {
      throw missing(
        localized("a slice from the end"), localized("sort … desc limit N takes the last ones"),
        at: step.span)
    }
    if start > 0 { query.offset = String(start) }
    if bounds.count > 1 { query.limit = String(max(0, bounds[1] - start)) }
  }

  /// `first`, `first(3)`, `first { … }`, and MongoDB's `find({…}, {title: 1})`.
  func first(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    if let number = step.first?.literalInteger {
      query.limit = String(number)
      return
    }
    if step.name.hasPrefix("find"), isMongo(step) {
      try mongoFind(&query, step)
      if step.name == "findone" { query.limit = "1" }
      return
    }
    if !step.arguments.isEmpty { try filter(&query, step) }
    query.limit = "1"
  }

  private func isMongo(_ step: QueryStep) -> Bool {
    guard let first = step.first else { return true }
    if case .record = first.kind { return true }
    return false
  }

  private func mongoFind(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    parser.mark(.mongoDB, at: step.span)
    let condition = QueryStep("filter", Array(step.arguments.prefix(1)), step.span)
    try filter(&query, condition)
    guard step.arguments.count > 1, case .record(let entries) = step.arguments[1].value.kind else {
      return
    }
    let shown = entries.filter { $0.value.literalInteger != 0 }
    query.columns = try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      var columns: [QueryBuilder.Column] = []
      for (key, tree) in shown { columns.append(.init(text: try value(path(key, tree.span)).text)) }
      return columns
    }
  }

  func distinct(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    query.isDistinct = true
    guard let key = step.first else { return }
    let element = query.element
    try map(&query, QueryStep("map", [ForeignArgument(value: key)], step.span))
    query.element = element
  }

  /// `max { … }`, `sum(b => b.pages)`
  func aggregate(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    let isObject = step.arguments["by"] != nil || step.name.hasSuffix("by")
    let comparesTwo =
      step.closure.map { $0.names.count > 1 && mentions($0.names[1], $0.body) } ?? false
    if isObject || comparesTwo {
      try order(&query, step, isDescending: step.name.hasPrefix("max"))
      query.limit = "1"
      return
    }
    if !step.arguments.isEmpty { try map(&query, step) }
    guard query.columns.count == 1 else { throw .unreadable(step.span) }
    let function = step.name == "mean" ? "average" : step.name
    query.columns = [.init(text: "\(function)(\(query.columns[0].text))")]
  }
}

extension ExpressionWriter {
  /// `reduce(0, +)`, `reduce(0) { $0 + $1.pages }`, `reduce((sum, b) => sum + b.pages, 0)`
  func reduce(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    if let (names, body) = step.closure, names.count > 1,
      case .infix("+", let left, let right) = body.kind
    {
      let summand = mentions(names[0], left) ? right : left
      let closure = ForeignExpression(.closure([names[1]], summand), summand.span)
      try map(&query, QueryStep("map", [ForeignArgument(value: closure)], step.span))
    } else if !step.arguments.contains(where: { $0.value.lastWord == "+" }) {
      throw missing(localized(".reduce of anything but a sum"), at: step.span)
    }
    guard query.columns.count == 1 else { throw .unreadable(step.span) }
    query.columns = [.init(text: "sum(\(query.columns[0].text))")]
  }

  /// How many objects each section has.
  func countSections(_ query: inout QueryBuilder, _ key: String) -> Bool {
    query.kept = []
    query.columns = [.init(text: key), .init(text: "count(SELF)")]
    query.groups = [key]
    return true
  }

  /// Groups of objects, as a listing with headings.
  func section(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    var keyed = query
    try map(
      &keyed, QueryStep("map", step.arguments.map { ForeignArgument(value: $0.value) }, step.span))
    guard keyed.columns.count == 1 else { throw .unreadable(step.span) }
    query.kept.append("section by \(keyed.columns[0].text)")
    query.sectionKey = keyed.columns[0].text
  }
}

// Changes
extension ExpressionWriter {
  func change(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) -> Bool {
    if step.name.hasSuffix("many") || step.name.hasSuffix("one") {
      parser.mark(.mongoDB, at: step.span)
    }
    switch step.name {
    case "deletemany", "deleteone", "remove", "removeall", "delete", "deleteall", "destroyall":
      if !step.arguments.isEmpty { try filter(&query, step) }
      query.result = .delete
    case "updatemany", "updateone", "update", "updateall": try update(&query, step)
    case "insertone", "insert", "create", "insertmany", "add", "append", "push":
      query.result = .insert(try assignments(step, query))
    default: return false
    }
    return true
  }

  private func update(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    if step.arguments.count > 1, step.arguments[0].label == nil {
      try filter(&query, QueryStep("filter", [step.arguments[0]], step.span))
      guard case .record(let operations) = step.arguments[1].value.kind else {
        throw .unreadable(step.span)
      }
      query.result = .update(try mongoUpdate(operations, query))
      return
    }
    query.result = .update(try assignments(step, query))
  }

  private func mongoUpdate(
    _ operations: [(key: String, value: ForeignExpression)], _ query: QueryBuilder
  ) throws(ForeignProblem) -> [String] {
    var assignments: [String] = []
    for (name, values) in operations {
      guard case .record(let entries) = values.kind else { throw .unreadable(values.span) }
      for (key, tree) in entries {
        switch name {
        case "$set": assignments.append(try assignment(key, tree, query))
        case "$unset": assignments.append("\(try keyText(key, query, tree.span)) = NULL")
        case "$inc":
          assignments.append("\(try keyText(key, query, tree.span)) += \(try value(tree).text)")
        default: throw missing(name, at: values.span)
        }
      }
    }
    return assignments
  }

  /// `{title: "x"}`, `title="x"`
  func assignments(_ step: QueryStep, _ query: QueryBuilder) throws(ForeignProblem) -> [String] {
    var found: [String] = []
    for argument in step.arguments {
      if let label = argument.label {
        found.append(try assignment(label, argument.value, query))
      } else if case .record(let entries) = argument.value.kind {
        for (key, tree) in entries { found.append(try assignment(key, tree, query)) }
      } else {
        throw .unreadable(argument.value.span)
      }
    }
    return found
  }

  /// `title = "x"`
  func assignment(
    _ key: String, _ tree: ForeignExpression, _ query: QueryBuilder
  ) throws(ForeignProblem) -> String {
    try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      let owner = try value(path(key, tree.span))
      let written = try assigned(tree, to: owner)
      return "\(owner.text) = \(written)"
    }
  }

  /// A value as what a key holds: `1` as YES, a category's number as the category.
  func assigned(_ tree: ForeignExpression, to key: Written) throws(ForeignProblem) -> String {
    let written = try value(tree)
    return adapted(written, tree, to: Written(key.text, key.type)).text
  }

  private func keyText(
    _ key: String, _ query: QueryBuilder, _ span: SourceSpan
  ) throws(ForeignProblem) -> String {
    try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      try value(path(key, span)).text
    }
  }
}
