import KuraDiagnostics
import KuraModel
import KuraSentences

// NOT, AND, arithmetic, texts put together.
extension ExpressionWriter {
  func prefix(
    _ sign: String, _ inner: ForeignExpression, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    switch sign {
    case "NOT": return try negation(of: inner)
    case "-":
      let written = try value(inner)
      return Written("-" + written.text(in: .unary), written.type)
    case "~": return Written("onesComplement(\(try value(inner).text))", .number)
    case "ANY", "ALL", "SOME", "NONE":
      var quantified = scope
      quantified.isQuantified = true
      let condition = try inside(quantified) { () throws(ForeignProblem) in try predicate(inner) }
      return .predicate("\(sign) \(condition.text(in: .comparison))")
    case "DISTINCT":
      throw missing(
        localized("DISTINCT in a function"),
        localized("(fetch … select distinct x).@count counts them"), at: tree.span)
    default: throw .unreadable(tree.span)
    }
  }

  func negation(of tree: ForeignExpression) throws(ForeignProblem) -> Written {
    let (before, start) = (changes, nullable.count)
    let written = try value(tree)
    guard written.isPredicate else { return truth(written, isTrue: false) }
    guard changes > before || parser.dialect != .kura else {
      return .predicate("NOT " + written.text(in: .comparison), .not)
    }
    changes += 1
    return known(written.negated, since: start)
  }

  func infix(
    _ sign: String, _ left: ForeignExpression, _ right: ForeignExpression,
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    switch sign {
    case "AND", "OR": return try connected(sign, left, right)
    case "+": return try sum(left, right, tree)
    case "-": return try difference(left, right)
    case "||": return try concatenation([left, right])
    case "*", "/": return try arithmetic(sign, left, right, .product)
    case "**": return try arithmetic(sign, left, right, .power)
    case "%":
      changes += 1
      let (dividend, divisor) = (try value(left), try value(right))
      return Written("modulus:by:(\(dividend.text), \(divisor.text))", .number)
    case "??":
      changes += 1
      let (first, second) = (try value(left), try value(right))
      return Written("coalesce(\(first.text), \(second.text))", first.type)
    case "|": return try piped(left, right)
    case "..<", "...": throw .unreadable(tree.span)
    default: return try comparison(sign, left, right, tree)
    }
  }

  private func connected(
    _ word: String, _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if word == "OR", let joined = try joinedText(left, right) { return joined }
    if word == "OR", let coalesced = try defaultValue(left, right) { return coalesced }
    let place: KuraPrecedence = word == "AND" ? .and : .or
    let first = try predicate(left)
    let second = try predicate(right)
    return .predicate("\(first.text(in: place)) \(word) \(second.text(in: place))", place)
  }

  /// `title || '!' == 'x'`: in SQL `||` joins texts, and binds tighter than a comparison.
  private func joinedText(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written? {
    guard parser.dialect == .kura, case .infix(let sign, let second, let other) = right.kind,
      ["==", "!=", "<", "<=", ">", ">=", "LIKE"].contains(sign), isText(left) || isText(second),
      parser.source(SourceSpan(left.span.end, right.span.start)).contains("||")
    else { return nil }
    if case .infix = left.kind, !isText(left) { return nil }
    parser.mark(.sql, at: left.span.joined(second.span))
    let text = ForeignExpression(.infix("||", left, second), left.span.joined(second.span))
    return try comparison(
      sign, text, other, ForeignExpression(right.kind, left.span.joined(right.span)))
  }

  /// `title || "none"`, which is no condition.
  private func defaultValue(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written? {
    guard parser.dialect == .sql || parser.dialect == .kura, isText(right) || isText(left) else {
      return nil
    }
    return try concatenation([left, right])
  }

  private func isText(_ tree: ForeignExpression) -> Bool {
    if case .infix("OR", let left, let right) = tree.kind { return isText(left) || isText(right) }
    return tree.literalText != nil
  }

  /// `year in range(1900, 1911)`, which ends before its second number.
  func range(
    _ left: Written, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written? {
    guard let (name, arguments) = tree.namedCall, name == "range", (1...2).contains(arguments.count)
    else { return nil }
    changes += 1
    parser.mark(.python, at: tree.span)
    let first = arguments.count == 1 ? "0" : try value(arguments[0].value).text(in: .sum)
    let last = arguments[arguments.count - 1].value
    if let end = last.literalInteger {
      return quantified(left, "BETWEEN", Written("{\(first), \(end - 1)}"))
    }
    let path = left.text(in: .sum)
    return .predicate("\(path) >= \(first) AND \(path) < \(try value(last).text(in: .sum))", .and)
  }

  private func arithmetic(
    _ sign: String, _ left: ForeignExpression, _ right: ForeignExpression, _ place: KuraPrecedence
  ) throws(ForeignProblem) -> Written {
    let (first, second) = (try value(left), try value(right))
    let behind = KuraPrecedence(rawValue: place.rawValue + 1) ?? .unary
    return Written(
      "\(first.text(in: place)) \(sign) \(second.text(in: behind))", .number, binding: place)
  }

  private func sum(
    _ left: ForeignExpression, _ right: ForeignExpression, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if let date = try moved(left, by: right, isBack: false) { return date }
    if let date = try moved(right, by: left, isBack: false) { return date }
    let (first, second) = (try value(left), try value(right))
    if first.type == .text || second.type == .text { return try concatenation([left, right]) }
    return Written(
      "\(first.text(in: .sum)) + \(second.text(in: .product))", .number, binding: .sum)
  }

  private func difference(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if let date = try moved(left, by: right, isBack: true) { return date }
    let (first, second) = (try value(left), try value(right))
    if first.type == .date, second.type == .date, parser.dialect == .sql {
      changes += 1
      return Written("daysBetween(\(second.text), \(first.text))", .number)
    }
    return Written(
      "\(first.text(in: .sum)) - \(second.text(in: .product))", .number, binding: .sum)
  }

  /// A text of several, in one call for all that are put together.
  func concatenation(_ parts: [ForeignExpression]) throws(ForeignProblem) -> Written {
    changes += 1
    var texts: [String] = []
    for part in parts.flatMap(summands) { texts.append(try value(part).text) }
    return Written("concat(\(texts.joined(separator: ", ")))", .text)
  }

  private func summands(_ tree: ForeignExpression) -> [ForeignExpression] {
    switch tree.kind {
    case .infix("+", let left, let right), .infix("||", let left, let right):
      summands(left) + summands(right)
    case .infix("OR", let left, let right) where parser.dialect == .kura:
      summands(left) + summands(right)
    default: [tree]
    }
  }

  /// `.tags | length`: what stands behind asks what stands before.
  private func piped(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let before = try value(left)
    let place =
      self.place(of: before)
      ?? ForeignScope.Place(entity: nil, value: before)
    return try inside(scope.binding([], to: place)) { () throws(ForeignProblem) in
      try value(right)
    }
  }

  /// `CAST(x AS INTEGER)`, `x::date`
  func cast(
    _ inner: ForeignExpression, to type: String, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    let written = try value(inner)
    let word = type.lowercased()
    if word.hasPrefix("ns") { return Written("CAST(\(written.text), \"\(type)\")") }
    changes += 1
    switch word {
    case "date", "datetime", "timestamp", "timestamptz", "time":
      if inner.literalText != nil { return Written(written.text, .date) }
      return word == "date" && written.type == .date
        ? Written("startOfDay(\(written.text))", .date) : Written("date(\(written.text))", .date)
    case "text", "varchar", "char", "nvarchar", "string", "character":
      return written.type == .text ? written : Written("CAST(\(written.text), \"NSString\")", .text)
    case "boolean", "bool", "bit": return Written(written.text, .boolean)
    case "int", "integer", "bigint", "smallint", "signed", "unsigned", "real", "float", "double",
      "numeric", "decimal", "number":
      return written.type == .number
        ? written : Written("CAST(\(written.text), \"NSNumber\")", .number)
    default: throw missing(localized("the type \(type)"), at: tree.span)
    }
  }
}
