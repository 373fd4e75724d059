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
      throw missing("\(sign) NULL", localized("IS NULL asks for it"), at: tree.span)
    }
    if let (part, number) = datePart(left, right) {
      return try comparison(sign, part, number, tree)
    }
    let (left, right, collation) = Self.collated(left, right)
    let raw = try value(left)
    if let found = try placeComparison(raw, sign, right) { return found }
    var (first, second) = (try operand(raw, left), try operand(right))
    if raw.isPredicate, sign == "==" || sign == "!=", let isTrue = right.literalBoolean {
      changes += 1
      return isTrue == (sign == "==") ? raw : raw.negated
    }
    first = try adapted(first, left, to: second)
    second = try adapted(second, right, to: first)
    if isSQL { try requireAgreement(first, second, sign, tree) }
    if let pattern = try patternComparison(sign, first, second, right) { return pattern }
    if first.isMany != second.isMany, second.isMany, let turned = Self.turned[sign] {
      return compared(second, turned, first)
    }
    return compared(first, sign + collation, second)
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
    let met = Written.predicate("\(first) \(sign) \(second)")
    guard let turned = Self.opposites[plain] else {
      return isSQL ? test(met.text, left.nulls.joined(right.nulls)) : met
    }
    let opposite = Written.predicate("\(first) \(turned)\(options) \(second)")
    guard isSQL else { return plain == "==" || plain == "!=" ? met.or(not: opposite) : met }
    return guarded(met, plain, left, right).or(
      not: guarded(opposite, turned, left, right), nulls: left.nulls.joined(right.nulls))
  }

  /// A condition that nothing but `NOT` reverses; with NULL neither it nor its opposite is met.
  func test(_ text: String, _ nulls: [String]) -> Written {
    let negated = Written.predicate("NOT " + text, .not)
    return .predicate(text).or(not: isSQL ? negated.known(nulls) : negated, nulls: nulls)
  }

  /// A comparison that is not met of NULL. In Kura NULL is equal to NULL, and different from the rest.
  private func guarded(
    _ condition: Written, _ sign: String, _ left: Written, _ right: Written
  ) -> Written {
    var nulls: [String] = []
    if sign == "!=" { nulls = left.nulls.joined(right.nulls) }
    if ["==", "<=", ">="].contains(sign), !right.nulls.isEmpty { nulls = left.nulls }
    return condition.known(nulls)
  }

  /// Both sides without `COLLATE NOCASE`, and the option of the comparison.
  private static func collated(_ left: Tree, _ right: Tree) -> (Tree, Tree, String) {
    let (a, b) = (left.collation, right.collation)
    return (a?.value ?? left, b?.value ?? right, a?.options ?? b?.options ?? "")
  }

  /// `IS NULL`, `IS NOT TRUE`, `IS NOT DISTINCT FROM x`: never unknown.
  private func identity(_ left: Tree, _ right: Tree, isNegated: Bool) throws -> Written {
    changes += 1
    var found: Written
    if let isTrue = right.literalBoolean {
      let condition = isTrue ? try predicate(left) : try predicate(left).negated
      guard isSQL else { return isNegated ? condition.negated : condition }
      found = .predicate(condition.text, condition.binding)
    } else {
      let (first, second) = (try operand(left), try operand(right))
      if isSQL { try requireAgreement(first, second, "==", left) }
      let adaptedRight = try adapted(second, right, to: first)
      let (a, b) = (first.text(in: .sum), adaptedRight.text(in: .sum))
      found = Written.predicate("\(a) == \(b)").or(not: .predicate("\(a) != \(b)"))
    }
    return isNegated ? found.negated : found
  }

  private func requireAgreement(
    _ left: Written, _ right: Written, _ sign: String, _ tree: Tree
  ) throws {
    let needsText = Self.opposites[sign] == nil
    let isOrder = sign.hasPrefix("<") || sign.hasPrefix(">")
    let isOdd =
      needsText && !left.type.agrees(with: .text)
      || !left.type.agrees(with: right.type)
        && !Self.isDate(left, right)
      || isOrder && left.type == .boolean
    guard isOdd else { return }
    throw missing(localized("a comparison of different types"), at: tree.span)
  }

  /// Whether a date is compared with a text, which is read as a date.
  private static func isDate(_ left: Written, _ right: Written) -> Bool {
    left.type == .date && right.type == .text || left.type == .text && right.type == .date
  }

  /// `title.range(of: "x") != nil`, `INSTR(title, 'x') > 0`
  private func placeComparison(_ left: Written, _ sign: String, _ right: Tree) throws -> Written? {
    guard case .place(let start, let anywhere, let base) = left.type else { return nil }
    changes += 1
    let found: (text: String, isMet: Bool)
    let number = right.isNull ? base - 1 : right.literalInteger
    switch (sign, number.map { $0 - base }) {
    case (">=", 0), (">", -1), ("!=", -1): found = (anywhere, true)
    case ("==", -1), ("<", 0), ("<=", -1): found = (anywhere, false)
    case ("==", 0): found = (start, true)
    case ("!=", 0): found = (start, false)
    default: throw missing(localized("the place of a text"), at: right.span)
    }
    let both = test(found.text, left.nulls)
    return found.isMet ? both : both.negated
  }

  /// A literal as what it is compared with: `1` as YES, or as `Category/1`.
  func adapted(_ written: Written, _ literal: Tree, to other: Written) throws -> Written {
    var adapted = written
    switch other.type {
    case .boolean: adapted = Self.boolean(literal) ?? written
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

  /// `1`, `'t'`, `'yes'` as YES or NO
  private static func boolean(_ literal: Tree) -> Written? {
    switch literal.literalText?.lowercased() ?? literal.literalInteger.map(String.init) {
    case "1", "t", "true", "y", "yes": Written("YES", .boolean)
    case "0", "f", "false", "n", "no": Written("NO", .boolean)
    default: nil
    }
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
    if case .object = second.type, first.text == "objectID" || first.text.hasSuffix(".objectID") {
      changes += 1
      let path = first.text == "objectID" ? "SELF" : String(first.text.dropLast(".objectID".count))
      return compared(Written(path, isMany: first.isMany), "IN", Written(second.text))
    }
    if second.type == .text, !second.isMany {
      changes += 1
      return .predicate("\(second.text(in: .sum)) CONTAINS \(first.text(in: .sum))")
    }
    return compared(first, "IN", Written(second.text(in: .unary)))
  }

  private func member(_ first: Written, _ left: Tree, of elements: [Tree]) throws -> Written {
    var values: [Written] = []
    for element in elements where !isSQL || !element.isNull {
      let written = try adapted(try operand(element), element, to: first)
      if isSQL { try requireAgreement(first, written, "==", element) }
      values.append(written)
    }
    if isSQL, values.contains(where: { !$0.nulls.isEmpty }) {
      var found = compared(first, "==", values[0])
      for value in values.dropFirst() {
        found = connected("OR", found, compared(first, "==", value))
      }
      return values.count == elements.count ? found : unknown(unless: found)
    }
    guard !isSQL || !values.isEmpty else {
      throw missing(localized("IN without values"), at: left.span)
    }
    let set = Written("{" + values.map { $0.text(in: .sum) }.joined(separator: ", ") + "}")
    let found = compared(first, "IN", set)
    return values.count == elements.count ? found : unknown(unless: found)
  }

  /// A condition that is unknown if it is not met: `x IN (1, NULL)`.
  private func unknown(unless found: Written) -> Written {
    changes += 1
    return found.or(not: .predicate("FALSEPREDICATE", .unary), nulls: found.nulls + ["NULL"])
  }

  /// `a BETWEEN 1 AND 9`
  private func between(_ left: Tree, _ right: Tree) throws -> Written {
    let first = try operand(left)
    guard case .list(let bounds) = right.kind, bounds.count == 2 else {
      return compared(first, "BETWEEN", try value(right))
    }
    var values: [Written] = []
    for bound in bounds {
      let written = try adapted(try operand(bound), bound, to: first)
      if isSQL { try requireAgreement(first, written, "<", bound) }
      values.append(written)
    }
    guard isSQL, !first.isMany, values.contains(where: { !$0.nulls.isEmpty }) else {
      let set = values.map { $0.text(in: .sum) }.joined(separator: ", ")
      return compared(first, "BETWEEN", Written("{\(set)}"))
    }
    return connected("AND", compared(first, ">=", values[0]), compared(first, "<=", values[1]))
  }
}

// LIKE and regular expressions
extension ExpressionWriter {
  private func patternComparison(
    _ sign: String, _ left: Written, _ right: Written, _ pattern: Tree
  ) throws -> Written? {
    let options = sign.drop { $0 != "[" }
    let text = pattern.literalText
    switch sign.prefix(while: { $0 != "[" }) {
    case "LIKE":
      guard let text else {
        if isSQL { throw missing(localized("a pattern that is no text"), at: pattern.span) }
        return nil
      }
      guard isSQL || text.contains("%") else { return nil }
      changes += 1
      return compared(left, "LIKE\(options)", Self.text(Self.wildcards(text)))
    case "GLOB":
      changes += 1
      guard let text, !text.contains("[") else {
        throw missing("[…] in GLOB", localized("MATCHES has it"), at: pattern.span)
      }
      return compared(left, "LIKE", Self.text(text.replacing("\\", with: "\\\\")))
    case "SEARCH":
      changes += 1
      guard let text else {
        throw missing(localized("a pattern that is no text"), at: pattern.span)
      }
      return compared(left, "MATCHES\(options)", Self.text(Self.whole(text)))
    default: return nil
    }
  }

  private static func text(_ text: String) -> Written { Written(StatementText.string(text), .text) }

  /// A pattern of the whole text for one that may match anywhere: `.*a.*` for `a`, `a.*` for `^a`.
  static func whole(_ pattern: String) -> String {
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
    var result = ""
    for character in pattern {
      switch character {
      case "%": result += "*"
      case "_": result += "?"
      case "*", "?", "\\": result += "\\" + String(character)
      default: result.append(character)
      }
    }
    return result.replacing(ForeignParser.percent, with: "%")
      .replacing(ForeignParser.underscore, with: "_")
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
    let place: Precedence = word == "AND" ? .and : .or
    let met = Written.predicate("\(first.text(in: place)) \(word) \(second.text(in: place))", place)
    let nulls = first.nulls.joined(second.nulls)
    guard isSQL, !nulls.isEmpty else { return met }
    let (a, b) = (first.negated, second.negated)
    let (other, dual): (String, Precedence) = word == "AND" ? ("OR", .or) : ("AND", .and)
    return met.or(
      not: .predicate("\(a.text(in: dual)) \(other) \(b.text(in: dual))", dual), nulls: nulls)
  }
}
