import KuraDiagnostics
import KuraSentences

// Values without operators between them
extension ForeignParser {
  /// An operand with the signs before it and the steps after it.
  func operand() throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    if let prefixed = try prefixed() { return prefixed }
    return try chain(try primary()) { found throws(ForeignProblem) in
      try step(from: found, start)
    }
  }

  private func prefixed() throws(ForeignProblem) -> ForeignExpression? {
    let place = token.span
    if token.isWord("not") || token.is("!") {
      let sign = take()
      let inner = try expression(sign.is("!") ? .unary : .not)
      if sign.is("!") { mark(.swift, at: place) }
      return ForeignExpression(.prefix("NOT", inner), place.joined(inner.span))
    }
    if token.is("-") || token.is("+") && !peek().is(")") || token.is("&") && dialect == .code {
      let sign = take().text
      let inner = try expression(.unary)
      return sign == "-" ? ForeignExpression(.prefix(sign, inner), place.joined(inner.span)) : inner
    }
    if dialect == .kura, let word = quantifier {
      take()
      let inner = try expression(.comparison)
      return ForeignExpression(.prefix(word, inner), place.joined(inner.span))
    }
    // `try context.save()`
    guard dialect != .sql, token.isWord(among: ["try", "await"]) else { return nil }
    let isSign = peek().is("?") || peek().is("!")
    guard peek().kind == .word || peek().is("[") || isSign else { return nil }
    take()
    if isSign { take() }
    return try operand()
  }

  /// `ANY`, also `every` before a path.
  private var quantifier: String? {
    guard peek().kind == .word else { return nil }
    let word = token.text.lowercased()
    if ["any", "some", "all", "none"].contains(word) { return word.uppercased() }
    guard peek(2).is("."), let found = Self.quantifiers[word] else { return nil }
    mark(.words, at: token.span)
    return found
  }

  private static let quantifiers = [
    "every": "ALL", "each": "ALL", "no": "NONE", "neither": "NONE", "exists": "ANY",
    "すべての": "ALL", "全ての": "ALL", "どれかの": "ANY", "いずれかの": "ANY", "どの": "ALL",
  ]

  private func primary() throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    switch token.kind {
    case .number:
      let number = ForeignExpression(.number(take().text), place)
      return counted(number) ?? number
    case .string:
      let string = take()
      let letters = source(place)
      if dialect == .kura,
        !letters.hasPrefix("'") && !letters.hasPrefix("\"")
          || letters.dropFirst().dropLast().contains("''")
      {
        mark(.sql, at: place)
      }
      let mayBeName = dialect == .sql && string.isDoubleQuoted
      return ForeignExpression(.string(string.text, mayBeName: mayBeName), place)
    case .quotedName:
      if dialect == .sql { mark(.sql, at: place) }
      return ForeignExpression(.name(take().text), place)
    case .word: return try word()
    case .sign: return try bracket()
    case .end: throw unreadable
    }
  }

  /// `today() + 7 days`
  private func counted(_ number: ForeignExpression) -> ForeignExpression? {
    guard dialect == .kura, token.kind == .word, token.text.utf8.count > 2,
      ExpressionWriter.unit(token.text) != nil, !peek().is("("), !peek().is(".")
    else { return nil }
    let unit = take()
    mark(.words, at: unit.span)
    return ForeignExpression(.interval(number, unit.text), number.span.joined(unit.span))
  }
}

// Words
extension ForeignParser {
  private func word() throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    if let constant = Self.constants[token.text.lowercased()], !peek().is("("), !peek().is(".") {
      let text = take().text
      if text == "undefined" || text == "None" {
        mark(text == "None" ? .python : .javaScript, at: place)
      }
      return ForeignExpression(constant, place)
    }
    if dialect != .code, let special = try queryWord() { return special }
    if dialect != .sql, let object = objectName() { return object }
    switch token.text.first {
    case "$", ":", "@": return parameter()
    case "#": return try hashWord()
    default: return ForeignExpression(.name(take().text), place)
    }
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
    if word.text == "#keyPath" {
      mark(.swift, at: word.span)
      try expect("(")
      var names = [try takeName()]
      while take(".") { names.append(try takeName()) }
      try expect(")")
      return ForeignExpression(.keyPath(names), span(from: word.span.start))
    }
    let isMacro = word.text == "#Predicate"
    if isMacro { mark(.swift, at: word.span) }
    let name = isMacro ? word.text : String(word.text.dropFirst())
    return ForeignExpression(.name(name), word.span)
  }

  /// `Item/3`
  private func objectName() -> ForeignExpression? {
    guard peek().is("/"), peek().isAdjacent, peek(2).kind == .number, peek(2).isAdjacent else {
      return nil
    }
    let name = take()
    take()
    let number = take().text
    return ForeignExpression(.object(name.text, number), span(from: name.span.start))
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

// Brackets
extension ForeignParser {
  private func bracket() throws(ForeignProblem) -> ForeignExpression {
    switch token.text {
    case "(": return try parenthesized()
    case "[": return try squareBracket()
    case "{": return try brace()
    case ".": return try leadingDot()
    case "\\" where peek().is("."), "\\" where peek(2).is("."): return try keyPath()
    case "+" where peek().is(")"), "<" where peek().is(")"), ">" where peek().is(")"):
      return ForeignExpression(.name(token.text), take().span)
    case "*": return ForeignExpression(.star, take().span)
    case "@" where peek().isAdjacent && (peek().is("[") || peek().is("(")):
      take()
      return try bracket()
    case "@" where peek().kind == .number:
      take()
      return try operand()
    case "%" where peek().isAdjacent && (peek().is("@") || peek().isWord(among: ["k", "d", "ld"])):
      let place = take().span
      take()
      placeholders += 1
      mark(.swift, at: place)
      return ForeignExpression(.name("%\(placeholders)"), span(from: place.start))
    case "?" where dialect == .sql: throw .noCounterpart(.placeholder("?"), token.span)
    default: throw unreadable
    }
  }

  /// `(a, b)`, `(SELECT …)`, `(fetch …)`
  private func parenthesized() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span.start
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
    let outside = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = outside }
    let values = try list(upTo: ")") { () throws(ForeignProblem) in try expression() }
    guard values.count == 1 else { return ForeignExpression(.list(values), span(from: start)) }
    return ForeignExpression(values[0].kind, span(from: start))
  }

  /// `.title`, `.reverse`
  private func leadingDot() throws(ForeignProblem) -> ForeignExpression {
    let place = take().span
    if dialect == .kura { mark(.jq, at: place) }
    guard token.isAdjacent, token.kind == .word || token.kind == .string else { throw unreadable }
    let name = take().text
    let root = ForeignExpression(.root, place)
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

  /// `[1, 2]`, `[NSDate date]`
  private func squareBracket() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span.start
    if take("]") { return ForeignExpression(.list([]), span(from: start)) }
    let first = try expression()
    if token.kind == .word, dialect != .sql { return try message(to: first, from: start) }
    var values = [first]
    if take(",") {
      values += try list(upTo: "]") { () throws(ForeignProblem) in try expression() }
    } else {
      try expect("]")
    }
    return ForeignExpression(.list(values), span(from: start))
  }

  /// `[NSPredicate predicateWithFormat:@"…", x]`
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

  /// `{1, 2}` in Kura, `{ $0.done }`
  private func brace() throws(ForeignProblem) -> ForeignExpression {
    let start = token.span.start
    let inside = tokens[position...].prefix { !$0.is("}") }
    guard dialect == .kura, !inside.contains(where: { $0.text == "$0" }) else {
      return try closure(from: start)
    }
    take()
    let values = try list(upTo: "}") { () throws(ForeignProblem) in try expression() }
    return ForeignExpression(.list(values), span(from: start))
  }
}

// Closures and types
extension ForeignParser {
  /// `{ item in item.done }`, `{ $0.done }`
  func closure(from start: Int) throws(ForeignProblem) -> ForeignExpression {
    let place = token.span
    try expect("{")
    let names = attempt(closureNames) ?? []
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
    var names: [String]
    if take("(") {
      names = try list(upTo: ")") { () throws(ForeignProblem) in
        let name = try takeName()
        if take(":") { try skipType() }
        return name
      }
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

  /// Passes `<Item>`, and returns the first name in it.
  @discardableResult
  func skipGeneric() -> String? {
    guard take("<") else { return nil }
    let name = token.kind == .word ? token.text : nil
    while !isAtEnd, !take(">") { take() }
    return name
  }
}

// Steps after an operand: `.title`, `(…)`, `[0]`, `{ … }`
extension ForeignParser {
  private func step(
    from base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression? {
    if token.is(".") && isMember || token.is("?.") && peek().kind == .word {
      take()
      return ForeignExpression(.member(base, try takeName()), span(from: start))
    }
    if token.is("::"), dialect == .sql, peek().kind == .word {
      take()
      let type = try takeName()
      return ForeignExpression(.cast(base, type), span(from: start))
    }
    if token.isWord("collate"), dialect != .code, !token.startsLine {
      take()
      mark(.sql, at: SourceSpan(start, lastEnd))
      let options = try collation()
      guard !options.isEmpty else { return base }
      let name = ForeignExpression(.name("COLLATE"), base.span)
      let argument = ForeignArgument(label: options, value: base)
      return ForeignExpression(.call(name, [argument]), span(from: start))
    }
    if token.is("("), mayBeCalled(base) { return try call(base, start) }
    if token.is("["), token.isAdjacent, dialect != .sql { return try index(base, start) }
    if token.is("{"), opensClosure(base) {
      let closure = try closure(from: token.span.start)
      return with(ForeignArgument(value: closure), base, start)
    }
    if token.is("<"), token.isAdjacent, let generic = try generic(base, start) { return generic }
    return try skipped(base, start)
  }

  private var isMember: Bool {
    (peek().kind == .word || peek().kind == .quotedName)
      && (token.isAdjacent || token.startsLine || dialect == .code)
  }

  private func mayBeCalled(_ base: ForeignExpression) -> Bool {
    switch base.kind {
    case .name, .member: token.isAdjacent || dialect == .sql
    default: false
    }
  }

  private func opensClosure(_ base: ForeignExpression) -> Bool {
    guard allowsTrailingClosure, dialect != .sql else { return false }
    switch base.kind {
    case .member, .call: return true
    case .name(let name): return name.hasPrefix("#")
    default: return false
    }
  }

  /// A call with one more argument.
  private func with(
    _ argument: ForeignArgument, _ base: ForeignExpression, _ start: Int
  ) -> ForeignExpression {
    if case .call(let callee, let arguments) = base.kind {
      return ForeignExpression(.call(callee, arguments + [argument]), span(from: start))
    }
    return ForeignExpression(.call(base, [argument]), span(from: start))
  }

  /// `NSFetchRequest<Item>(…)`, `#Predicate<Item> { … }`: the type becomes an argument.
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

  /// `x!`, `x?`, `x as? Item`: the value itself.
  private func skipped(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression? {
    guard dialect != .sql else { return nil }
    if dialect == .code, token.isWord("as"), !token.startsLine {
      take()
      _ = take("?") || take("!")
      try skipType()
    } else if token.isAdjacent,
      token.is("!") && !peek().is("=") || token.is("?") && (peek().is(".") || peek().is(")"))
    {
      mark(.swift, at: take().span)
    } else {
      return nil
    }
    return ForeignExpression(base.kind, span(from: start))
  }

  private func call(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    let outside = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = outside }
    try expect("(")
    var arguments: [ForeignArgument] = []
    var label: String?
    while !token.is(")") {
      arguments.append(try argument(label))
      label = nil
      if dialect != .code, token.isWord(among: ["from", "for"]) {
        label = take().text.lowercased()
      } else if !take(",") {
        break
      }
    }
    try expect(")")
    return ForeignExpression(.call(base, arguments), span(from: start))
  }

  /// `label: value`, `FROM date`
  private func argument(_ word: String?) throws(ForeignProblem) -> ForeignArgument {
    guard token.kind == .word, peek().is(":"), !peek(2).is(":"), dialect != .sql else {
      return ForeignArgument(label: word, value: try expression())
    }
    let label = take().text
    take()
    // `modulus:by:(…)` is a name.
    guard !token.is(","), !token.is(")") else {
      return ForeignArgument(
        label: label, value: ForeignExpression(.null, SourceSpan(lastEnd, lastEnd)))
    }
    return ForeignArgument(label: label, value: try expression())
  }

  /// `[0]`, `[1:3]`, `[..<3]`, `["title"]`
  private func index(
    _ base: ForeignExpression, _ start: Int
  ) throws(ForeignProblem) -> ForeignExpression {
    let place = take().span
    var index: ForeignExpression?
    if !token.is(":"), !token.is("..<"), !token.is("...") { index = try expression() }
    if let index, take("]") {
      if let name = index.literalText {
        return ForeignExpression(.member(base, name), span(from: start))
      }
      if case .infix(let sign, let first, let last) = index.kind, sign == "..<" || sign == "..." {
        return slice(base, first, sign == "..." ? try following(last) : last, place, start)
      }
      mark(.swift, at: place)
      return ForeignExpression(.index(base, index), span(from: start))
    }
    let isClosed = token.is("...")
    guard take(":") || index == nil && (take("..<") || take("...")) else { throw unreadable }
    var last = token.is("]") ? nil : try expression()
    if isClosed, let end = last { last = try following(end) }
    try expect("]")
    return slice(base, index, last, place, start)
  }

  private func slice(
    _ base: ForeignExpression, _ first: ForeignExpression?, _ last: ForeignExpression?,
    _ place: SourceSpan, _ start: Int
  ) -> ForeignExpression {
    mark(.swift, at: place)
    return ForeignExpression(.slice(base, first, last), span(from: start))
  }

  /// The number after the last one of a closed range.
  private func following(_ last: ForeignExpression) throws(ForeignProblem) -> ForeignExpression {
    guard let number = last.literalInteger, number < .max else { throw unreadable }
    return ForeignExpression(.number(String(number + 1)), last.span)
  }
}

extension NoCounterpart {
  static func placeholder(_ sign: String) -> NoCounterpart {
    NoCounterpart(
      sign, sentence: localized("\(sign) needs a value"),
      instead: localized("write the value, or a variable: let $x = …, and $x here"))
  }
}
