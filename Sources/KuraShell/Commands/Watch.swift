import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `watch fetch Item where done == NO as open`
extension WatchStatement: Command {
  var effect: Effect { subject == nil ? .reads : .sets }
  /// Whether `.timeout` ends it: a `follow` waits for other processes.
  var isLimited: Bool { !follows }

  func perform(in session: Session, _ source: SourceText) throws {
    guard let subject else { return try session.showWatches() }
    try session.checkNoScratch("watch")
    switch subject {
    case .fetch(let fetch): try watch(fetch, fetch.text(in: source), in: session, source)
    case .run(let run):
      try run.withRequest(in: session, source) { fetch, text in
        try watch(fetch, "run " + run.name.text, in: session, text)
      }
    }
    if follows { try session.follow(name(in: session)) }
  }

  private func watch(
    _ fetch: FetchTree, _ text: String, in session: Session, _ source: SourceText
  ) throws {
    guard fetch.result == .objects else {
      throw Failure(WatchProblem.notObjects(fetch.result.rawValue), at: fetch.span)
    }
    let name = try name.map { try session.freeName($0) } ?? session.freeName(subject?.usualName)
    let watched = try session.read(source) { snapshot, environment in
      try WatchedFetch(fetch, in: snapshot.graph, environment)
    }
    session.watch(WatchedAnswer(name: name, text: text, fetch: watched, isFinal: isFinal))
  }

  /// Returns the name of the watch that has just begun.
  private func name(in session: Session) -> String { session.watches.list.last?.name ?? "" }
}

extension AnalyzedFetch {
  /// The default name of the events: the entity or the request.
  fileprivate var usualName: String {
    switch self {
    case .run(let run): run.name.text
    case .fetch(let fetch):
      if case .entity(let name) = fetch.source.kind { name } else { "watched" }
    }
  }
}

extension FetchTree {
  /// Returns the fetch as it was written.
  fileprivate func text(in source: SourceText) -> String {
    "fetch " + source.text(SourceSpan(self.source.span.start, span.end)).onOneLine
  }
}

/// `unwatch open`, `unwatch all`
extension UnwatchStatement: Command {
  var effect: Effect { .sets }

  func perform(in session: Session, _ source: SourceText) throws {
    switch self {
    case .all: session.report(Report.unwatched(session.watches.remove().map(\.name)))
    case .one(let name):
      let known = session.watches.list.map(\.name)
      guard !session.watches.remove(name.text).isEmpty else {
        throw Failure(WatchProblem.unknown(name.text, known: known), at: name.span)
      }
      session.report(Report.unwatched([name.text]))
    }
  }
}

extension Session {
  /// Begins to watch, and reports the size of the result.
  fileprivate func watch(_ watch: WatchedAnswer) {
    if watches.beginObserving() {
      context.observe { [watches] step, graph in watches.take(step, graph) }
    }
    watches.add(watch)
    report(Report.watching(watch.name, watch.fetch.count, watch.fetch.sections?.count))
  }

  fileprivate func freeName(_ name: Name) throws(Failure) -> String {
    guard watches.list.contains(where: { $0.name == name.text }) else { return name.text }
    throw Failure(WatchProblem.nameTaken(name.text), at: name.span)
  }

  /// Returns a name that is not in use: `Item`, `Item2`.
  fileprivate func freeName(_ name: String?) -> String {
    let (name, taken) = (name ?? "", Set(watches.list.map(\.name)))
    if !taken.contains(name) { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }

  fileprivate func showWatches() throws {
    let watched = try watches.list.map { watch in
      let cells = [
        Value.string(watch.name), .string(watch.text), .integer(Int64(watch.fetch.count)),
        watch.fetch.sections.map { Value.integer(Int64($0.count)) } ?? Value.null,
      ]
      return (cells: cells, method: try watch.fetch.method(in: context.snapshot))
    }
    try write(
      Grid(
        columns: [
          GridColumn(localized("watch")), GridColumn(localized("fetch"), isOwnText: true),
          GridColumn(localized("rows"), isNumeric: true),
          GridColumn(localized("sections"), isNumeric: true),
          GridColumn(localized("how"), isOwnText: true),
        ], rows: watched.map { $0.cells + [.string($0.method.sentence)] }))
  }
}

// Reporting
extension Session {
  /// Reports what the last steps changed in watched results, after the statement's own report.
  func tellWatches() throws {
    let reported = watches.takeReported()
    if reported.isEmpty { return }
    let events = EventRows(reported.filter { !$0.isFinal }, zone)
    if !events.isEmpty {
      let isForPeople = format.name == OutputFormat.usual.name
      try show(isForPeople ? .text(events.lines) : .grid { _ in events.grid }, as: format)
    }
    for watch in watches.list
    where reported.contains(where: { $0.isFinal && $0.name == watch.name }) {
      try showAgain(watch)
    }
    for reported in reported {
      if let end = reported.end {
        report(Diagnostic(WatchProblem.ended(reported.name, end), severity: .warning))
      }
      if let reason = reported.failure {
        report(Diagnostic(WatchProblem.failed(reported.name, reason), severity: .warning))
      }
    }
  }

  private func showAgain(_ watch: WatchedAnswer) throws {
    report(localized("\(watch.name): \(counted(watch.fetch.count, "row", "rows"))"))
    let answer = try watch.fetch.request(in: context.snapshot).answer()
    let (zone, forms) = (zone, recordForms)
    try show(.grid { answer.grid(zone: zone, forms: $0.isNested ? forms : nil) }, as: format)
  }
}

/// A problem with watching.
enum WatchProblem: DiagnosticFacts {
  /// `watch count Item`
  case notObjects(String)
  /// `watch fetch Item as open`, twice
  case nameTaken(String)
  /// `unwatch opne`
  case unknown(String, known: [String])
  case ended(String, ResultsEnd)
  /// An object makes the fetch fail.
  case failed(String, Diagnostic)
  /// `watch … follow` without a file
  case nothingToFollow

  var sentence: String {
    switch self {
    case .notObjects(let word): localized("\(word) has no rows to watch")
    case .nameTaken(let name): localized("\"\(name)\" is already watched")
    case .unknown(let name, _): localized("nothing is watched as \"\(name)\"")
    case .ended(let name, .otherStore):
      localized("\(name) is no longer watched: another store is open")
    case .ended(let name, .failed(let reason)):
      localized("\(name) is no longer watched: \(reason.facts.sentence)")
    case .failed(let name, let reason):
      localized("\(name) keeps its last result: \(reason.facts.sentence)")
    case .nothingToFollow: localized("follow needs a store in a file")
    }
  }

  var help: String? {
    switch self {
    case .notObjects:
      localized("watch fetch ENTITY select count(SELF) shows each change of the count")
    case .nameTaken(let name): localized("choose another name, or unwatch \(name) first")
    case .unknown(let name, let known):
      didYouMean(nearNames(to: name, among: known))
        ?? (known.isEmpty
          ? localized("nothing is watched") : localized("watched fetches: \(known.list)"))
    case .failed: localized("Kura tries again after each change")
    case .ended, .nothingToFollow: nil
    }
  }
}

extension Report {
  /// Returns `watching bells: 6 rows in 2 sections`.
  fileprivate static func watching(_ name: String, _ rows: Int, _ sections: Int?) -> String {
    let found = counted(rows, "row", "rows")
    guard let sections else { return localized("watching \(name): \(found)") }
    return localized("watching \(name): \(found) in \(counted(sections, "section", "sections"))")
  }

  fileprivate static func unwatched(_ names: [String]) -> String {
    names.isEmpty ? localized("nothing was watched") : localized("stopped watching: \(names.list)")
  }

}
