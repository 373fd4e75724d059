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
      try session.write(FittingTree(steps, texts), nested: steps.dictionary(texts))
    }
  }
}

extension FittingTree {
  fileprivate init(_ steps: FetchSteps, _ texts: PartTexts) {
    let branches = (steps.predicate == nil ? 0 : 1) + steps.clauses.count
    var rows: [[Value]] = [
      [
        .string(steps.entity), StepBar(steps.objects).drawn(yes: steps.objects),
        steps.objects.value, .string(""), .string(""),
      ]
    ]
    let first = TreeBranch.root.part(0, of: branches)
    rows += steps.predicate?.rows(texts, StepBar(steps.objects), first) ?? []
    rows += steps.clauses.enumerated().map { place, clause in
      let branch = TreeBranch.root.part(place, of: steps.clauses.count)
      return [
        .string(branch.text + clause.text), .string(""), clause.left.value, .string(""),
        .string(""),
      ]
    }
    let names = [localized("part"), "", localized("yes"), localized("nil"), localized("no")]
    self.init(
      columns: names.enumerated().map { GridColumn($1, isNumeric: $0 > 1, isOwnText: true) },
      rows: rows.map { cells in
        guard case .string(let part) = cells[0] else { return (cells, "") }
        let counts = zip(names, cells).compactMap { name, cell -> String? in
          if case .integer(let count) = cell { "\(count) \(name)" } else { nil }
        }
        return (cells, "\(part): \(counts.list)")
      })
    note = StepBar.legend
  }
}

extension FetchSteps {
  fileprivate func dictionary(_ texts: PartTexts) -> ValueDictionary {
    let predicate = predicate.map { Value.dictionary($0.dictionary(texts)) }
    return ValueDictionary([
      ("entity", .string(entity)), ("objects", objects.value), ("predicate", predicate ?? .null),
      (
        "clauses",
        .list(
          clauses.map {
            .dictionary(ValueDictionary([("clause", .string($0.text)), ("left", $0.left.value)]))
          })
      ),
    ])
  }
}

extension PredicateStep {
  /// Returns a row for the node and for each of its parts, with a drawn tree.
  fileprivate func rows(
    _ texts: PartTexts, _ bar: StepBar, _ branch: TreeBranch
  ) -> [[Value]] {
    let own: [Value] = [
      .string(branch.text + texts.text(of: predicate)), bar.drawn(yes: yes, null: null, no: no),
      yes.value, parts.isEmpty ? null.value : .string(""), no.value,
    ]
    return [own]
      + parts.enumerated().flatMap { $1.rows(texts, bar, branch.part($0, of: parts.count)) }
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
