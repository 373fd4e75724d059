import KuraDiagnostics
import KuraModel

/// Reads lines of a program, each of which asks or changes objects, as statements of Kura.
///
/// A request that is made in one line and told its predicate in the next is one fetch.
final class ScriptReader {
  let parser: ForeignParser
  let names: ModelNames
  let writer: ExpressionWriter
  /// What has been written so far.
  var statements: [String] = []
  /// Requests by their names, until they are asked.
  var requests: [String: QueryBuilder] = [:]
  /// New objects by their names, whose keys are still being set.
  var newObjects: [(name: String, entity: String, assignments: [String])] = []
  /// Predicates by their names, which are statements where nothing else is.
  var predicates: [(name: String, text: String)] = []
  /// Requests that were asked under their own name.
  var askedRequests: Set<String> = []
  /// The entity that a condition alone is about, where none is named.
  let entity: String?

  init(_ parser: ForeignParser, _ names: ModelNames, about entity: String?) {
    self.parser = parser
    self.names = names
    self.entity = entity
    writer = ExpressionWriter(names, parser)
    writer.defaultEntity = entity
  }

  func read() throws(ForeignProblem) -> [String] {
    while !parser.isAtEnd {
      if parser.take(";") || parser.take("}") { continue }
      try line()
      guard
        parser.isAtEnd || parser.token.is(";") || parser.token.startsLine || parser.token.is("}")
      else { throw parser.unreadable }
    }
    flush()
    for (name, request) in requests.sorted(by: { $0.key < $1.key })
    where !askedRequests.contains(name) {
      statements.append("let $\(name) = \(request.statement)")
    }
    if statements.isEmpty {
      statements = predicates.map { "let $\($0.name) = predicate \($0.text)" }
    }
    guard let last = statements.last else { throw parser.unreadable }
    let whole = statements.joined(separator: "\n")
    guard let asked = Self.asked(last) else { return [whole] }
    return [whole, (statements.dropLast() + [asked]).joined(separator: "\n")]
  }

  /// The fetch of `let $x = fetch …`, which may be meant to be seen.
  private static func asked(_ statement: String) -> String? {
    guard statement.hasPrefix("let $"), let sign = statement.firstRange(of: " = ") else {
      return nil
    }
    let value = String(statement[sign.upperBound...])
    return ["fetch ", "count ", "exists "].contains { value.hasPrefix($0) } ? value : nil
  }

  /// Writes the new objects whose keys are set.
  func flush() {
    for object in newObjects {
      let keys = object.assignments.isEmpty ? "{}" : object.assignments.joined(separator: ", ")
      statements.append("let $\(object.name) = insert \(ModelNames.written(object.entity)) \(keys)")
    }
    newObjects = []
  }

  private func line() throws(ForeignProblem) {
    if parser.token.isWord("from"), parser.peek(2).isWord("in") { return try queryExpression() }
    if skipsLine() { return }
    if parser.token.isWord("for") { return try loop() }
    if parser.token.isWord("@Query") { return try queryProperty() }
    if let name = declaredName() { return try bind(name, try parser.expression()) }
    _ = parser.takeWords("return")
    let tree = try parser.expression(.coalescing)
    if parser.take("=") { return try assign(tree, try parser.expression()) }
    try perform(try continued(tree))
  }

  /// A comparison alone is a condition.
  private func continued(_ tree: ForeignExpression) throws(ForeignProblem) -> ForeignExpression {
    guard !parser.isAtEnd, !parser.token.startsLine, !parser.token.is(";") else { return tree }
    throw parser.unreadable
  }

  /// `import CoreData`, `do {`, `} catch { … }`
  private func skipsLine() -> Bool {
    if parser.token.isWord(among: ["import", "using", "#import", "@import", "from"]) {
      repeat { parser.take() } while !parser.isAtEnd && !parser.token.startsLine
      return true
    }
    if parser.token.isWord("do"), parser.peek().is("{") {
      parser.take()
      parser.take()
      return true
    }
    guard parser.takeWords("catch") else { return false }
    while !parser.isAtEnd, !parser.token.is("{") { parser.take() }
    parser.skipBrackets()
    return true
  }

  /// The name of `let x =`, `NSArray *x =`, `var x: [Item] =`; nil: no declaration begins here.
  private func declaredName() -> String? {
    parser.attempt { () throws(ForeignProblem) in
      let isDeclared = parser.token.isWord(among: ["let", "var", "const", "val", "auto"])
      if isDeclared {
        parser.take()
      } else if parser.peek().kind == .word || parser.peek().is("*") || parser.peek().is("<") {
        try parser.skipType()
      }
      guard parser.token.kind == .word else { throw parser.unreadable }
      let name = parser.take().text
      if parser.take(":") { try parser.skipType() }
      try parser.expect("=")
      guard !parser.token.is("=") else { throw parser.unreadable }
      return name
    }
  }
}

// Loops and property wrappers
extension ScriptReader {
  /// `from b in books where b.Year > 1910 orderby b.Year descending select b.Title`
  private func queryExpression() throws(ForeignProblem) {
    parser.mark(.cSharp, at: parser.take().span)
    let name = try parser.takeName()
    try parser.expectWord("in")
    guard var query = try query(try parser.expression()) else { throw parser.unreadable }
    let scope = writer.scope.binding([name], to: query.element)
    while !parser.isAtEnd, !parser.token.is(";") {
      if parser.takeWords("where") {
        let condition = try parser.expression()
        query.conditions.append(
          try writer.inside(scope) { () throws(ForeignProblem) in try writer.predicate(condition) })
      } else if parser.takeWords("orderby") {
        try order(&query, in: scope)
      } else if parser.takeWords("select") {
        let value = try parser.expression()
        if case .name(name) = value.kind { continue }
        query.setColumns(
          try writer.inside(scope) { () throws(ForeignProblem) in try writer.columns(value) })
      } else {
        throw parser.unreadable
      }
    }
    statements.append(query.statement)
  }

  private func order(_ query: inout QueryBuilder, in scope: ForeignScope) throws(ForeignProblem) {
    repeat {
      let key = try parser.expression()
      let isDown = parser.takeWords("descending")
      if !isDown { _ = parser.takeWords("ascending") }
      let text = try writer.inside(scope) { () throws(ForeignProblem) in try writer.value(key).text
      }
      query.sort.append(.init(text: text, isDescending: isDown))
    } while parser.take(",")
  }

  /// `for item in items where item.done { print(item.title) }`, `for b in books: print(b.title)`
  private func loop() throws(ForeignProblem) {
    parser.take()
    let isBracketed = parser.take("(")
    while parser.token.isWord(among: ["let", "const", "var"]) || parser.peek().is("*")
      || parser.peek().kind == .word && !parser.peek().isWord("in") && !parser.peek().isWord("of")
    {
      if parser.isAtEnd { throw parser.unreadable }
      parser.take()
      _ = parser.take("*")
    }
    let name = try parser.takeName()
    guard parser.takeWords("in") || parser.takeWords("of") else { throw parser.unreadable }
    parser.allowsTrailingClosure = false
    let source = try parser.expression()
    let condition = parser.takeWords("where") ? try parser.expression() : nil
    parser.allowsTrailingClosure = true
    if isBracketed { try parser.expect(")") }
    let hasBrace = parser.take("{")
    if !hasBrace {
      parser.mark(.python, at: parser.token.span)
      try parser.expect(":")
    }
    let inner = !hasBrace && parser.takeWords("if") ? try ifCondition() : nil
    let body = try parser.expression()
    _ = parser.take(";")
    if hasBrace { try parser.expect("}") }
    try show(source, name, [condition, inner].compactMap(\.self), body)
  }

  private func ifCondition() throws(ForeignProblem) -> ForeignExpression {
    let condition = try parser.expression()
    try parser.expect(":")
    return condition
  }

  private func show(
    _ source: ForeignExpression, _ name: String, _ conditions: [ForeignExpression],
    _ body: ForeignExpression
  ) throws(ForeignProblem) {
    guard var query = try query(source) else { throw parser.unreadable }
    if !conditions.isEmpty {
      let filters = conditions.map {
        ForeignArgument(value: ForeignExpression(.closure([name], $0), $0.span))
      }
      for filter in filters { try writer.filter(&query, QueryStep("filter", [filter], body.span)) }
    }
    if let call = body.namedCall ?? body.methodCall.map({ ($0.name, $0.arguments) }),
      call.1.count == 1, case .name(name) = call.1[0].value.kind
    {
      statements.append(query.statement)
      return
    }
    let closure = ForeignArgument(value: ForeignExpression(.closure([name], body), body.span))
    try writer.map(&query, QueryStep("map", [closure], body.span))
    statements.append(query.statement)
  }

  /// `@Query(filter: #Predicate<Item> { … }, sort: \.date) var items: [Item]`
  private func queryProperty() throws(ForeignProblem) {
    let tree = try parser.expression(.unary)
    while parser.token.isWord(among: ["private", "var", "static"]) { parser.take() }
    _ = try parser.takeName()
    try parser.expect(":")
    let isList = parser.take("[")
    let type = try parser.takeName()
    if isList { try parser.expect("]") }
    parser.mark(.swift, at: tree.span)
    guard var query = writer.source(named: type) else { throw parser.unreadable }
    try configure(&query, tree.namedCall?.arguments ?? [])
    statements.append(query.statement)
  }
}
