import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraSentences
import KuraValues

/// Checks a fetch with groups, which returns keys and aggregates.
struct GroupChecker {
  private let objects: Checker
  private var keys: [(written: ExpressionTree, checked: CheckedColumn)] = []
  private var aggregates: [CheckedAggregate] = []
  /// The types of the variables. Their names cannot be typed, so they differ from the session's.
  private var types: [String: CheckedType] = [:]
  /// Fixes such as `lines.@sum.qty` for `sum(lines.qty)`, if `lines` is JSON and therefore possibly a list.
  private var readings: [TextEdit] = []

  private init(_ objects: Checker) { self.objects = objects }
}

extension GroupChecker {
  static func shape(
    of fetch: FetchTree, _ objects: Checker, _ names: SelectedNames
  ) -> FetchShape {
    let before = objects.state.problems.count
    var checker = GroupChecker(objects)
    defer { if fetch.grouping.isEmpty { checker.preferReadings(from: before) } }
    for key in fetch.grouping { checker.checkKey(key, names.replaced(key)) }
    let columns = names.columns.map { checker.checked($0.expression, $0.name) }
    let having = fetch.having.map { checker.checked(names.replaced($0)) }
    let sort = fetch.sort.map { key in
      key.replacing { checker.checked(names.replaced($0), "").tree }
    }
    let section = fetch.section.map {
      checker.checked(names.replaced($0), $0.expressionFormat)
    }
    let limitKeys = fetch.limitKeys.map { key in
      checker.checked(names.replaced(key), objects.text(key))
    }
    let grouping = CheckedGrouping(
      keys: checker.keys.map(\.checked), aggregates: checker.aggregates, having: having)
    return FetchShape(
      sort: sort,
      selection: CheckedSelection(
        columns: columns, isDistinct: fetch.isDistinct, grouping: grouping),
      section: section, limitKeys: limitKeys)
  }

  private mutating func checkKey(_ key: ExpressionTree, _ written: ExpressionTree) {
    if written.containsAggregate {
      return objects.note(.aggregateAsKey(objects.text(key)), at: key.span)
    }
    let checked = objects.checked(written)
    if checked.type.isCollection {
      objects.note(.groupNeedsValue(objects.text(key)), at: key.span)
    }
    let name = "\u{1}\(keys.count)"
    types[name] = checked.type
    keys.append((written, CheckedColumn(name: name, tree: checked.tree, type: checked.type)))
  }

  private mutating func checked(_ having: PredicateTree) -> PredicateTree {
    let objects = objects
    let read = objects.recording(nil) { () throws(Diagnostic) in
      try having.replacing { node throws(Diagnostic) in try ofGroup(node) }
    }
    return read.map { groups.checked($0) } ?? having
  }

  private mutating func checked(_ tree: ExpressionTree, _ name: String) -> CheckedColumn {
    let objects = objects
    let read = objects.recording(nil) { () throws(Diagnostic) in
      try tree.replacing { node throws(Diagnostic) in try ofGroup(node) }
    }
    guard let read else { return CheckedColumn(name: name, tree: tree, type: .any) }
    let checked = groups.checked(read)
    return CheckedColumn(name: name, tree: checked.tree, type: checked.type)
  }

  /// A checker for trees of a group, with its variables and without an object.
  private var groups: Checker {
    var checker = objects
    checker.root = .none
    checker.scope.merge(types) { $1 }
    return checker
  }
}

extension GroupChecker {
  /// Returns the variable for a key or an aggregate; nil to visit the parts of the node.
  private mutating func ofGroup(_ node: ExpressionTree) throws(Diagnostic) -> ExpressionTree? {
    if let key = keys.first(where: { $0.written == node }) {
      return ExpressionTree(.variable(key.checked.name), span: node.span)
    }
    if let (function, argument) = objects.aggregate(node) {
      return ExpressionTree(.variable(try aggregate(function, argument, node)), span: node.span)
    }
    if let call = try callWithGroup(node) { return call }
    switch node.kind {
    case .evaluatedObject: throw notGrouped(node)
    case .variable(let name) where name == objects.objectName: throw notGrouped(node)
    case .fetch(let fetch) where objects.objectName.map(fetch.variables.contains) == true:
      throw notGrouped(node)
    case .keyPath(let path) where path.base == nil: throw notGrouped(node)
    default: return nil
    }
  }

  /// Returns the variable for `joined(title, ", ")` or `percentile(cost, 90)`, or a function of the values of a group if
  /// its second argument is computed; nil for other nodes.
  private mutating func callWithGroup(
    _ node: ExpressionTree
  ) throws(Diagnostic) -> ExpressionTree? {
    guard objects.summarizesGroup(node, isGrouped: true), case .function(var call) = node.kind
    else { return nil }
    objects.warnOfShare(in: call)
    if let function = call.function, case .constant(let parameter) = call.arguments[1].kind,
      function.builtIn == .percentile || parameter.value.kind == .string
    {
      let name = try aggregate(function, call.arguments[0], node, parameter.value)
      return ExpressionTree(.variable(name), span: node.span)
    }
    let values = try aggregate(.elements, call.arguments[0], node)
    call.arguments = [
      ExpressionTree(.variable(values), span: call.arguments[0].span),
      try call.arguments[1].replacing { node throws(Diagnostic) in try ofGroup(node) },
    ]
    return ExpressionTree(.function(call), span: node.span)
  }

  /// Returns the problem that a key is not in the group; an unknown key has its own problem.
  private func notGrouped(_ node: ExpressionTree) -> Diagnostic {
    let before = objects.state.problems.count
    _ = objects.checked(node)
    if objects.state.problems.count > before { return objects.state.problems.removeLast() }
    return Diagnostic(
      .notGrouped(objects.text(node), keys: keys.map { objects.text($0.written) }), at: node.span)
  }

  private mutating func aggregate(
    _ function: PredicateFunction, _ argument: ExpressionTree, _ node: ExpressionTree,
    _ parameter: Value? = nil
  ) throws(Diagnostic) -> String {
    let name = "\u{1}" + node.expressionFormat
    if types[name] != nil { return name }
    let checked = objects.checked(argument)
    types[name] = checked.type.aggregated(by: function)
    if checked.type.mayBeList,
      let each = argument.reading(by: function, node.span, endsInList: true)
    {
      readings.append(each)
    }
    try check(function, checked.type, argument, node)
    aggregates.append(
      CheckedAggregate(name, function, of: checked.tree, parameter: parameter, at: node.span))
    return name
  }

  private func check(
    _ function: PredicateFunction, _ type: CheckedType, _ argument: ExpressionTree,
    _ node: ExpressionTree
  ) throws(Diagnostic) {
    let name = function.names[0]
    if type.isCollection {
      let each = argument.reading(by: function, node.span)
      throw Diagnostic(
        .aggregateNeedsValue(name, objects.text(argument), each: each?.replacement), at: node.span,
        fixIt: each.map { FixIt(edits: [$0]) })
    }
    guard function.operands == .list(of: .number) || function.builtIn == .percentile,
      let found = type.nameOfNoNumber
    else { return }
    throw Diagnostic(.aggregateNeedsNumbers(name, found), at: argument.span)
  }

  /// Prefers the fix of a count per object, which `select name, count(items)` probably means: with it there are no
  /// groups, so other problems about groups disappear. For JSON it is only a possibility.
  fileprivate func preferReadings(from first: Int) {
    let state = objects.state
    let hasReading = state.problems[first...].contains { problem in
      if case .aggregateNeedsValue(_, _, _?)? = problem.facts as? CheckProblem {
        true
      } else {
        false
      }
    }
    if hasReading { return state.problems[first...].removeAll(where: \.isOfKeyInNoGroup) }
    guard !readings.isEmpty, readings.count == aggregates.count else { return }
    for i in state.problems[first...].indices where state.problems[i].isOfKeyInNoGroup {
      state.problems[i].fixIts.append(FixIt(edits: readings))
    }
  }
}

extension Diagnostic {
  fileprivate var isOfKeyInNoGroup: Bool {
    if case .notGrouped? = facts as? CheckProblem { true } else { false }
  }
}

extension Checker {
  /// Returns whether a node is a function of lists such as `joined(title, ", ")` with one value per
  /// object instead of a list, so that the list is the values of a group.
  ///
  /// JSON may be a list. A fetch that is grouped anyway has no list of a single object.
  func summarizesGroup(_ node: ExpressionTree, isGrouped: Bool = false) -> Bool {
    guard case .function(let call) = node.kind, call.function?.takesGroups == true,
      call.arguments.count == 2
    else { return false }
    let (type, problems) = type(of: call.arguments[0])
    let mayBeList =
      type == .literal && !call.arguments[0].choosesLiterals
      || !isGrouped && type == .attribute(.json)
    return problems == 0 && !type.isCollection && !mayBeList
  }

  /// Returns the aggregate that a node calls; nil for other nodes, and for functions such as `median(lines.price)` of a
  /// collection that each object has. Those with a collection operator have another spelling: `lines.@sum.price`.
  func aggregate(
    _ node: ExpressionTree
  ) -> (function: PredicateFunction, argument: ExpressionTree)? {
    guard let found = node.aggregate else { return nil }
    if found.function.collectionOperator != nil { return found }
    return type(of: found.argument).type.isCollection ? nil : found
  }

  /// Returns the type of an expression, and the number of its problems, which are reported when it is checked.
  private func type(of tree: ExpressionTree) -> (type: CheckedType, problems: Int) {
    let before = state.problems.count
    let type = checked(tree).type
    let problems = state.problems.count - before
    state.problems.removeLast(problems)
    return (type, problems)
  }
}

extension ExpressionTree {
  /// Whether it is `TERNARY(done == YES, 1, 2)`, whose literals are no lists.
  fileprivate var choosesLiterals: Bool {
    guard case .ternary(_, let yes, let no) = kind else { return false }
    return [yes, no].allSatisfy { $0.isScalarLiteral || $0.choosesLiterals }
  }
}

extension CheckedType {
  /// Whether it is JSON, so that only the data determines its values.
  var mayBeList: Bool {
    switch self {
    case .attribute(.json), .any: true
    default: false
    }
  }

  /// The type in a sentence, such as `string` or `object`; nil if the values can be numbers.
  fileprivate var nameOfNoNumber: String? {
    switch self {
    case .attribute(let type):
      type.isNumeric || type == .boolean || type == .json ? nil : type.word
    case .object, .objectID: localized("object")
    case .string: localized("string")
    case .date: localized("date")
    case .collection, .entity, .literal, .number, .boolean, .any: nil
    }
  }
}

extension ExpressionTree {
  /// Returns the edit that makes an aggregate a value per object: `items.@sum.estimate` for `sum(items.estimate)`,
  /// `median(items.(estimate))` for `median(items.estimate)`. `endsInList`: whether each value of the path may be a list,
  /// as in JSON.
  package func reading(
    by function: PredicateFunction, _ call: SourceSpan, endsInList: Bool = false
  ) -> TextEdit? {
    if function.collectionOperator == nil {
      return asList(endsInList: endsInList).map { TextEdit(span, $0) }
    }
    return reading(by: function).map { TextEdit(call, $0) }
  }

  /// Returns the values of a path in the object's own list: `items.(estimate)` for `items.estimate`, `tags.(SELF)` for
  /// `tags`.
  private func asList(endsInList: Bool) -> String? {
    guard case .keyPath(let path) = kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key }), let last = path.components.last
    else { return nil }
    if endsInList || path.components.count == 1 { return "\(path).(SELF)" }
    return "\(KeyPathTree(path.components.dropLast())).(\(last.name.writtenName))"
  }

  private func reading(by function: PredicateFunction) -> String? {
    guard let operation = function.collectionOperator else { return nil }
    let word = operation.rawValue
    if case .mapped(let collection, _, let inner) = kind, operation != .count {
      return "\(collection.expressionFormat).@\(word).(\(inner.expressionFormat))"
    }
    guard case .keyPath(let path) = kind else { return nil }
    let names = path.components.map(\.name)
    if operation == .count { return names.joined(separator: ".") + ".@count" }
    guard names.count > 1 else { return nil }
    return (names.dropLast() + ["@" + word, names[names.count - 1]]).joined(separator: ".")
  }
}
