import KuraDiagnostics
import KuraFetch
import KuraPredicates
import KuraRendering
import KuraScript
import KuraValues

/// `print 1 + 2, today()`: one row, whose columns are called by their text.
extension PrintStatement: Command {
  var effect: Effect { .asks }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkPresent(expressions, in: source)
    try session.read(source) { snapshot, environment in
      var values: [Value] = []
      for expression in expressions {
        values.append(try expression.value(in: snapshot, environment))
      }
      let names = Self.distinct(expressions.map { source.text($0.span).onOneLine })
      let columns = zip(names, values).map { name, value in
        GridColumn(
          name, isNumeric: value.isNumber, isShortDate: value.isMidnight(in: session.zone))
      }
      try session.write(Grid(columns: columns, rows: [values]))
    }
  }

  /// The names, where a JSON object could not have one twice: `x`, `x (2)`.
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
