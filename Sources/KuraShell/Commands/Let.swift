import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraScript
import KuraValues

/// `let $soon = …`: names a value, the present result of a fetch, or a new object.
extension LetStatement: Command {
  var givenVariable: String? { name.text }

  var effect: Effect {
    switch value {
    case .expression, .fetch, .predicate: .sets
    case .insert: .changes
    }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    switch value {
    case .expression(let expression): try bind(expression, in: session, source)
    case .fetch(let fetch): try bind(fetch, in: session, source)
    case .insert(let insert): try bind(insert, in: session, source)
    case .predicate(let part):
      session.variables.set(name.text, to: try session.named(part, name.text, at: name.span))
    }
  }

  /// Binds the value of an expression: `dateByAdding(today(), 7, "day")`
  private func bind(
    _ expression: ExpressionTree, in session: Session, _ source: SourceText
  ) throws {
    try session.checkPresent([expression], in: source)
    let live = session.variables.live
    let value = try session.read(source) { snapshot, environment in
      live.detached(try expression.value(in: snapshot, environment))
    }
    try session.services.cancel.check()
    session.variables.set(name, to: value)
  }

  /// Binds the result of a fetch: `fetch MemoDate where …`
  private func bind(_ fetch: FetchTree, in session: Session, _ source: SourceText) throws {
    let live = session.variables.live
    let (value, entity) = try session.read(source) { snapshot, environment in
      let request = try fetch.bound(to: snapshot, environment)
      return (live.detached(try request.value(fetch.result)), request.entity)
    }
    try session.services.cancel.check()
    session.variables.set(name, to: value, of: value.holdsOnlyObjects ? entity : nil)
  }

  /// Binds the new object of `insert Category name = "Home"`, or a list of several.
  private func bind(_ insert: InsertStatement, in session: Session, _ source: SourceText) throws {
    let objects = try insert.insert(in: session, source)
    let values = objects.result.map(session.variables.live.object)
    let value = values.count == 1 ? values[0] : .list(values)
    session.variables.set(name, to: value, of: insert.entity.text)
    session.report(Report.changed(objects.change, in: session.context.graph))
  }
}
