package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
package import KuraValues

/// A fetch with resolved names, and with literals converted to the types they are compared with.
package struct CheckedFetch: Sendable {
  /// The entity of the objects; nil if it is unknown without data.
  package var entity: String?
  package var predicate: PredicateTree?
  /// The order of the objects or, with groups, of the groups.
  package var sort: [SortTree]
  package var offset: ExpressionTree?
  package var limit: ExpressionTree?
  /// The keys of `limit 3 per category`: the limit applies to each combination of their values.
  package var limitKeys: [CheckedColumn] = []
  package var batch: ExpressionTree?
  /// The values to return instead of objects; nil means objects.
  package var selection: CheckedSelection?
  package var section: CheckedColumn?
}

/// The result of checking a tree.
package struct Checked<Tree: Sendable>: Sendable {
  /// The tree with resolved names; parts with a problem are unchanged.
  package var tree: Tree
  /// The problems, in the order of the check.
  package let problems: [Diagnostic]
  /// The nested fetches with values that a second check needs.
  package let nested: [NestedFetch]
  /// Whether it contains objects that a text names, as `NamedObject`s.
  package let namesObjects: Bool
  /// Whether it may read JSON, whose values have different kinds, outside its nested fetches.
  package let readsJSON: Bool
  /// The comparisons outside its nested fetches whose warnings depend on data.
  package let comparisons: [AttributeComparison]

  init(_ tree: Tree, _ state: CheckState) {
    self.tree = tree
    problems = state.problems
    nested = state.nested
    namesObjects = state.namesObjects
    readsJSON = state.readsJSON
    comparisons = state.comparisons
  }

  /// Returns the tree, if it has no errors.
  ///
  /// Throws the first problem that is an error.
  package func sound() throws(Diagnostic) -> Tree {
    if let problem = problems.first(where: { $0.severity == .error }) { throw problem }
    return tree
  }
}

extension FetchTree {
  /// Returns the fetch with names and literals checked, without access to data.
  ///
  ///     fetch.checked(in: CheckContext(model)).problems.map(\.facts.sentence)
  ///     // ["Item has no key \"titel\""]
  ///
  /// If `entity` is given, it is the entity of the source. If `known` has the results of nested
  /// fetches, they are converted like literals.
  package func checked(
    in context: CheckContext, of entity: String? = nil, knowing known: [KnownFetch]? = nil,
    recording nodes: CheckedNodes? = nil
  ) -> Checked<CheckedFetch> {
    let state = CheckState(context, known: known, nodes: nodes)
    let checker = Checker(state, .none)
    let root = entity.map(Root.object(entity:)) ?? checker.root(of: self)
    return Checked(checker.checked(self, root), state)
  }
}

extension ExpressionTree {
  /// Returns the expression with names and literals checked, without access to data.
  ///
  /// Keys belong to `entity`, if given. If `type` is given, the expression is read as a value for
  /// an attribute of that type.
  package func checked(
    in context: CheckContext, of entity: String? = nil, as type: AttributeType? = nil,
    knowing known: [KnownFetch]? = nil, recording nodes: CheckedNodes? = nil
  ) -> Checked<CheckedExpression> {
    let state = CheckState(context, known: known, nodes: nodes)
    let checker = Checker(state, entity.map(Root.object(entity:)) ?? .none)
    var checked = checker.checked(self)
    if let type {
      checker.offerValues(0..<state.problems.count, of: self, as: type)
      checked.tree = checker.recording(
        checked.tree, { checker.offering($0, as: type, written: self) }
      ) { () throws(Diagnostic) in try checker.read(checked, as: type, nil) }
    }
    return Checked(checked, state)
  }
}

extension PredicateTree {
  /// Returns the predicate with names and literals checked, for objects of an entity.
  package func checked(
    in context: CheckContext, of entity: String, recording nodes: CheckedNodes? = nil
  ) -> Checked<PredicateTree> {
    let state = CheckState(context, nodes: nodes)
    return Checked(Checker(state, .object(entity: entity)).checked(self), state)
  }
}

extension CheckedFetch {
  package mutating func replaceTrees<Failure: Error>(
    _ expression: (ExpressionTree) throws(Failure) -> ExpressionTree,
    _ predicate: (PredicateTree) throws(Failure) -> PredicateTree
  ) throws(Failure) {
    if let tree = self.predicate { self.predicate = try predicate(tree) }
    for i in sort.indices { sort[i].expression = try expression(sort[i].expression) }
    if let tree = section?.tree { section?.tree = try expression(tree) }
    for i in limitKeys.indices { limitKeys[i].tree = try expression(limitKeys[i].tree) }
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

/// The checked values that a fetch returns instead of objects.
package struct CheckedSelection: Sendable {
  package var columns: [CheckedColumn]
  package var isDistinct: Bool
  /// The groups; nil if each row is an object.
  package var grouping: CheckedGrouping?
  /// The window functions in the columns; nil if there are none.
  package var windows: CheckedWindows?

  /// Whether aggregates over all objects give a single row.
  package var isOneRow: Bool { grouping?.keys.isEmpty ?? false }
}

extension CheckedSelection {
  /// The trees of its columns, groups and window functions.
  package var nodes: [TreeNode] {
    let inputs = columns + (grouping?.keys ?? []) + (windows?.inputs ?? [])
    let trees = inputs.map(\.tree) + (grouping?.aggregates.map(\.argument) ?? [])
    return trees.map { .expression($0) } + (grouping?.having.map { [.predicate($0)] } ?? [])
  }

  /// Creates a row of aggregates over all objects: `select sum(cost), count(SELF)`.
  package init(
    aggregates: [(function: PredicateFunction, argument: ExpressionTree)]
  ) {
    let aggregates = aggregates.enumerated().map { place, aggregate in
      CheckedAggregate("aggregate \(place)", aggregate.function, of: aggregate.argument)
    }
    columns = aggregates.map {
      CheckedColumn(name: $0.name, tree: ExpressionTree(.variable($0.name)), type: .any)
    }
    isDistinct = false
    grouping = CheckedGrouping(keys: [], aggregates: aggregates, having: nil)
  }
}

/// A column, or the key of sections.
package struct CheckedColumn: Sendable {
  package var name: String
  /// The expression, for an object or, with groups, for a group.
  package var tree: ExpressionTree
  package var type: CheckedType
}

/// The window functions of a fetch, and the columns that they are computed from.
///
/// The columns of the fetch read the inputs and the results of the functions as variables, with names that cannot be
/// typed.
package struct CheckedWindows: Sendable {
  /// The columns without window functions, for all rows.
  package var inputs: [CheckedColumn]
  package var calls: [CheckedWindow]
  /// The names of the inputs for the sort keys, the keys of `limit 3 per category`, and the section.
  package var sortKeys: [String]
  package var limitKeys: [String]
  package var section: String?
}

/// A call of a window function, such as `runningSum(amount) per shop`.
package struct CheckedWindow: Sendable {
  /// The name of the variable in columns.
  package var name: String
  package var function: PredicateFunction
  /// The names of the inputs for the argument and the key.
  package var argument: String?
  package var key: String?
  package var span: SourceSpan
}

/// The groups of a fetch, and the values that are computed for each.
///
/// Trees of a group read its keys and aggregates as variables, with names that cannot be typed.
package struct CheckedGrouping: Sendable {
  package var keys: [CheckedColumn]
  package var aggregates: [CheckedAggregate]
  package var having: PredicateTree?
}

/// An aggregate over the objects of a group, such as `max(date)`.
package struct CheckedAggregate: Sendable {
  /// The name of the variable in trees.
  package var name: String
  package var function: PredicateFunction
  package var argument: ExpressionTree
  /// The 90 of `percentile(cost, 90)`, the separator of `joined(title, ", ")`; nil for functions of one argument.
  package var parameter: Value?
  package var span: SourceSpan

  /// Creates an aggregate of an expression.
  package init(
    _ name: String, _ function: PredicateFunction, of argument: ExpressionTree,
    parameter: Value? = nil, at span: SourceSpan = .none
  ) {
    (self.name, self.function, self.argument) = (name, function, argument)
    (self.parameter, self.span) = (parameter, span)
  }

  /// Whether it is `count(SELF)`.
  package var isCountOfObjects: Bool {
    if case .evaluatedObject = argument.kind { function.builtIn == .count } else { false }
  }
}

extension CheckedType {
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
    case .strings: .collection(.string)
    case .numberOrList, .other, .castTarget, .unknown: .any
    }
  }
}

extension ExpressionTree {
  /// The aggregate function and its argument, if the expression is an aggregate.
  var aggregate: (function: PredicateFunction, argument: ExpressionTree)? {
    guard case .function(let call) = kind, call.arguments.count == 1,
      let function = call.function, function.isAggregate
    else { return nil }
    return (function, call.arguments[0])
  }
}
