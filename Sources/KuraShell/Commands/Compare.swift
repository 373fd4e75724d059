import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraLearning
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `compare Task where P with Q`: lists what both fetches find, what only one finds, and the rule
/// that explains the difference; if they agree, it shows a generated store on which they differ.
extension CompareStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    try first.look(in: session, source) { first in
      switch second {
      case .predicate(let predicate):
        var tree = first.fetch
        tree.predicate = predicate
        // A saved request has its own text, but the second predicate is part of the statement.
        try session.read(source) { _, environment in
          var other = first.environment
          other.source = environment.source
          let texts = PartTexts(source, session.zone)
          let second = AnalysisContext(
            fetch: tree, snapshot: first.snapshot, environment: other, texts: texts)
          try compare(first, second, in: session)
        }
      case .fetch(let fetch):
        try fetch.look(in: session, source) { second in try compare(first, second, in: session) }
      }
    }
  }

  private func compare(_ a: AnalysisContext, _ b: AnalysisContext, in session: Session) throws {
    let first = try a.bound()
    let comparison = try located(at: b.fetch.source.span, in: b) { () throws(Diagnostic) in
      try FetchComparison(first, b.bound())
    }
    let shown = try session.format.language.speaks { () throws(Diagnostic) in
      try ComparedFetches(comparison, a, b, seed: seed ?? 1, session.zone)
    }
    try session.write(shown.table, nested: shown.nested)
  }

  /// Attaches the second fetch's own text to an error in it.
  private func located<Result>(
    at span: SourceSpan, in look: AnalysisContext, _ body: () throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    do { return try body() } catch {
      var diagnostic = Failure.placed(error, at: span)
      diagnostic.source = diagnostic.source ?? look.environment.source
      throw diagnostic
    }
  }
}

extension AnalysisContext {
  /// Returns whether the other fetch is the same, and its variables have the same values.
  fileprivate func isWritten(as other: AnalysisContext) -> Bool {
    guard fetch == other.fetch else { return false }
    let (mine, theirs) = (environment.variables, other.environment.variables)
    return fetch.variables.allSatisfy { mine[$0] == theirs[$0] }
  }
}

extension GenerationObstacle {
  fileprivate var sentence: String {
    switch self {
    case .namedSource:
      localized("no other stores were tried: the source is a list of this store's objects")
    case .namedObject(let text):
      localized("no other stores were tried: \(text) is an object of this store")
    }
  }
}

/// A comparison as a result.
private struct ComparedFetches: Sendable {
  private let comparison: FetchComparison
  private let texts: PartTexts
  private let seed: UInt64
  /// The generated store on which they differ, as statements.
  private var generated: (comparison: FetchComparison, statements: [String])?
  private var witness: String?
  private var rule: String?
  private var remarks: [String] = []
  /// The number of objects that are named for each side.
  private static let mostNames = 10

  /// Evaluates everything that the result needs. If the fetches agree, searches for a store on which they differ.
  init(
    _ comparison: FetchComparison, _ first: AnalysisContext, _ second: AnalysisContext,
    seed: UInt64, _ zone: ZoneRules
  ) throws(Diagnostic) {
    (self.comparison, texts, self.seed) = (comparison, first.texts, seed)
    guard comparison.agrees else {
      try explain(comparison, second.texts)
      return
    }
    if first.isWritten(as: second) {
      remarks = [localized("the two are identical")]
      return
    }
    let trees = [first.fetch, second.fetch]
    if let reason = comparison.generationObstacle(trees, first.environment) {
      remarks = [localized("both give the same result here"), reason.sentence]
      return
    }
    var search = CounterexampleSearch(
      (first.fetch, first.environment), (second.fetch, second.environment), of: comparison,
      seed: seed)
    guard let example = try search.found() else {
      remarks = [
        localized(
          "both give the same result here and on \(search.tried.grouped) generated objects (seed \(seed))"
        )
      ]
      return
    }
    let statements = example.store.statements(comparison.first.snapshot.graph.model, zone)
    generated = (example.comparison, statements)
    remarks =
      [
        localized("both give the same result here, but differ in a generated store (seed \(seed)):")
      ] + statements
    try explain(example.comparison, second.texts)
  }

  private mutating func explain(
    _ comparison: FetchComparison, _ others: PartTexts
  ) throws(Diagnostic) {
    witness = try comparison.witness(texts, others)?.sentence(texts)
    rule = try comparison.rule(others)?.sentence
    remarks += [witness, rule].compactMap(\.self)
  }

  var table: FittingTree {
    let sides = [comparison.both, comparison.onlyFirst, comparison.onlySecond]
    let names = ["both", "only the first", "only the second"].map(\.localized)
    var rows = zip(names, sides).enumerated().map { place, side -> FittingTree.Row in
      let (name, count) = (side.0, side.1.popcount)
      let objects = place == 0 ? "" : self.names(side.1)
      return (
        [.string(name), .integer(Int64(count)), .string(objects)],
        "\(name) \(count)" + (objects.isEmpty ? "" : ": \(objects)")
      )
    }
    let (name, count) = (localized("neither"), comparison.neither)
    rows.append(([.string(name), .integer(Int64(count)), .string("")], "\(name) \(count)"))
    var table = FittingTree(
      columns: [
        GridColumn(localized("found by"), isOwnText: true),
        GridColumn(localized("objects"), isNumeric: true),
        GridColumn(localized("which"), isOwnText: true),
      ], rows: rows)
    table.remarks = remarks
    return table
  }

  /// Returns `Task/2, Task/5`, at most the first `mostNames`.
  private func names(_ rows: [Bitmap]) -> String {
    let (count, shown) = (rows.popcount, comparison.objects(rows, Self.mostNames))
    let rest = count > shown.count ? [localized("… \((count - shown.count).grouped) more")] : []
    return (shown.map { texts.text(of: $0) } + rest).list
  }

  /// The result as one nested value.
  var nested: ValueDictionary {
    var value = counts(of: comparison)
    if let generated {
      var entry = counts(of: generated.comparison)
      entry["seed"] = .integer(Int64(clamping: seed))
      entry["statements"] = .list(generated.statements.map { .string($0) })
      value["madeUp"] = .dictionary(entry)
    }
    value["witness"] = witness.map { .string($0) } ?? Value.null
    value["rule"] = rule.map { .string($0) } ?? Value.null
    if comparison.agrees, generated == nil { value["remarks"] = .list(remarks.map { .string($0) }) }
    return value
  }

  private func counts(of comparison: FetchComparison) -> ValueDictionary {
    ValueDictionary([
      ("both", .integer(Int64(comparison.both.popcount))),
      ("onlyFirst", .list(comparison.objects(comparison.onlyFirst, .max))),
      ("onlySecond", .list(comparison.objects(comparison.onlySecond, .max))),
      ("neither", .integer(Int64(comparison.neither))),
    ])
  }
}
