import KuraDiagnostics
import KuraSentences

/// The effect of a step on a query.
private struct QueryStep: Sendable {
  typealias Change = @Sendable (ExpressionWriter, inout Query, Call) throws -> Void

  var counts: ClosedRange<Int> = 1...1
  /// The labels that its arguments may have; other labels are refused.
  var labels: Set<String> = []
  /// Whether it may follow a step with a limit or offset, such as `prefix`.
  var followsCut = false
  /// Whether it may follow a step that removes duplicates.
  var followsDistinct = true
  let change: Change

  static let all: [String: QueryStep] = [
    "filter": filtering, "filtered": filtering, "sorted": sorting,
    "reversed": QueryStep(counts: 0...0) { (_, query, _) in query.reverse() },
    "map": mapping, "forEach": mapping,
    "compactMap": QueryStep(followsDistinct: false) { writer, query, step in
      try writer.map(&query, step)
      let element = try writer.element(of: query, step.span)
      query.conditions.append(writer.compared(element, "!=", .null))
    },
    "lazy": QueryStep(counts: 0...0, followsCut: true) { (_, _, _) in },
    "prefix": QueryStep(followsCut: true) { _, query, step in
      let count = try step.number
      query.limit = min(query.limit ?? count, count)
    },
    "dropFirst": QueryStep(counts: 0...1, followsCut: true) { _, query, step in
      let count = step.arguments.isEmpty ? 1 : try step.number
      query.offset = (query.offset ?? 0) + count
      guard let limit = query.limit else { return }
      guard limit > count else { throw step.span.missing("dropFirst") }
      query.limit = limit - count
    },
    "first": QueryStep(counts: 0...1, labels: ["where"], followsCut: true) { writer, query, step in
      try writer.filter(&query, step)
      query.limit = 1
    },
    "firstObject": QueryStep(counts: 0...0, followsCut: true) { (_, query, _) in query.limit = 1 },
    "last": ending, "lastObject": ending,
    "count": QueryStep(counts: 0...1, labels: ["where"], followsCut: true) { writer, query, step in
      try writer.filter(&query, step)
      query.result = .count
    },
    "isEmpty": QueryStep(counts: 0...0) { (_, query, _) in query.result = .isEmpty },
    "contains": QueryStep(labels: ["where"]) { writer, query, step in
      try writer.contain(&query, step)
      query.result = .exists
    },
    "allSatisfy": QueryStep(followsDistinct: false) { writer, query, step in
      guard let all = Snippet.all(try writer.conditions(of: query, step)) else { return }
      query.conditions.append(.predicate("NOT " + all.text(in: .comparison), .not))
      query.result = .isEmpty
    },
    "min": extreme("min"), "max": extreme("max"),
    "reduce": QueryStep(counts: 2...2, followsDistinct: false) { writer, query, step in
      try writer.reduce(&query, step)
    },
    "suffix": QueryStep(followsCut: true) { _, _, step in
      throw step.span.missing(step.name, localized("sort … desc limit N returns the last N"))
    },
  ]

  private static let filtering = QueryStep(labels: ["using", "isIncluded"]) { writer, query, step in
    try writer.filter(&query, step)
  }

  private static let sorting = QueryStep(counts: 0...1, labels: ["by", "using"]) {
    writer, query, step in
    let keys = try writer.sortKeys(step, query)
    // The sort is stable: the previous keys decide between equal objects.
    query.sort = keys + query.sort.filter { old in !keys.contains { $0.text == old.text } }
  }

  private static let mapping = QueryStep(followsCut: true, followsDistinct: false) {
    writer, query, step in try writer.map(&query, step)
  }

  private static let ending = QueryStep(counts: 0...0) { (_, query, _) in
    query.reverse()
    query.limit = 1
  }

  private static func extreme(_ function: String) -> QueryStep {
    QueryStep(counts: 0...1, labels: ["by"], followsDistinct: false) { writer, query, step in
      guard !step.arguments.isEmpty else { return try query.aggregate(function, step) }
      guard query.sort.isEmpty else { throw step.span.unreadable }
      query.sort = try writer.sortKeys(step, query)
      if function == "max" { query.turn() }
      query.limit = 1
    }
  }
}

extension ExpressionWriter {
  /// Returns the query after a step; nil if the step is a property of the objects.
  func stepped(_ query: Query, _ step: Call) throws -> Query? {
    guard let rule = QueryStep.all[step.name] else {
      if step.isProperty { return nil }
      throw step.span.missing(".\(step.name)(…)")
    }
    try step.check(rule.counts, rule.labels)
    guard query.result == .objects, query.groups.isEmpty else {
      throw step.span.missing(localized(".\(step.name) after a value"))
    }
    if query.isCut && !rule.followsCut || query.isDistinct && !rule.followsDistinct {
      throw step.span.missing(
        localized(".\(step.name) after a limit"),
        localized("let $x = fetch … limit N, then fetch $x"))
    }
    var query = query
    try rule.change(self, &query, step)
    return query
  }
}

extension Query {
  /// Reverses the direction of the order.
  fileprivate mutating func turn() {
    for i in sort.indices { sort[i].isDescending.toggle() }
  }

  /// Reverses the order, also of objects with equal keys.
  fileprivate mutating func reverse() {
    turn()
    sort.append(SortKey(text: "objectID", isDescending: true))
  }

  fileprivate mutating func aggregate(_ function: String, _ step: Call) throws {
    guard columns.count == 1 else { throw step.span.unreadable }
    columns = [Column(value: Snippet("\(function)(\(columns[0].text))"))]
    (sort, result) = ([], .value)
  }

  /// Returns the query with columns; further steps refer to a single one.
  func selecting(_ values: [Snippet]) -> Query {
    var query = self
    query.columns = values.map { Column(value: $0) }
    query.element = values.count == 1 ? values[0] : .null
    return query
  }
}

extension Call {
  /// The number in `prefix(3)`; 0 is refused, because `limit 0` means no limit in Kura.
  fileprivate var number: Int {
    get throws {
      guard let number = arguments.first?.value.literalInteger, (1..<1 << 40).contains(number)
      else { throw span.missing(".\(name)(…)") }
      return number
    }
  }

  /// The closure that reads each element, or the argument alone.
  fileprivate var body: (names: [String], body: Tree) { closure ?? ([], arguments[0].value) }
}

// Arguments of steps
extension ExpressionWriter {
  func filter(_ query: inout Query, _ step: Call) throws {
    guard step.arguments.isEmpty || !query.isCut else {
      throw step.span.missing(localized(".\(step.name) after a limit"))
    }
    query.conditions += try conditions(of: query, step)
  }

  /// Returns the conditions in a closure or a predicate.
  fileprivate func conditions(of query: Query, _ step: Call) throws -> [Snippet] {
    guard !step.arguments.isEmpty else { return [] }
    let (names, body) = step.body
    return try asking(query.element, names) { try body.conjuncts.map(predicate) }
  }

  /// Applies `contains { … }` or `contains("a")`.
  fileprivate func contain(_ query: inout Query, _ step: Call) throws {
    guard step.closure == nil, step.arguments[0].label == nil else {
      return try filter(&query, step)
    }
    let element = try element(of: query, step.span)
    query.conditions.append(compared(element, "==", try value(step.arguments[0].value)))
  }

  func map(_ query: inout Query, _ step: Call) throws {
    var (names, body) = step.body
    // `$0.title` of `print($0.title)`
    if let (name, arguments) = body.namedCall, Self.printWords.contains(name),
      let first = arguments.first, arguments.allSatisfy({ $0.label == nil })
    {
      body = arguments.count == 1 ? first.value : Tree(.list(arguments.map(\.value)), body.span)
    }
    var trees = [body]
    if case .list(let values) = body.kind { trees = values }
    let values = try asking(query.element, names) { try trees.map(value) }
    if let odd = values.firstIndex(where: \.isMany) {
      throw trees[odd].span.missing(localized("a collection as a column"))
    }
    query = query.selecting(values)
  }

  /// Functions of programs that show a value.
  static let printWords: Set = ["print", "NSLog", "dump", "debugPrint"]

  /// Applies `reduce(0, +)` or `reduce(0) { $0 + $1.pages }`.
  fileprivate func reduce(_ query: inout Query, _ step: Call) throws {
    let (start, function) = (step.arguments[0].value, step.arguments[1].value)
    guard case .number(let digits) = start.kind, Double(digits) == 0 else {
      throw step.span.missing(localized(".reduce other than a sum"))
    }
    if case .closure(let names, let body) = function.kind, names.count == 2,
      case .infix("+", let left, let right) = body.kind,
      left.lastWord ?? left.parameterName == names[0], !parser.mentions(names[0], right)
    {
      query = query.selecting([try asking(query.element, [names[1]]) { try value(right) }])
    } else if function.lastWord != "+" {
      throw step.span.missing(localized(".reduce other than a sum"))
    }
    try query.aggregate("sum", step)
  }
}

// Orders
extension ExpressionWriter {
  fileprivate func sortKeys(_ step: Call, _ query: Query) throws -> [Query.SortKey] {
    if let (names, body) = step.closure { return try comparatorKeys(names, body, query) }
    let tree = step.arguments.first?.value
    let sign = tree?.lastWord
    guard let tree, sign != "<", sign != ">" else {
      let element = try element(of: query, step.span)
      return [.init(text: element.text, isDescending: sign == ">")]
    }
    return try asking(query.element) { try sortKeys(tree) }
  }

  /// Returns the value of the only column.
  fileprivate func element(of query: Query, _ span: SourceSpan) throws -> Snippet {
    guard query.columns.count == 1 else { throw span.unreadable }
    return query.element
  }

  /// Returns the sort keys of a comparator: `{ $0.date < $1.date }`, `{ ($0.date, $1.title) <
  /// ($1.date, $0.title) }`
  private func comparatorKeys(
    _ names: [String], _ body: Tree, _ query: Query
  ) throws -> [Query.SortKey] {
    let problem = body.span.missing(localized("a comparator other than < or >"))
    guard names.count == 2, case .infix(let sign, let left, let right) = body.kind,
      sign == "<" || sign == ">"
    else { throw problem }
    var pairs = [(left, right)]
    if case .list(let first) = left.kind, case .list(let second) = right.kind,
      first.count == second.count
    {
      pairs = Array(zip(first, second))
    }
    var scope = scope.binding(names, to: query.element)
    for name in [names[1], "$1"] { scope[name] = query.element }
    return try inside(scope) {
      try pairs.map { left, right in
        let (first, second) = (try value(left).text, try value(right).text)
        let isTurned = parser.mentions(names[1], left)
        guard first == second, isTurned != parser.mentions(names[0], left),
          parser.mentions(names[isTurned ? 0 : 1], right)
        else { throw problem }
        return .init(text: first, isDescending: (sign == ">") != isTurned)
      }
    }
  }

  /// Returns the keys that a value names: a path, a sort descriptor, or a list of them.
  func sortKeys(_ tree: Tree) throws -> [Query.SortKey] {
    if case .name(let name) = tree.kind, let bound = scope.values[name] {
      return try sortKeys(bound)
    }
    if case .list(let elements) = tree.kind { return try elements.flatMap(sortKeys) }
    if tree.isKeyPath { return [.init(text: try value(tree).text)] }
    let name = tree.namedCall?.name ?? tree.methodCall?.name ?? ""
    guard name.hasSuffix("SortDescriptor") || name == "KeyPathComparator" else {
      throw tree.span.missing(localized("this sort key"))
    }
    return [try descriptorKey(tree.namedCall?.arguments ?? tree.methodCall?.arguments ?? [], tree)]
  }

  /// Returns the sort key of `SortDescriptor(\.date, order: .reverse)` or `[NSSortDescriptor
  /// sortDescriptorWithKey:@"date" ascending:NO]`.
  private func descriptorKey(_ arguments: [Argument], _ tree: Tree) throws -> Query.SortKey {
    let known: Set<String?> = [nil, "key", "keyPath", "ascending", "order"]
    if let odd = arguments.first(where: { !known.contains($0.label) }) {
      throw odd.value.span.missing("\(odd.label ?? ""):")
    }
    guard let first = arguments.first?.value else { throw tree.span.unreadable }
    let key = first.literalText.map { Tree.path($0, first.span) } ?? first
    var isDown = false
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value.literalBoolean, argument.value.memberName) {
      case ("order", _, "reverse"?), ("ascending", false?, _): isDown = true
      case ("order", _, "forward"?), ("ascending", true?, _): break
      default: throw argument.value.span.missing(parser.source(argument.value.span))
      }
    }
    return .init(text: try value(key).text, isDescending: isDown)
  }
}
