import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Warnings about comparisons of attributes that depend on data.
extension Resolver {
  func warn(of comparisons: [AttributeComparison]) {
    guard let warnings = environment.warnings else { return }
    let graph = snapshot.graph
    for compared in comparisons {
      guard let place = graph.place(of: compared.entity),
        case .attribute(let column, _)? = graph.slot(compared.key, of: place)
      else { continue }
      let table = graph.tables[place.table]
      let warning =
        compared.attribute.type == .date
        ? compared.warningOfDay(table.columns[column], of: table, environment)
        : compared.warningOfTexts(table.columns[column], of: table, environment)
      if let warning { warnings.note([warning], in: environment.source) }
    }
  }
}

extension AttributeComparison {
  /// Returns a warning of `date >= "yesterday"` if dates are stored as texts, which are compared letter by letter, and
  /// of `title >= today()`, which a text never satisfies.
  fileprivate func warningOfTexts(
    _ column: Column, of table: Table, _ environment: FetchEnvironment
  ) -> Diagnostic? {
    guard let compared = ComparedDate(other, comparison, environment.evaluation) else {
      return nil
    }
    let texts = WrittenDates(column, of: table, environment.rules)
    let (key, found) = (environment.text(of: path), environment.text(of: other))
    let whole = comparison.left.span.joined(comparison.right.span)
    let example =
      compared.isMoment ? texts.examples.first : texts.examples.first(where: compared.misses)
    guard let example else { return nil }
    if !texts.areDates {
      return compared.isMoment
        ? Diagnostic(FetchWarnings.textsAndDate(key, found: found), at: whole, severity: .warning)
        : nil
    }
    let facts = FetchWarnings.datesAsTexts(
      attribute, entity: entity, example: example, found: found, isDate: compared.isMoment)
    let fix = FixIt(path.span, "CAST(\(key), \"NSDate\")")
    return Diagnostic(facts, at: whole, fixIt: fix, severity: .warning)
  }
}

extension ExpressionTree {
  var onlyKey: KeyComponent? {
    if case .keyPath(let path) = kind { path.onlyKey } else { nil }
  }
}

/// A date that texts are compared with: a moment, or a text that people write for a date.
private struct ComparedDate {
  let isMoment: Bool
  private let forms: [String]
  private let isEquality: Bool

  /// Returns nil for other expressions.
  init?(_ tree: ExpressionTree, _ comparison: Comparison, _ evaluation: EvaluationContext) {
    let (zone, now) = (evaluation.zone, evaluation.now)
    isMoment = tree.isMoment(in: evaluation)
    forms = tree.firstTexts.filter {
      (try? Timestamp(written: $0, in: zone, now: now)) != nil
    }.map(\.form)
    isEquality = comparison.operation == .equal || comparison.operation == .in
    if !isMoment, forms.isEmpty { return nil }
  }

  /// Returns whether one of its texts has another form than a date, so that comparing letters is useless.
  func misses(_ date: String) -> Bool {
    let other = date.form
    return forms.contains { form in
      isEquality ? form != other : !form.hasPrefix(other) && !other.hasPrefix(form)
    }
  }
}

extension ExpressionTree {
  /// The first literal texts, alone or in a list.
  fileprivate var firstTexts: [String] {
    switch kind {
    case .constant(let constant):
      (constant.value.elements?.prefix(4).map(\.self) ?? [constant.value]).compactMap {
        if case .string(let text) = $0 { text } else { nil }
      }
    case .aggregate(let parts): parts.prefix(4).flatMap(\.firstTexts)
    default: []
    }
  }

  /// Returns whether it is a date that is equal for all objects.
  fileprivate func isMoment(in evaluation: EvaluationContext) -> Bool {
    switch kind {
    case .constant(let constant):
      if case .date = constant.value { true } else { false }
    case .function(let call) where call.resultType == .date:
      if case .date? = try? evaluate(on: .null, in: evaluation) { true } else { false }
    default: false
    }
  }
}

/// Whether texts are dates, according to the first ones.
private struct WrittenDates {
  /// The dates among the texts, otherwise the texts.
  let examples: [String]
  let areDates: Bool

  init(_ column: Column, of table: Table, _ zone: ZoneRules) {
    let rows = (0..<table.count).lazy.filter(table.isLive).prefix(64)
    let texts: [String] = rows.compactMap { row -> String? in
      if case .string(let text) = column.value(row) { text } else { nil }
    }
    let dates = texts.filter { text in
      text.first?.isNumber == true && (try? Timestamp(text, in: zone)) != nil
    }
    areDates = dates.count * 2 > texts.count
    examples = areDates ? dates : texts
  }
}

extension String {
  /// `9999-99-99`: the text with 9 for each digit.
  fileprivate var form: String { String(map { $0.isASCII && $0.isNumber ? "9" : $0 }) }
}
