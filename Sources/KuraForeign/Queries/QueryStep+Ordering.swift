import KuraDiagnostics

// Steps that order objects and take values of them.
extension ExpressionWriter {
  func order(
    _ query: inout QueryBuilder, _ step: QueryStep, isDescending: Bool
  ) throws(ForeignProblem) {
    var keys = try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      try sortKeys(step, query)
    }
    if isDescending || step.arguments["reverse"].map(isTrue) == true {
      for i in keys.indices { keys[i].isDescending.toggle() }
    }
    query.sort = step.name.hasPrefix("thenby") ? query.sort + keys : keys
  }

  private func isTrue(_ tree: ForeignExpression) -> Bool {
    if case .boolean(true) = tree.kind { true } else { false }
  }

  private func sortKeys(
    _ step: QueryStep, _ query: QueryBuilder
  ) throws(ForeignProblem) -> [QueryBuilder.SortKey] {
    if let (names, body) = step.closure {
      if names.count > 1, let keys = try comparatorKeys(names, body, query) { return keys }
      return try inside(scope.binding(names, to: query.element)) { () throws(ForeignProblem) in
        try sortKeys(body)
      }
    }
    var keys: [QueryBuilder.SortKey] = []
    for argument in step.arguments where argument.label != "reverse" {
      if case .boolean(let ascending) = argument.value.kind, argument.label == "ascending" {
        if !ascending, !keys.isEmpty { keys[keys.count - 1].isDescending = true }
      } else {
        keys += try sortKeys(argument.value, label: argument.label)
      }
    }
    return keys
  }

  /// `{ $0.date < $1.date }`, `(a, b) => a.year - b.year`, `a.title.localeCompare(b.title)`
  private func comparatorKeys(
    _ names: [String], _ body: ForeignExpression, _ query: QueryBuilder
  ) throws(ForeignProblem) -> [QueryBuilder.SortKey]? {
    let sides: (ForeignExpression, ForeignExpression, Bool)
    switch body.kind {
    case .infix("<", let left, let right), .infix("<=", let left, let right),
      .infix("-", let left, let right):
      sides = (left, right, false)
    case .infix(">", let left, let right), .infix(">=", let left, let right):
      sides = (left, right, true)
    default:
      guard let (receiver, name, arguments) = body.methodCall, let other = arguments.first,
        name.lowercased().contains("compare")
      else { return nil }
      sides = (receiver, other.value, false)
    }
    return try inside(scope.binding(names, to: query.element)) { () throws(ForeignProblem) in
      var keys: [QueryBuilder.SortKey] = []
      for (left, right) in pairs(sides.0, sides.1) {
        let isTurned = mentions(names[1], left) && !mentions(names[0], left)
        let text = try value(isTurned ? right : left).text
        keys.append(.init(text: text, isDescending: sides.2 != isTurned))
      }
      return keys
    }
  }

  /// The elements of two tuples, or the two sides alone.
  private func pairs(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) -> [(ForeignExpression, ForeignExpression)] {
    guard case .list(let first) = left.kind, case .list(let second) = right.kind else {
      return [(left, right)]
    }
    return Array(zip(first, second))
  }

  /// Whether a name stands in an expression: by its text.
  func mentions(_ name: String, _ tree: ForeignExpression) -> Bool {
    ForeignLexer.tokens(of: parser.bytes, tree.span, parser.dialect).contains { $0.text == name }
  }

  /// The keys that a value names: a path, a text, a record, a sort descriptor, a list of them.
  func sortKeys(
    _ tree: ForeignExpression, label: String? = nil
  ) throws(ForeignProblem) -> [QueryBuilder.SortKey] {
    switch tree.kind {
    case .list(let elements):
      var keys: [QueryBuilder.SortKey] = []
      for element in elements { keys += try sortKeys(element) }
      return keys
    case .record(let entries):
      var keys: [QueryBuilder.SortKey] = []
      for (key, direction) in entries {
        let isDown =
          direction.literalInteger ?? 1 < 0
          || direction.literalText?.lowercased().hasPrefix("desc") == true
        let text = try value(path(key, tree.span)).text
        keys.append(.init(text: text, isDescending: isDown))
      }
      return keys
    case .string(let text, _):
      let isDown = text.hasPrefix("-")
      let name = isDown ? String(text.dropFirst()) : text
      return [.init(text: try value(path(name, tree.span)).text, isDescending: isDown)]
    case .prefix("-", let inner): return [.init(text: try value(inner).text, isDescending: true)]
    default: break
    }
    if let key = try descriptorKey(tree) { return [key] }
    let written = try value(tree)
    let isDown = label?.lowercased() == "desc"
    return [.init(text: written.text, isDescending: isDown)]
  }

  /// `SortDescriptor(\.date, order: .reverse)`, `NSSortDescriptor(key: "date", ascending: false)`
  func descriptorKey(
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> QueryBuilder.SortKey? {
    let call = tree.namedCall ?? tree.methodCall.map { ($0.receiver.lastWord ?? "", $0.arguments) }
    guard let call, call.0.hasSuffix("SortDescriptor"), let first = call.1.first?.value else {
      return nil
    }
    let text =
      if let name = first.literalText { try value(path(name, first.span)).text } else {
        try value(first).text
      }
    let ascending = call.1["ascending"]
    let order = call.1["order"].flatMap {
      if case .member(_, let word) = $0.kind { word } else { nil }
    }
    let isDown = ascending.map { !isTrue($0) } ?? (order == "reverse")
    return .init(text: text, isDescending: isDown)
  }
}

extension ExpressionWriter {
  func map(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    if let (names, body) = step.closure {
      let columns = try inside(scope.binding(names, to: query.element)) {
        () throws(ForeignProblem) in
        try self.columns(printed(body))
      }
      query.setColumns(columns)
      return
    }
    let columns = try inside(scope.binding([], to: query.element)) { () throws(ForeignProblem) in
      var columns: [QueryBuilder.Column] = []
      for argument in step.arguments where argument.label == nil {
        let tree = argument.value
        columns += try self.columns(tree.literalText.map { path($0, tree.span) } ?? tree)
      }
      return columns
    }
    if !columns.isEmpty { query.setColumns(columns) }
  }

  /// What `print($0.title)` prints.
  private func printed(_ tree: ForeignExpression) -> ForeignExpression {
    let call = tree.namedCall ?? tree.methodCall.map { ($0.name, $0.arguments) }
    guard let call, ["print", "log", "puts", "NSLog", "WriteLine"].contains(call.0),
      let first = call.1.first
    else { return tree }
    return call.1.count == 1
      ? first.value : ForeignExpression(.list(call.1.map(\.value)), tree.span)
  }

  /// `select`, which is a condition in one language and columns in another.
  func select(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) {
    if let (names, body) = step.closure, !body.isRecord {
      let isCondition = try inside(scope.binding(names, to: query.element)) {
        () throws(ForeignProblem) in
        try value(body).isPredicate
      }
      if isCondition { return try filter(&query, step) }
    }
    try map(&query, step)
  }
}
