import KuraDiagnostics
import KuraSentences

// Values without operators between them
extension ForeignParser {
  /// Reads an operand with the prefixes before it and the steps after it.
  func operand() throws -> Tree {
    let start = token.span.start
    return try prefixed() ?? chain(try primary()) { found in try step(from: found, start) }
  }

  private func prefixed() throws -> Tree? {
    let place = token.span
    func applied(_ sign: String, to precedence: Precedence) throws -> Tree {
      take()
      let inner = try expression(precedence)
      return Tree(.prefix(sign, inner), place.joined(inner.span))
    }
    if token.is("!") {
      mark(.swift, at: place)
      return try applied("NOT", to: .unary)
    }
    if token.isWord("not") { return try applied("NOT", to: .not) }
    if token.is("-") { return try applied("-", to: .unary) }
    if token.is("+") && !peek().is(")") || token.is("&") && dialect == .code {
      take()
      return try expression(.unary)
    }
    if dialect == .kura, let word = quantifier { return try applied(word, to: .comparison) }
    // `try context.save()`
    let isNew = token.isWord("new") && peek(2).is("(")
    guard dialect != .sql, isNew || token.isWord(among: ["try", "await"]) else { return nil }
    if isNew { mark(.javaScript, at: token.span) }
    let isSign = peek().is("?") || peek().is("!")
    guard isSign || peek().kind == .word || peek().is("[") else { return nil }
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

  private func primary() throws -> Tree {
    let place = token.span
    switch token.kind {
    case .number: return Tree(.number(take().text), place)
    case .string:
      let letters = source(place)
      let isOurs = letters.hasPrefix("'") || letters.hasPrefix("\"")
      if dialect == .kura, !isOurs || letters.dropFirst().dropLast().contains("''") {
        mark(.sql, at: place)
      }
      let mayBeName = dialect == .sql && token.isDoubleQuoted
      return Tree(.string(take().text, mayBeName: mayBeName), place)
    case .quotedName:
      if dialect == .sql { mark(.sql, at: place) }
      return Tree(.name(take().text), place)
    case .word: return try word()
    case .sign: return try bracket()
    case .end: throw unreadable
    }
  }
}

// Words
extension ForeignParser {
  private func word() throws -> Tree {
    let place = token.span
    let word = token.text.lowercased()
    if let constant = Self.constants[word], !peek().is("("), !peek().is(".") {
      let text = take().text
      if text == "None" { mark(.python, at: place) }
      if text == "undefined" { mark(.javaScript, at: place) }
      return Tree(constant, place)
    }
    if dialect != .code, let special = try queryWord(word) { return special }
    if dialect != .sql, let object = objectName() { return object }
    switch token.text.first {
    case "$", ":",
      "@" where dialect == .sql:
      let isVariable = token.text.first == "$"
      if !isVariable || token.text.dropFirst().allSatisfy(\.isNumber) {
        mark(isVariable ? .swift : .sql, at: place)
      }
      return Tree(.parameter(take().text), place)
    case "#": return try hashWord()
    default: return Tree(.name(take().text), place)
    }
  }

  private static let constants: [String: Tree.Kind] = [
    "null": .null, "nil": .null, "none": .null, "undefined": .null, "nsnull": .null,
    "true": .boolean(true), "yes": .boolean(true), "false": .boolean(false), "no": .boolean(false),
  ]

  /// Reads `#keyPath(Item.title)`, `#Predicate<Item> { … }`, `#like`.
  private func hashWord() throws -> Tree {
    let word = take()
    switch word.text {
    case "#keyPath":
      mark(.swift, at: word.span)
      try expect("(")
      var names = [try takeName()]
      while take(".") { names.append(try takeName()) }
      try expect(")")
      return Tree(.keyPath(names), span(from: word.span.start))
    case "#Predicate":
      mark(.swift, at: word.span)
      return Tree(.name(word.text), word.span)
    default: return Tree(.name(String(word.text.dropFirst())), word.span)
    }
  }

  /// Reads an object: `Item/3`
  private func objectName() -> Tree? {
    guard peek().is("/"), peek().isAdjacent, peek(2).kind == .number, peek(2).isAdjacent else {
      return nil
    }
    let name = take()
    take()
    return Tree(.object(name.text, take().text), span(from: name.span.start))
  }

  /// Reads `CASE`, `CAST`, `EXISTS`, `INTERVAL`, `DATE '…'`, `DISTINCT x`, `SUBQUERY(…)`.
  private func queryWord(_ word: String) throws -> Tree? {
    let start = token.span
    switch word {
    case "case": return try caseExpression()
    case "cast" where peek().is("("): return try cast()
    case "exists" where peek().is("(") && startsSelect(peek(2)):
      take()
      mark(.sql, at: start)
      return Tree(try parenthesized(.exists).kind, span(from: start.start))
    case "interval": return try interval()
    case "date", "timestamp", "datetime", "time":
      guard peek().kind == .string, !peek().isDoubleQuoted || dialect == .kura else { return nil }
      take()
      mark(.sql, at: start)
      return Tree(.string(take().text, mayBeName: false), span(from: start.start))
    case "distinct" where !peek().is(","):
      take()
      let inner = try expression(.comparison)
      return Tree(.prefix("DISTINCT", inner), start.joined(inner.span))
    case "subquery" where peek().is("("), "ternary" where peek().is("("),
      "function" where peek().is("("):
      take()
      skipBrackets()
      return Tree(.verbatim, span(from: start.start))
    default: return nil
    }
  }

  /// Reads `CASE WHEN a THEN b ELSE c END`, `CASE a WHEN 1 THEN b END`.
  private func caseExpression() throws -> Tree {
    let start = take().span
    mark(.sql, at: start)
    let subject = token.isWord("when") ? nil : try expression()
    var choices: [(condition: Tree, value: Tree)] = []
    while takeWords("when") {
      let condition = try expression()
      try expectWord("then")
      choices.append((subject?.infix("==", condition) ?? condition, try expression()))
    }
    let other = takeWords("else") ? try expression() : nil
    try expectWord("end")
    guard !choices.isEmpty else { throw unreadable }
    return Tree(.choice(choices, other), span(from: start.start))
  }

  /// Reads `CAST(x AS INTEGER)`, and Kura's own `CAST(x, "NSNumber")`.
  private func cast() throws -> Tree {
    let start = take().span.start
    try expect("(")
    let value = try expression()
    let type: String
    if take(",") {
      guard let name = try expression().literalText else { throw unreadable }
      type = name
    } else {
      try expectWord("as")
      type = try takeName()
      if token.is("(") { throw refusal(localized("a type with a length")) }
      mark(.sql, at: span(from: start))
    }
    try expect(")")
    return Tree(.cast(value, type), span(from: start))
  }

  /// Reads `INTERVAL 50 YEAR`, `INTERVAL '50 years'`, `INTERVAL '1' DAY`; nil if it is a name.
  private func interval() throws -> Tree? {
    let next = peek()
    guard next.kind == .number || next.kind == .string || next.is("-") || next.is("(") else {
      return nil
    }
    let place = take().span
    mark(.sql, at: place)
    guard next.kind == .string else {
      return Tree(.interval(try expression(.unary), try takeName()), span(from: place.start))
    }
    let words = take().text.split(separator: " ").map(String.init)
    guard (1...2).contains(words.count), Int(words[0]) != nil else { throw unreadable }
    let count = Tree(.number(words[0]), SourceSpan(place.start, place.start))
    return Tree(
      .interval(count, words.count == 2 ? words[1] : try takeName()), span(from: place.start))
  }
}

// Brackets
extension ForeignParser {
  private func bracket() throws -> Tree {
    let place = token.span
    switch token.text {
    case "(": return try parenthesized()
    case "[": return try squareBracket()
    case "{": return try brace()
    case ".":
      take()
      if dialect == .kura { mark(.jq, at: place) }
      guard token.isAdjacent, token.kind == .word || token.kind == .string else { throw unreadable }
      return Tree(.member(Tree(.root, place), take().text), span(from: place.start))
    case "\\" where peek().is("."), "\\" where peek(2).is("."):
      // `\.title.name`, `\Item.title`
      take()
      mark(.swift, at: place)
      if token.kind == .word { take() }
      var names: [String] = []
      while take(".") { names.append(try takeName()) }
      return Tree(.keyPath(names), span(from: place.start))
    case "+" where peek().is(")"), "<" where peek().is(")"), ">" where peek().is(")"):
      return Tree(.name(take().text), place)
    case "*":
      take()
      return Tree(.star, place)
    case "@"
    where peek().kind == .number || peek().isAdjacent && (peek().is("[") || peek().is("(")):
      take()
      return try operand()
    case "%" where peek().isAdjacent && (peek().is("@") || peek().isWord(among: ["k", "d", "ld"])):
      take()
      take()
      placeholders += 1
      mark(.swift, at: place)
      return Tree(.name("%\(placeholders)"), span(from: place.start))
    case "?" where dialect == .sql: throw place.missingValue(of: "?")
    default: throw unreadable
    }
  }

  /// Reads `(a, b)`, `(SELECT …)`, `(fetch …)`.
  private func parenthesized(_ result: Query.Result = .objects) throws -> Tree {
    let start = token.span.start
    if dialect == .kura, peek().isWord(among: ["fetch", "count", "exists"]), peek(2).kind == .word {
      skipBrackets()
      return Tree(.verbatim, span(from: start))
    }
    take()
    if startsSelect(token) {
      var query = try select()
      query.result = result
      try expect(")")
      mark(.sql, at: query.span)
      return Tree(.select(query), span(from: start))
    }
    let values = try withTrailingClosures { try list(upTo: ")") { try expression() } }
    return Tree(values.count == 1 ? values[0].kind : .list(values), span(from: start))
  }

  /// Reads something in brackets, in which `{` after a call opens a closure.
  private func withTrailingClosures<Read>(_ read: () throws -> Read) rethrows -> Read {
    let outside = allowsTrailingClosure
    allowsTrailingClosure = true
    defer { allowsTrailingClosure = outside }
    return try read()
  }

  /// Reads `[1, 2]`, `[NSDate date]`.
  private func squareBracket() throws -> Tree {
    let start = take().span.start
    if take("]") { return Tree(.list([]), span(from: start)) }
    let first = try expression()
    if token.kind == .word, dialect != .sql { return try message(to: first, from: start) }
    var values = [first]
    if take(",") { values += try list(upTo: "]") { try expression() } } else { try expect("]") }
    return Tree(.list(values), span(from: start))
  }

  /// Reads `[NSPredicate predicateWithFormat:@"…", x]`.
  private func message(to receiver: Tree, from start: Int) throws -> Tree {
    var selector = take().text
    var arguments: [Argument] = []
    var label: String?
    while token.is(":") || token.kind == .word && peek().is(":") && selector.hasSuffix(":") {
      if token.kind == .word {
        label = take().text
        selector += label ?? ""
      }
      take()
      selector += ":"
      arguments += try list { Argument(label: label, value: try expression()) }
    }
    try expect("]")
    mark(.objectiveC, at: span(from: start))
    let callee = Tree(.member(receiver, Self.methods[selector] ?? selector), span(from: start))
    return Tree(.call(callee, arguments), span(from: start))
  }

  /// The names in Swift of Objective-C methods.
  private static let methods = [
    "executeFetchRequest:error:": "fetch", "executeFetchRequest:": "fetch",
    "countForFetchRequest:error:": "count", "countForFetchRequest:": "count",
    "fetchRequestWithEntityName:": "fetchRequest", "initWithEntityName:": "fetchRequest",
    "deleteObject:": "delete", "save:": "save", "setValue:forKey:": "setValue",
    "insertNewObjectForEntityForName:inManagedObjectContext:": "insertNewObject",
    "filteredArrayUsingPredicate:": "filter", "filteredSetUsingPredicate:": "filter",
    "sortedArrayUsingDescriptors:": "sorted", "containsObject:": "contains",
    "sortDescriptorWithKey:ascending:": "NSSortDescriptor",
    "initWithKey:ascending:": "NSSortDescriptor",
  ]

  /// Reads `{1, 2}` in Kura, `{ $0.done }`.
  private func brace() throws -> Tree {
    let start = token.span.start
    let inside = tokens[position...].prefix { !$0.is("}") }
    guard dialect == .kura, !inside.contains(where: { $0.text == "$0" }) else {
      return try closure()
    }
    take()
    return Tree(.list(try list(upTo: "}") { try expression() }), span(from: start))
  }
}

// Closures and types
extension ForeignParser {
  /// Reads `{ item in item.done }`, `{ $0.done }`.
  private func closure() throws -> Tree {
    let place = token.span
    try expect("{")
    let names = attempt(closureNames) ?? ["$0", "$1"]
    _ = takeWords("return")
    let body = try withTrailingClosures { try expression() }
    _ = take(";")
    try expect("}")
    mark(.swift, at: place)
    return Tree(.closure(names, body), span(from: place.start))
  }

  /// Reads `a, b in`, `(item: Item) -> Bool in`.
  private func closureNames() throws -> [String] {
    let isBracketed = take("(")
    let names = try list {
      let name = try takeName()
      if isBracketed, take(":") { try skipType() }
      return name
    }
    if isBracketed {
      try expect(")")
      if take("->") { try skipType() }
    }
    try expectWord("in")
    return names
  }

  /// Skips a type: `Item`, `[Item]?`, `Item *`
  func skipType() throws {
    if token.is("[") || token.is("(") { skipBrackets() } else { _ = try takeName() }
    while take(".") { _ = try takeName() }
    skipGeneric()
    while take("?") || take("!") || take("*") {}
  }

  /// Skips `<Item>`, and returns the first name in it.
  @discardableResult
  private func skipGeneric() -> String? {
    guard take("<") else { return nil }
    let name = token.kind == .word ? token.text : nil
    while !isAtEnd, !take(">") { take() }
    return name
  }
}

// Steps after an operand: `.title`, `(…)`, `[0]`, `{ … }`
extension ForeignParser {
  private func step(from base: Tree, _ start: Int) throws -> Tree? {
    switch token.kind == .sign ? token.text : "" {
    case "." where isMember, "?." where peek().kind == .word:
      take()
      return Tree(.member(base, try takeName()), span(from: start))
    case "::" where dialect == .sql && peek().kind == .word:
      take()
      return Tree(.cast(base, try takeName()), span(from: start))
    case "(" where mayBeCalled(base): return try call(base, start)
    case "[" where token.isAdjacent && dialect != .sql: return try index(base, start)
    case "{" where opensClosure(base): return with(nil, try closure(), base, start)
    case "<" where token.isAdjacent:
      if let generic = try generic(base, start) { return generic }
    default: break
    }
    if token.isWord("collate"), dialect != .code, !token.startsLine {
      take()
      mark(.sql, at: SourceSpan(start, lastEnd))
      let options = try collation()
      let name = Tree(.name("COLLATE"), base.span)
      return options.isEmpty ? base : with(options, base, name, start)
    }
    return try skipped(base, start)
  }

  private var isMember: Bool {
    (peek().kind == .word || peek().kind == .quotedName)
      && (token.isAdjacent || token.startsLine || dialect == .code)
  }

  private func mayBeCalled(_ base: Tree) -> Bool {
    switch base.kind {
    case .name, .member: token.isAdjacent || dialect == .sql
    default: false
    }
  }

  private func opensClosure(_ base: Tree) -> Bool {
    guard allowsTrailingClosure, dialect != .sql else { return false }
    switch base.kind {
    case .member, .call: return true
    case .name(let name): return name.hasPrefix("#")
    default: return false
    }
  }

  /// Returns a call with one more argument.
  private func with(_ label: String?, _ value: Tree, _ base: Tree, _ start: Int) -> Tree {
    var (callee, all) = (base, [Argument]())
    if case .call(let called, let arguments) = base.kind { (callee, all) = (called, arguments) }
    all.append(Argument(label: label, value: value))
    return Tree(.call(callee, all), span(from: start))
  }

  /// Reads `NSFetchRequest<Item>(…)`, `#Predicate<Item> { … }`: the type becomes an argument.
  private func generic(_ base: Tree, _ start: Int) throws -> Tree? {
    guard case .name(let name) = base.kind, peek().kind == .word, peek(2).is(">"),
      peek(3).is("(") || peek(3).is("{"), name.first?.isUppercase == true || name.hasPrefix("#")
    else { return nil }
    let type = Tree(.name(skipGeneric() ?? ""), tokens[position - 2].span)
    return with("<>", type, token.is("(") ? try call(base, start) : base, start)
  }

  /// Skips the suffix of `x!`, `x?`, `x as? Item`.
  private func skipped(_ base: Tree, _ start: Int) throws -> Tree? {
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
    return Tree(base.kind, span(from: start))
  }

  private func call(_ base: Tree, _ start: Int) throws -> Tree {
    try expect("(")
    var arguments: [Argument] = []
    try withTrailingClosures {
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
    }
    try expect(")")
    return Tree(.call(base, arguments), span(from: start))
  }

  /// Reads `label: value`, `FROM date`, `x => x.done`.
  private func argument(_ word: String?) throws -> Argument {
    if token.kind == .word, peek().is("=>"), dialect == .kura {
      let name = take()
      mark(.javaScript, at: take().span)
      let body = try expression()
      return Argument(value: Tree(.closure([name.text], body), name.span.joined(body.span)))
    }
    guard token.kind == .word, peek().is(":"), !peek(2).is(":"), dialect != .sql else {
      return Argument(label: word, value: try expression())
    }
    let label = take().text
    take()
    // `modulus:by:(…)` is a name.
    guard !token.is(","), !token.is(")") else {
      return Argument(label: label, value: Tree(.null, SourceSpan(lastEnd, lastEnd)))
    }
    return Argument(label: label, value: try expression())
  }

  /// Reads `[0]`, `[1...3]`, `[..<3]`, `["title"]`.
  private func index(_ base: Tree, _ start: Int) throws -> Tree {
    let place = take().span
    var index = Tree(.number("0"), place)
    if !token.is("..<"), !token.is("...") { index = try expression() }
    if token.is("..<") || token.is("...") { index = index.infix(take().text, try expression()) }
    try expect("]")
    if let name = index.literalText { return Tree(.member(base, name), span(from: start)) }
    mark(.swift, at: place)
    if case .infix("...", let first, var last) = index.kind {
      guard let number = last.literalInteger, number < .max else { throw last.span.unreadable }
      last.kind = .number(String(number + 1))
      index.kind = .infix("..<", first, last)
    }
    return Tree(.index(base, index), span(from: start))
  }
}
