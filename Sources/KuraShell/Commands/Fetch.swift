import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraLearning
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `fetch MemoDate where …`, `count MemoDate`, `exists MemoDate`
extension FetchTree: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.read(source) { snapshot, environment in
      let request = try bound(to: snapshot, environment)
      if result == .objects, case .objects(let tree) = self.source.kind {
        try session.checkPresent([tree], in: source)
      }
      let objects = try session.show(request, result)
      if result == .objects { session.variables.lastFetch = request.isOfElements ? nil : objects }
      session.noteLostFractions(of: self, snapshot, environment)
    }
  }
}

extension FetchTree: QueryCommand {
  func outcome(in session: Session, _ source: SourceText) throws -> Outcome {
    try session.read(source) { snapshot, environment in
      let request = try bound(to: snapshot, environment)
      switch result {
      case .count: return .values([.integer(Int64(try request.count()))])
      case .exists: return .values([.boolean(try request.exists())])
      case .objects:
        let answer = try request.answer()
        session.variables.lastFetch =
          request.isOfElements ? nil : answer.objects.map(LastFetch.init)
        return Outcome(answer)
      }
    }
  }
}

extension Outcome {
  fileprivate init(_ answer: FetchAnswer) {
    switch answer.rows {
    case .objects(let objects):
      let ids = (0..<objects.count).compactMap { objects.object($0).objectID }
      self = .objects(ids, headings: answer.sections?.map(\.heading) ?? [])
    case .values(let rows):
      self = .rows(
        (0..<rows.count).map { row in rows.columns.map { $0.value(row) } },
        headings: rows.columns.map(\.name))
    }
  }
}

extension Session {
  /// Writes the result of a request, and returns the objects; nil for groups, numbers and Booleans.
  func show(_ request: BoundRequest, _ result: FetchTree.Result) throws -> LastFetch? {
    switch result {
    case .objects: return try show(request)
    case .count:
      let count = try request.count()
      ending.lastFetchFoundAny = count > 0
      try write("\(count)\n")
      note { request.note { count == 0 } }
    case .exists:
      let exists = try request.exists()
      ending.lastFetchFoundAny = exists
      try write("\(exists)\n")
      note { request.note { !exists } }
    }
    return nil
  }

  private func show(_ request: BoundRequest) throws -> LastFetch? {
    let answer = try request.answer()
    ending.lastFetchFoundAny = answer.count > 0
    let extent = GridExtent(
      total: answer.total, offset: request.offset, limit: request.limit,
      limitKeys: request.limitKeys.map(\.name))
    let (zone, forms) = (zone, recordForms)
    try write { format in
      var grid = answer.grid(zone: zone, forms: format.isNested ? forms : nil)
      grid.extent = extent
      return grid
    }
    try note {
      try request.note {
        if let objects = answer.objects { return objects.count == 0 && request.offset == 0 }
        return try !request.exists()
      }
    }
    return answer.objects.map(LastFetch.init)
  }
}

/// `explain fetch …`, `explain analyze count …`, `explain run Overdue(today())`
extension ExplainStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    switch subject {
    case .fetch(let fetch): try explain(fetch, in: session, source)
    case .run(let run):
      try run.withRequest(in: session, source) { fetch, text in
        try explain(fetch, in: session, text)
      }
    }
  }

  private func explain(_ fetch: FetchTree, in session: Session, _ source: SourceText) throws {
    try session.read(source) { snapshot, environment in
      let request = try fetch.bound(to: snapshot, environment)
      let (isAnalysis, isOfWatch) = (isAnalysis, isOfWatch)
      let shown = try session.format.language.speaks { () throws(Diagnostic) in
        var explanation =
          isAnalysis ? try request.analysis(fetch.result) : request.explanation(fetch.result)
        if isOfWatch { explanation.add(request.watchMethod(of: fetch)) }
        return explanation
      }
      try session.write { format in
        Grid(shown, isAnalysis: isAnalysis, isNested: format.isNested)
      }
    }
  }
}

extension Grid {
  /// Creates an explanation with a drawn tree and a row for each node; for a nested format, one
  /// nested value.
  fileprivate init(_ explanation: FetchExplanation, isAnalysis: Bool, isNested: Bool) {
    let names =
      [localized("node"), localized("method")]
      + (isAnalysis ? [localized("reached"), localized("passed"), localized("seconds")] : [])
    guard !isNested else {
      self.init(nested: explanation.dictionary)
      return
    }
    let rows = explanation.rows(.root).map { Array($0.prefix(names.count)) }
    self.init(
      columns: names.enumerated().map { GridColumn($1, isNumeric: $0 > 1, isOwnText: true) },
      rows: rows)
  }
}

extension FetchExplanation {
  /// The cells of each node, in the order of the tree.
  fileprivate func rows(_ branch: TreeBranch) -> [[Value]] {
    [[.string(branch.text + text), .string(method)] + figures]
      + parts.enumerated().flatMap { $1.rows(branch.part($0, of: parts.count)) }
  }

  private var figures: [Value] {
    [
      reached.map { .integer(Int64($0)) } ?? .string(""),
      passed.map { .integer(Int64($0)) } ?? .string(""),
      seconds.map { .string(Report.seconds($0)) } ?? .string(""),
    ]
  }

  /// The node and its parts: `{"node": …, "method": …, "parts": […]}`.
  fileprivate var dictionary: ValueDictionary {
    var result = ValueDictionary([("node", .string(text)), ("method", .string(method))])
    if let reached { result["reached"] = .integer(Int64(reached)) }
    if let passed { result["passed"] = .integer(Int64(passed)) }
    if let seconds { result["seconds"] = .double(seconds) }
    result["parts"] = .list(parts.map { .dictionary($0.dictionary) })
    return result
  }
}
