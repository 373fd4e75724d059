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
      checker.offerValues(0..<state.problems.count, of: self, as: type)
      checked.tree = checker.noting(
        checked.tree, { checker.offering($0, as: type, written: self) }
      ) { () throws(Diagnostic) in try checker.read(checked, as: type, nil) }
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

/// What a fetch shows in place of its objects, checked.
package struct CheckedSelection: Sendable {
  package var columns: [CheckedColumn]
  package var isDistinct: Bool
  /// Nil where each row is an object's.
  package var grouping: CheckedGrouping?

  /// Whether there are aggregates over all objects, and so one row.
  package var isOneRow: Bool { grouping?.keys.isEmpty ?? false }
}

/// A column, or the key of sections.
package struct CheckedColumn: Sendable {
  package var name: String
  /// Of an object or, where there are groups, of a group.
  package var tree: ExpressionTree
  package var type: CheckedType
}

/// How objects are put in groups, and what is computed of each group.
///
/// Trees of a group read its keys and aggregates as variables, whose names nobody can type.
package struct CheckedGrouping: Sendable {
  package var keys: [CheckedColumn]
  package var aggregates: [CheckedAggregate]
  package var having: PredicateTree?
}

/// `max(date)` of a group's objects
package struct CheckedAggregate: Sendable {
  /// The variable by which trees read it.
  package var name: String
  package var function: PredicateFunction
  package var argument: ExpressionTree
  package var span: SourceSpan

  /// `count(SELF)`
  package var isCountOfObjects: Bool {
    if case .evaluatedObject = argument.kind { function == .count } else { false }
  }
}

extension CheckedType {
  /// What an aggregate makes of values of this type.
  func aggregated(by function: PredicateFunction) -> CheckedType {
    switch function.result {
    case .number: .number
    case .numberLikeElements: if case .attribute(.decimal) = self { self } else { .number }
    case .string: .string
    case .date: .date
    case .boolean: .boolean
    case .uuid: .attribute(.uuid)
    case .argument, .firstTyped, .element, .member: self
    case .collection: .collection(self)
    case .numberOrList, .other, .castTarget, .unknown: .any
    }
  }
}

extension ExpressionTree {
  /// The aggregate that the expression is where aggregates stand, and what it is of.
  var aggregate: (function: PredicateFunction, argument: ExpressionTree)? {
    guard case .function(let call) = kind, call.arguments.count == 1,
      let function = call.function, function.isAggregate
    else { return nil }
    return (function, call.arguments[0])
  }
}
