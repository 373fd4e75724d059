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
      throw tree.span.missing(
        localized("DISTINCT in a function"),
        localized("(fetch … select distinct x).@count counts them"))
    }
  }

  func infix(_ sign: String, _ left: Tree, _ right: Tree, _ tree: Tree) throws -> Written {
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

  /// `x ?? 0`; `x?.hasPrefix("a") ?? false` is a condition.
  private func defaulted(_ left: Tree, _ right: Tree) throws -> Written {
    changes += 1
    let first = try value(left)
    guard first.isPredicate else {
      return Written("coalesce(\(first.text), \(try value(right).text))", first.type)
    }
    guard right.literalBoolean == false else {
      throw right.span.missing(localized("?? true after a condition"))
    }
    return first
  }

  /// A number; other types are refused in SQL.
  private func number(_ tree: Tree) throws -> Written {
    let written = try operand(tree)
    guard !isSQL || written.type.agrees(with: .number) else {
      throw tree.span.missing(localized("arithmetic with what is no number"))
    }
    return written
  }

  private func arithmetic(_ sign: String, _ first: Written, _ second: Written) -> Written {
    let isWhole = first.type == .integer && second.type == .integer && sign != "**"
    let place: Precedence = ["+", "-"].contains(sign) ? .sum : sign == "**" ? .power : .product
    return Written(
      "\(first.text(in: place)) \(sign) \(second.text(in: place.tighter))",
      isWhole ? .integer : .number, binding: place, nulls: first.nulls.joined(second.nulls))
  }

  /// `a / b`, `a % b`: SQL's quotient by 0 is NULL.
  private func quotient(_ sign: String, _ left: Tree, _ right: Tree) throws -> Written {
    let (first, second) = (try number(left), try number(right))
    var written = arithmetic(sign, first, second)
    if sign == "%" {
      changes += 1
      if isSQL, written.type != .integer {
        throw left.span.joined(right.span).missing(localized("% with what is no integer"))
      }
      written.text = "modulus:by:(\(first.text), \(second.text))"
      written.binding = .unary
    }
    let isLiteral = second.text.contains(where: \.isNumber) && Double(second.text) ?? 0 != 0
    guard isSQL, !isLiteral else { return written }
    changes += 1
    let text = "TERNARY(\(second.text(in: .sum)) == 0, NULL, \(written.text))"
    return Written(text, written.type, nulls: [text])
  }

  private func sum(_ sign: String, _ left: Tree, _ right: Tree) throws -> Written {
    if let date = try moved(left, by: right, isBack: sign == "-") { return date }
    if sign == "+", let date = try moved(right, by: left, isBack: false) { return date }
    if !isSQL, sign == "+" {
      let types = [try value(left).type, try value(right).type]
      if types.contains(.text) { return try concatenation([left, right]) }
    }
    return arithmetic(sign, try number(left), try number(right))
  }

  /// Texts put together by one call. In SQL the whole is NULL if a part is.
  private func concatenation(_ parts: [Tree]) throws -> Written {
    changes += 1
    let parts = parts.flatMap(summands)
    let texts = try parts.map(operand)
    if isSQL, let odd = texts.firstIndex(where: { $0.type != .text && $0.type != .integer }) {
      throw parts[odd].span.missing(localized("|| with what is no text"))
    }
    let text = "concat(\(texts.map(\.text).joined(separator: ", ")))"
    let nulls = texts.reduce([]) { $0.joined($1.nulls) }
    guard isSQL, !nulls.isEmpty else { return Written(text, .text) }
    let test = nulls.map { "\($0) == NULL" }.joined(separator: " OR ")
    return Written("TERNARY(\(test), NULL, \(text))", .text, nulls: nulls)
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
  /// `CAST(x AS INTEGER)`, `x::date`, Kura's `CAST(x, "NSNumber")`
  func cast(_ inner: Tree, to type: String, _ tree: Tree) throws -> Written {
    let written = try operand(inner)
    let word = type.lowercased()
    if word.hasPrefix("ns") { return Written("CAST(\(written.text), \"\(type)\")") }
    changes += 1
    func made(_ text: String, _ type: WrittenType, _ binding: Precedence = .unary) -> Written {
      Written(text, type, binding: binding, nulls: written.nulls)
    }
    switch (Self.castTypes[word], written.type) {
    case (.date?, _) where inner.literalText != nil: return Written(written.text, .date)
    case (.date?, .date):
      return word == "date" ? made("startOfDay(\(written.text))", .date) : written
    case (.text?, .text), (.boolean?, .boolean), (.integer?, .integer): return written
    case (.text?, .integer) where word != "string":
      return made("CAST(\(written.text), \"NSString\")", .text)
    case (.integer?, .number): return made("trunc(\(written.text))", .integer)
    case (.number?, .integer), (.number?, .number):
      return made(written.text(in: .product) + " * 1.0", .number, .product)
    default:
      guard !isSQL else { throw tree.span.missing("CAST AS \(type.uppercased())") }
      return Written(parser.source(tree.span))
    }
  }

  private static let castTypes: [String: WrittenType] = [
    "date": .date, "datetime": .date, "timestamp": .date, "timestamptz": .date, "text": .text,
    "varchar": .text, "string": .text, "boolean": .boolean, "bool": .boolean, "int": .integer,
    "integer": .integer, "bigint": .integer, "real": .number, "float": .number, "double": .number,
  ]

  /// `year` for `YEARS`; nil if Kura has no such unit.
  static func unit(_ word: String) -> String? {
    let word = word.lowercased()
    let units = ["year", "month", "week", "day", "hour", "minute", "second"]
    return units.first { word == $0 || word == $0 + "s" }
  }

  /// A date moved by an interval; nil if it is not one.
  private func moved(_ date: Tree, by interval: Tree, isBack: Bool) throws -> Written? {
    guard case .interval(let count, let word) = interval.kind else { return nil }
    let number = try value(count)
    let back =
      number.text.hasPrefix("-") ? String(number.text.dropFirst()) : "-" + number.text(in: .unary)
    return try moved(date, by: isBack ? back : number.text, word, interval.span)
  }

  /// `dateByAdding(date, 3, "day")`
  func moved(_ date: Tree, by count: String, _ word: String, _ span: SourceSpan) throws -> Written {
    guard let unit = Self.unit(word) else { throw span.missing(localized("the unit \(word)")) }
    changes += 1
    let written = try value(date)
    return Written(
      "dateByAdding(\(written.text), \(count), \"\(unit)\")", .date, nulls: written.nulls)
  }
}
