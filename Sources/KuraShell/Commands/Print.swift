import KuraDiagnostics
import KuraFetch
import KuraPredicates
import KuraRendering
import KuraScript
import KuraValues

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
      try session.write(grid)
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
