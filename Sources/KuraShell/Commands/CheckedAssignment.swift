import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences

/// An assignment of `insert` or `update` to a property of the model.
struct CheckedAssignment {
  let property: Property
  /// The new value: `priority + 1` for `priority += 1`; the added or removed objects of a relationship.
  let value: ExpressionTree
}

extension Assignment {
  /// Returns the assignment with the property that its key names.
  ///
  /// Throws if the entity has no such key, or if the property has no part, sum or new objects to set.
  func checked(of entity: String, in model: Model) throws(Diagnostic) -> CheckedAssignment {
    switch model.property(named: key.text, of: entity) {
    case .attribute(let attribute)?:
      guard path.isEmpty || attribute.type == .json else {
        throw Diagnostic(PartProblem.notJSON(key.text, destination: nil), at: target)
      }
      for case .index(.size, let span) in path { throw Diagnostic(PartProblem.size, at: span) }
      if !created.isEmpty {
        throw Diagnostic(InsertProblem.notARelationship(key: key.text), at: value.span)
      }
      return CheckedAssignment(
        property: .attribute(attribute), value: try sum(asNumber: attribute.type.isNumeric))
    case .relationship(let relationship)?:
      guard path.isEmpty else {
        throw Diagnostic(
          PartProblem.notJSON(key.text, destination: relationship.destination), at: target)
      }
      guard operation == .set || relationship.isToMany else { throw notAddable }
      for object in created {
        if let problem = object.problem(in: relationship.destination, model) { throw problem }
      }
      return CheckedAssignment(property: .relationship(relationship), value: value)
    case nil:
      if model.isIdentity(key, of: entity) {
        throw Diagnostic(ChangeProblem.fixedObjectID, at: key.span)
      }
      throw Diagnostic(
        ChangeProblem.unknownKey(key.text, entity: entity, known: model.keys(of: entity)),
        at: key.span)
    }
  }

  /// Returns `priority + 1` for `priority += 1`. The kind of a part of JSON is known only at evaluation.
  private func sum(asNumber isNumber: Bool) throws(Diagnostic) -> ExpressionTree {
    if operation == .set { return value }
    guard isNumber || !path.isEmpty else { throw notAddable }
    let function: BuiltInFunction = operation == .add ? .add : .subtract
    return ExpressionTree(.function(FunctionCall(function, [targetTree, value])), span: value.span)
  }

  private var notAddable: Diagnostic {
    Diagnostic(NotAddable(key: key.text, sign: operation), at: key.span)
  }
}

extension NestedInsert {
  /// Returns the problem that its entity is not one of a relationship.
  fileprivate func problem(in destination: String, _ model: Model) -> Diagnostic? {
    guard let entity, entity.text != destination, model[entity.text] != nil,
      !model.entity(entity.text, isKindOf: destination)
    else { return nil }
    let facts = InsertProblem.notASubentity(entity.text, of: destination)
    return Diagnostic(facts, at: entity.span)
  }
}

/// `update Item set title += "x"`
private struct NotAddable: DiagnosticFacts {
  let key: String
  let sign: Assignment.Operation

  var sentence: String {
    localized(
      "\(sign.rawValue) applies to numbers and to-many relationships, but \"\(key)\" is neither")
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
