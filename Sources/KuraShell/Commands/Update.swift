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
  var tellsTogether: Bool { true }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkPresent(target.source)
    let live = session.variables.live
    let edits = try session.read(source) { snapshot, environment in
      try self.edits(snapshot, environment, live)
    }
    try session.ifMeant {
      if target.isWhole {
        try session.checkMeant(
          "changes", [EntityCount(entity: edits.entity, count: edits.rows.count)])
      }
      try perform(edits, in: session, source)
    }
  }

  private func perform(_ edits: ObjectEdits, in session: Session, _ source: SourceText) throws {
    let cancel = session.surroundings.cancel
    let place = StatementPlace(target.source.span, in: source)
    let done = try session.change(actionName?.text ?? "update \(edits.entity)", at: place) {
      editor in
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

/// `delete Item where done == YES`
extension DeleteStatement: Command {
  var tellsTogether: Bool { true }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkPresent(target.source)
    let (entity, table, rows) = try session.read(source) { snapshot, environment in
      let found = try target.fetch.bound(to: snapshot, environment).run()
      return (found.entity, found.table, found.rows)
    }
    let cancel = session.surroundings.cancel
    let place = StatementPlace(target.source.span, in: source)
    try session.ifMeant {
      let name = actionName?.text ?? "delete \(entity)"
      let done = try session.change(name, at: place) { editor in
        if !editor.delete(table: table, rows: rows) {
          try editor.delete(
            try rows.map { row in
              try cancel.check()
              return editor.graph.tables[table].objectID(Int(row))
            })
        }
        let counts = editor.deletedCounts
        if target.isWhole || counts.total > Session.mostUnaskedDeletions {
          try session.checkMeant("deletes", counts)
        }
      }
      session.report(changed: Report.changed(done.change, in: session.context.graph))
    }
  }
}

extension ChangeTarget {
  /// Whether every object of an entity is meant.
  fileprivate var isWhole: Bool {
    if case .entity = source.kind { all != nil } else { false }
  }
}

/// What an `update` gives to which objects.
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

    /// The value of the object at a place, which is in a row.
    func value(_ place: Int, _ row: Int) -> Value {
      switch values {
      case .each(let values): values[place]
      case .column(let column): column.value(row)
      }
    }
  }

  /// Each object's own entity.
  func entities(in graph: Graph) -> [String] {
    let table = graph.tables[table]
    return rows.map { table.layout.entities[table.entityCode(Int($0))] }
  }

  /// Sets an attribute of all objects at once; false, and nothing is done, where it must be done one by one.
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

  /// The relationships among the columns at whose other end other objects may be updated too.
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
  /// All values are computed before one is set: the right sides see the old values.
  private func edits(
    _ snapshot: GraphSnapshot, _ environment: FetchEnvironment, _ live: LiveGraph
  ) throws -> ObjectEdits {
    let request = try target.fetch.bound(to: snapshot, environment)
    let found = try request.run()
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
      let tree = try assignment.value(of: attribute)
      column.values = try request.newValues(of: tree, for: found, as: attribute.type).map {
        try environment.cancel.check()
        return try attribute.type.taking($0, in: environment, at: assignment.value.span)
      }
    case .relationship(let relationship)?:
      guard assignment.operation == .set || relationship.isToMany else {
        throw Diagnostic(
          NotAddable(key: key.text, sign: assignment.operation), at: key.span)
      }
      column.operation = assignment.operation.ofObjects
      column.values = try request.newValues(of: assignment.value, for: found, as: nil)
        .map { live.detached($0) }
    case nil:
      throw Diagnostic(
        ChangeFacts.unknownKey(
          key.text, entity: request.entity, known: model.keys(of: request.entity)), at: key.span)
    }
    return column
  }
}

extension Assignment {
  /// `priority += 1` as `priority + 1`.
  fileprivate func value(of attribute: Attribute) throws(Diagnostic) -> ExpressionTree {
    if operation == .set { return value }
    guard attribute.type.isNumeric else {
      throw Diagnostic(
        NotAddable(key: key.text, sign: operation), at: key.span)
    }
    let old = ExpressionTree(
      .keyPath(KeyPathTree([KeyComponent(key.text, span: key.span)])), span: key.span)
    let function: PredicateFunction = operation == .add ? .add : .subtract
    return ExpressionTree(
      .function(FunctionCall(function, [old, value])), span: value.span)
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
      "\(sign.rawValue) is for numbers and to-many relationships, and \"\(key)\" is neither")
  }
}
