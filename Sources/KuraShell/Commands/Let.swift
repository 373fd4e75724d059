import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// `let $soon = dateByAdding(today(), 7, "day")`
  mutating func bind(
    _ name: Name, to expression: ExpressionTree, in source: SourceText
  ) throws {
    let value = try read(source) { snapshot, environment in
      live.detached(try expression.value(in: snapshot, environment))
    }
    try surroundings.cancel.check()
    state.variables[name.text] = value
  }

  /// `let $old = fetch MemoDate where …`: the objects that were found at that moment.
  mutating func bind(_ name: Name, to fetch: FetchStatement, in source: SourceText) throws {
    let value = try read(source) { snapshot, environment in
      live.detached(try fetch.request.bound(to: snapshot, environment).run().value)
    }
    try surroundings.cancel.check()
    state.variables[name.text] = value
  }

  /// `let $home = insert Category name = "Home"`: the new object, or a list of several.
  mutating func bind(_ name: Name, to insert: InsertStatement, in source: SourceText) throws {
    let objects = try self.insert(insert, in: source)
    let values = objects.map { Value.object(ObjectReference(LiveObject(id: $0, graph: live))) }
    state.variables[name.text] = values.count == 1 ? values[0] : .list(values)
    report(Report.inserted(objects.map(\.description)))
  }
}
