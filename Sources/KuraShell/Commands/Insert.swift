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
    guard context.model[entity.text] != nil else { return [] }
    if existing != nil, case .assignments(let assignments) = values {
      let keys = assignments.filter(\.created.isEmpty).map(\.key.text)
      return UniqueMatches.missingKey(
        of: entity.text, given: keys, context.model, at: entity.span
      ).map { [$0] } ?? []
    }
    guard case .json(let span) = values, let source = context.source,
      span.end <= source.bytes.count
    else { return [] }
    let evaluation = context.evaluation
    let insertion = JSONInsertion(
      entity: entity.text, model: context.model, zone: evaluation.zone, now: evaluation.now,
      live: LiveGraph(), cancel: evaluation.cancel)
    do throws(Diagnostic) {
      _ = try insertion.objects(in: source, span)
      return []
    } catch { return [error] }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    let inserted = try insert(in: session, source)
    session.report(changed: inserted.report(in: session.context.graph))
  }

  /// Inserts all objects of a statement; after an error, none.
  func insert(in session: Session, _ source: SourceText) throws -> Inserted {
    let place = StatementPlace(entity.span, in: source)
    let name = actionName?.text ?? "insert \(entity.text)"
    if existing == nil, case .assignments(let assignments) = values,
      let (edit, values) = session.prepared(.insert, entity.text, assignments),
      let insertion = session.context.insertion(of: values, edit)
    {
      return Inserted(
        try session.change(at: place) { context, evaluation, accept in
          try context.insert(insertion, name, in: evaluation, accept: accept)
        })
    }
    try session.checkEntity(entity)
    let objects =
      switch values {
      case .assignments(let assignments): [try newObject(assignments, in: session, source)]
      case .json(let span):
        try JSONInsertion(
          entity: entity.text, model: session.context.graph.model, zone: session.zone,
          now: session.services.now(), live: session.variables.live,
          cancel: session.services.cancel
        )
        .objects(in: source, span)
      }
    guard let existing else {
      return Inserted(try session.change(name, at: place) { try $0.insert(objects) })
    }
    return try insert(objects, or: existing, at: place, in: session, source)
  }

  private func newObject(
    _ assignments: [Assignment], in session: Session, _ source: SourceText
  ) throws -> NewObject {
    try session.read(source) { snapshot, environment in
      let creation = ObjectCreation(
        snapshot: snapshot, environment: environment, live: session.variables.live)
      return try creation.object(of: entity.text, assignments)
    }
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
  /// `insert Item title = (insert name = "x")`
  case notARelationship(key: String)

  var sentence: String {
    switch self {
    case .notAnObject: localized("expected a JSON object, or a list of them")
    case .notASubentity(let name, let entity): localized("\(name) is not a subentity of \(entity)")
    case .notANumberOfAnObject(let key):
      localized(
        "\"\(key)\" is a relationship: expected an objectID, a new object, or a list of them")
    case .notARelationship(let key):
      localized("\"\(key)\" is not a relationship, so its value cannot be a new object")
    }
  }

  var help: String? {
    switch self {
    case .notAnObject, .notASubentity, .notARelationship: nil
    case .notANumberOfAnObject:
      localized(
        "in JSON, write the number of an objectID, or the keys of a new object: [1, {…}]")
    }
  }
}

/// The objects of an `insert`, and what it changed.
struct Inserted {
  /// The new objects and those that were found, in the order of the statement.
  var objects: [ObjectID]
  var change: ChangeSet
  /// The objects that already existed.
  private let found: [ObjectID]
  /// The relationships that were set in these.
  private let assigned: AssignedLinks

  init(
    _ done: Performed<[ObjectID]>, found: [ObjectID] = [], assigned: AssignedLinks = AssignedLinks()
  ) {
    (objects, change) = (done.result, done.change)
    (self.found, self.assigned) = (found, assigned)
  }

  /// Returns `1 inserted: Tag/3`, `1 found: Tag/1`.
  func report(in graph: Graph) -> String {
    let changes = Report.changed(change, in: graph, assigned: assigned)
    if found.isEmpty { return changes }
    let updated = Set(ReportedUpdates(change, graph, assigned).objects)
    let names = NameList(found.filter { !updated.contains($0) })
    guard let text = names.text({ localized("\($0) found: \($1)") }) else { return changes }
    return change.isEmpty ? text : [changes, text].clauses
  }
}

// `insert or fetch`, `insert or update`
extension InsertStatement {
  /// Inserts the objects whose values of a unique key are new, and finds or updates the others.
  func insert(
    _ objects: [NewObject], or existing: Existing, at place: StatementPlace, in session: Session,
    _ source: SourceText
  ) throws -> Inserted {
    let matches = try session.read(source) { snapshot, environment in
      try UniqueMatches(of: objects, at: entity.span, snapshot, environment)
    }
    let name = actionName?.text ?? "insert or \(existing.rawValue) \(entity.text)"
    let done = try session.change(name, at: place) { editor in
      try editor.insert(matches, updating: existing == .update)
    }
    let keys = existing == .update ? objects.flatMap(\.values).map(\.key) : []
    let assigned = AssignedLinks(keys, of: entity.text, in: session.context.graph.model) {
      matches.stored
    }
    return Inserted(done, found: matches.stored, assigned: assigned)
  }
}

extension Session {
  /// Performs consecutive similar `insert` lines together, each as its own undo group, if none of
  /// them needs more than a report. Returns false if the next line is not such a line.
  func insertLines(_ reader: inout StatementReader) -> Bool {
    guard insertsLinesTogether else { return false }
    var insertions: Insertions?
    var span = SourceSpan.none
    let lines = reader.takeRepeated { entity, assignments, values in
      if insertions == nil {
        insertions = preparedEdit(.insert, entity.text, assignments).flatMap(context.insertions)
        span = entity.span
      }
      guard let values = insertions?.edit.types.plain(values, in: self) else { return false }
      return insertions?.add(values) == true
    }
    guard let lines, let insertions else { return false }
    return insert(insertions, lines, span)
  }

  /// Whether nothing needs to observe each statement separately.
  private var insertsLinesTogether: Bool {
    settings.timeout == nil && !settings.isTimed && !settings.isValidating && !transcript.isOn
      && !learning.isOpen && unread.isEmpty && !targets.isUnread && !targets.isOnce
      && !services.cancel.isRequested
  }

  private func insert(
    _ insertions: Insertions, _ lines: RepeatedLines, _ span: SourceSpan
  ) -> Bool {
    let name = insertions.edit.entity
    do {
      beginChange()
      try context.insert(insertions, "insert \(name)", in: evaluation)
    } catch {
      fail(error, in: lines.text)
      return true
    }
    let numbers = insertions.first..<insertions.first + Int64(insertions.count)
    trace.add(numbers, of: name, at: span, in: lines)
    for number in numbers {
      let object = "\(name)/\(number)"
      report(changed: localized("\(1) inserted: \(object)"))
    }
    warnOfReadOnly()
    return true
  }
}

/// Makes new objects from assignments, with the new objects in their relationships.
struct ObjectCreation {
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment
  let live: LiveGraph

  private var model: Model { snapshot.graph.model }

  func object(of entity: String, _ assignments: [Assignment]) throws -> NewObject {
    var object = NewObject(entity: entity)
    // The insertion reports an unknown entity.
    if model[entity] == nil { return object }
    for assignment in assignments {
      if model.isIdentity(assignment.key, of: entity) {
        try setNumber(of: &object, assignment.key, to: assignment.value)
      } else {
        object.values.append(try value(of: assignment, of: entity))
      }
    }
    return object
  }

  /// Returns the value for a key, converted to the attribute's type; objects for a relationship.
  private func value(of assignment: Assignment, of entity: String) throws -> NewValue {
    let (checked, span) = (try assignment.checked(of: entity, in: model), assignment.value.span)
    var value = try checked.value.value(
      in: snapshot, environment, as: checked.property.attribute?.type)
    if let type = checked.property.attribute?.type {
      value = try type.taking(value, in: environment, at: span)
    }
    var new = NewValue(assignment.key.text, live.detached(value), span: span)
    if let relationship = checked.property.relationship {
      new.created = try created(by: assignment, of: relationship.destination)
    }
    return new
  }

  private func created(
    by assignment: Assignment, of destination: String
  ) throws -> [(place: Int, object: NewObject)] {
    try assignment.created.map { nested in
      var object = try object(of: nested.entity?.text ?? destination, nested.assignments)
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
}

extension Model {
  /// Returns whether a key means the `objectID`, which an entity's own key of that name hides.
  func isIdentity(_ key: Name, of entity: String) -> Bool {
    key.text == "objectID" && property(named: key.text, of: entity) == nil
  }
}

extension Session {
  /// Returns the prepared edit of a statement that sets attributes to literals, and their values.
  /// Nil if the statement sets anything else, or if a value needs a check, a conversion or a warning.
  func prepared(
    _ kind: PreparedEdit.Kind, _ entity: String, _ assignments: [Assignment]
  ) -> (edit: PreparedEdit, values: [Value])? {
    guard assignments.allSatisfy({ $0.operation == .set && $0.literal != nil && $0.path.isEmpty }),
      let edit = preparedEdit(kind, entity, assignments),
      let values = edit.types.plain(assignments.map { $0.literal ?? .null }, in: self)
    else { return nil }
    return (edit, values)
  }

  /// Returns the prepared edit of an entity's keys, usually the one of the previous statement.
  func preparedEdit(
    _ kind: PreparedEdit.Kind, _ entity: String, _ assignments: [Assignment]
  ) -> PreparedEdit? {
    let (keys, model) = (assignments.lazy.map(\.key.text), context.graph.model)
    if let edit = preparedEdits.first(where: { $0.isOf(kind, entity, keys, in: model) }) {
      return edit
    }
    guard let edit = PreparedEdit(kind, entity, Array(keys), in: context.graph) else { return nil }
    preparedEdits = [edit] + preparedEdits.prefix(Self.mostPrepared - 1)
    return edit
  }

  /// The maximum number of alternating kinds of statements; more are rare.
  private static var mostPrepared: Int { 4 }
}

extension [AttributeType] {
  /// Returns literals as values of these types; nil if one needs a check or a conversion.
  func plain(_ literals: [Value], in session: Session) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(count)
    for (type, literal) in zip(self, literals) {
      guard let value = literal.plain(type, in: session) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension Value {
  /// Returns a literal as a value of a type, if it needs no check or conversion; otherwise nil.
  fileprivate func plain(_ type: AttributeType, in session: Session) -> Value? {
    switch (type, self) {
    case (.string, .string), (.integer, .integer), (.boolean, .boolean): self
    case (.double, .double(let x)): x.isFinite ? self : nil
    case (.double, .integer(let x)): Double(exactly: x).map { .double($0) }
    case (.date, .string(let text)): date(text, in: session)
    case (_, .null): .null
    default: nil
    }
  }

  /// Returns a date in a document's form whose time exists in the zone; otherwise nil.
  private func date(_ text: String, in session: Session) -> Value? {
    let zone = session.zone
    guard let value = try? AttributeType.date.value(ofText: text, in: zone),
      !zone.skips(text)
    else { return nil }
    return value
  }
}
