import KuraDiagnostics
import KuraModel
import KuraPredicates

/// Checks a fetch with groups: what is shown of a group is made of its keys and aggregates.
struct GroupBinder {
  private let objects: Binder
  private let fetch: FetchTree
  private let names: SelectedNames
  private var keys: [(written: ExpressionTree, bound: BoundColumn)] = []
  private var aggregates: [BoundAggregate] = []
  private var types: [String: BoundType] = [:]

  init(_ objects: Binder, _ fetch: FetchTree, _ names: SelectedNames) {
    self.objects = objects
    self.fetch = fetch
    self.names = names
  }
}

extension GroupBinder {
  func shape() throws(Diagnostic) -> FetchShape {
    var binder = self
    return try binder.makeShape()
  }

  private mutating func makeShape() throws(Diagnostic) -> FetchShape {
    try bindKeys()
    var columns: [BoundColumn] = []
    for column in names.columns { columns.append(try bound(column.expression, column.name)) }
    let having = try boundHaving()
    var sort: [SortTree] = []
    for key in fetch.sort {
      var key = key
      key.expression = try bound(names.replaced(key.expression), "").tree
      sort.append(key)
    }
    var section: BoundColumn?
    if let key = fetch.section {
      section = try bound(names.replaced(key), key.expressionFormat)
    }
    let grouping = BoundGrouping(
      keys: keys.map(\.bound), aggregates: aggregates, having: having)
    return FetchShape(
      sort: sort,
      selection: BoundSelection(
        columns: columns, isDistinct: fetch.isDistinct, grouping: grouping),
      section: section)
  }

  private mutating func bindKeys() throws(Diagnostic) {
    for key in fetch.grouping {
      let written = names.replaced(key)
      if written.containsAggregate {
        throw Diagnostic(BindFacts.aggregateAsKey(objects.text(key)), at: key.span)
      }
      let bound = try objects.bound(written)
      if bound.type.isCollection {
        throw Diagnostic(BindFacts.groupNeedsValue(objects.text(key)), at: key.span)
      }
      let name = GroupBinder.variable(written)
      types[name] = bound.type
      keys.append((written, BoundColumn(name: name, tree: bound.tree, type: bound.type)))
    }
  }

  private mutating func boundHaving() throws(Diagnostic) -> PredicateTree? {
    guard let having = fetch.having else { return nil }
    let replaced = try names.replaced(having).replacing { node throws(Diagnostic) in
      try ofGroup(node)
    }
    return try groups.bound(replaced)
  }

  private mutating func bound(
    _ tree: ExpressionTree, _ name: String
  ) throws(Diagnostic) -> BoundColumn {
    let replaced = try tree.replacing { node throws(Diagnostic) in try ofGroup(node) }
    let bound = try groups.bound(replaced)
    return BoundColumn(name: name, tree: bound.tree, type: bound.type)
  }

  /// Reads trees of a group: its variables are known, and there is no object.
  private var groups: Binder {
    var binder = objects
    binder.entity = nil
    binder.scope.merge(types) { $1 }
    return binder
  }
}

extension GroupBinder {
  /// A key or an aggregate as its variable; nil where the parts of the node are to be asked.
  private mutating func ofGroup(_ node: ExpressionTree) throws(Diagnostic) -> ExpressionTree? {
    if let key = keys.first(where: { $0.written == node }) {
      return ExpressionTree(.variable(key.bound.name), span: node.span)
    }
    if let (function, argument) = node.aggregate {
      return ExpressionTree(.variable(try aggregate(function, argument, node)), span: node.span)
    }
    switch node.kind {
    case .evaluatedObject: throw notGrouped(node)
    case .keyPath(let path) where path.base == nil: throw notGrouped(node)
    default: return nil
    }
  }

  private func notGrouped(_ node: ExpressionTree) -> Diagnostic {
    do throws(Diagnostic) {
      _ = try objects.bound(node)
      return Diagnostic(
        BindFacts.notGrouped(objects.text(node), keys: keys.map { objects.text($0.written) }),
        at: node.span)
    } catch {
      return error
    }
  }

  private mutating func aggregate(
    _ function: PredicateFunction, _ argument: ExpressionTree, _ node: ExpressionTree
  ) throws(Diagnostic) -> String {
    let name = GroupBinder.variable(node)
    if types[name] != nil { return name }
    let bound = try objects.bound(argument)
    try check(function, bound.type, argument, node)
    types[name] = bound.type.aggregated(by: function)
    aggregates.append(
      BoundAggregate(name: name, function: function, argument: bound.tree, span: node.span))
    return name
  }

  private func check(
    _ function: PredicateFunction, _ type: BoundType, _ argument: ExpressionTree,
    _ node: ExpressionTree
  ) throws(Diagnostic) {
    let name = function.names[0]
    if type.isCollection {
      throw Diagnostic(
        BindFacts.aggregateNeedsValue(
          name, objects.text(argument), each: argument.reading(by: function)), at: node.span)
    }
    guard function.operands == .list(of: .number), let found = type.nameOfNoNumber else { return }
    throw Diagnostic(BindFacts.aggregateNeedsNumbers(name, found), at: argument.span)
  }

  /// What nobody can type, so that it is never a variable of the session.
  private static func variable(_ tree: ExpressionTree) -> String { "\u{1}" + tree.expressionFormat }
}

extension BoundType {
  /// `string`, `object`: what the values are, if they are known to be no numbers.
  fileprivate var nameOfNoNumber: String? {
    switch self {
    case .attribute(let type):
      type.isNumeric || type == .boolean || type == .json ? nil : type.rawValue
    case .object, .objectID: "object"
    case .string: "string"
    case .date: "date"
    case .collection, .entity, .literal, .number, .boolean, .any: nil
    }
  }
}

extension ExpressionTree {
  /// `items.@sum.estimate` for `sum(items.estimate)`: the value of each object.
  fileprivate func reading(by function: PredicateFunction) -> String? {
    guard let word = function.collectionOperator, case .keyPath(let path) = kind else { return nil }
    let names = path.components.map(\.name)
    if function == .count { return names.joined(separator: ".") + ".@count" }
    guard names.count > 1 else { return nil }
    return (names.dropLast() + ["@" + word, names[names.count - 1]]).joined(separator: ".")
  }
}
