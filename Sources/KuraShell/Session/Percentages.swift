import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// A division that computes a percentage: `done * 100 / total`, `done / total * 100`, `done / total as share`.
struct PercentageDivision {
  let dividend: ExpressionTree
  let divisor: ExpressionTree
  let span: SourceSpan
  /// The 100 by which the dividend is multiplied; nil if the quotient is multiplied instead.
  let hundred: ExpressionTree?
  /// Whether the statement multiplies by 100 at all.
  let isOfHundred: Bool

  /// Returns the divisions of an expression that compute percentages; `name` is the name of the
  /// result.
  static func all(in expression: ExpressionTree, named name: String?) -> [PercentageDivision] {
    var found: [PercentageDivision] = []
    var quotients: Set<SourceSpan> = []
    let isPercentage = name?.namesPercentage ?? false
    expression.walk { node, bound in
      guard bound.isEmpty else { return .over }
      guard case .expression(let tree) = node, case .function(let call) = tree.kind,
        call.arguments.count == 2
      else { return .into }
      let (a, b) = (call.arguments[0], call.arguments[1])
      if call.builtIn == .multiply {
        if a.isHundred { quotients.insert(b.span) }
        if b.isHundred { quotients.insert(a.span) }
      } else if call.builtIn == .divide {
        let (hundred, isQuotient) = (a.hundredAmongFactors, quotients.contains(tree.span))
        guard isPercentage || isQuotient || hundred != nil else { return .into }
        found.append(
          PercentageDivision(
            dividend: a, divisor: b, span: tree.span, hundred: hundred,
            isOfHundred: isQuotient || hundred != nil))
      }
      return .into
    }
    return found
  }

  /// Returns a note about the fraction that the quotient of two integers loses; nil if it loses
  /// none.
  func note(_ dividend: Value, _ divisor: Value) -> Diagnostic? {
    guard case .integer(let x) = dividend, case .integer(let y) = divisor, y != 0,
      x.remainderReportingOverflow(dividingBy: y).partialValue != 0
    else { return nil }
    let facts = LostFraction(dividend: x, divisor: y, isOfHundred: isOfHundred)
    let fix = hundred.map { FixIt($0.span, "100.0") }
    return Diagnostic(facts, at: span, fixIt: fix, severity: .note)
  }
}

extension ExpressionTree {
  fileprivate var isHundred: Bool {
    if case .constant(let constant) = kind { constant.value == .integer(100) } else { false }
  }

  /// The 100 in `100 * a * b`.
  fileprivate var hundredAmongFactors: ExpressionTree? {
    var product = self
    while case .function(let call) = product.kind,
      call.builtIn == .multiply, call.arguments.count == 2
    {
      if let hundred = call.arguments.first(where: \.isHundred) { return hundred }
      product = call.arguments[0]
    }
    return nil
  }
}

extension String {
  /// Whether a column of this name contains percentages: `pct`, `doneShare`, `完了率`
  fileprivate var namesPercentage: Bool {
    if contains("%") || ["率", "割合", "パーセント", "比率"].contains(where: { contains($0) }) {
      return true
    }
    let separated = reduce(into: "") { $0 += $1.isUppercase ? " \($1)" : "\($1)" }
    let words = separated.lowercased().split { !$0.isLetter }
    return words.contains { Self.wordsOfPercentages.contains(String($0)) }
  }

  private static let wordsOfPercentages: Set<String> = [
    "pct", "perc", "percent", "percents", "percentage", "percentages", "ratio", "share",
    "proportion",
  ]
}

/// A division of integers without its fraction.
struct LostFraction: DiagnosticFacts {
  let dividend: Int64
  let divisor: Int64
  let isOfHundred: Bool

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String {
    let quotient = dividend.dividedReportingOverflow(by: divisor).partialValue
    return localized(
      "integer division drops the fraction: \(dividend) / \(divisor) is \(quotient)")
  }

  var help: String? {
    let factor = isOfHundred ? "100.0" : "1.0"
    return localized("to keep the fraction, multiply by \(factor) before the division")
  }
}

// Notes
extension Session {
  /// Notes the first percentage of a fetch that lost its fraction.
  func noteLostFractions(
    of fetch: FetchTree, _ snapshot: GraphSnapshot, _ environment: FetchEnvironment
  ) {
    note {
      guard fetch.result == .objects, let selection = fetch.selection else { return nil }
      return selection.lazy.flatMap {
        PercentageDivision.all(in: $0.expression, named: $0.isNamed ? $0.name : nil)
      }.compactMap { $0.note(in: fetch, snapshot, environment.withoutWarnings) }.first
    }
  }

  /// Notes the first percentage among printed expressions that lost its fraction.
  func noteLostFractions(
    of expressions: [ExpressionTree], named names: [Name?], _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) {
    let environment = environment.withoutWarnings
    note {
      zip(names, expressions).lazy
        .flatMap { PercentageDivision.all(in: $1, named: $0?.text) }
        .compactMap { division -> Diagnostic? in
          guard let dividend = try? division.dividend.value(in: snapshot, environment),
            let divisor = try? division.divisor.value(in: snapshot, environment)
          else { return nil }
          return division.note(dividend, divisor)
        }.first
    }
  }
}

extension PercentageDivision {
  /// Evaluates the dividend and the divisor in addition to the columns; for the objects if the
  /// division is in an aggregate.
  fileprivate func note(
    in fetch: FetchTree, _ snapshot: GraphSnapshot, _ environment: FetchEnvironment
  ) -> Diagnostic? {
    var (whole, objects) = (fetch, FetchTree(.objects, of: fetch.source, span: fetch.span))
    objects.predicate = fetch.predicate
    objects.includesSubentities = fetch.includesSubentities
    whole.section = nil
    let parts = [dividend, divisor].enumerated().map {
      SelectedColumn($1, name: "\u{1}\($0)", isNamed: true, span: $1.span)
    }
    whole.selection = (fetch.selection ?? []) + parts
    objects.selection = parts
    for fetch in [whole, objects] {
      guard let answer = try? fetch.bound(to: snapshot, environment).answer(),
        case .values(let rows) = answer.rows
      else { continue }
      let columns = rows.columns.suffix(2)
      guard let dividend = columns.first, let divisor = columns.last else { return nil }
      return (0..<rows.count).lazy.compactMap { note(dividend.value($0), divisor.value($0)) }.first
    }
    return nil
  }
}

extension FetchEnvironment {
  /// The environment of an internal query, which gives no warnings.
  var withoutWarnings: FetchEnvironment {
    var silent = self
    silent.warnings = nil
    return silent
  }
}
