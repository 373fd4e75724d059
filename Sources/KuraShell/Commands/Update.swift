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
      let others = edits.columns.filter { column in
        column.operation != .set
          || !editor.setAttribute(
            column.key, to: column.values, table: edits.table, rows: edits.rows)
      }
      if others.isEmpty { return }
      for (i, row) in edits.rows.enumerated() {
        if i & 1023 == 0 { try cancel.check() }
        for column in others {
          let value = NewValue(
            column.key, column.values.value(i, row), span: column.span,
            operation: column.operation)
          try editor.set(value, table: edits.table, row: Int(row))
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
      let (edit, values) = session.prepared(.update, object.entity, assignments),
      let change = session.context.update(of: object.number, to: values, edit)
    else { return false }
    let (place, name) = (StatementPlace(target.source.span, in: source), groupName(object.entity))
    let done = try session.change(at: place) { context, evaluation, accept in
      try context.perform(name, change, in: evaluation, accept: accept)
    }
    session.report(changed: Report.changed(done.change, in: session.context.graph))
    return true
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
  }

  /// Returns the relationships of the columns whose inverse may change other objects too.
  func assignedLinks(in graph: Graph) -> AssignedLinks {
    AssignedLinks(columns.map(\.key), of: entity, in: graph.model) {
      let table = graph.tables[table]
      return rows.map { table.objectID(Int($0)) }
    }
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
    session.note { request.note { found.rows.isEmpty } }
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
    let checked = try assignment.checked(of: request.entity, in: request.snapshot.graph.model)
    var column = ObjectEdits.Column(
      key: assignment.key.text, values: .each([]), span: assignment.value.span, operation: .set)
    switch checked.property {
    case .attribute(let attribute):
      if !assignment.path.isEmpty {
        column.operation = .part(try assignment.steps(in: request.snapshot, environment))
        column.span = assignment.target
      }
      column.values = try request.newValues(of: checked.value, for: found, as: attribute.type).map {
        try environment.cancel.check()
        return try attribute.type.taking($0, in: environment, at: assignment.value.span)
      }
    case .relationship:
      column.operation = assignment.operation.ofObjects
      column.values = try request.newValues(of: checked.value, for: found, as: nil)
        .map { live.detached($0) }
    }
    return column
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

// A part of a JSON attribute: `update Package set meta.version = "2"`
extension Assignment {
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
