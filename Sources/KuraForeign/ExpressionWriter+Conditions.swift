import KuraDiagnostics
import KuraModel
import KuraSentences

// Comparisons, and literals as the type that they are compared with
extension ExpressionWriter {
  func comparison(_ sign: String, _ left: Tree, _ right: Tree, _ tree: Tree) throws -> Snippet {
    switch sign {
    case "IS", "IS NOT": return try identity(left, right, isNegated: sign == "IS NOT")
    case "IN": return try membership(left, right)
    case "BETWEEN": return try between(left, right)
    default: break
    }
    if isSQL, left.isNull || right.isNull { throw tree.span.comparisonWithNull(sign) }
    if Self.turned[sign] != nil, let (part, number) = datePart(left, right) {
      return try comparison(sign, part, number, tree)
    }
    let options = left.collation?.options ?? right.collation?.options ?? ""
    let (left, right) = (left.collation?.value ?? left, right.collation?.value ?? right)
    let raw = try value(left)
    if let found = try placeComparison(raw, sign, right) { return found }
    var (first, second) = (try operand(raw, left), try operand(right))
    if raw.isPredicate, sign == "==" || sign == "!=", let isTrue = right.literalBoolean {
      changes += 1
      return isTrue == (sign == "==") ? raw : raw.negated
    }
    first = named(adapted(first, left, to: second), for: second)
    second = named(adapted(second, right, to: first), for: first)
    try requireAgreement(first, second, sign, tree)
    let collated = sign.contains("[") ? sign : sign + options
    if let pattern = try patternComparison(collated, first, second, right) { return pattern }
    if first.isMany != second.isMany, second.isMany, let turned = Self.turned[sign] {
      return compared(second, turned, first)
    }
    return compared(first, sign + options, second)
  }

  private static let turned = [
    "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
  ]
  private static let opposites = [
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
  ]

  /// Returns a comparison, with its positive and its negated form.
  func compared(_ left: Snippet, _ sign: String, _ right: Snippet) -> Snippet {
    let (first, second) = (left.text(in: .sum), right.text(in: .sum))
    if left.isMany, !right.isMany, !scope.isQuantified, !sign.hasPrefix("CONTAINS") {
      changes += 1
      return .predicate("ANY \(first) \(sign) \(second)")
    }
    let options = String(sign.drop { $0 != "[" })
    let plain = String(sign.prefix { $0 != "[" })
    let nulls = left.nulls.joined(right.nulls)
    let met = Snippet.predicate("\(first) \(sign) \(second)")
    guard let turned = Self.opposites[plain] else { return isSQL ? test(met.text, nulls) : met }
    let opposite = Snippet.predicate("\(first) \(turned)\(options) \(second)")
    guard isSQL else { return plain == "==" || plain == "!=" ? met.or(not: opposite) : met }
    /// Returns a comparison that is false for NULL. In Kura NULL is equal to NULL, and different
    /// from everything else.
    func guarded(_ condition: Snippet, _ sign: String) -> Snippet {
      if sign == "!=" { return condition.known(nulls) }
      let meetsNull = ["==", "<=", ">="].contains(sign) && !right.nulls.isEmpty
      return condition.known(meetsNull ? left.nulls : [])
    }
    return guarded(met, plain).or(not: guarded(opposite, turned), nulls: nulls)
  }

  /// Returns a condition that only `NOT` negates; for NULL neither the condition nor its negation
  /// is true.
  func test(_ text: String, _ nulls: [String]) -> Snippet {
    let negated = Snippet.predicate("NOT " + text, .not)
    return .predicate(text).or(not: isSQL ? negated.known(nulls) : negated, nulls: nulls)
  }

  /// Writes `IS NULL`, `IS NOT TRUE`, `IS NOT DISTINCT FROM x`, which are never unknown.
  private func identity(_ left: Tree, _ right: Tree, isNegated: Bool) throws -> Snippet {
    changes += 1
    var found: Snippet
    if let isTrue = right.literalBoolean {
      found = isTrue ? try predicate(left) : try predicate(left).negated
      if isSQL { found = .predicate(found.text, found.binding) }
    } else {
      let (first, second) = (try operand(left), try operand(right))
      try requireAgreement(first, second, "==", left)
      let (a, b) = (first.text(in: .sum), adapted(second, right, to: first).text(in: .sum))
      found = Snippet.predicate("\(a) == \(b)").or(not: .predicate("\(a) != \(b)"))
    }
    return isNegated ? found.negated : found
  }

  /// Throws for comparisons to which SQL applies conversions of its own.
  private func requireAgreement(
    _ left: Snippet, _ right: Snippet, _ sign: String, _ tree: Tree
  ) throws {
    guard isSQL else { return }
    let needsText = Self.opposites[sign] == nil
    let isOrder = sign.hasPrefix("<") || sign.hasPrefix(">")
    // A date may be compared with a text, which is then read as a date.
    let isDate = Set([left.type, right.type]) == [.date, .text]
    let isOdd =
      needsText && !left.type.agrees(with: .text)
      || !left.type.agrees(with: right.type) && !isDate || isOrder && left.type == .boolean
    if isOdd { throw tree.span.missing(localized("a comparison of different types")) }
  }

  /// Writes `title.range(of: "x") != nil`, `INSTR(title, 'x') > 0`.
  private func placeComparison(_ left: Snippet, _ sign: String, _ right: Tree) throws -> Snippet? {
    guard case .place(let start, let anywhere, let base) = left.type else { return nil }
    changes += 1
    let number = right.isNull ? base - 1 : right.literalInteger
    switch (sign, number.map { $0 - base }) {
    case (">=", 0), (">", -1), ("!=", -1): return test(anywhere, left.nulls)
    case ("==", -1), ("<", 0), ("<=", -1): return test(anywhere, left.nulls).negated
    case ("==", 0): return test(start, left.nulls)
    case ("!=", 0): return test(start, left.nulls).negated
    default: throw right.span.missing(localized("the position of a substring"))
    }
  }

  /// Returns a literal as the type that it is compared with: `1` as YES, or as `Category/1`.
  func adapted(_ written: Snippet, _ literal: Tree, to other: Snippet) -> Snippet {
    var adapted = written
    switch other.type {
    case .boolean:
      switch literal.literalText?.lowercased() ?? literal.literalInteger.map(String.init) {
      case "1", "t", "true", "y", "yes": adapted = Snippet("YES", .boolean)
      case "0", "f", "false", "n", "no": adapted = Snippet("NO", .boolean)
      default: break
      }
    case .object(let entity):
      if let number = literal.literalInteger { adapted = object(entity, String(number)) }
    case .integer, .number:
      if parser.dialect != .kura || other.text.contains("("), let text = literal.literalText,
        let number = Self.number(text)
      {
        adapted = Snippet(number, .number)
      }
    case .date:
      // A column of texts is compared with a date.
      if isSQL, written.type == .text, literal.literalText == nil {
        adapted = Snippet("date(\(written.text))", .date, nulls: written.nulls)
      }
    case .text:
      if isSQL, !other.text.contains("("), let number = literal.literalInteger {
        adapted = Snippet("\"\(number)\"", .text)
      }
    default: break
    }
    if adapted.text != written.text { changes += 1 }
    return adapted
  }

  /// Returns 6 for `06`.
  private static func number(_ text: String) -> String? {
    if let integer = Int(text) { return String(integer) }
    return Double(text) != nil && text.first?.isNumber == true ? text : nil
  }
}

// IN and BETWEEN
extension ExpressionWriter {
  /// Writes `x IN (1, 2)`, `x IN (SELECT …)`, `"x" in title`.
  private func membership(_ left: Tree, _ right: Tree) throws -> Snippet {
    let first = try operand(left)
    if case .list(let elements) = right.kind { return try member(first, left, of: elements) }
    if case .select(let query) = right.kind, isSQL { return try member(first, left, of: query) }
    let second = try value(right)
    if second.entity != nil, let object = first.ownerOfID {
      changes += 1
      return compared(Snippet(object, isMany: first.isMany), "IN", Snippet(second.text))
    }
    if second.type == .text, !second.isMany {
      changes += 1
      return .predicate("\(second.text(in: .sum)) CONTAINS \(first.text(in: .sum))")
    }
    return compared(first, "IN", Snippet(second.text(in: .unary)))
  }

  private func member(_ first: Snippet, _ left: Tree, of elements: [Tree]) throws -> Snippet {
    let known = elements.filter { !isSQL || !$0.isNull }
    let values = try literals(known, as: first, "==")
    if values.isEmpty, isSQL { throw left.span.missing(localized("IN without values")) }
    var found = compared(first, "IN", .set(values))
    if isSQL, values.contains(where: { !$0.nulls.isEmpty }) {
      let tests = values.map { compared(first, "==", $0) }
      found = tests.dropFirst().reduce(tests[0]) { connected("OR", $0, $1) }
    }
    guard known.count < elements.count else { return found }
    // `x IN (1, NULL)` is unknown if x is not in the list.
    changes += 1
    return found.or(not: .predicate("FALSEPREDICATE", .unary), nulls: found.nulls + ["NULL"])
  }

  /// Returns values as the type that they are compared with.
  private func literals(_ trees: [Tree], as first: Snippet, _ sign: String) throws -> [Snippet] {
    try trees.map { tree in
      let written = adapted(try operand(tree), tree, to: first)
      try requireAgreement(first, written, sign, tree)
      return written
    }
  }

  /// Writes `a BETWEEN 1 AND 9`.
  private func between(_ left: Tree, _ right: Tree) throws -> Snippet {
    let first = try operand(left)
    guard case .list(let bounds) = right.kind, bounds.count == 2 else {
      return compared(first, "BETWEEN", try value(right))
    }
    let values = try literals(bounds, as: first, "<")
    guard isSQL, !first.isMany, values.contains(where: { !$0.nulls.isEmpty }) else {
      return compared(first, "BETWEEN", .set(values))
    }
    return connected("AND", compared(first, ">=", values[0]), compared(first, "<=", values[1]))
  }
}

extension Snippet {
  /// The object of an objectID: `category` for `category.objectID`; nil for other keys.
  var ownerOfID: String? {
    if text == "objectID" { return "SELF" }
    return text.hasSuffix(".objectID") ? String(text.dropLast(".objectID".count)) : nil
  }
}

// LIKE and regular expressions
extension ExpressionWriter {
  private func patternComparison(
    _ sign: String, _ left: Snippet, _ right: Snippet, _ pattern: Tree
  ) throws -> Snippet? {
    let name = String(sign.prefix { $0 != "[" })
    guard ["LIKE", "GLOB", "SEARCH"].contains(name) else { return nil }
    guard let text = pattern.literalText else {
      if name == "LIKE", !isSQL { return nil }
      throw pattern.span.missing(localized("a pattern that is not a literal string"))
    }
    if name == "LIKE", !isSQL, !text.contains("%") { return nil }
    if name == "GLOB", text.contains("[") {
      throw pattern.span.missing("[…] in GLOB", localized("use MATCHES"))
    }
    changes += 1
    let ours =
      switch name {
      case "LIKE": Self.wildcards(text)
      case "GLOB": text.replacing("\\", with: "\\\\")
      default: Self.whole(text)
      }
    let word = name == "SEARCH" ? "MATCHES" : "LIKE"
    return compared(
      left, word + sign.drop { $0 != "[" }, Snippet(StatementText.string(ours), .text))
  }

  /// Returns a pattern of the whole text for one that may match anywhere: `.*a.*` for `a`, `a.*`
  /// for `^a`.
  private static func whole(_ pattern: String) -> String {
    if pattern.contains("|") { return ".*(\(pattern)).*" }
    var text = pattern
    let (fromStart, toEnd) = (text.hasPrefix("^"), text.hasSuffix("$") && !text.hasSuffix("\\$"))
    if fromStart { text.removeFirst() }
    if toEnd { text.removeLast() }
    return (fromStart || text.hasPrefix(".*") ? "" : ".*") + text
      + (toEnd || text.hasSuffix(".*") ? "" : ".*")
  }

  /// Returns `*` for `%`, `?` for `_`; characters that are special only in Kura are escaped.
  private static func wildcards(_ pattern: String) -> String {
    let ours: [Character: String] = ["%": "*", "_": "?", "*": "\\*", "?": "\\?", "\\": "\\\\"]
    return pattern.map { ours[$0] ?? String($0) }.joined()
      .replacing(ForeignParser.percent, with: "%").replacing(ForeignParser.underscore, with: "_")
  }
}

// NOT, AND, OR
extension ExpressionWriter {
  func negation(of tree: Tree) throws -> Snippet {
    let before = changes
    let written = try value(tree)
    guard written.isPredicate else { return try truth(written, tree).negated }
    guard changes > before || parser.dialect != .kura else {
      return .predicate("NOT " + written.text(in: .comparison), .not)
    }
    changes += 1
    return written.negated
  }

  func connected(_ word: String, _ first: Snippet, _ second: Snippet) -> Snippet {
    func joined(_ first: Snippet, _ word: String, _ second: Snippet) -> Snippet {
      let place: Precedence = word == "AND" ? .and : .or
      return .predicate("\(first.text(in: place)) \(word) \(second.text(in: place))", place)
    }
    let met = joined(first, word, second)
    let nulls = first.nulls.joined(second.nulls)
    guard isSQL, !nulls.isEmpty else { return met }
    let opposite = joined(first.negated, word == "AND" ? "OR" : "AND", second.negated)
    return met.or(not: opposite, nulls: nulls)
  }
}

// Signs before values and between them
extension ExpressionWriter {
  func prefix(_ sign: String, _ inner: Tree, _ tree: Tree) throws -> Snippet {
    switch sign {
    case "NOT": return try negation(of: inner)
    case "-":
      let written = try number(inner)
      return Snippet("-" + written.text(in: .unary), written.type, nulls: written.nulls)
    case "ANY", "ALL", "SOME", "NONE":
      var quantified = scope
      quantified.isQuantified = true
      let condition = try inside(quantified) { try predicate(inner) }
      return .predicate("\(sign) \(condition.text(in: .comparison))")
    default:
      throw tree.span.missing(
        localized("DISTINCT in a function"),
        localized("countDistinct(x) counts distinct values"))
    }
  }

  func infix(_ sign: String, _ left: Tree, _ right: Tree, _ tree: Tree) throws -> Snippet {
    switch sign {
    case "AND", "OR": return connected(sign, try predicate(left), try predicate(right))
    case "+", "-": return try sum(sign, left, right)
    case "||": return try concatenation([left, right])
    case "*", "**": return arithmetic(sign, try number(left), try number(right))
    case "/", "%": return try quotient(sign, left, right)
    case "??": return try defaulted(left, right)
    case "..<", "...", ".": throw tree.span.unreadable
    default: return try comparison(sign, left, right, tree)
    }
  }

  /// Writes `x ?? 0`; `x?.hasPrefix("a") ?? false` is a condition.
  private func defaulted(_ left: Tree, _ right: Tree) throws -> Snippet {
    changes += 1
    let first = try value(left)
    guard first.isPredicate else {
      return Snippet("coalesce(\(first.text), \(try value(right).text))", first.type)
    }
    guard right.literalBoolean == false else {
      throw right.span.missing(localized("?? true after a condition"))
    }
    return first
  }

  /// Writes a number; in SQL other types are refused.
  private func number(_ tree: Tree) throws -> Snippet {
    let written = try operand(tree)
    guard !isSQL || written.type.agrees(with: .number) else {
      throw tree.span.missing(localized("arithmetic with a value that is not a number"))
    }
    return written
  }

  private func arithmetic(_ sign: String, _ first: Snippet, _ second: Snippet) -> Snippet {
    let isWhole = first.type == .integer && second.type == .integer && sign != "**"
    let place: Precedence = ["+", "-"].contains(sign) ? .sum : sign == "**" ? .power : .product
    return Snippet(
      "\(first.text(in: place)) \(sign) \(second.text(in: place.tighter))",
      isWhole ? .integer : .number, binding: place, nulls: first.nulls.joined(second.nulls))
  }

  /// Writes `a / b`, `a % b`: in SQL a quotient by 0 is NULL.
  private func quotient(_ sign: String, _ left: Tree, _ right: Tree) throws -> Snippet {
    let (first, second) = (try number(left), try number(right))
    var written = arithmetic(sign, first, second)
    if sign == "%" {
      changes += 1
      if isSQL, written.type != .integer {
        throw left.span.joined(right.span).missing(localized("% on a value that is not an integer"))
      }
      written.text = "modulus:by:(\(first.text), \(second.text))"
      written.binding = .unary
    }
    let isLiteral = second.text.contains(where: \.isNumber) && Double(second.text) ?? 0 != 0
    guard isSQL, !isLiteral else { return written }
    changes += 1
    let text = "TERNARY(\(second.text(in: .sum)) == 0, NULL, \(written.text))"
    return Snippet(text, written.type, nulls: [text])
  }

  private func sum(_ sign: String, _ left: Tree, _ right: Tree) throws -> Snippet {
    if let date = try moved(left, by: right, isBack: sign == "-") { return date }
    if sign == "+", let date = try moved(right, by: left, isBack: false) { return date }
    if !isSQL, sign == "+" {
      let types = [try value(left).type, try value(right).type]
      if types.contains(.text) { return try concatenation([left, right]) }
    }
    return arithmetic(sign, try number(left), try number(right))
  }

  /// Concatenates texts with one call. In SQL the result is NULL if a part is.
  private func concatenation(_ parts: [Tree]) throws -> Snippet {
    changes += 1
    let parts = parts.flatMap(summands)
    let texts = try parts.map(operand)
    if isSQL, let odd = texts.firstIndex(where: { $0.type != .text && $0.type != .integer }) {
      throw parts[odd].span.missing(localized("|| with a value that is not a string"))
    }
    let text = "concat(\(texts.map(\.text).joined(separator: ", ")))"
    let nulls = texts.reduce([]) { $0.joined($1.nulls) }
    guard isSQL, !nulls.isEmpty else { return Snippet(text, .text) }
    let test = nulls.map { "\($0) == NULL" }.joined(separator: " OR ")
    return Snippet("TERNARY(\(test), NULL, \(text))", .text, nulls: nulls)
  }

  private func summands(_ tree: Tree) -> [Tree] {
    guard case .infix(let sign, let left, let right) = tree.kind,
      sign == "||" || sign == "+" && !isSQL
    else { return [tree] }
    return summands(left) + summands(right)
  }
}

// Types and dates
extension ExpressionWriter {
  /// Writes `CAST(x AS INTEGER)`, `x::date`, Kura's `CAST(x, "NSNumber")`.
  func cast(_ inner: Tree, to type: String, _ tree: Tree) throws -> Snippet {
    let written = try operand(inner)
    let word = type.lowercased()
    if word.hasPrefix("ns") { return Snippet("CAST(\(written.text), \"\(type)\")") }
    changes += 1
    func snippet(_ text: String, _ type: SnippetType, _ binding: Precedence = .unary) -> Snippet {
      Snippet(text, type, binding: binding, nulls: written.nulls)
    }
    switch (Self.castTypes[word], written.type) {
    case (.date?, _) where inner.literalText != nil: return Snippet(written.text, .date)
    case (.date?, .date):
      return word == "date" ? snippet("startOfDay(\(written.text))", .date) : written
    case (.text?, .text), (.boolean?, .boolean), (.integer?, .integer): return written
    case (.text?, .integer) where word != "string":
      return snippet("CAST(\(written.text), \"NSString\")", .text)
    case (.integer?, .number): return snippet("trunc(\(written.text))", .integer)
    case (.number?, .integer), (.number?, .number):
      return snippet(written.text(in: .product) + " * 1.0", .number, .product)
    default:
      guard !isSQL else { throw tree.span.missing("CAST AS \(type.uppercased())") }
      return Snippet(parser.source(tree.span))
    }
  }

  private static let castTypes: [String: SnippetType] = [
    "date": .date, "datetime": .date, "timestamp": .date, "timestamptz": .date, "text": .text,
    "varchar": .text, "string": .text, "boolean": .boolean, "bool": .boolean, "int": .integer,
    "integer": .integer, "bigint": .integer, "real": .number, "float": .number, "double": .number,
  ]

  /// Returns `year` for `YEARS`; nil if Kura does not have the unit.
  static func unit(_ word: String) -> String? {
    let word = word.lowercased()
    let units = ["year", "month", "week", "day", "hour", "minute", "second"]
    return units.first { word == $0 || word == $0 + "s" }
  }

  /// Returns a date moved by an interval; nil if it is not an interval.
  private func moved(_ date: Tree, by interval: Tree, isBack: Bool) throws -> Snippet? {
    guard case .interval(let count, let word) = interval.kind else { return nil }
    let number = try value(count)
    let back =
      number.text.hasPrefix("-") ? String(number.text.dropFirst()) : "-" + number.text(in: .unary)
    return try moved(date, by: isBack ? back : number.text, word, interval.span)
  }

  /// Writes `dateByAdding(date, 3, "day")`.
  func moved(_ date: Tree, by count: String, _ word: String, _ span: SourceSpan) throws -> Snippet {
    guard let unit = Self.unit(word) else { throw span.missing(localized("the unit \(word)")) }
    changes += 1
    let written = try value(date)
    return Snippet(
      "dateByAdding(\(written.text), \(count), \"\(unit)\")", .date, nulls: written.nulls)
  }
}

// SELECT as a value
extension ExpressionWriter {
  /// Whether WITH has made a table.
  func isCommon(_ table: Select.Table) -> Bool {
    commonTables[table.value.lastWord?.lowercased() ?? ""] != nil
  }

  /// Writes `(SELECT MAX(x) FROM …)` as a fetch in brackets, or as a path if it concerns the
  /// enclosing object.
  func nested(_ select: Select) throws -> Snippet {
    changes += 1
    if let correlated = try correlated(select) { return correlated }
    let query = try SelectWriter.query(select, self)
    if select.result == .exists {
      guard select.groups.isEmpty, select.offset == nil, let value = query.value else {
        throw select.span.missing(localized("this form of SELECT"))
      }
      return value
    }
    guard select.isPlain && aggregate(select.columns[0].value) != nil || !isSQL,
      var written = query.value
    else { throw select.span.missing(localized("a SELECT that returns several rows")) }
    if !isSQL, query.columns.count == 1, query.columns[0].text == "objectID" {
      return query.objects ?? written
    }
    if let column = query.columns.first?.value, written.type == .unknown {
      written.type = column.type
    }
    return written
  }

  /// Returns the function and the argument of `MAX(x)`; nil if it is not an aggregate.
  private func aggregate(_ tree: Tree) -> (name: String, argument: Tree?)? {
    guard let (name, arguments) = tree.namedCall, Self.aggregates.contains(name.lowercased())
    else { return nil }
    return (name.lowercased(), arguments.count == 1 ? arguments[0].value : nil)
  }

  /// Writes `x IN (SELECT category FROM Item WHERE …)`.
  func member(_ first: Snippet, _ left: Tree, of select: Select) throws -> Snippet {
    changes += 1
    let problem = select.span.missing(localized("this form of SELECT"))
    guard select.columns.count == 1, select.groups.isEmpty, select.limit == nil,
      select.offset == nil, try correlated(select) == nil
    else { throw problem }
    let query = try SelectWriter.query(select, self)
    guard let column = query.columns.first?.value, query.columns.count == 1,
      query.result == .objects
    else { throw problem }
    var (path, set) = (first.text(in: .sum), query.value?.text ?? "")
    switch (first.type, column.type) {
    case (.object, .integer) where column.text == "objectID": set = query.objects?.text ?? set
    case (.integer, .object) where first.ownerOfID != nil: path = first.ownerOfID ?? path
    default:
      guard first.type.agrees(with: column.type) else {
        throw left.span.missing(localized("a comparison of different types"))
      }
    }
    let met = Snippet.predicate("\(path) IN \(set)")
    var opposite: [Snippet] = [.predicate("NOT \(met.text)", .not)]
    var all = query
    (all.columns, all.result, all.sort) = ([], .count, [])
    if !first.nulls.isEmpty {
      // For an empty result, NULL IN (…) is false, too.
      let known = Snippet.all(Snippet.known(first.nulls))?.text(in: .or) ?? ""
      opposite.append(.predicate("\(known) OR \(all.value?.text ?? "") == 0", .or))
    }
    if !column.nulls.isEmpty {
      all.conditions.append(.predicate("\(column.text) == NULL"))
      opposite.append(.predicate("\(all.value?.text ?? "") == 0"))
    }
    return met.or(
      not: Snippet.all(opposite) ?? met,
      nulls: first.nulls.joined(column.nulls.isEmpty ? [] : [set]))
  }

  /// Writes a SELECT that refers to the enclosing object by a relationship; nil if it does not.
  private func correlated(_ query: Select) throws -> Snippet? {
    guard let root = scope.root, let entity = root.entity, !query.tables.isEmpty,
      !query.tables.contains(where: isCommon)
    else { return nil }
    var select = SelectWriter(query, self)
    let inner = select.tables.count
    var around = scope.names.sorted { $0.key < $1.key }.map { (name: $0.key, place: $0.value) }
    if scope[entity] == nil { around.append((entity, root)) }
    select.tables += around.map { .init(name: $0.name, entity: $0.place.entity, place: $0.place) }
    select.findLinks()
    select.place(from: nil)
    let name = select.tables[0].name
    guard var partners = select.tables[0].place else {
      // A fetch in brackets cannot refer to the enclosing object.
      let own = Set(select.tables.prefix(inner).map { $0.name.lowercased() })
      for condition in select.conditions {
        for table in around where !own.contains(table.name.lowercased()) {
          guard parser.mentions(table.name, condition, asOwner: true) else { continue }
          throw condition.span.missing(
            "SELECT",
            sentence: localized("Kura does not translate a SELECT that refers to the outer row"),
            localized("name the outer object: fetch A as $a where (exists B where x == $a.y)"))
        }
      }
      return nil
    }
    let isTest = query.result == .exists
    guard inner == 1, select.links.allSatisfy(\.isUsed), query.groups.isEmpty, partners.isMany,
      query.having == nil, query.offset == nil, query.limit?.literalInteger ?? 1 > 0,
      query.limit == nil || isTest
    else { throw query.span.missing(localized("this form of SELECT")) }
    partners.text = try subquery(partners.text, of: partners.entity, select.conditions) { element in
      var inner = scope
      inner.root = element
      inner[name] = element
      return inner
    }
    let count = partners.text + ".@count"
    if isTest { return Snippet.predicate("\(count) > 0").or(not: .predicate("\(count) == 0")) }
    guard query.columns.count == 1, let (function, argument) = aggregate(query.columns[0].value),
      var key = argument
    else { throw query.span.missing(localized("a SELECT that returns several rows")) }
    if function == "count", key.isStar || key.isLiteral { return Snippet(count, .integer) }
    if case .member(let base, let word) = key.kind,
      base.lastWord?.lowercased() == name.lowercased()
    {
      key = Tree(.name(word), key.span)
    }
    return try aggregate(function, of: partners, key)
  }
}
