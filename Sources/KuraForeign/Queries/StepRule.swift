import KuraDiagnostics
import KuraSentences

/// What a step does to a query.
struct StepRule: Sendable {
  typealias Change =
    @Sendable (ExpressionWriter, inout QueryBuilder, Call)
    throws -> Void

  var counts: ClosedRange<Int> = 1...1
  /// The labels that its arguments may have; other labels are refused.
  var labels: Set<String> = []
  /// Whether it may follow a step that cuts a part off, such as `prefix`.
  var followsCut = false
  /// Whether it may follow a step that makes values different.
  var followsDistinct = true
  let change: Change
}

extension ExpressionWriter {
  /// The query after a step; nil for a property that belongs to the objects.
  func stepped(_ query: QueryBuilder, _ step: Call) throws -> QueryBuilder? {
    guard let rule = Self.steps[step.name] else {
      if step.isProperty { return nil }
      throw missing(".\(step.name)(…)", at: step.span)
    }
    try step.check(rule.counts, rule.labels, self)
    guard case .objects = query.result, query.groups.isEmpty else {
      throw missing(localized(".\(step.name) after a value"), at: step.span)
    }
    if query.isCut && !rule.followsCut || query.isDistinct && !rule.followsDistinct {
      throw missing(
        localized(".\(step.name) after a limit"),
        localized("let $x = fetch … limit N, then fetch $x"), at: step.span)
    }
    var query = query
    try rule.change(self, &query, step)
    return query
  }

  private static let steps: [String: StepRule] = [
    "filter": filtering, "filtered": filtering, "sorted": sorting,
    "reversed": StepRule(counts: 0...0) { (_, query, _) in query.reverse() },
    "map": mapping, "forEach": mapping, "compactMap": compacting,
    "lazy": StepRule(counts: 0...0, followsCut: true) { (_, _, _) in },
    "prefix": StepRule(followsCut: true) { writer, query, step in
      let count = try writer.count(step)
      query.limit = min(query.limit ?? count, count)
    },
    "dropFirst": StepRule(counts: 0...1, followsCut: true) { writer, query, step in
      let count = step.arguments.isEmpty ? 1 : try writer.count(step)
      query.offset = (query.offset ?? 0) + count
      guard let limit = query.limit else { return }
      guard limit > count else { throw writer.missing("dropFirst", at: step.span) }
      query.limit = limit - count
    },
    "first": StepRule(counts: 0...1, labels: ["where"], followsCut: true) { writer, query, step in
      try writer.filter(&query, step)
      query.limit = 1
    },
    "firstObject": StepRule(counts: 0...0, followsCut: true) { (_, query, _) in query.limit = 1 },
    "last": ending, "lastObject": ending,
    "count": StepRule(counts: 0...1, labels: ["where"], followsCut: true) { writer, query, step in
      try writer.filter(&query, step)
      query.result = .count
    },
    "isEmpty": StepRule(counts: 0...0) { (_, query, _) in query.result = .isEmpty },
    "contains": StepRule(labels: ["where"]) { writer, query, step in
      try writer.contain(&query, step)
      query.result = .exists
    },
    "allSatisfy": StepRule(followsDistinct: false) { writer, query, step in
      guard let all = Written.all(try writer.conditions(of: query, step)) else {
        throw step.span.unreadable
      }
      query.result = .allMeet(all)
    },
    "min": extreme("min"), "max": extreme("max"),
    "reduce": StepRule(counts: 2...2, followsDistinct: false) { writer, query, step in
      try writer.reduce(&query, step)
    },
    "suffix": StepRule(followsCut: true) { writer, _, step in
      throw writer.missing(
        step.name, localized("sort … desc limit N takes the last ones"), at: step.span)
    },
  ]

  private static let filtering = StepRule(labels: ["using", "isIncluded"]) { writer, query, step in
    try writer.filter(&query, step)
  }

  private static let sorting = StepRule(counts: 0...1, labels: ["by", "using"]) {
    writer, query, step in
    let keys = try writer.sortKeys(step, query)
    // The sort is stable: the keys before it decide among equals.
    query.sort = keys + query.sort.filter { old in !keys.contains { $0.text == old.text } }
  }

  private static let mapping = StepRule(followsCut: true, followsDistinct: false) {
    writer, query, step in try writer.map(&query, step)
  }

  private static let compacting = StepRule(followsDistinct: false) { writer, query, step in
    try writer.map(&query, step)
    guard let value = query.element.value else { throw step.span.unreadable }
    query.conditions.append(writer.compared(value, "!=", Written("NULL", .null)))
  }

  private static let ending = StepRule(counts: 0...0) { (_, query, _) in
    query.reverse()
    query.limit = 1
  }

  private static func extreme(_ function: String) -> StepRule {
    StepRule(counts: 0...1, labels: ["by"], followsDistinct: false) { writer, query, step in
      guard step.arguments.isEmpty else {
        let keys = try writer.sortKeys(step, query)
        guard query.sort.isEmpty else { throw step.span.unreadable }
        query.sort = keys
        if function == "max" {
          for i in query.sort.indices { query.sort[i].isDescending.toggle() }
        }
        query.limit = 1
        return
      }
      try query.aggregate(function, step)
    }
  }
}

extension QueryBuilder {
  /// Reverses the order, also that of objects with equal keys.
  fileprivate mutating func reverse() {
    for i in sort.indices { sort[i].isDescending.toggle() }
    sort.append(SortKey(text: "objectID", isDescending: true))
  }

  fileprivate mutating func aggregate(_ function: String, _ step: Call) throws {
    guard columns.count == 1, element.value != nil else { throw step.span.unreadable }
    columns = [Column(text: "\(function)(\(columns[0].text))")]
    sort = []
    element.value = nil
    groups = []
  }

  /// The columns; one alone is what further steps ask.
  mutating func setColumns(_ values: [Written]) {
    columns = values.map { Column(text: $0.text) }
    element.value = values.count == 1 ? values[0] : Written("NULL", .null)
  }
}

// What steps do with their arguments
extension ExpressionWriter {
  /// `prefix(3)`; Kura's `limit 0` is no limit.
  private func count(_ step: Call) throws -> Int {
    guard let number = step.arguments.first?.value.literalInteger, (1..<1 << 40).contains(number)
    else {
      throw missing(".\(step.name)(…)", at: step.span)
    }
    return number
  }

  func filter(_ query: inout QueryBuilder, _ step: Call) throws {
    guard step.arguments.isEmpty || !query.isCut else {
      throw missing(localized(".\(step.name) after a limit"), at: step.span)
    }
    query.conditions += try conditions(of: query, step)
  }

  /// The conditions in a closure, a predicate.
  func conditions(of query: QueryBuilder, _ step: Call) throws -> [Written] {
    guard let argument = step.arguments.first else { return [] }
    let (names, body) = step.closure ?? (names: [], body: argument.value)
    return try inside(scope.binding(names, to: query.element)) { try body.conjuncts.map(predicate) }
  }

  /// `contains { … }`, `contains("a")`
  private func contain(_ query: inout QueryBuilder, _ step: Call) throws {
    guard step.closure == nil, step.arguments[0].label == nil else {
      return try filter(&query, step)
    }
    guard let value = query.element.value else { throw step.span.unreadable }
    let element = try self.value(step.arguments[0].value)
    query.conditions.append(compared(value, "==", element))
  }

  func map(_ query: inout QueryBuilder, _ step: Call) throws {
    let (names, body) = step.closure ?? (names: [], body: step.arguments[0].value)
    let printed = printed(body)
    var trees = [printed]
    if case .list(let values) = printed.kind { trees = values }
    query.setColumns(
      try inside(scope.binding(names, to: query.element)) {
        try trees.map { tree in
          let written = try value(tree)
          if written.isMany { throw missing(localized("a collection as a column"), at: tree.span) }
          return written
        }
      })
  }

  /// What programs call to show something.
  static let printWords: Set = ["print", "NSLog", "dump", "debugPrint"]

  /// `$0.title` of `print($0.title)`
  private func printed(_ tree: Tree) -> Tree {
    guard let (name, arguments) = tree.namedCall, Self.printWords.contains(name),
      let first = arguments.first, arguments.allSatisfy({ $0.label == nil })
    else { return tree }
    return arguments.count == 1
      ? first.value : Tree(.list(arguments.map(\.value)), tree.span)
  }

  /// `reduce(0, +)`, `reduce(0) { $0 + $1.pages }`
  private func reduce(_ query: inout QueryBuilder, _ step: Call) throws {
    let (start, function) = (step.arguments[0].value, step.arguments[1].value)
    guard case .number(let digits) = start.kind, Double(digits) == 0 else {
      throw missing(localized(".reduce of anything but a sum"), at: step.span)
    }
    if case .closure(let names, let body) = function.kind, names.count == 2,
      case .infix("+", let left, let right) = body.kind,
      left.lastWord ?? left.parameterName == names[0],
      !parser.mentions(names[0], right)
    {
      let element = scope.binding([names[1]], to: query.element)
      query.setColumns([try inside(element) { try value(right) }])
    } else if function.lastWord != "+" {
      throw missing(localized(".reduce of anything but a sum"), at: step.span)
    }
    try query.aggregate("sum", step)
  }
}

extension Tree {
  fileprivate var parameterName: String? {
    if case .parameter(let name) = kind { name } else { nil }
  }
}

// Orders
extension ExpressionWriter {
  private func sortKeys(_ step: Call, _ query: QueryBuilder) throws -> [QueryBuilder.SortKey] {
    if let (names, body) = step.closure { return try comparatorKeys(names, body, query) }
    return try inside(scope.binding([], to: query.element)) {
      guard let tree = step.arguments.first?.value else {
        return [.init(text: try element(of: query, step.span))]
      }
      if let sign = tree.lastWord, sign == "<" || sign == ">" {
        return [.init(text: try element(of: query, step.span), isDescending: sign == ">")]
      }
      return try sortKeys(tree)
    }
  }

  private func element(of query: QueryBuilder, _ span: SourceSpan) throws -> String {
    guard let value = query.element.value, query.columns.count == 1 else { throw span.unreadable }
    return value.text
  }

  /// `{ $0.date < $1.date }`, `{ ($0.date, $1.title) < ($1.date, $0.title) }`
  private func comparatorKeys(
    _ names: [String], _ body: Tree, _ query: QueryBuilder
  ) throws -> [QueryBuilder.SortKey] {
    guard names.count == 2, case .infix(let sign, let left, let right) = body.kind,
      sign == "<" || sign == ">"
    else { throw missing(localized("an order other than < or >"), at: body.span) }
    var pairs = [(left, right)]
    if case .list(let first) = left.kind, case .list(let second) = right.kind,
      first.count == second.count
    {
      pairs = Array(zip(first, second))
    }
    var scope = scope.binding(names, to: query.element)
    scope[names[1]] = query.element
    scope["$1"] = query.element
    return try inside(scope) {
      try pairs.map { left, right in
        let (first, second) = (try value(left).text, try value(right).text)
        let isTurned = parser.mentions(names[1], left)
        guard first == second, isTurned != parser.mentions(names[0], left),
          parser.mentions(names[isTurned ? 0 : 1], right)
        else { throw missing(localized("an order other than < or >"), at: body.span) }
        return .init(text: first, isDescending: (sign == ">") != isTurned)
      }
    }
  }

  /// The keys that a value names: a path, a sort descriptor, a list of them.
  func sortKeys(_ tree: Tree) throws -> [QueryBuilder.SortKey] {
    if case .name(let name) = tree.kind, let bound = scope.values[name] {
      return try sortKeys(bound)
    }
    if case .list(let elements) = tree.kind { return try elements.flatMap(sortKeys) }
    if let key = try descriptorKey(tree) { return [key] }
    guard case .keyPath = tree.kind else {
      throw missing(localized("such a sort key"), at: tree.span)
    }
    return [.init(text: try value(tree).text)]
  }

  /// `SortDescriptor(\.date, order: .reverse)`, `[NSSortDescriptor sortDescriptorWithKey:@"date" ascending:NO]`
  private func descriptorKey(_ tree: Tree) throws -> QueryBuilder.SortKey? {
    let name = tree.namedCall?.name ?? tree.methodCall?.name ?? ""
    guard name.hasSuffix("SortDescriptor") || name == "KeyPathComparator" else { return nil }
    let arguments = tree.namedCall?.arguments ?? tree.methodCall?.arguments ?? []
    let known: Set<String?> = [nil, "key", "keyPath", "ascending", "order"]
    if let odd = arguments.first(where: { !known.contains($0.label) }) {
      throw missing("\(odd.label ?? ""):", at: odd.value.span)
    }
    guard let first = arguments.first?.value else { throw tree.span.unreadable }
    let key = first.literalText.map { Tree.path($0, first.span) } ?? first
    var isDown = false
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value.literalBoolean, argument.value.memberName) {
      case ("order", _, "reverse"?), ("ascending", false?, _): isDown = true
      case ("order", _, "forward"?), ("ascending", true?, _): break
      default: throw missing(parser.source(argument.value.span), at: argument.value.span)
      }
    }
    return .init(text: try value(key).text, isDescending: isDown)
  }
}
