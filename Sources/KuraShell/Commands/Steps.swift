import KuraDiagnostics
import KuraLearning
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `steps fetch Item where …`: shows a row for each part with the number of rows that pass it, and
/// a bar.
extension StepsStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    try subject.look(in: session, source) { look in
      let texts = look.texts
      let steps = try look.fetch.steps(in: look.snapshot, look.environment, texts)
      try session.write(FittingTree(steps, texts), nested: Grid(nested: steps, texts))
    }
  }
}

extension FittingTree {
  fileprivate init(_ steps: FetchSteps, _ texts: PartTexts) {
    let below = (steps.predicate == nil ? 0 : 1) + steps.clauses.count
    var rows: [[Value]] = [
      [
        .string(steps.entity), StepBar(steps.objects).drawn(yes: steps.objects),
        steps.objects.value,
      ]
        + [.string(""), .string("")]
    ]
    rows += steps.predicate?.rows(texts, StepBar(steps.objects), isLast: below == 1) ?? []
    rows += steps.clauses.enumerated().map { place, clause in
      let branch = place == steps.clauses.count - 1 ? "└─ " : "├─ "
      return [.string(branch + clause.text), .string(""), clause.left.value]
        + [.string(""), .string("")]
    }
    let names = [localized("part"), "", localized("yes"), localized("nil"), localized("no")]
    self.init(
      columns: names.enumerated().map { GridColumn($1, isNumeric: $0 > 1, isOwnText: true) },
      rows: rows
    ) { cells in
      guard case .string(let part) = cells[0] else { return "" }
      let counts = zip(names, cells).compactMap { name, cell -> String? in
        if case .integer(let count) = cell { "\(count) \(name)" } else { nil }
      }
      return "\(part): \(counts.list)"
    }
    note = StepBar.legend
  }
}

extension Grid {

  fileprivate init(nested steps: FetchSteps, _ texts: PartTexts) {
    var value = ValueDictionary([
      ("entity", .string(steps.entity)), ("objects", steps.objects.value),
    ])
    let predicate = steps.predicate.map { Value.dictionary($0.dictionary(texts)) }
    value["predicate"] = predicate ?? Value.null
    value["clauses"] = .list(
      steps.clauses.map {
        .dictionary(ValueDictionary([("clause", .string($0.text)), ("left", $0.left.value)]))
      })
    self.init(columns: value.keys.map { GridColumn($0) }, rows: [value.values])
  }
}

extension PredicateStep {
  /// Returns a row for the node and for each of its parts, with a drawn tree.
  fileprivate func rows(_ texts: PartTexts, _ bar: StepBar, isLast: Bool) -> [[Value]] {
    rows(texts, bar, isLast ? "└─ " : "├─ ", isLast ? "   " : "│  ")
  }

  private func rows(
    _ texts: PartTexts, _ bar: StepBar, _ branch: String, _ below: String
  ) -> [[Value]] {
    let own: [Value] = [
      .string(branch + texts.text(of: predicate)), bar.drawn(yes: yes, null: null, no: no),
      yes.value, parts.isEmpty ? null.value : .string(""), no.value,
    ]
    return [own]
      + parts.enumerated().flatMap { place, part in
        let isLast = place == parts.count - 1
        return part.rows(
          texts, bar, below + (isLast ? "└─ " : "├─ "), below + (isLast ? "   " : "│  "))
      }
  }

  fileprivate func dictionary(_ texts: PartTexts) -> ValueDictionary {
    var value = ValueDictionary([
      ("predicate", .string(texts.whole(predicate))), ("asked", asked.value), ("yes", yes.value),
    ])
    if parts.isEmpty { value["nil"] = null.value }
    value["no"] = no.value
    if !parts.isEmpty { value["parts"] = .list(parts.map { .dictionary($0.dictionary(texts)) }) }
    return value
  }
}

extension Int {
  fileprivate var value: Value { .integer(Int64(self)) }
}

/// A bar whose length is the share of the objects that reach a part, divided by its answers.
private struct StepBar {
  private let objects: Int
  private static let cells = 12
  static var legend: String { localized("█ yes, ▒ nil, ░ no") }

  init(_ objects: Int) { self.objects = objects }

  /// Returns the bar; a piece that represents any objects has at least one cell.
  func drawn(yes: Int, null: Int = 0, no: Int = 0) -> Value {
    let pieces = [(yes, "█"), (null, "▒"), (no, "░")]
    return .string(pieces.map { String(repeating: $1, count: cells($0)) }.joined())
  }

  private func cells(_ count: Int) -> Int {
    guard count > 0, objects > 0 else { return 0 }
    return max(1, (count * Self.cells + objects / 2) / objects)
  }
}
