import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences

/// `delete Item where done == YES`
extension DeleteStatement: Command {
  var joinsReports: Bool { true }
  var changed: ChangedObjects? { .deleted(target) }

  func perform(in session: Session, _ source: SourceText) throws {
    try target.checkIsNoPath()
    try session.checkPresent(target.source)
    let (entity, table, rows) = try session.read(source) { snapshot, environment in
      let request = try target.fetch.bound(to: snapshot, environment)
      let found = try request.run()
      session.note { request.note { found.rows.isEmpty } }
      return (found.entity, found.table, found.rows)
    }
    let place = StatementPlace(target.source.span, in: source)
    try session.ifConfirmed {
      let name = actionName?.text ?? "delete \(entity)"
      let done = try session.change(name, at: place) { editor in
        try editor.delete(table: table, rows: rows)
        let counts = editor.deletedCounts
        if target.isWhole || counts.total > Session.mostUnaskedDeletions {
          try session.confirm("deletes", counts)
        }
      }
      session.report(changed: Report.changed(done.change, in: session.context.graph))
    }
  }
}

extension ChangeTarget {
  /// Throws for `delete Task/2.tags`, which could mean the tags or only the links to them.
  fileprivate func checkIsNoPath() throws(Diagnostic) {
    guard case .objects(let tree) = source.kind, case .keyPath(let path) = tree.kind,
      let base = path.base, let key = path.components.last, key.kind == .key
    else { return }
    throw Diagnostic(
      DeletedPath(
        path: tree.expressionFormat, object: base.expressionFormat,
        key: path.components.map(\.name).joined(separator: "."), isDeep: path.components.count > 1),
      at: tree.span)
  }

  /// Whether the target is every object of an entity.
  var isWhole: Bool {
    if case .entity = source.kind { all != nil } else { false }
  }
}

/// `delete Task/2.tags`
private struct DeletedPath: DiagnosticFacts {
  let path: String
  let object: String
  let key: String
  let isDeep: Bool

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String { localized("\(path) is a key path, but delete needs objects") }

  var help: String? {
    isDeep
      ? localized("to delete the objects: let $found = \(path), then delete $found")
      : localized(
        "to remove the links: update \(object) set \(key) = NULL; to delete the objects: let $found = \(path), then delete $found"
      )
  }
}

// A session at a terminal asks before it changes many objects; a script is never asked.
extension Session {
  /// The number of objects that a predicate may delete without a question.
  static let mostUnaskedDeletions = 100

  /// Asks the user to confirm, and throws if they decline. Asks nothing if no object is affected.
  ///
  /// The wait for the answer has no time limit: `.timeout` restarts after it.
  func confirm(_ verb: String, _ counts: [EntityCount]) throws {
    guard counts.total > 0, isTypedByUser else { return }
    try services.cancel.check()
    let wasLimited = deadline.pause()
    defer { if wasLimited, let timeout = settings.timeout { deadline.start(timeout) } }
    let effect = localized("This \(verb.localized) \(counts.phrase)")
    guard isAgreed(localized("\(effect). Continue? [y/N]: ")) == true
    else { throw NotConfirmed() }
  }

  /// Performs work that may ask for confirmation; if the user declines, reports that nothing
  /// changed.
  func ifConfirmed(_ body: () throws -> Void) throws {
    do { try body() } catch is NotConfirmed { report(localized("nothing changed")) }
  }
}

/// The error if the user declines.
private struct NotConfirmed: Error {}

extension [EntityCount] {
  var total: Int { reduce(0) { $0 + $1.count } }

  /// `1 Category object and 475,112 Item objects`
  var phrase: String {
    map {
      $0.count == 1
        ? localized("1 \($0.entity) object")
        : localized("\($0.count.grouped) \($0.entity) objects")
    }.conjunction
  }
}
