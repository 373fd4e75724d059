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
    let bound = try a.bound()
    let other = try located(at: b.fetch.source.span, in: b) { () throws(Diagnostic) in try b.bound()
    }
    let comparison = try located(at: b.fetch.source.span, in: b) { () throws(Diagnostic) in
      try FetchComparison(bound, other)
    }
    var report = CompareReport(here: comparison, first: a, second: b, seed: seed ?? 1)
    if comparison.agrees { try report.searchStores() }
    let shown = try session.format.language.speaks { () throws(Diagnostic) in
      try report.finished(session.zone)
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

/// Collects the result of comparing two fetches.
private struct CompareReport {
  let here: FetchComparison
  let first: AnalysisContext
  let second: AnalysisContext
  let seed: UInt64
  private var search: SearchResult?

  private enum SearchResult {
    case samePredicate
    case notTried(GenerationObstacle)
    case agreed(tried: Int)
    case found(Counterexample, tried: Int)
  }

  init(here: FetchComparison, first: AnalysisContext, second: AnalysisContext, seed: UInt64) {
    self.here = here
    self.first = first
    self.second = second
    self.seed = seed
  }

  /// Searches for a store on which they differ.
  mutating func searchStores() throws(Diagnostic) {
    if first.isWritten(as: second) {
      self.search = .samePredicate
    } else if let reason = here.generationObstacle([first.fetch, second.fetch], first.environment) {
      self.search = .notTried(reason)
    } else {
      var search = CounterexampleSearch(
        (first.fetch, first.environment), (second.fetch, second.environment), of: here, seed: seed)
      let found = try search.found()
      self.search = found.map { .found($0, tried: search.tried) } ?? .agreed(tried: search.tried)
    }
  }
}

extension CompareReport {
  /// Evaluates everything that the result needs, and returns it.
  func finished(_ zone: ZoneRules) throws(Diagnostic) -> ComparedFetches {
    var shown = ComparedFetches(comparison: here, texts: first.texts)
    switch search {
    case .samePredicate?: shown.remarks = [localized("the two are identical")]
    case .notTried(let reason)?: shown.remarks = [CompareSentence.agree, reason.sentence]
    case .agreed(let tried)?: shown.remarks = [CompareSentence.agree(tried: tried, seed: seed)]
    case .found(let example, let tried)?:
      let model = here.first.snapshot.graph.model
      shown.generated = (example, example.store.statements(model, zone), seed, tried)
      shown.remarks =
        [
          localized(
            "both give the same result here, but differ in a generated store (seed \(seed)):")
        ] + shown.generatedLines
      try explain(example.comparison, &shown)
    case nil: try explain(here, &shown)
    }
    return shown
  }

  private func explain(
    _ comparison: FetchComparison, _ shown: inout ComparedFetches
  ) throws(Diagnostic) {
    if let witness = try comparison.witness(first.texts, second.texts) {
      shown.witness = witness.sentence(first.texts)
    }
    shown.rule = try comparison.rule(second.texts)?.sentence
    shown.remarks += [shown.witness, shown.rule].compactMap(\.self)
  }
}

/// The sentences of a comparison.
private enum CompareSentence {
  static var agree: String { localized("both give the same result here") }

  static func agree(tried: Int, seed: UInt64) -> String {
    localized(
      "both give the same result here and on \(tried.grouped) generated objects (seed \(seed))")
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
  let comparison: FetchComparison
  let texts: PartTexts
  var generated: (example: Counterexample, statements: [String], seed: UInt64, tried: Int)?
  var witness: String?
  var rule: String?
  var remarks: [String] = []

  /// The number of objects that are named for each side.
  private static let mostNames = 10

  init(comparison: FetchComparison, texts: PartTexts) {
    self.comparison = comparison
    self.texts = texts
  }

  var generatedLines: [String] { generated?.statements ?? [] }

  var table: FittingTree {
    let sides = [comparison.both, comparison.onlyFirst, comparison.onlySecond]
    let names = ["both", "only the first", "only the second"].map(\.localized)
    var rows = zip(names, sides).enumerated().map { place, side -> [Value] in
      [
        .string(side.0), .integer(Int64(side.1.popcount)),
        .string(place == 0 ? "" : self.names(side.1)),
      ]
    }
    rows.append([.string(localized("neither")), .integer(Int64(comparison.neither)), .string("")])
    var table = FittingTree(
      columns: [
        GridColumn(localized("found by"), isOwnText: true),
        GridColumn(localized("objects"), isNumeric: true),
        GridColumn(localized("which"), isOwnText: true),
      ], rows: rows
    ) { cells in
      guard case .string(let side) = cells[0], case .integer(let count) = cells[1],
        case .string(let names) = cells[2]
      else { return "" }
      return "\(side) \(count)" + (names.isEmpty ? "" : ": \(names)")
    }
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
  var nested: Grid {
    var value = counts(of: comparison)
    if let generated {
      var entry = counts(of: generated.example.comparison)
      entry["seed"] = .integer(Int64(clamping: generated.seed))
      entry["statements"] = .list(generated.statements.map { .string($0) })
      value["madeUp"] = .dictionary(entry)
    }
    value["witness"] = witness.map { .string($0) } ?? Value.null
    value["rule"] = rule.map { .string($0) } ?? Value.null
    if comparison.agrees, generated == nil { value["remarks"] = .list(remarks.map { .string($0) }) }
    return Grid(columns: value.keys.map { GridColumn($0) }, rows: [value.values])
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
