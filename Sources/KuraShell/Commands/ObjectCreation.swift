import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

/// Makes new objects from assignments, with the new objects in their relationships.
struct ObjectCreation {
  private let snapshot: GraphSnapshot
  private let environment: FetchEnvironment
  private let live: LiveGraph

  init(_ snapshot: GraphSnapshot, _ environment: FetchEnvironment, _ live: LiveGraph) {
    (self.snapshot, self.environment, self.live) = (snapshot, environment, live)
  }

  private var model: Model { snapshot.graph.model }

  func object(of entity: String, _ assignments: [Assignment]) throws -> NewObject {
    var object = NewObject(entity: entity)
    for assignment in assignments {
      let (key, expression) = (assignment.key, assignment.value)
      if model.isIdentity(key, of: entity) {
        try setNumber(of: &object, key, to: expression)
      } else {
        let value = try value(of: expression, for: key, of: entity)
        var new = NewValue(key.text, live.detached(value), span: expression.span)
        new.created = try created(by: assignment, of: entity)
        object.values.append(new)
      }
    }
    return object
  }

  private func created(
    by assignment: Assignment, of entity: String
  ) throws -> [(place: Int, object: NewObject)] {
    guard !assignment.created.isEmpty else { return [] }
    guard
      case .relationship(let relationship)? = model.property(
        named: assignment.key.text, of: entity)
    else {
      throw Diagnostic(
        InsertProblem.notARelationship(key: assignment.key.text), at: assignment.value.span)
    }
    return try assignment.created.map { nested in
      if let problem = nested.problem(in: relationship.destination, model) { throw problem }
      let entity = nested.entity?.text ?? relationship.destination
      var object = try object(of: entity, nested.assignments)
      object.span = nested.entity?.span ?? assignment.key.span
      return (nested.place, object)
    }
  }

  private func setNumber(
    of object: inout NewObject, _ key: Name, to expression: ExpressionTree
  ) throws {
    object.numberSpan = expression.span
    let value = try expression.value(in: snapshot, environment, as: .integer)
    switch try AttributeType.integer.taking(value, in: environment, at: expression.span) {
    case .integer(let number): object.number = number
    case .null: return
    default:
      throw Diagnostic(InsertProblem.notANumberOfAnObject(key: key.text), at: expression.span)
    }
  }

  /// Returns the value for a key, converted to the attribute's type; objects for a relationship.
  private func value(
    of expression: ExpressionTree, for key: Name, of entity: String
  ) throws -> Value {
    switch model.property(named: key.text, of: entity) {
    case .attribute(let attribute)?:
      let value = try expression.value(in: snapshot, environment, as: attribute.type)
      return try attribute.type.taking(value, in: environment, at: expression.span)
    case .relationship?: return try expression.value(in: snapshot, environment)
    case nil:
      guard model[entity] != nil else { return .null }
      let facts = ChangeProblem.unknownKey(key.text, entity: entity, known: model.keys(of: entity))
      throw Diagnostic(facts, at: key.span)
    }
  }
}

extension NestedInsert {
  /// Returns the problem that its entity is not one of a relationship.
  func problem(in destination: String, _ model: Model) -> Diagnostic? {
    guard let entity, entity.text != destination, model[entity.text] != nil,
      !model.entity(entity.text, isKindOf: destination)
    else { return nil }
    let facts = InsertProblem.notASubentity(entity.text, of: destination)
    return Diagnostic(facts, at: entity.span)
  }
}

extension Model {
  /// Returns whether a key means the `objectID`, which an entity's own key of that name hides.
  fileprivate func isIdentity(_ key: Name, of entity: String) -> Bool {
    key.text == "objectID" && property(named: key.text, of: entity) == nil
  }
}
