import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// `let $soon = dateByAdding(today(), 7, "day")`
  mutating func bind(
    _ name: Name, to expression: ExpressionTree, in source: SourceText
  ) throws {
    try checkPresent([expression], in: source)
    let value = try read(source) { snapshot, environment in
      live.detached(try expression.value(in: snapshot, environment))
    }
    try surroundings.cancel.check()
    state.variables[name.text] = value
    state.variableEntities[name.text] = nil
  }

  /// `let $old = fetch MemoDate where …`: what was found at that moment.
  mutating func bind(_ name: Name, to fetch: FetchTree, in source: SourceText) throws {
    let (value, entity) = try read(source) { snapshot, environment in
      let request = try fetch.bound(to: snapshot, environment)
      return (live.detached(try request.value(fetch.result)), request.entity)
    }
    try surroundings.cancel.check()
    state.variables[name.text] = value
    state.variableEntities[name.text] = value.holdsOnlyObjects ? entity : nil
  }

  /// `let $home = insert Category name = "Home"`: the new object, or a list of several.
  mutating func bind(_ name: Name, to insert: InsertStatement, in source: SourceText) throws {
    let objects = try self.insert(insert, in: source)
    let values = objects.result.map {
      Value.object(ObjectReference(LiveObject(id: $0, graph: live)))
    }
    state.variables[name.text] = values.count == 1 ? values[0] : .list(values)
    state.variableEntities[name.text] = insert.entity.text
    report(Report.changed(objects.change, in: state.context.graph))
  }
}
