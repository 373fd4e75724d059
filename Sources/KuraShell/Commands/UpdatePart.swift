import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

// A part of a JSON attribute: `update Package set meta.version = "2"`
extension Assignment {
  /// Returns the problem of a path in a key that has no parts; nil for any other assignment.
  func partProblem(in entity: String, _ model: Model) -> Diagnostic? {
    guard !path.isEmpty else { return nil }
    switch model.property(named: key.text, of: entity) {
    case .attribute(let attribute)?:
      let fits = attribute.type == .json
      return fits ? nil : Diagnostic(PartProblem.notJSON(key.text, destination: nil), at: target)
    case .relationship(let relationship)?:
      return Diagnostic(
        PartProblem.notJSON(key.text, destination: relationship.destination), at: target)
    case nil: return nil
    }
  }

  /// Returns the steps of the path, with the values of its indexes.
  func steps(
    in snapshot: GraphSnapshot, _ environment: FetchEnvironment
  ) throws -> [JSONStep] {
    try path.map { step in
      switch step {
      case .key(let key): return .key(key.name)
      case .index(.first, _): return .first
      case .index(.last, _): return .last
      case .index(.size, let span): throw Diagnostic(PartProblem.size, at: span)
      case .index(.at(let index), let span):
        switch try index.value(in: snapshot, environment) {
        case .integer(let place): return .index(place)
        case .string(let key): return .key(key)
        case let other: throw Diagnostic(EvaluationError.badIndex(other.kind), at: span)
        }
      }
    }
  }
}

/// The reason why `set` cannot have a path.
enum PartProblem: DiagnosticFacts {
  /// `set title.x = 1`; for a relationship, with its destination
  case notJSON(String, destination: String?)
  /// `set tags[SIZE] = 3`
  case size

  var sentence: String {
    switch self {
    case .notJSON(let key, _):
      localized("only an attribute of type json has parts, and \"\(key)\" is not one")
    case .size: localized("[SIZE] is the number of elements and cannot be set")
    }
  }

  var help: String? {
    guard case .notJSON(_, let destination?) = self else { return nil }
    return localized("to change its objects: update \(destination.writtenName) set …")
  }
}
