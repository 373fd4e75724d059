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
      let others = edits.columns.filter { column in
        column.operation != .set
          || !editor.setAttribute(
            column.key, column.values, table: edits.table, rows: edits.rows,
            entities: edits.entities)
      }
      for (i, row) in edits.rows.enumerated() where !others.isEmpty {
        if i & 1023 == 0 { try cancel.check() }
        for column in others {
          let value = NewValue(
            column.key, column.values[i], span: column.span, operation: column.operation)
          try editor.set(value, table: edits.table, row: row, entity: edits.entities[i])
        }
      }
    }
    let graph = session.context.graph
    session.report(
      Report.changed(done.change, in: graph, assigned: edits.assignedLinks(in: graph)))
  }
}

/// `delete Item where done == YES`
extension DeleteStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkPresent(target.source)
    let (entity, objects) = try session.read(source) { snapshot, environment in
      let found = try target.fetch.bound(to: snapshot, environment).run()
      let objects = try (0..<found.count).compactMap { i in
        try environment.cancel.check()
        return found.object(i).objectID
      }
      return (found.entity, objects)
    }
    let place = StatementPlace(target.source.span, in: source)
    try session.ifMeant {
      let name = actionName?.text ?? "delete \(entity)"
      let done = try session.change(name, at: place) { editor in
        try editor.delete(objects)
        let counts = editor.deletedCounts
        if target.isWhole || counts.total > Session.mostUnaskedDeletions {
          try session.checkMeant("deletes", counts)
        }
      }
      session.report(Report.changed(done.change, in: session.context.graph))
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
  var rows: [Int]
  /// Each object's own entity.
  var entities: [String]
  var columns: [Column] = []

  struct Column {
    var key: String
    var values: [Value]
    var span: SourceSpan
    var operation: NewValue.Operation
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
    return AssignedLinks(keys: Set(keys), objects: rows.map(graph.tables[table].objectID))
  }
}

extension UpdateStatement {
  /// All values are computed before one is set: the right sides see the old values.
  private func edits(
    _ snapshot: GraphSnapshot, _ environment: FetchEnvironment, _ live: LiveGraph
  ) throws -> ObjectEdits {
    let request = try target.fetch.bound(to: snapshot, environment)
    let found = try request.run()
    let table = snapshot.graph.tables[found.table]
    var edits = ObjectEdits(
      entity: found.entity, table: found.table, rows: found.rows.map { Int($0) },
      entities: found.rows.map { table.layout.entities[table.entityCode(Int($0))] })
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
      key: key.text, values: [], span: assignment.value.span, operation: .set)
    switch model.property(named: key.text, of: request.entity) {
    case .attribute(let attribute)?:
      let tree = try assignment.value(of: attribute)
      let values = try request.values(of: tree, for: found, as: attribute.type)
      column.values = try values.map {
        try environment.cancel.check()
        return try attribute.type.taking($0, in: environment, at: assignment.value.span)
      }
    case .relationship(let relationship)?:
      guard assignment.operation == .set || relationship.isToMany else {
        throw Diagnostic(
          NotAddable(key: key.text, sign: assignment.operation), at: key.span)
      }
      column.operation = assignment.operation.ofObjects
      column.values = try request.values(of: assignment.value, for: found, as: nil)
        .map(live.detached)
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
