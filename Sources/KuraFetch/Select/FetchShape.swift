import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// What a fetch shows and in which order, checked.
struct FetchShape {
  var sort: [SortTree] = []
  var selection: BoundSelection?
  var section: BoundColumn?
}

extension Binder {
  /// The clauses of a fetch that stand behind its `where`.
  func shape(of fetch: FetchTree) throws(Diagnostic) -> FetchShape {
    guard fetch.selection != nil || fetch.isDistinct || fetch.isGrouped else {
      return FetchShape(
        sort: try bound(fetch.sort), selection: nil, section: try column(fetch.section))
    }
    if let having = fetch.having, fetch.selection == nil, fetch.grouping.isEmpty {
      throw Diagnostic(BindFacts.havingWithoutGroups, at: having.span)
    }
    let names = try SelectedNames(columns(of: fetch))
    return try fetch.isGrouped
      ? GroupBinder(self, fetch, names).shape() : plainShape(of: fetch, names)
  }

  /// A column for each object.
  private func plainShape(
    of fetch: FetchTree, _ names: SelectedNames
  ) throws(Diagnostic) -> FetchShape {
    var columns: [BoundColumn] = []
    for column in names.columns {
      let bound = try bound(column.expression)
      columns.append(BoundColumn(name: column.name, tree: bound.tree, type: bound.type))
    }
    if fetch.isDistinct { try checkDistinct(fetch, names) }
    return FetchShape(
      sort: try bound(fetch.sort.map { $0.replacing(names.replaced) }),
      selection: BoundSelection(columns: columns, isDistinct: fetch.isDistinct),
      section: try column(fetch.section.map(names.replaced)))
  }

  /// Behind `distinct` a row stands for many objects: what orders it must be in it.
  private func checkDistinct(
    _ fetch: FetchTree, _ names: SelectedNames
  ) throws(Diagnostic) {
    for tree in fetch.sort.map(\.expression) + (fetch.section.map { [$0] } ?? []) {
      let rest = names.replaced(tree).replacing { node in
        names.columns.contains { $0.expression == node }
          ? ExpressionTree(.constant(Constant(.null))) : nil
      }
      if let key = rest.firstKey {
        throw Diagnostic(BindFacts.notSelected(text(key)), at: key.span)
      }
    }
  }

  private func column(_ tree: ExpressionTree?) throws(Diagnostic) -> BoundColumn? {
    guard let tree else { return nil }
    let bound = try bound(tree)
    if bound.type.isCollection {
      throw Diagnostic(BindFacts.sectionNeedsValue(text(tree)), at: tree.span)
    }
    return BoundColumn(name: tree.expressionFormat, tree: bound.tree, type: bound.type)
  }
}

extension Binder {
  /// The columns of a fetch by name, `*` as all attributes.
  private func columns(of fetch: FetchTree) throws(Diagnostic) -> [NamedColumn] {
    var result: [NamedColumn] = []
    for column in fetch.shownColumns {
      guard let name = column.name else {
        result += allAttributes(at: column.span)
        continue
      }
      result.append(NamedColumn(name, column.expression, column.isNamed, column.span))
    }
    var names: Set<String> = []
    for column in result where !names.insert(column.name).inserted {
      throw Diagnostic(BindFacts.repeatedColumn(column.name), at: column.span)
    }
    return result
  }

  private func allAttributes(at span: SourceSpan) -> [NamedColumn] {
    model.allAttributes(of: entity ?? "").map { attribute in
      let path = KeyPathTree([KeyComponent(attribute.name, span: span)])
      let tree = ExpressionTree(.keyPath(path), span: span)
      return NamedColumn(attribute.name, tree, false, span)
    }
  }
}

extension FetchTree {
  /// Whether rows stand for groups of objects.
  var isGrouped: Bool {
    !grouping.isEmpty || having != nil
      || (selection ?? []).contains { $0.name != nil && $0.expression.containsAggregate }
  }

  /// The columns of `select`; without it the grouping keys, or all attributes.
  fileprivate var shownColumns: [SelectedColumn] {
    if let selection { return selection }
    if grouping.isEmpty { return [.all(span: span)] }
    return grouping.map { SelectedColumn($0, name: $0.expressionFormat, span: $0.span) }
  }
}
