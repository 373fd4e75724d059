import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// `update Item set done = YES where title == "x"`
extension UpdateStatement: Command {
  var joinsReports: Bool { true }
  var changed: ChangedObjects? { .updated(target) }

  func perform(in session: Session, _ source: SourceText) throws {
    if try performPlainly(in: session, source) { return }
    try session.checkPresent(target.source)
    let live = session.variables.live
    let edits = try session.read(source) { snapshot, environment in
      try self.edits(snapshot, environment, live, in: session)
    }
    try session.ifConfirmed {
      if target.isWhole {
        try session.confirm(
          "changes", [EntityCount(entity: edits.entity, count: edits.rows.count)])
      }
      try perform(edits, in: session, source)
    }
  }

  /// Returns the name of the step for undo.
  func groupName(_ entity: String) -> String { actionName?.text ?? "update \(entity)" }

  private func perform(_ edits: ObjectEdits, in session: Session, _ source: SourceText) throws {
    let cancel = session.services.cancel
    let place = StatementPlace(target.source.span, in: source)
    let done = try session.change(groupName(edits.entity), at: place) { editor in
      let others = edits.columns.filter { !edits.set($0, &editor) }
      if others.isEmpty { return }
      let entities = edits.entities(in: editor.graph)
      for (i, row) in edits.rows.enumerated() {
        if i & 1023 == 0 { try cancel.check() }
        for column in others {
          let value = NewValue(
            column.key, column.value(i, Int(row)), span: column.span, operation: column.operation)
          try editor.set(value, table: edits.table, row: Int(row), entity: entities[i])
        }
      }
    }
    let graph = session.context.graph
    session.report(
      changed: Report.changed(done.change, in: graph, assigned: edits.assignedLinks(in: graph)))
  }
}

extension UpdateStatement {
  /// Sets constants in one object that is named by its number, if no value needs a check, a
  /// conversion or a warning; otherwise returns false without changing anything.
  func performPlainly(in session: Session, _ source: SourceText) throws -> Bool {
    guard let object = target.soleObject,
      assignments.allSatisfy({ $0.operation == .set && $0.literal != nil && $0.path.isEmpty }),
      let form = session.form(of: assignments, object.entity),
      let values = form.types.plain(assignments.map { $0.literal ?? .null }, in: session),
      let change = session.context.update(of: object.number, to: values, form)
    else { return false }
    let place = StatementPlace(target.source.span, in: source)
    let done = try session.change(at: place) { context, evaluation, accept in
      try context.update(change, groupName(object.entity), in: evaluation, accept: accept)
    }
    session.report(changed: Report.changed(done.change, in: session.context.graph))
    return true
  }
}

extension Session {
  /// Returns the shared form of updates of an entity with these keys; usually the form of the
  /// previous update.
  fileprivate func form(of assignments: [Assignment], _ entity: String) -> UpdateForm? {
    if let form = updateForm, form.entity == entity, form.isOf(context.graph.model),
      form.keys.elementsEqual(assignments.lazy.map(\.key.text))
    {
      return form
    }
    updateForm = UpdateForm(entity, assignments.map(\.key.text), in: context.graph)
    return updateForm
  }
}

/// The new values of an `update`, and the objects that get them.
private struct ObjectEdits {
  var entity: String
  var table: Int
  var rows: [UInt32]
  var columns: [Column] = []

  struct Column {
    var key: String
    var values: NewValues
    var span: SourceSpan
    var operation: NewValue.Operation

    /// Returns the value for the object at a place, given the object's row.
    func value(_ place: Int, _ row: Int) -> Value {
      switch values {
      case .each(let values): values[place]
      case .column(let column): column.value(row)
      }
    }
  }

  /// Returns each object's own entity.
  func entities(in graph: Graph) -> [String] {
    let table = graph.tables[table]
    return rows.map { table.layout.entities[table.entityCode(Int($0))] }
  }

  /// Sets an attribute of all objects at once; returns false without a change if that is not
  /// possible.
  func set(_ column: Column, _ editor: inout GraphEditor) -> Bool {
    guard column.operation == .set else { return false }
    switch column.values {
    case .column(let values)
    where editor.setAttribute(column.key, to: values, table: table, rows: rows):
      return true
    case .column, .each:
      return editor.setAttribute(
        column.key, rows.enumerated().map { column.value($0, Int($1)) }, table: table,
        rows: rows.map { Int($0) }, entities: entities(in: editor.graph))
    }
  }

  /// Returns the relationships of the columns whose inverse may change other objects too.
  func assignedLinks(in graph: Graph) -> AssignedLinks {
    let keys = columns.map(\.key).filter { key in
      guard case .relationship(let relationship)? = graph.model.property(named: key, of: entity)
      else { return false }
      return relationship.isToMany
        || graph.model.inverse(of: key, in: entity)?.relationship.isToMany == false
    }
    guard !keys.isEmpty else { return AssignedLinks() }
    let table = graph.tables[table]
    return AssignedLinks(keys: Set(keys), objects: rows.map { table.objectID(Int($0)) })
  }
}

extension UpdateStatement {
  /// Computes all values before any is set: the right sides see the old values.
  private func edits(
    _ snapshot: GraphSnapshot, _ environment: FetchEnvironment, _ live: LiveGraph,
    in session: Session
  ) throws -> ObjectEdits {
    let request = try target.fetch.bound(to: snapshot, environment)
    let found = try request.run()
    session.note(request) { found.rows.isEmpty }
    var edits = ObjectEdits(entity: found.entity, table: found.table, rows: found.rows)
    for assignment in assignments {
      edits.columns.append(try column(assignment, request, found, environment, live))
    }
    return edits
  }

  private func column(
    _ assignment: Assignment, _ request: BoundRequest, _ found: FetchResult,
    _ environment: FetchEnvironment, _ live: LiveGraph
  ) throws -> ObjectEdits.Column {
    let model = request.snapshot.graph.model
    let key = assignment.key
    var column = ObjectEdits.Column(
      key: key.text, values: .each([]), span: assignment.value.span, operation: .set)
    switch model.property(named: key.text, of: request.entity) {
    case .attribute(let attribute)?:
      if let problem = assignment.partProblem(in: request.entity, model) { throw problem }
      let tree = try assignment.value(of: attribute)
      if !assignment.path.isEmpty {
        column.operation = .part(try assignment.steps(in: request.snapshot, environment))
        column.span = assignment.target
      }
      column.values = try request.newValues(of: tree, for: found, as: attribute.type).map {
        try environment.cancel.check()
        return try attribute.type.taking($0, in: environment, at: assignment.value.span)
      }
    case .relationship(let relationship)?:
      if let problem = assignment.partProblem(in: request.entity, model) { throw problem }
      guard assignment.operation == .set || relationship.isToMany else {
        throw Diagnostic(
          NotAddable(key: key.text, sign: assignment.operation), at: key.span)
      }
      column.operation = assignment.operation.ofObjects
      column.values = try request.newValues(of: assignment.value, for: found, as: nil)
        .map { live.detached($0) }
    case nil:
      throw Diagnostic(
        ChangeProblem.unknownKey(
          key.text, entity: request.entity, known: model.keys(of: request.entity)), at: key.span)
    }
    return column
  }
}

extension Assignment {
  /// Returns `priority + 1` for `priority += 1`.
  fileprivate func value(of attribute: Attribute) throws(Diagnostic) -> ExpressionTree {
    if operation == .set { return value }
    guard attribute.type.isNumeric || !path.isEmpty else {
      throw Diagnostic(
        NotAddable(key: key.text, sign: operation), at: key.span)
    }
    let function: PredicateFunction = operation == .add ? .add : .subtract
    return ExpressionTree(
      .function(FunctionCall(function, [targetTree, value])), span: value.span)
  }
}

extension Assignment.Operation {
  fileprivate var ofObjects: NewValue.Operation {
    switch self {
    case .set: .set
    case .add: .add
    case .subtract: .remove
    }
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
