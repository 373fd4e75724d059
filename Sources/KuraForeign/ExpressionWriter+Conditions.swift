import KuraDiagnostics
import KuraModel
import KuraSentences

// Comparisons, and literals as the type that they are compared with
extension ExpressionWriter {
  func comparison(_ sign: String, _ left: Tree, _ right: Tree, _ tree: Tree) throws -> Written {
    switch sign {
    case "IS", "IS NOT": return try identity(left, right, isNegated: sign == "IS NOT")
    case "IN": return try membership(left, right)
    case "BETWEEN": return try between(left, right)
    default: break
    }
    if isSQL, left.isNull || right.isNull {
      throw tree.span.missing("\(sign) NULL", localized("IS NULL asks for it"))
    }
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
    first = adapted(first, left, to: second)
    second = adapted(second, right, to: first)
    try requireAgreement(first, second, sign, tree)
    if let pattern = try patternComparison(sign, first, second, right) { return pattern }
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

  /// A comparison, as it is met and as it is not.
  func compared(_ left: Written, _ sign: String, _ right: Written) -> Written {
    let (first, second) = (left.text(in: .sum), right.text(in: .sum))
    if left.isMany, !right.isMany, !scope.isQuantified, !sign.hasPrefix("CONTAINS") {
      changes += 1
      return .predicate("ANY \(first) \(sign) \(second)")
    }
    let options = String(sign.drop { $0 != "[" })
    let plain = String(sign.prefix { $0 != "[" })
    let nulls = left.nulls.joined(right.nulls)
    let met = Written.predicate("\(first) \(sign) \(second)")
    guard let turned = Self.opposites[plain] else { return isSQL ? test(met.text, nulls) : met }
    let opposite = Written.predicate("\(first) \(turned)\(options) \(second)")
    guard isSQL else { return plain == "==" || plain == "!=" ? met.or(not: opposite) : met }
    /// A comparison that is not met of NULL. In Kura NULL is equal to NULL, and different from the rest.
    func guarded(_ condition: Written, _ sign: String) -> Written {
      if sign == "!=" { return condition.known(nulls) }
      let meetsNull = ["==", "<=", ">="].contains(sign) && !right.nulls.isEmpty
      return condition.known(meetsNull ? left.nulls : [])
    }
    return guarded(met, plain).or(not: guarded(opposite, turned), nulls: nulls)
  }

  /// A condition that nothing but `NOT` reverses; with NULL neither it nor its opposite is met.
  func test(_ text: String, _ nulls: [String]) -> Written {
    let negated = Written.predicate("NOT " + text, .not)
    return .predicate(text).or(not: isSQL ? negated.known(nulls) : negated, nulls: nulls)
  }

  /// `IS NULL`, `IS NOT TRUE`, `IS NOT DISTINCT FROM x`: never unknown.
  private func identity(_ left: Tree, _ right: Tree, isNegated: Bool) throws -> Written {
    changes += 1
    var found: Written
    if let isTrue = right.literalBoolean {
      found = isTrue ? try predicate(left) : try predicate(left).negated
      if isSQL { found = .predicate(found.text, found.binding) }
    } else {
      let (first, second) = (try operand(left), try operand(right))
      try requireAgreement(first, second, "==", left)
      let (a, b) = (first.text(in: .sum), adapted(second, right, to: first).text(in: .sum))
      found = Written.predicate("\(a) == \(b)").or(not: .predicate("\(a) != \(b)"))
    }
    return isNegated ? found.negated : found
  }

  /// Refuses comparisons that SQL makes by rules of its own.
  private func requireAgreement(
    _ left: Written, _ right: Written, _ sign: String, _ tree: Tree
  ) throws {
    guard isSQL else { return }
    let needsText = Self.opposites[sign] == nil
    let isOrder = sign.hasPrefix("<") || sign.hasPrefix(">")
    // A date may be compared with a text, which is read as a date.
    let isDate = Set([left.type, right.type]) == [.date, .text]
    let isOdd =
      needsText && !left.type.agrees(with: .text)
      || !left.type.agrees(with: right.type) && !isDate || isOrder && left.type == .boolean
    if isOdd { throw tree.span.missing(localized("a comparison of different types")) }
  }

  /// `title.range(of: "x") != nil`, `INSTR(title, 'x') > 0`
  private func placeComparison(_ left: Written, _ sign: String, _ right: Tree) throws -> Written? {
    guard case .place(let start, let anywhere, let base) = left.type else { return nil }
    changes += 1
    let number = right.isNull ? base - 1 : right.literalInteger
    switch (sign, number.map { $0 - base }) {
    case (">=", 0), (">", -1), ("!=", -1): return test(anywhere, left.nulls)
    case ("==", -1), ("<", 0), ("<=", -1): return test(anywhere, left.nulls).negated
    case ("==", 0): return test(start, left.nulls)
    case ("!=", 0): return test(start, left.nulls).negated
    default: throw right.span.missing(localized("the place of a text"))
    }
  }

  /// A literal as what it is compared with: `1` as YES, or as `Category/1`.
  func adapted(_ written: Written, _ literal: Tree, to other: Written) -> Written {
    var adapted = written
    switch other.type {
    case .boolean:
      switch literal.literalText?.lowercased() ?? literal.literalInteger.map(String.init) {
      case "1", "t", "true", "y", "yes": adapted = Written("YES", .boolean)
      case "0", "f", "false", "n", "no": adapted = Written("NO", .boolean)
      default: break
      }
    case .object(let entity):
      if let number = literal.literalInteger { adapted = object(entity, String(number)) }
    case .integer, .number:
      if parser.dialect != .kura || other.text.contains("("), let text = literal.literalText,
        let number = Self.number(text)
      {
        adapted = Written(number, .number)
      }
    case .date:
      // A column of texts that is compared with a date.
      if isSQL, written.type == .text, literal.literalText == nil {
        adapted = Written("date(\(written.text))", .date, nulls: written.nulls)
      }
    case .text:
      if isSQL, !other.text.contains("("), let number = literal.literalInteger {
        adapted = Written("\"\(number)\"", .text)
      }
    default: break
    }
    if adapted.text != written.text { changes += 1 }
    return adapted
  }

  /// `06` as 6
  private static func number(_ text: String) -> String? {
    if let integer = Int(text) { return String(integer) }
    return Double(text) != nil && text.first?.isNumber == true ? text : nil
  }
}

// IN and BETWEEN
extension ExpressionWriter {
  /// `x IN (1, 2)`, `x IN (SELECT …)`, `"x" in title`
  private func membership(_ left: Tree, _ right: Tree) throws -> Written {
    let first = try operand(left)
    if case .list(let elements) = right.kind { return try member(first, left, of: elements) }
    if case .select(let query) = right.kind, isSQL { return try member(first, left, of: query) }
    let second = try value(right)
    if second.entity != nil, let object = first.ownerOfID {
      changes += 1
      return compared(Written(object, isMany: first.isMany), "IN", Written(second.text))
    }
    if second.type == .text, !second.isMany {
      changes += 1
      return .predicate("\(second.text(in: .sum)) CONTAINS \(first.text(in: .sum))")
    }
    return compared(first, "IN", Written(second.text(in: .unary)))
  }

  private func member(_ first: Written, _ left: Tree, of elements: [Tree]) throws -> Written {
    let known = elements.filter { !isSQL || !$0.isNull }
    let values = try literals(known, as: first, "==")
    if values.isEmpty, isSQL { throw left.span.missing(localized("IN without values")) }
    var found = compared(first, "IN", .set(values))
    if isSQL, values.contains(where: { !$0.nulls.isEmpty }) {
      let tests = values.map { compared(first, "==", $0) }
      found = tests.dropFirst().reduce(tests[0]) { connected("OR", $0, $1) }
    }
    guard known.count < elements.count else { return found }
    // `x IN (1, NULL)` is unknown if it is not met.
    changes += 1
    return found.or(not: .predicate("FALSEPREDICATE", .unary), nulls: found.nulls + ["NULL"])
  }

  /// Values as what they are compared with.
  private func literals(_ trees: [Tree], as first: Written, _ sign: String) throws -> [Written] {
    try trees.map { tree in
      let written = adapted(try operand(tree), tree, to: first)
      try requireAgreement(first, written, sign, tree)
      return written
    }
  }

  /// `a BETWEEN 1 AND 9`
  private func between(_ left: Tree, _ right: Tree) throws -> Written {
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

extension Written {
  /// The object whose objectID it is: `category` of `category.objectID`; nil if it is none.
  var ownerOfID: String? {
    if text == "objectID" { return "SELF" }
    return text.hasSuffix(".objectID") ? String(text.dropLast(".objectID".count)) : nil
  }
}

// LIKE and regular expressions
extension ExpressionWriter {
  private func patternComparison(
    _ sign: String, _ left: Written, _ right: Written, _ pattern: Tree
  ) throws -> Written? {
    let name = String(sign.prefix { $0 != "[" })
    guard ["LIKE", "GLOB", "SEARCH"].contains(name) else { return nil }
    guard let text = pattern.literalText else {
      if name == "LIKE", !isSQL { return nil }
      throw pattern.span.missing(localized("a pattern that is no text"))
    }
    if name == "LIKE", !isSQL, !text.contains("%") { return nil }
    if name == "GLOB", text.contains("[") {
      throw pattern.span.missing("[…] in GLOB", localized("MATCHES has it"))
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
      left, word + sign.drop { $0 != "[" }, Written(StatementText.string(ours), .text))
  }

  /// A pattern of the whole text for one that may match anywhere: `.*a.*` for `a`, `a.*` for `^a`.
  private static func whole(_ pattern: String) -> String {
    if pattern.contains("|") { return ".*(\(pattern)).*" }
    var text = pattern
    let (fromStart, toEnd) = (text.hasPrefix("^"), text.hasSuffix("$") && !text.hasSuffix("\\$"))
    if fromStart { text.removeFirst() }
    if toEnd { text.removeLast() }
    return (fromStart || text.hasPrefix(".*") ? "" : ".*") + text
      + (toEnd || text.hasSuffix(".*") ? "" : ".*")
  }

  /// `*` for `%`, `?` for `_`; characters that are special in Kura alone are escaped.
  private static func wildcards(_ pattern: String) -> String {
    let ours: [Character: String] = ["%": "*", "_": "?", "*": "\\*", "?": "\\?", "\\": "\\\\"]
    return pattern.map { ours[$0] ?? String($0) }.joined()
      .replacing(ForeignParser.percent, with: "%").replacing(ForeignParser.underscore, with: "_")
  }
}

// NOT, AND, OR
extension ExpressionWriter {
  func negation(of tree: Tree) throws -> Written {
    let before = changes
    let written = try value(tree)
    guard written.isPredicate else { return try truth(written, tree).negated }
    guard changes > before || parser.dialect != .kura else {
      return .predicate("NOT " + written.text(in: .comparison), .not)
    }
    changes += 1
    return written.negated
  }

  func connected(_ word: String, _ first: Written, _ second: Written) -> Written {
    func joined(_ first: Written, _ word: String, _ second: Written) -> Written {
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
