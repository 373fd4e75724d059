import KuraDiagnostics
package import KuraModel
package import KuraValues

/// An object that stands in the way of a change of the model.
package enum MigrationFacts: Sendable {
  /// Its value cannot be read as the new type.
  case unreadable(ObjectID, key: String, value: String, ValueMismatch)
  /// It would have several objects of a to-one.
  case several(ObjectID, key: String, [ObjectID])
  /// It leads to an object that is none of the new destination.
  case wrongDestination(ObjectID, key: String, ObjectID, destination: String)
  /// It breaks the new rule.
  case invalid(ValidationFailure)
}

extension MigrationFacts: DiagnosticFacts {
  package var sentence: String {
    switch self {
    case .unreadable(let id, let key, let value, let mismatch):
      "\(id): \"\(key)\"\(mismatch.namesValue ? "" : " is \(value)"): \(mismatch.sentence)"
    case .several(let id, let key, let targets):
      "\(id): \"\(key)\" would be one object, and there are \(targets.count): "
        + targets.map(\.description).joined(separator: ", ")
    case .wrongDestination(let id, let key, let target, let destination):
      "\(id): \"\(key)\" is \(target), and that is no \(destination)"
    case .invalid(let failure): ChangeFacts.invalid(failure).sentence
    }
  }

  package var help: String? { nil }
}

extension ValueMismatch {
  /// Whether its sentence says the value.
  fileprivate var namesValue: Bool {
    switch self {
    case .kind, .typed: false
    case .outOfRange, .fraction, .date, .unreadable: true
    }
  }
}
