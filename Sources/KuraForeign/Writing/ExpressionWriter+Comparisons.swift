import KuraDiagnostics
import KuraModel
import KuraSentences

// Comparisons, and literals as the type they stand against.
extension ExpressionWriter {
  func comparison(
    _ sign: String, _ left: ForeignExpression, _ right: ForeignExpression,
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let start = nullable.count
    let found = try plainComparison(sign, left, right, tree)
    let isNull = [left, right].contains { if case .null = $0.kind { true } else { false } }
    if isNull { nullable.removeLast(nullable.count - start) }
    return sign == "!=" ? known(found, since: start) : found
  }

  /// A condition as SQL means it, where NULL is neither equal nor different: no key that was met since
  /// a place may be null.
  func known(_ condition: Written, since start: Int) -> Written {
    let keys = nullable[start...].reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard parser.dialect == .sql, !keys.isEmpty else { return condition }
    mindedNull = true
    guard minds else { return condition }
    let known = keys.map { "\($0) != NULL" }.joined(separator: " AND ")
    return .predicate("\(condition.text(in: .and)) AND \(known)", .and)
  }

  private func plainComparison(
    _ sign: String, _ left: ForeignExpression, _ right: ForeignExpression,
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if sign == "IN" { return try membership(left, right) }
    if sign == "BETWEEN" { return try between(left, right) }
    var (first, second) = (try value(left), try value(right))
    if let found = truthOfPlace(first, sign, right) { return found }
    if first.isPredicate || second.isPredicate, sign == "==" || sign == "!=",
      let found = predicateComparison(first, sign, second, right)
    {
      return found
    }
    first = adapted(first, left, to: second)
    second = adapted(second, right, to: first)
    if let pattern = try patternComparison(sign, first, second, right) { return pattern }
    if first.isMany != second.isMany, second.isMany, let turned = Self.turned[sign] {
      return quantified(second, turned, first)
    }
    return quantified(first, sign, second)
  }

  private static let turned = [
    "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
  ]

  /// A path through a to-many is compared with ANY.
  func quantified(_ left: Written, _ sign: String, _ right: Written) -> Written {
    let isPlural = left.isMany && !right.isMany && !scope.isQuantified
    let word = isPlural && !sign.hasPrefix("CONTAINS") ? "ANY " : ""
    if !word.isEmpty { changes += 1 }
    let (first, second) = (left.text(in: .sum), right.text(in: .sum))
    if word.isEmpty { return .comparison(first, sign, second) }
    return .predicate("\(word)\(first) \(sign) \(second)")
  }

  /// `title.contains("x") == false`
  private func predicateComparison(
    _ left: Written, _ sign: String, _ right: Written, _ literal: ForeignExpression
  ) -> Written? {
    guard left.isPredicate, case .boolean(let isTrue) = literal.kind else { return nil }
    changes += 1
    let keeps = isTrue == (sign == "==")
    return keeps ? left : left.negated
  }

  /// `title.indexOf("x") >= 0`, `INSTR(title, 'x') > 0`
  private func truthOfPlace(
    _ left: Written, _ sign: String, _ right: ForeignExpression
  ) -> Written? {
    guard case .place(let start, let anywhere, let base) = left.type else { return nil }
    if case .null = right.kind {
      changes += 1
      return sign == "==" ? .predicate("NOT " + anywhere, .not) : .predicate(anywhere)
    }
    guard let number = right.literalInteger else { return nil }
    changes += 1
    let offset = number - base
    switch (sign, offset) {
    case (">=", 0), (">", -1), ("!=", -1): return .predicate(anywhere)
    case ("==", -1), ("<", 0), ("<=", -1): return .predicate("NOT " + anywhere, .not)
    case ("==", 0): return .predicate(start)
    case ("!=", 0): return .predicate("NOT " + start, .not)
    default: return nil
    }
  }

  /// A literal as what it is compared with: `1` as YES, as `Category/1`.
  func adapted(_ written: Written, _ literal: ForeignExpression, to other: Written) -> Written {
    var adapted = written
    switch other.type {
    case .boolean: adapted = boolean(literal) ?? written
    case .object(let entity):
      if let number = literal.literalInteger { adapted = object(entity, String(number)) }
    case .number:
      if parser.dialect != .kura || other.text.contains("("), let text = literal.literalText,
        let number = Self.number(text)
      {
        adapted = Written(number, .number)
      }
    default: break
    }
    if adapted.text != written.text { changes += 1 }
    return adapted
  }

  /// `1`, `'t'`, `'yes'` as YES or NO.
  private func boolean(_ literal: ForeignExpression) -> Written? {
    let word = literal.literalText?.lowercased() ?? literal.literalInteger.map(String.init)
    switch word {
    case "1", "t", "true", "y", "yes": return Written("YES", .boolean)
    case "0", "f", "false", "n", "no": return Written("NO", .boolean)
    default: return nil
    }
  }

  /// `06` as 6.
  private static func number(_ text: String) -> String? {
    if let integer = Int(text) { return String(integer) }
    return Double(text) != nil && text.first?.isNumber == true ? text : nil
  }
}

extension ExpressionWriter {
  /// `x IN (1, 2)`, `x IN (SELECT …)`, `"novel" in tags`, `"x" in title`
  private func membership(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let first = try value(left)
    if case .list(let elements) = right.kind {
      var texts: [String] = []
      for element in elements {
        texts.append(adapted(try value(element), element, to: first).text(in: .sum))
      }
      return quantified(first, "IN", Written("{" + texts.joined(separator: ", ") + "}"))
    }
    if let range = try range(first, right) { return range }
    let second = try value(right)
    if case .object = second.type, first.text == "objectID" || first.text.hasSuffix(".objectID") {
      changes += 1
      let path = first.text == "objectID" ? "SELF" : String(first.text.dropLast(".objectID".count))
      return quantified(Written(path, isMany: first.isMany), "IN", Written(second.text))
    }
    if second.type == .text, !second.isMany {
      changes += 1
      return .predicate("\(second.text(in: .sum)) CONTAINS \(first.text(in: .sum))")
    }
    return quantified(first, "IN", Written(second.text(in: .unary), isMany: false))
  }

  private func between(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let first = try value(left)
    guard case .list(let bounds) = right.kind else {
      return quantified(first, "BETWEEN", try value(right))
    }
    var texts: [String] = []
    for bound in bounds {
      texts.append(adapted(try value(bound), bound, to: first).text(in: .sum))
    }
    return quantified(first, "BETWEEN", Written("{" + texts.joined(separator: ", ") + "}"))
  }
}

// LIKE and regular expressions
extension ExpressionWriter {
  private func patternComparison(
    _ sign: String, _ left: Written, _ right: Written, _ pattern: ForeignExpression
  ) throws(ForeignProblem) -> Written? {
    let options = sign.drop { $0 != "[" }
    switch sign.prefix(while: { $0 != "[" }) {
    case "LIKE":
      guard let text = pattern.literalText, parser.dialect == .sql || text.contains("%") else {
        return nil
      }
      changes += 1
      return quantified(left, "LIKE\(options)", Self.text(Self.wildcards(text)))
    case "GLOB":
      changes += 1
      if pattern.literalText?.contains("[") == true {
        throw missing("[…] in GLOB", localized("MATCHES has it"), at: pattern.span)
      }
      return quantified(left, "LIKE", right)
    case "SIMILAR":
      changes += 1
      let text = pattern.literalText ?? ""
      let expression = text.replacing("%", with: ".*").replacing("_", with: ".")
      return quantified(left, "MATCHES", Self.text(expression))
    case "SEARCH": return search(left, right, pattern, String(options))
    default: return nil
    }
  }

  private static func text(_ text: String) -> Written { Written(StatementText.string(text), .text) }

  /// A pattern that may match anywhere, as one of the whole.
  func search(
    _ left: Written, _ right: Written, _ pattern: ForeignExpression, _ options: String = ""
  ) -> Written {
    changes += 1
    var (text, letters) = (pattern.literalText, options)
    if case .pattern(let source, let ignoresCase) = pattern.kind {
      (text, letters) = (source, ignoresCase ? "[c]" : options)
    }
    guard let text else { return quantified(left, "MATCHES\(letters)", right) }
    return quantified(left, "MATCHES\(letters)", Self.text(Self.whole(text)))
  }

  /// `.*a.*` for `a`, `a.*` for `^a`
  private static func whole(_ pattern: String) -> String {
    var text = pattern
    let (fromStart, toEnd) = (text.hasPrefix("^"), text.hasSuffix("$") && !text.hasSuffix("\\$"))
    if fromStart { text.removeFirst() }
    if toEnd { text.removeLast() }
    let isChoice = text.contains("|") && !text.hasPrefix("(")
    if isChoice { text = "(\(text))" }
    return (fromStart || text.hasPrefix(".*") ? "" : ".*") + text
      + (toEnd || text.hasSuffix(".*") ? "" : ".*")
  }

  /// `*` for `%`, `?` for `_`; what is special here and not in SQL stands for itself.
  static func wildcards(_ pattern: String) -> String {
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
