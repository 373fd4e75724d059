import KuraDiagnostics
import KuraModel
import KuraSentences

// Signs before values and between them
extension ExpressionWriter {
  func prefix(_ sign: String, _ inner: Tree, _ tree: Tree) throws -> Written {
    switch sign {
    case "NOT": return try negation(of: inner)
    case "-":
      let written = try number(inner)
      return Written("-" + written.text(in: .unary), written.type, nulls: written.nulls)
    case "ANY", "ALL", "SOME", "NONE":
      var quantified = scope
      quantified.isQuantified = true
      let condition = try inside(quantified) { try predicate(inner) }
      return .predicate("\(sign) \(condition.text(in: .comparison))")
    default:
      throw missing(
        localized("DISTINCT in a function"),
        localized("(fetch … select distinct x).@count counts them"), at: tree.span)
    }
  }

  func infix(_ sign: String, _ left: Tree, _ right: Tree, _ tree: Tree) throws -> Written {
    switch sign {
    case "AND", "OR":
      if sign == "OR", let joined = try joinedText(left, right) { return joined }
      return connected(sign, try predicate(left), try predicate(right))
    case "+", "-": return try sum(sign, left, right)
    case "||": return try concatenation([left, right])
    case "*": return try arithmetic(sign, left, right, .product)
    case "/", "%": return try quotient(sign, left, right)
    case "**": return try arithmetic(sign, left, right, .power)
    case "??": return try defaulted(left, right)
    case "..<", "...", ".": throw tree.span.unreadable
    default: return try comparison(sign, left, right, tree)
    }
  }

  /// `x ?? 0`; `x?.hasPrefix("a") ?? false` is a condition.
  private func defaulted(_ left: Tree, _ right: Tree) throws -> Written {
    changes += 1
    let first = try value(left)
    guard first.isPredicate else {
      return Written("coalesce(\(first.text), \(try value(right).text))", first.type)
    }
    guard right.literalBoolean == false else {
      throw missing(localized("?? true after a condition"), at: right.span)
    }
    return first
  }

  /// A number; other types are refused in SQL.
  private func number(_ tree: Tree) throws -> Written {
    let written = try operand(tree)
    guard !isSQL || written.type.agrees(with: .number) else {
      throw missing(localized("arithmetic with what is no number"), at: tree.span)
    }
    return written
  }

  private func arithmetic(
    _ sign: String, _ left: Tree, _ right: Tree, _ place: Precedence
  ) throws -> Written {
    let (first, second) = (try number(left), try number(right))
    let isWhole = first.type == .integer && second.type == .integer && sign != "**"
    return Written(
      "\(first.text(in: place)) \(sign) \(second.text(in: place.tighter))",
      isWhole ? .integer : .number, binding: place, nulls: first.nulls.joined(second.nulls))
  }

  /// `a / b`, `a % b`: SQL's quotient by 0 is NULL.
  private func quotient(_ sign: String, _ left: Tree, _ right: Tree) throws -> Written {
    var written = try arithmetic(sign, left, right, .product)
    if sign == "%" {
      changes += 1
      if isSQL, written.type != .integer {
        throw missing(localized("% with what is no integer"), at: left.span.joined(right.span))
      }
      written.text = "modulus:by:(\(try number(left).text), \(try number(right).text))"
      written.binding = .unary
    }
    guard isSQL, right.literalInteger ?? 0 == 0 else { return written }
    let divisor = try number(right)
    if divisor.text.allSatisfy({ $0.isNumber || $0 == "." }), Double(divisor.text) ?? 0 != 0 {
      return written
    }
    changes += 1
    let text = "TERNARY(\(divisor.text(in: .sum)) == 0, NULL, \(written.text))"
    return Written(text, written.type, nulls: [text])
  }

  private func sum(_ sign: String, _ left: Tree, _ right: Tree) throws -> Written {
    if let date = try moved(left, by: right, isBack: sign == "-") { return date }
    if sign == "+", let date = try moved(right, by: left, isBack: false) { return date }
    if !isSQL, sign == "+" {
      let types = [try value(left).type, try value(right).type]
      if types.contains(.text) { return try concatenation([left, right]) }
    }
    return try arithmetic(sign, left, right, .sum)
  }

  /// Texts put together by one call. In SQL the whole is NULL if a part is.
  func concatenation(_ parts: [Tree]) throws -> Written {
    changes += 1
    var (texts, nulls) = ([String](), [String]())
    for part in parts.flatMap(summands) {
      let written = try operand(part)
      guard !isSQL || written.type == .text || written.type == .integer else {
        throw missing(localized("|| with what is no text"), at: part.span)
      }
      texts.append(written.text)
      nulls = nulls.joined(written.nulls)
    }
    let text = "concat(\(texts.joined(separator: ", ")))"
    guard isSQL, !nulls.isEmpty else { return Written(text, .text) }
    let test = nulls.map { "\($0) == NULL" }.joined(separator: " OR ")
    return Written("TERNARY(\(test), NULL, \(text))", .text, nulls: nulls)
  }

  private func summands(_ tree: Tree) -> [Tree] {
    switch tree.kind {
    case .infix("+", let left, let right) where !isSQL: summands(left) + summands(right)
    case .infix("||", let left, let right): summands(left) + summands(right)
    case .infix("OR", let left, let right) where parser.dialect == .kura:
      summands(left) + summands(right)
    default: [tree]
    }
  }

  /// `title || '!'` in a statement of Kura; there `||` is also or: `title || '!' == 'x'` is read as
  /// `title || ('!' == 'x')`.
  private func joinedText(_ left: Tree, _ right: Tree) throws -> Written? {
    guard parser.dialect == .kura else { return nil }
    if isText(right) || isText(left), right.comparison == nil {
      return try concatenation([left, right])
    }
    guard let (sign, second, other) = right.comparison, isText(left) || isText(second),
      parser.source(SourceSpan(left.span.end, right.span.start)).contains("||")
    else { return nil }
    if case .infix = left.kind, !isText(left) { return nil }
    parser.mark(.sql, at: left.span.joined(second.span))
    let text = Tree(.infix("||", left, second), left.span.joined(second.span))
    return try comparison(sign, text, other, Tree(right.kind, left.span.joined(right.span)))
  }

  private func isText(_ tree: Tree) -> Bool {
    if case .infix("OR", let left, let right) = tree.kind { return isText(left) || isText(right) }
    return tree.literalText != nil
  }
}

extension Tree {
  fileprivate var comparison: (sign: String, left: Tree, right: Tree)? {
    guard case .infix(let sign, let left, let right) = kind,
      ["==", "!=", "<", "<=", ">", ">=", "LIKE"].contains(sign)
    else { return nil }
    return (sign, left, right)
  }
}

// Types and dates
extension ExpressionWriter {
  /// `CAST(x AS INTEGER)`, `x::date`, Kura's `CAST(x, "NSNumber")`
  func cast(_ inner: Tree, to type: String, _ tree: Tree) throws -> Written {
    let written = try operand(inner)
    let word = type.lowercased()
    if word.hasPrefix("ns") { return Written("CAST(\(written.text), \"\(type)\")") }
    changes += 1
    switch (word, written.type) {
    case ("date", _), ("datetime", _), ("timestamp", _), ("timestamptz", _):
      if inner.literalText != nil { return Written(written.text, .date) }
      guard written.type == .date else { break }
      return word == "date"
        ? Written("startOfDay(\(written.text))", .date, nulls: written.nulls) : written
    case ("text", .text), ("varchar", .text), ("string", .text), ("boolean", .boolean),
      ("bool", .boolean), ("int", .integer), ("integer", .integer), ("bigint", .integer):
      return written
    case ("text", .integer), ("varchar", .integer):
      return Written("CAST(\(written.text), \"NSString\")", .text, nulls: written.nulls)
    case ("int", .number), ("integer", .number), ("bigint", .number):
      return Written("trunc(\(written.text))", .integer, nulls: written.nulls)
    case ("real", .integer), ("float", .integer), ("double", .integer), ("real", .number),
      ("float", .number), ("double", .number):
      let text = written.text(in: .product) + " * 1.0"
      return Written(text, .number, binding: .product, nulls: written.nulls)
    default: break
    }
    guard !isSQL else { throw missing("CAST AS \(type.uppercased())", at: tree.span) }
    return Written(parser.source(tree.span))
  }

  /// `year` for `YEARS`; nil if Kura has no such unit.
  static func unit(_ word: String) -> String? {
    let word = word.lowercased()
    let units = ["year", "month", "week", "day", "hour", "minute", "second"]
    return units.first { word == $0 || word == $0 + "s" }
  }

  /// A date moved by an interval; nil if it is not one.
  func moved(_ date: Tree, by interval: Tree, isBack: Bool) throws -> Written? {
    guard case .interval(let count, let word) = interval.kind else { return nil }
    let number = try value(count)
    let back =
      number.text.hasPrefix("-") ? String(number.text.dropFirst()) : "-" + number.text(in: .unary)
    return try moved(date, by: isBack ? back : number.text, word, interval.span)
  }

  /// `dateByAdding(date, 3, "day")`
  func moved(_ date: Tree, by count: String, _ word: String, _ span: SourceSpan) throws -> Written {
    guard let unit = Self.unit(word) else { throw missing(localized("the unit \(word)"), at: span) }
    changes += 1
    let written = try value(date)
    return Written(
      "dateByAdding(\(written.text), \(count), \"\(unit)\")", .date, nulls: written.nulls)
  }
}
