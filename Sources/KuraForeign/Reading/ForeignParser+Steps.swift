import KuraDiagnostics

// What stands behind an operand: `.title`, `(…)`, `[0]`, `{ … }`.
extension ForeignParser {
  func step(
    from base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression? {
    if token.is("."), isMember { return try member(of: base, start) }
    if token.is("?."), peek().kind == .word { return try member(of: base, start) }
    if token.is("::"), dialect == .sql, peek().kind == .word {
      take()
      let type = try takeName()
      mark(.sql, at: span(from: start))
      return ForeignExpression(.cast(base, type), span(from: start))
    }
    if token.is("("), mayBeCalled(base) { return try call(base, start) }
    if token.is("["), token.isAdjacent { return try index(base, start) }
    if token.is("{"), opensClosure(base) {
      let closure = try closureBody(from: token.span.start)
      return with(ForeignArgument(label: nil, value: closure), base, start)
    }
    if token.is("<"), token.isAdjacent, let generic = try generic(base, start) { return generic }
    return isSkipped(base) ? try skipped(base, start) : nil
  }

  /// Whether a name follows the dot: in jq also a blank may stand before it.
  private var isMember: Bool {
    let next = peek()
    let follows = next.kind == .word || next.kind == .quotedName
    return follows && (token.isAdjacent || token.startsLine || dialect == .code)
      || next.is("[") && dialect == .jq
  }

  private func member(
    of base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    take()
    if token.is("[") { return try index(base, start) }
    let name = try takeName()
    return ForeignExpression(.member(base, name), span(from: start))
  }

  private func mayBeCalled(_ base: ForeignExpression) -> Bool {
    switch base.kind {
    case .name, .member: token.isAdjacent || dialect == .sql
    default: false
    }
  }

  private func opensClosure(_ base: ForeignExpression) -> Bool {
    guard allowsTrailingClosure, dialect == .code || dialect == .kura else { return false }
    switch base.kind {
    case .member, .call: return true
    case .name(let name): return name.hasPrefix("#")
    default: return false
    }
  }

  /// Gives a call one more argument, or makes one.
  private func with(
    _ argument: ForeignArgument, _ base: ForeignExpression, _ start: Int
  ) -> ForeignExpression {
    if case .call(let callee, let arguments) = base.kind {
      return ForeignExpression(.call(callee, arguments + [argument]), span(from: start))
    }
    return ForeignExpression(.call(base, [argument]), span(from: start))
  }

  /// `NSFetchRequest<Item>(…)`, `#Predicate<Item> { … }`: the type is an argument like others.
  private func generic(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression? {
    guard case .name(let name) = base.kind, peek().kind == .word, peek(2).is(">"),
      peek(3).is("(") || peek(3).is("{"), name.first?.isUppercase == true || name.hasPrefix("#")
    else { return nil }
    let place = peek().span
    let type = skipGeneric() ?? ""
    let argument = ForeignArgument(label: "<>", value: ForeignExpression(.name(type), place))
    guard token.is("(") else { return with(argument, base, start) }
    return with(argument, try call(base, start), start)
  }

  /// `x!`, `x as? Item`
  private func isSkipped(_ base: ForeignExpression) -> Bool {
    guard dialect == .code || dialect == .kura else { return false }
    if token.is("!"), token.isAdjacent, !peek().is("=") { return true }
    if token.is("?"), token.isAdjacent, peek().is(".") || peek().is(")") { return true }
    return dialect == .code && token.isWord("as") && !token.startsLine
  }

  private func skipped(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    if takeWords("as") {
      if token.is("?") || token.is("!") { take() }
      try skipType()
    } else {
      mark(.swift, at: take().span)
    }
    return ForeignExpression(base.kind, span(from: start))
  }
}

// Calls and brackets
extension ForeignParser {
  private func call(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    let outside = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = outside }
    try expect("(")
    var arguments: [ForeignArgument] = []
    while !token.is(")") {
      arguments.append(try argument())
      if dialect == .sql || dialect == .kura, takeWords("from") || takeWords("for") { continue }
      guard take(",") || take(";") else { break }
    }
    try expect(")")
    return ForeignExpression(.call(base, arguments), span(from: start))
  }

  /// `label: value`, `key=value`, `YEAR FROM date`, `b.pages for b in books`
  private func argument() throws(ForeignProblem) -> ForeignArgument {
    let start = token.span.start
    var label: String?
    let isSeparated = peek().is(":") && !peek(2).is(":") || peek().is("=") && dialect == .code
    if token.kind == .word, isSeparated, dialect != .sql, dialect != .jq {
      label = take().text
      take()
      // `modulus:by:(…)` is no label.
      if token.is(",") || token.is(")") { return ForeignArgument(label: label, value: here) }
    }
    if dialect == .sql, token.isWord(among: ["leading", "trailing", "both"]) { take() }
    let value = try expression(dialect == .jq ? .pipe : .conditional)
    if let found = try comprehension(of: value, from: start) {
      return ForeignArgument(label: label, value: found)
    }
    return ForeignArgument(label: label, value: value)
  }

  private var here: ForeignExpression { ForeignExpression(.null, SourceSpan(lastEnd, lastEnd)) }

  /// `[0]`, `[1:3]`, `[..<3]`, `["title"]`, `[]`
  private func index(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    try expect("[")
    if take("]") { return ForeignExpression(.elements(base), span(from: start)) }
    if let range = try slice(base) {
      try expect("]")
      mark(.python, at: place)
      return ForeignExpression(range, span(from: start))
    }
    let index = try expression()
    if take(":") {
      let end = token.is("]") ? nil : try expression()
      try expect("]")
      mark(.python, at: place)
      return ForeignExpression(.slice(base, index, end), span(from: start))
    }
    try expect("]")
    if let name = index.literalText {
      return ForeignExpression(.member(base, name), span(from: start))
    }
    mark(.swift, at: place)
    return ForeignExpression(.index(base, index), span(from: start))
  }

  /// `[:3]`, `[..<3]`, `[...2]`
  private func slice(_ base: ForeignExpression) throws(ForeignProblem) -> ForeignExpression.Kind? {
    guard token.is(":") || token.is("..<") || token.is("...") else { return nil }
    let isClosed = take().text == "..."
    if token.is("]") { return .slice(base, nil, nil) }
    let end = try expression()
    guard isClosed else { return .slice(base, nil, end) }
    guard let last = end.literalInteger else { throw unreadable }
    return .slice(base, nil, ForeignExpression(.number(String(last + 1)), end.span))
  }
}
