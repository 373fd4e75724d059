import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `let $soon = …`: names a value, the current result of a fetch, or a new object.
extension LetStatement: Command {
  var givenVariable: String? { name.text }

  var effect: Effect {
    switch value {
    case .expression, .fetch, .predicate: .sets
    case .insert: .changes
    }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    switch value {
    case .expression(let expression): try bind(expression, in: session, source)
    case .fetch(let fetch): try bind(fetch, in: session, source)
    case .insert(let insert): try bind(insert, in: session, source)
    case .predicate(let part):
      session.variables.set(name.text, to: try session.named(part, name.text, at: name.span))
    }
  }

  /// Binds the value of an expression: `dateByAdding(today(), 7, "day")`
  private func bind(
    _ expression: ExpressionTree, in session: Session, _ source: SourceText
  ) throws {
    try session.checkPresent([expression], in: source)
    let live = session.variables.live
    let value = try session.read(source) { snapshot, environment in
      live.detached(try expression.value(in: snapshot, environment))
    }
    try session.services.cancel.check()
    try session.checkAreStored(value, at: expression.span)
    session.variables.set(name, to: value)
  }

  /// Binds the result of a fetch: `fetch MemoDate where …`
  private func bind(_ fetch: FetchTree, in session: Session, _ source: SourceText) throws {
    let live = session.variables.live
    let (value, entity) = try session.read(source) { snapshot, environment in
      let request = try fetch.bound(to: snapshot, environment)
      return (live.detached(try request.value(fetch.result)), request.entity)
    }
    try session.services.cancel.check()
    try session.checkAreStored(value, at: fetch.source.span)
    session.variables.set(name, to: value, of: value.holdsOnlyObjects ? entity : nil)
  }

  /// Binds the new object of `insert Category name = "Home"`, or a list of several.
  private func bind(_ insert: InsertStatement, in session: Session, _ source: SourceText) throws {
    let objects = try insert.insert(in: session, source)
    let values = objects.objects.map(session.variables.live.object)
    let value = values.count == 1 ? values[0] : .list(values)
    session.variables.set(name, to: value, of: insert.entity.text)
    session.report(objects.report(in: session.context.graph))
  }
}

extension Session {
  /// Throws if a value contains rows of elements, such as those of `fetch Order.lines`: only
  /// objects of the store exist after the statement.
  fileprivate func checkAreStored(_ value: Value, at span: SourceSpan) throws(Failure) {
    let model = context.graph.model
    guard let other = value.identities?.first(where: { model[$0.entity] == nil }) else { return }
    throw Failure(ElementProblem.inVariable(other.entity), at: span)
  }
}

/// `print 1 + 2, today() as day`: writes one row; a column without a name is called by its text.
extension PrintStatement: QueryCommand {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkPresent(expressions, in: source)
    try session.read(source) { snapshot, environment in
      var values: [Value] = []
      for expression in expressions {
        values.append(try expression.value(in: snapshot, environment))
      }
      var grid = Grid(columns: columns(of: values, in: session, source), rows: [values])
      grid.isLone = values.count == 1
      let row = grid
      try session.write(row)
      session.noteLostFractions(of: expressions, named: names, snapshot, environment)
    }
  }

  func outcome(in session: Session, _ source: SourceText) throws -> Outcome {
    try session.read(source) { snapshot, environment in
      .values(try expressions.map { try $0.value(in: snapshot, environment) })
    }
  }

  private func columns(
    of values: [Value], in session: Session, _ source: SourceText
  ) -> [GridColumn] {
    let texts = zip(names, expressions).map { name, expression in
      name?.text ?? source.text(expression.span).onOneLine
    }
    return Self.distinct(texts).enumerated().map { i, name in
      var column = GridColumn(
        name, isNumeric: values[i].isNumber, isShortDate: values[i].isMidnight(in: session.zone))
      column.isNamed = names[i] != nil
      return column
    }
  }

  /// Makes names distinct, as keys of a JSON object must be: `x`, `x (2)`.
  private static func distinct(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    return names.map { name in
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return count == 1 ? name : "\(name) (\(count))"
    }
  }
}

extension Value {
  var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal: true
    case .null, .boolean, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      false
    }
  }

  func isMidnight(in zone: ZoneRules) -> Bool {
    if case .date(let date) = self { date.isMidnight(in: zone) } else { false }
  }
}
