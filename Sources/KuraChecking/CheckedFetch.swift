package import KuraDiagnostics
package import KuraModel
package import KuraPredicates

/// A fetch with every name resolved and every literal read as the type it stands against.
package struct CheckedFetch: Sendable {
  /// Whose objects are asked; nil where that is not known without data.
  package var entity: String?
  package var predicate: PredicateTree?
  /// By what objects are ordered or, where there are groups, groups.
  package var sort: [SortTree]
  package var offset: ExpressionTree?
  package var limit: ExpressionTree?
  package var batch: ExpressionTree?
  /// What is shown in place of the objects; nil: the objects.
  package var selection: CheckedSelection?
  /// By what the listing has headings.
  package var section: CheckedColumn?
}

/// What a check says of a tree.
package struct Checked<Tree: Sendable>: Sendable {
  /// The tree with its names resolved; where there is a problem, that part is as it was.
  package var tree: Tree
  /// What is wrong, in the order of the check.
  package let problems: [Diagnostic]
  /// The fetches in it whose values a second check wants to know.
  package let nested: [NestedFetch]
  /// Whether objects that a text names are in it, as `NamedObject`s.
  package let namesObjects: Bool

  init(_ tree: Tree, _ state: CheckState) {
    self.tree = tree
    problems = state.problems
    nested = state.nested
    namesObjects = state.namesObjects
  }

  /// The tree, if nothing is wrong with it.
  ///
  /// Throws the first problem that is an error.
  package func sound() throws(Diagnostic) -> Tree {
    if let problem = problems.first(where: { $0.severity == .error }) { throw problem }
    return tree
  }
}

extension FetchTree {
  /// The fetch with its names and literals checked; no data is looked at.
  ///
  ///     fetch.checked(in: CheckContext(model)).problems.map(\.facts.sentence)
  ///     // ["Item has no key \"titel\""]
  ///
  /// With an entity it is known whose objects the source is. With `known` values of the nested
  /// fetches, what they gave is read as literals are.
  package func checked(
    in context: CheckContext, of entity: String? = nil, knowing known: [KnownFetch]? = nil,
    noting nodes: CheckedNodes? = nil
  ) -> Checked<CheckedFetch> {
    let state = CheckState(context, known: known, nodes: nodes)
    let checker = Checker(state, .none)
    let root = entity.map(Root.object(entity:)) ?? checker.root(of: source)
    return Checked(checker.checked(self, root), state)
  }
}

extension ExpressionTree {
  /// The expression with its names and literals checked; no data is looked at.
  ///
  /// The keys in it are those of an entity, where one is given. With a type, it is read as what an
  /// attribute of that type takes.
  package func checked(
    in context: CheckContext, of entity: String? = nil, as type: AttributeType? = nil,
    knowing known: [KnownFetch]? = nil, noting nodes: CheckedNodes? = nil
  ) -> Checked<CheckedExpression> {
    let state = CheckState(context, known: known, nodes: nodes)
    let checker = Checker(state, entity.map(Root.object(entity:)) ?? .none)
    var checked = checker.checked(self)
    if let type {
      checked.tree = checker.noting(checked.tree) { () throws(Diagnostic) in
        try checker.read(checked, as: type, nil)
      }
    }
    return Checked(checked, state)
  }
}

extension PredicateTree {
  /// The predicate with its names and literals checked, for objects of an entity.
  package func checked(
    in context: CheckContext, of entity: String, noting nodes: CheckedNodes? = nil
  ) -> Checked<PredicateTree> {
    let state = CheckState(context, nodes: nodes)
    return Checked(Checker(state, .object(entity: entity)).checked(self), state)
  }
}

extension CheckedFetch {
  /// Puts other trees in the place of all of them.
  package mutating func replaceTrees<Failure: Error>(
    _ expression: (ExpressionTree) throws(Failure) -> ExpressionTree,
    _ predicate: (PredicateTree) throws(Failure) -> PredicateTree
  ) throws(Failure) {
    if let tree = self.predicate { self.predicate = try predicate(tree) }
    for i in sort.indices { sort[i].expression = try expression(sort[i].expression) }
    if let tree = section?.tree { section?.tree = try expression(tree) }
    guard var selection else { return }
    for i in selection.columns.indices {
      selection.columns[i].tree = try expression(selection.columns[i].tree)
    }
    if var grouping = selection.grouping {
      for i in grouping.keys.indices {
        grouping.keys[i].tree = try expression(grouping.keys[i].tree)
      }
      for i in grouping.aggregates.indices {
        grouping.aggregates[i].argument = try expression(grouping.aggregates[i].argument)
      }
      if let having = grouping.having { grouping.having = try predicate(having) }
      selection.grouping = grouping
    }
    self.selection = selection
  }
}
