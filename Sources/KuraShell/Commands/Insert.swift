import Foundation
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// `insert MemoDate title = "x", date = today()`
  mutating func reportInsertion(_ insert: InsertStatement, in source: SourceText) throws {
    // In a step of its own: `report(try insert())` would hold a copy of the session meanwhile, and
    // each insertion would copy what it changes.
    let inserted = try self.insert(insert, in: source)
    report(Report.changed(inserted.change, in: state.context.graph))
  }

  /// Inserts all objects of a statement or, with an error, none.
  mutating func insert(
    _ insert: InsertStatement, in source: SourceText
  ) throws -> Performed<[ObjectID]> {
    let model = state.context.graph.model
    guard model[insert.entity.text] != nil else { throw unknownEntity(insert.entity) }
    let objects =
      switch insert.values {
      case .assignments(let assignments):
        [try newObject(insert.entity.text, assignments, in: source)]
      case .json(let span):
        try JSONInsertion(insert.entity.text, model: model, zone: state.zone, live: live)
          .objects(in: source, span)
      }
    let place = StatementPlace(insert.entity.span, in: source)
    return try change("insert \(insert.entity.text)", at: place) { editor in
      try editor.insert(objects)
    }
  }

  func unknownEntity(_ name: Name) -> Diagnostic {
    let known = state.context.graph.model.entities.map(\.name)
    return Diagnostic(ChangeFacts.unknownEntity(name.text, known: known), at: name.span)
  }

  private func newObject(
    _ entity: String, _ assignments: [Assignment], in source: SourceText
  ) throws -> NewObject {
    try read(source) { snapshot, environment in
      var object = NewObject(entity: entity)
      for assignment in assignments {
        let (key, expression) = (assignment.key, assignment.value)
        if isIdentity(key, of: entity) {
          try setNumber(of: &object, key, to: expression, snapshot, environment)
        } else {
          let value = try value(of: expression, for: key, of: entity, snapshot, environment)
          object.values.append(NewValue(key.text, live.detached(value), span: expression.span))
        }
      }
      return object
    }
  }

  /// `objectID`, unless the entity has a key of that name.
  private func isIdentity(_ key: Name, of entity: String) -> Bool {
    key.text == "objectID"
      && state.context.graph.model.property(named: key.text, of: entity) == nil
  }

  private func setNumber(
    of object: inout NewObject, _ key: Name, to expression: ExpressionTree,
    _ snapshot: GraphSnapshot, _ environment: FetchEnvironment
  ) throws {
    object.numberSpan = expression.span
    let value = try expression.value(in: snapshot, environment, as: .integer)
    switch try AttributeType.integer.taking(value, in: state.zone, at: expression.span) {
    case .integer(let number): object.number = number
    case .null: return
    default:
      throw Diagnostic(ShellFacts.notANumberOfAnObject(key: key.text), at: expression.span)
    }
  }

  /// What a key is to be: an attribute's value as its type, a relationship's objects as they are.
  private func value(
    of expression: ExpressionTree, for key: Name, of entity: String, _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) throws -> Value {
    let model = snapshot.graph.model
    switch model.property(named: key.text, of: entity) {
    case .attribute(let attribute)?:
      let value = try expression.value(in: snapshot, environment, as: attribute.type)
      return try attribute.type.taking(value, in: state.zone, at: expression.span)
    case .relationship?: return try expression.value(in: snapshot, environment)
    case nil:
      let facts = ChangeFacts.unknownKey(key.text, entity: entity, known: model.keys(of: entity))
      throw Diagnostic(facts, at: key.span)
    }
  }
}

extension AttributeType {
  /// A computed value as this type: `3` as a double, a variable's string as a date.
  func taking(
    _ value: Value, in zone: ZoneRules, at span: SourceSpan
  ) throws(Diagnostic) -> Value {
    if holds(value) { return value }
    do {
      if case .decimal(let number) = value, isNumeric {
        return try self.value(ofDigits: number.description)
      }
      return try self.value(of: Constant(value), in: zone)
    } catch {
      throw Diagnostic(error, at: span)
    }
  }
}
