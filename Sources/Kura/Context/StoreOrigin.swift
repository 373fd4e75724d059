import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues

/// Which store an object is of: another one's has the same number by chance.
final class StoreOrigin: Sendable {
  private let path: String?

  init(_ path: String?) { self.path = path }

  /// Two that were opened from one file have the same objects.
  private func isSame(as other: StoreOrigin) -> Bool {
    self === other || path != nil && path == other.path
  }

  /// Throws where an object in a value is another store's.
  func check(_ value: Value) throws(Diagnostic) {
    guard value.holdsObjects else { return }
    switch value {
    case .object(let reference):
      if let object = reference.reader as? ManagedObject { try check(object) }
      if let object = reference.reader as? ObjectSnapshot { try check(object.id, object.origin) }
    case .list(let values): for value in values { try check(value) }
    case .set(let set): for value in set.elements { try check(value) }
    default: break
    }
  }

  func check(_ object: ManagedObject) throws(Diagnostic) {
    try check(object.id, object.storage.origin)
  }

  private func check(_ object: ObjectID, _ other: StoreOrigin) throws(Diagnostic) {
    guard !isSame(as: other) else { return }
    throw Diagnostic(OriginFacts(object: object.description))
  }
}

/// `bills.delete(milk)`, where `milk` is of another store.
private struct OriginFacts: DiagnosticFacts {
  let object: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("this \(object) is an object of another store") }
  var help: String? { localized("insert one here: the other one has only the same number") }
}
