import KuraDiagnostics
import KuraSentences

extension ForeignParser {
  /// An operand with the signs before it and the steps behind it.
  func operand(_ minimum: ForeignPrecedence) throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    if let prefixed = try prefixed() { return prefixed }
    return try chain(try primary()) { found throws(ForeignProblem) in
      try step(from: found, start)
    }
  }

  private func prefixed() throws(ForeignProblem) -> ForeignExpression? {
    let place = token.span
    if token.isWord("not") && dialect != .jq || token.is("!") {
      let binding: ForeignPrecedence = token.is("!") ? .unary : .not
      take()
      let inner = try expression(binding)
      if source(place) == "!" { mark(.swift, at: place) }
      return ForeignExpression(.prefix("NOT", inner), place.joined(inner.span))
    }
    if token.is("..."), dialect == .code {
      take()
      return try expression(.unary)
    }
    if token.is("-") || token.is("+") && !peek().is(")") || token.is("&") || token.is("~") {
      let sign = take().text
      let inner = try expression(.unary)
      return sign == "-" || sign == "~"
        ? ForeignExpression(.prefix(sign, inner), place.joined(inner.span)) : inner
    }
    if token.isWord(among: ["any", "some", "all", "none"]), !peek().is("("), !peek().is("."),
      peek().kind == .word, dialect == .kura || dialect == .sql
    {
      let word = take().text.uppercased()
      let inner = try expression(.comparison)
      return ForeignExpression(.prefix(word, inner), place.joined(inner.span))
    }
    if let quantified = try foreignQuantifier() { return quantified }
    return try skippedWord()
  }

  /// `every tags.name == "x"`, `no tags.name == "x"`
  private func foreignQuantifier() throws(ForeignProblem) -> ForeignExpression? {
    guard dialect == .kura, peek().kind == .word, peek(2).is("."),
      let word = Self.quantifiers[token.text.lowercased()]
    else { return nil }
    let place = take().span
    mark(.words, at: place)
    let inner = try expression(.comparison)
    return ForeignExpression(.prefix(word, inner), place.joined(inner.span))
  }

  private static let quantifiers = [
    "every": "ALL", "each": "ALL", "no": "NONE", "neither": "NONE", "exists": "ANY",
    "すべての": "ALL", "全ての": "ALL", "どれかの": "ANY", "いずれかの": "ANY", "どの": "ALL",
  ]

  /// `try context.save()`, `await x`, `new Item()`
  private func skippedWord() throws(ForeignProblem) -> ForeignExpression? {
    guard dialect != .sql, token.isWord(among: ["try", "await", "new"]) else { return nil }
    let follows = peek()
    if token.isWord("new"), follows.is("{") {
      mark(.cSharp, at: take().span)
      return try newObject()
    }
    let isSign = follows.is("?") || follows.is("!")
    guard follows.kind == .word || follows.is("[") || isSign else { return nil }
    take()
    if isSign { take() }
    return try operand(.unary)
  }

  /// `{ b.Title, Y = b.Year }` behind `new`
  private func newObject() throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    try expect("{")
    let entries = try list { () throws(ForeignProblem) -> (key: String, value: ForeignExpression) in
      let isNamed = peek().is("=")
      let name = isNamed ? try takeName() : nil
      if isNamed { take() }
      let value = try expression()
      return (name ?? source(value.span), value)
    }
    try expect("}")
    let isList = entries.allSatisfy { $0.key == source($0.value.span) }
    let named = entries.map { (key: $0.key.components(of: ".").last ?? $0.key, value: $0.value) }
    return ForeignExpression(
      isList ? .list(entries.map(\.value)) : .record(named), span(from: start))
  }

  private func primary() throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    switch token.kind {
    case .number:
      let number = ForeignExpression(.number(take().text), place)
      return counted(number) ?? number
    case .string:
      let string = take()
      // A letter before the quotes, or a quote that is doubled.
      let letters = source(place).utf8
      let isOdd = letters.first != UInt8(ascii: "'") && letters.first != UInt8(ascii: "\"")
      if dialect == .kura, isOdd || source(place).dropFirst().dropLast().contains("''") {
        mark(.sql, at: place)
      }
      let mayBeName = dialect == .sql && string.isDoubleQuoted
      return ForeignExpression(.string(string.text, mayBeName: mayBeName), place)
    case .quotedName:
      if dialect != .kura { mark(dialect == .sql ? .sql : .javaScript, at: place) }
      return ForeignExpression(.name(take().text), place)
    case .word: return try word()
    case .sign: return try bracket()
    case .end: throw unreadable
    }
  }

  /// `7 days` behind a sign: `today() + 7 days`
  private func counted(_ number: ForeignExpression) -> ForeignExpression? {
    guard dialect == .kura, token.kind == .word, token.text.utf8.count > 2,
      ExpressionWriter.unit(token.text) != nil, !peek().is("("), !peek().is(".")
    else { return nil }
    let unit = take()
    mark(.words, at: unit.span)
    return ForeignExpression(.interval(number, unit.text), number.span.joined(unit.span))
  }

  private func bracket() throws(ForeignProblem) -> ForeignExpression {
    switch token.text {
    case "(": return try parenthesized()
    case "[": return try squareBracket()
    case "{": return try brace()
    case ".": return try leadingDot()
    case ":" where dialect == .code && peek().kind == .word && peek().isAdjacent:
      take()
      return ForeignExpression(.string(take().text, mayBeName: false), span(from: lastEnd))
    case "\\" where peek().is("."): return try keyPath()
    case "/": return try pattern()
    case "+" where peek().is(")"), "<" where peek().is(")"), ">" where peek().is(")"):
      return ForeignExpression(.name(token.text), take().span)
    case "*": return ForeignExpression(.star, take().span)
    case "@" where peek().isAdjacent && (peek().is("[") || peek().is("{") || peek().is("(")):
      take()
      return try bracket()
    case "@" where peek().kind == .number:
      take()
      return try operand(.unary)
    case "%" where peek().is("@") && peek().isAdjacent,
      "%" where peek().isWord(among: ["k", "d", "ld"]):
      let place = take().span
      take()
      placeholders += 1
      mark(.swift, at: place)
      return ForeignExpression(.name("%\(placeholders)"), span(from: place.start))
    case "?" where dialect == .sql:
      throw .noCounterpart(.placeholder("?"), token.span)
    default: throw unreadable
    }
  }

  /// `(a, b)`, `(x) => …`, `(SELECT …)`, `(fetch …)`
  private func parenthesized() throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    if let closure = attempt(arrowFunction) { return closure }
    take()
    if startsSelect(token) {
      let query = try select()
      try expect(")")
      mark(.sql, at: query.span)
      return ForeignExpression(.select(query), span(from: start))
    }
    if token.isWord(among: ["fetch", "count", "exists"]), peek().kind == .word, dialect == .kura {
      position -= 1
      skipBrackets()
      return ForeignExpression(.verbatim, span(from: start))
    }
    return try insideParentheses(start)
  }

  private func insideParentheses(_ start: Int) throws(ForeignProblem) -> ForeignExpression {
    let outside = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = outside }
    let first = try expression(dialect == .jq ? .pipe : .conditional)
    if let found = try comprehension(of: first, from: start) {
      try expect(")")
      return found
    }
    var values = [first]
    while take(",") {
      if token.is(")") { break }
      values.append(try expression())
    }
    try expect(")")
    return ForeignExpression(values.count == 1 ? first.kind : .list(values), span(from: start))
  }

  /// `.title` in jq, `.reverse` in Swift
  private func leadingDot() throws(ForeignProblem) -> ForeignExpression {
    let place = take().span
    let root = ForeignExpression(.root, place)
    if dialect == .kura { mark(.jq, at: place) }
    guard token.isAdjacent, token.kind == .word || token.kind == .string else { return root }
    let name = take().text
    return ForeignExpression(.member(root, name), span(from: place.start))
  }

  /// `\.title.name`, `\Item.title`
  private func keyPath() throws(ForeignProblem) -> ForeignExpression {
    let place = take().span
    mark(.swift, at: place)
    if token.kind == .word { take() }
    var names: [String] = []
    while take(".") { names.append(try takeName()) }
    return ForeignExpression(.keyPath(names), span(from: place.start))
  }

  /// `/^a.*/i`
  private func pattern() throws(ForeignProblem) -> ForeignExpression {
    guard dialect != .sql else { throw unreadable }
    let start = token.span.start
    var end = start + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != 10 {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { throw unreadable }
    let text = source(SourceSpan(start + 1, end))
    while !isAtEnd, token.span.start <= end { take() }
    let hasFlag = token.isAdjacent && token.kind == .word && token.span.start == end + 1
    let flags = hasFlag ? take().text : ""
    mark(.javaScript, at: SourceSpan(start, end + 1))
    return ForeignExpression(
      .pattern(text, ignoresCase: flags.contains("i")), SourceSpan(start, max(end + 1, lastEnd)))
  }
}

extension NoCounterpart {
  static func placeholder(_ sign: String) -> NoCounterpart {
    NoCounterpart(
      sign, sentence: localized("\(sign) needs a value"),
      instead: localized("write the value, or a variable: let $x = …, and $x here"))
  }
}
