import KuraDiagnostics

// Lists, messages of Objective-C, records, comprehensions.
extension ForeignParser {
  /// `[1, 2]`, `[x filter:y]`, `[b for b in books]`
  func squareBracket() throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    try expect("[")
    if take("]") { return ForeignExpression(.list([]), span(from: start)) }
    let first = try expression(dialect == .jq ? .pipe : .conditional)
    if let found = try comprehension(of: first, from: start) {
      try expect("]")
      return found
    }
    if token.kind == .word, dialect == .code || dialect == .kura {
      return try message(to: first, from: start)
    }
    var values = [first]
    while take(",") {
      if token.is("]") { break }
      values.append(try expression())
    }
    try expect("]")
    return ForeignExpression(.list(values), span(from: start))
  }

  /// `[NSDate date]`, `[NSPredicate predicateWithFormat:@"…", x]`
  private func message(
    to receiver: ForeignExpression, from start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    var selector = take().text
    var arguments: [ForeignArgument] = []
    if take(":") {
      selector += ":"
      try takeValues(into: &arguments, nil)
      while token.kind == .word, peek().is(":") {
        let part = take().text
        take()
        selector += part + ":"
        try takeValues(into: &arguments, part)
      }
    }
    try expect("]")
    mark(.objectiveC, at: span(from: start))
    let callee = ForeignExpression(.member(receiver, selector), span(from: start))
    return ForeignExpression(.call(callee, arguments), span(from: start))
  }

  private func takeValues(
    into arguments: inout [ForeignArgument], _ label: String?
  ) throws(ForeignProblem) {
    let values = try list { () throws(ForeignProblem) in try expression() }
    arguments += values.map { ForeignArgument(label: label, value: $0) }
  }

  /// `for b in books if b.year > 1910` behind a value; nil: none stands there.
  func comprehension(
    of value: ForeignExpression, from start: Int
  ) throws(ForeignProblem) -> ForeignExpression? {
    guard token.isWord("for"), dialect == .code || dialect == .kura, peek(2).isWord("in") else {
      return nil
    }
    let place = take().span
    let name = try takeName()
    try expectWord("in")
    let source = try expression(.or)
    var conditions: [ForeignExpression] = []
    while takeWords("if") { conditions.append(try expression(.or)) }
    mark(.python, at: place)
    let found = Comprehension(value: value, name: name, source: source, conditions: conditions)
    return ForeignExpression(.comprehension(found), SourceSpan(start, max(lastEnd, start)))
  }

  /// `{year: 1910}`, `{1, 2}`, `{ $0.done }`
  func brace() throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    let first = peek()
    if dialect == .code,
      let set = attempt({ () throws(ForeignProblem) in try setComprehension(start) })
    {
      return set
    }
    let isRecord = first.is("}") || peek(2).is(":") || dialect == .jq || isShorthand
    if isRecord, first.kind != .number { return try record(from: start) }
    guard dialect == .kura, !holdsParameter else { return try closureBody(from: start) }
    take()
    let values = token.is("}") ? [] : try list { () throws(ForeignProblem) in try expression() }
    try expect("}")
    return ForeignExpression(.list(values), span(from: start))
  }

  /// `{b.year for b in books}`
  private func setComprehension(_ start: Int) throws(ForeignProblem) -> ForeignExpression? {
    try expect("{")
    let value = try expression()
    guard let found = try comprehension(of: value, from: start) else { throw unreadable }
    try expect("}")
    let name = ForeignExpression(.name("set"), SourceSpan(start, start))
    return ForeignExpression(.call(name, [ForeignArgument(value: found)]), span(from: start))
  }

  /// Whether `$0` stands before the brace that closes.
  private var holdsParameter: Bool {
    for token in tokens[position...] {
      if token.is("}") { return false }
      if token.text == "$0" { return true }
    }
    return false
  }

  /// `{title, year}`
  private var isShorthand: Bool {
    dialect == .code && peek().kind == .word && (peek(2).is(",") || peek(2).is("}"))
      && !peek().text.hasPrefix("$")
  }

  private func record(from start: Int) throws(ForeignProblem) -> ForeignExpression {
    try expect("{")
    var entries: [(key: String, value: ForeignExpression)] = []
    while !token.is("}") {
      guard token.kind == .word || token.kind == .string else { throw unreadable }
      let key = take()
      let name = ForeignExpression(.name(key.text), key.span)
      let root = ForeignExpression(.root, key.span)
      let shorthand =
        dialect == .jq ? ForeignExpression(.member(root, key.text), key.span) : name
      entries.append((key.text, take(":") ? try expression() : shorthand))
      if !take(",") { break }
    }
    try expect("}")
    return ForeignExpression(.record(entries), span(from: start))
  }
}
