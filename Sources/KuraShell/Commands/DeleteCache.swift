import KuraDiagnostics
import KuraScript
import KuraSentences
import KuraStore

/// `deleteCache "Root"`, `deleteCache all`
extension DeleteCacheStatement: Command {
  var effect: Effect { .sets }

  func perform(in session: Session, _ source: SourceText) throws {
    guard let files = session.store.keeper?.orderFiles else {
      return session.report(Report.deletedCaches([]))
    }
    switch self {
    case .all:
      try session.checkMayRemove(at: nil)
      session.report(Report.deletedCaches(files.removeAll()))
    case .one(let name):
      try session.checkMayRemove(at: name.span)
      guard files.remove(name.text) else {
        throw Failure(CacheNameFacts.unknown(name.text, known: files.names), at: name.span)
      }
      session.report(Report.deletedCaches([name.text]))
    }
  }
}

/// Why nothing is removed.
private enum CacheNameFacts: DiagnosticFacts {
  /// `deleteCache "Rot"`
  case unknown(String, known: [String])

  var sentence: String {
    switch self {
    case .unknown(let name, _): localized("nothing is kept as \"\(name)\"")
    }
  }

  var help: String? {
    guard case .unknown(let name, let known) = self else { return nil }
    return didYouMean(nearNames(to: name, among: known))
      ?? (known.isEmpty ? localized("nothing is kept here") : localized("kept are \(known.list)"))
  }
}

extension Report {
  fileprivate static func deletedCaches(_ names: [String]) -> String {
    names.isEmpty
      ? localized("nothing was kept") : localized("no longer kept: \(names.list)")
  }
}
