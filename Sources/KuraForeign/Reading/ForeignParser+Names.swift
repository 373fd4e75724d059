import KuraDiagnostics

// Operands that begin with a word.
extension ForeignParser {
  func word() throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    if let constant = Self.constants[token.text.lowercased()], !peek().is("("), !peek().is(".") {
      let text = take().text
      if ["none", "undefined"].contains(text.lowercased()) {
        mark(text == "undefined" ? .javaScript : .python, at: place)
      }
      return ForeignExpression(constant, place)
    }
    if let arrow = attempt(arrowFunction) { return arrow }
    if let special = try dialect == .code ? codeWord() : queryWord() { return special }
    if let object = objectName() { return object }
    let first = token.text.first
    if first == "$" || first == ":" || first == "@" { return parameter() }
    if first == "#" { return try hashWord() }
    return ForeignExpression(.name(take().text), place)
  }

  private static let constants: [String: ForeignExpression.Kind] = [
    "null": .null, "nil": .null, "none": .null, "undefined": .null, "nsnull": .null,
    "true": .boolean(true), "yes": .boolean(true), "false": .boolean(false), "no": .boolean(false),
  ]

  /// `$0`, `:name`
  private func parameter() -> ForeignExpression {
    let token = take()
    if token.text.first == "@", dialect != .sql {
      return ForeignExpression(.name(token.text), token.span)
    }
    if token.text.first == "$", token.text.dropFirst().allSatisfy(\.isNumber) {
      mark(.swift, at: token.span)
    } else if token.text.first != "$" {
      mark(.sql, at: token.span)
    }
    return ForeignExpression(.parameter(token.text), token.span)
  }

  /// `#keyPath(Item.title)`, `#Predicate<Item> { … }`, `#like`
  private func hashWord() throws(ForeignProblem) -> ForeignExpression {
    let word = take()
    switch word.text {
    case "#keyPath":
      mark(.swift, at: word.span)
      try expect("(")
      var names = [try takeName()]
      while take(".") { names.append(try takeName()) }
      try expect(")")
      return ForeignExpression(.keyPath(names), span(from: word.span.start))
    case "#Predicate", "#selector", "#Expression":
      mark(.swift, at: word.span)
      return ForeignExpression(.name(word.text), word.span)
    default:
      return ForeignExpression(.name(String(word.text.dropFirst())), word.span)
    }
  }

  /// `Item/3`
  private func objectName() -> ForeignExpression? {
    guard dialect == .code || dialect == .kura, peek().is("/"), peek().isAdjacent,
      peek(2).kind == .number, peek(2).isAdjacent
    else { return nil }
    let name = take()
    take()
    let number = take().text
    return ForeignExpression(.object(name.text, number), span(from: name.span.start))
  }

  /// `lambda b: b.year`, `function (x) { return x.y }`
  private func codeWord() throws(ForeignProblem) -> ForeignExpression? {
    let start = token.span
    if token.isWord("lambda") {
      take()
      let names = try list { () throws(ForeignProblem) in try takeName() }
      try expect(":")
      mark(.python, at: start)
      let body = try expression()
      return ForeignExpression(.closure(names, body), start.joined(body.span))
    }
    guard token.isWord("function"), peek().is("(") else { return nil }
    take()
    mark(.javaScript, at: start)
    let names = try parameterNames()
    let body = try closureBody(from: start.start, names)
    return body
  }

  /// `CASE`, `CAST`, `EXISTS`, `INTERVAL`, `DATE '…'`, `DISTINCT x`, `SUBQUERY(…)`
  private func queryWord() throws(ForeignProblem) -> ForeignExpression? {
    let start = token.span
    switch token.text.lowercased() {
    case "case": return try caseExpression()
    case "cast" where peek().is("("): return try cast()
    case "exists" where peek().is("(") && startsSelect(peek(2)): return try exists()
    case "interval": return try interval()
    case "date", "timestamp", "datetime", "time":
      guard peek().kind == .string, !peek().isDoubleQuoted || dialect == .kura else { return nil }
      take()
      mark(.sql, at: start)
      return ForeignExpression(.string(take().text, mayBeName: false), span(from: start.start))
    case "distinct" where !peek().is(","):
      take()
      let inner = try expression(.comparison)
      return ForeignExpression(.prefix("DISTINCT", inner), start.joined(inner.span))
    case "subquery" where peek().is("("), "ternary" where peek().is("("),
      "function" where peek().is("("):
      take()
      skipBrackets()
      return ForeignExpression(.verbatim, span(from: start.start))
    default: return nil
    }
  }
}

// Closures
extension ForeignParser {
  /// `b => b.year > 1910`, `(a, b) => a.year - b.year`
  func arrowFunction() throws(ForeignProblem) -> ForeignExpression? {
    guard dialect != .sql else { return nil }
    let start = token.span.start
    var names: [String] = []
    if token.is("(") {
      names = try parameterNames()
    } else {
      guard token.kind == .word, peek().is("=>") || peek().is("->") else { return nil }
      names = [take().text]
    }
    guard take("=>") || take("->") else { return nil }
    mark(.javaScript, at: SourceSpan(start, lastEnd))
    if token.is("{"), !(peek(2).is(":")) { return try closureBody(from: start, names) }
    let body = try expression(dialect == .kura ? .or : .conditional)
    return ForeignExpression(.closure(names, body), span(from: start))
  }

  /// `(a, b)`
  func parameterNames() throws(ForeignProblem) -> [String] {
    try expect("(")
    var names: [String] = []
    while !token.is(")") {
      guard token.kind == .word else { throw unreadable }
      names.append(take().text)
      if take(":") { try skipType() }
      if !take(",") { break }
    }
    try expect(")")
    return names
  }

  /// `{ return x.y }`, and the names before `in`.
  func closureBody(
    from start: Int, _ known: [String] = []
  ) throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    try expect("{")
    let names = known.isEmpty ? attempt(closureNames) ?? [] : known
    _ = takeWords("return")
    let outside = allowsTrailingClosure
    allowsTrailingClosure = true
    let body = try expression()
    allowsTrailingClosure = outside
    _ = take(";")
    try expect("}")
    mark(.swift, at: place)
    return ForeignExpression(
      .closure(names.isEmpty ? ["$0", "$1"] : names, body), span(from: start))
  }

  /// `a, b in`, `(item: Item) -> Bool in`
  private func closureNames() throws(ForeignProblem) -> [String] {
    let names: [String]
    if token.is("(") {
      names = try parameterNames()
      if take("->") { try skipType() }
    } else {
      names = try list { () throws(ForeignProblem) in try takeName() }
    }
    try expectWord("in")
    return names
  }

  /// `Item`, `[Item]?`, `Item *`
  func skipType() throws(ForeignProblem) {
    if token.is("[") || token.is("(") { skipBrackets() } else { _ = try takeName() }
    while take(".") { _ = try takeName() }
    if token.is("<") { skipGeneric() }
    while take("?") || take("!") || take("*") {}
  }

  /// `<Item>`; gives the first name in it.
  @discardableResult
  func skipGeneric() -> String? {
    guard take("<") else { return nil }
    let name = token.kind == .word ? token.text : nil
    while !isAtEnd, !take(">") { take() }
    return name
  }
}
