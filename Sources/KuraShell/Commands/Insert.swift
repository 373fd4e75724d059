import Foundation
import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// `insert MemoDate title = "x", date = today()`
extension InsertStatement: Command {
  var joinsReports: Bool { true }

  /// Returns the problems with JSON values that the entity cannot have.
  func problems(in context: CheckContext) -> [Diagnostic] {
    guard case .json(let span) = values, let source = context.source,
      span.end <= source.bytes.count, context.model[entity.text] != nil
    else { return [] }
    let evaluation = context.evaluation
    let insertion = JSONInsertion(
      entity.text, model: context.model, zone: evaluation.zone, now: evaluation.now,
      live: LiveGraph(), cancel: evaluation.cancel)
    do throws(Diagnostic) {
      _ = try insertion.objects(in: source, span)
      return []
    } catch { return [error] }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    let inserted = try insert(in: session, source)
    session.report(changed: Report.changed(inserted.change, in: session.context.graph))
  }

  /// Inserts all objects of a statement; after an error, none.
  func insert(in session: Session, _ source: SourceText) throws -> Performed<[ObjectID]> {
    let place = StatementPlace(entity.span, in: source)
    let name = actionName?.text ?? "insert \(entity.text)"
    if let insertion = plainInsertion(in: session) {
      return try session.change(at: place) { context, evaluation, accept in
        try context.insert(insertion, name, in: evaluation, accept: accept)
      }
    }
    try session.checkEntity(entity)
    let objects =
      switch values {
      case .assignments(let assignments): [try newObject(assignments, in: session, source)]
      case .json(let span):
        try JSONInsertion(
          entity.text, model: session.context.graph.model, zone: session.zone,
          now: session.services.now(), live: session.variables.live,
          cancel: session.services.cancel
        )
        .objects(in: source, span)
      }
    return try session.change(name, at: place) { editor in try editor.insert(objects) }
  }

  private func newObject(
    _ assignments: [Assignment], in session: Session, _ source: SourceText
  ) throws -> NewObject {
    try session.read(source) { snapshot, environment in
      let live = session.variables.live
      var object = NewObject(entity: entity.text)
      for assignment in assignments {
        let (key, expression) = (assignment.key, assignment.value)
        if snapshot.graph.model.isIdentity(key, of: entity.text) {
          try setNumber(of: &object, key, to: expression, snapshot, environment)
        } else {
          let value = try value(of: expression, for: key, snapshot, environment)
          object.values.append(NewValue(key.text, live.detached(value), span: expression.span))
        }
      }
      return object
    }
  }

  /// Returns the object if each key is an attribute with a literal value that needs no conversion,
  /// check or warning; otherwise nil.
  private func plainInsertion(in session: Session) -> Insertion? {
    guard case .assignments(let assignments) = values,
      assignments.allSatisfy({ $0.literal != nil }), let form = session.form(of: self),
      let values = form.types.plain(assignments.map { $0.literal ?? .null }, in: session)
    else { return nil }
    return session.context.insertion(of: values, form)
  }

  private func setNumber(
    of object: inout NewObject, _ key: Name, to expression: ExpressionTree,
    _ snapshot: GraphSnapshot, _ environment: FetchEnvironment
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
    of expression: ExpressionTree, for key: Name, _ snapshot: GraphSnapshot,
    _ environment: FetchEnvironment
  ) throws -> Value {
    let model = snapshot.graph.model
    let entity = entity.text
    switch model.property(named: key.text, of: entity) {
    case .attribute(let attribute)?:
      let value = try expression.value(in: snapshot, environment, as: attribute.type)
      return try attribute.type.taking(value, in: environment, at: expression.span)
    case .relationship?: return try expression.value(in: snapshot, environment)
    case nil:
      let facts = ChangeProblem.unknownKey(key.text, entity: entity, known: model.keys(of: entity))
      throw Diagnostic(facts, at: key.span)
    }
  }
}

extension Session {
  /// Returns the shared form of objects of an entity with these keys; usually the form of the
  /// previous insertion.
  func form(of statement: InsertStatement) -> InsertForm? {
    guard case .assignments(let assignments) = statement.values else { return nil }
    let entity = statement.entity.text
    if let form = insertForm, form.entity == entity, form.isOf(context.graph.model),
      form.keys.elementsEqual(assignments.lazy.map(\.key.text))
    {
      return form
    }
    insertForm = InsertForm(entity, assignments.map(\.key.text), in: context.graph)
    return insertForm
  }
}

extension Model {
  /// Returns whether a key means the `objectID`, which an entity's own key of that name hides.
  fileprivate func isIdentity(_ key: Name, of entity: String) -> Bool {
    key.text == "objectID" && property(named: key.text, of: entity) == nil
  }
}

/// A problem with the values of a new object.
enum InsertProblem: DiagnosticFacts {
  /// `insert Item [1, 2]`
  case notAnObject
  /// `insert Item {"entity": "Tag"}`
  case notASubentity(String, of: String)
  /// `insert Item {"items": "x"}`
  case notANumberOfAnObject(key: String)

  var sentence: String {
    switch self {
    case .notAnObject: localized("expected a JSON object, or a list of them")
    case .notASubentity(let name, let entity): localized("\(name) is not a subentity of \(entity)")
    case .notANumberOfAnObject(let key):
      localized("\"\(key)\" is a relationship: expected an objectID, or a list of them")
    }
  }

  var help: String? {
    switch self {
    case .notAnObject, .notASubentity: nil
    case .notANumberOfAnObject:
      localized("in JSON, write only the number of an objectID: 1, or [1, 2]")
    }
  }
}
