import KuraDiagnostics
import KuraModel
import KuraSentences

/// Writes values and conditions of other languages as Kura's.
///
/// A condition of SQL has three truth values, one of Kura two: `title < "b"` is false of NULL, and
/// `NOT` of it true. Each condition is therefore written twice, as it is met and as it is not, and
/// `NOT`, `AND` and `OR` combine both.
final class ExpressionWriter {
  let names: ModelNames
  let parser: ForeignParser
  var scope = Scope()
  /// Whether aggregates are of groups, which are never empty.
  var isGrouped = false
  /// The partners of each object, if aggregates are of them: those of a LEFT JOIN.
  var partners: Place?
  /// The number of parts that had to be written otherwise.
  var changes = 0
  private var depth = 0

  init(_ names: ModelNames, _ parser: ForeignParser) {
    self.names = names
    self.parser = parser
  }

  var isSQL: Bool { parser.dialect == .sql }

  /// A variable for a subquery that nothing around it uses: `$x`, `$y`.
  func newVariable() -> String {
    let used = ([scope.root].compactMap(\.self) + scope.names.values).map(\.path)
    let letters = ["$x", "$y", "$z"] + (1...200).map { "$x\($0)" }
    return letters.first { letter in
      !used.contains { $0 == letter || $0.hasPrefix(letter + ".") }
    } ?? "$x"
  }

  /// Writes something where other names hold.
  func inside<Result>(_ scope: Scope, _ write: () throws -> Result) throws -> Result {
    let outside = self.scope
    self.scope = scope
    defer { self.scope = outside }
    return try write()
  }

  func missing(_ construct: String, _ instead: String? = nil, at span: SourceSpan) -> ForeignProblem
  {
    ForeignProblem(NoCounterpart(construct, instead: instead), span)
  }
}

extension ExpressionWriter {
  /// A value. In a statement of Kura it stays as it is if nothing in it is foreign.
  func value(_ tree: Tree) throws -> Written {
    depth += 1
    defer { depth -= 1 }
    guard depth < 150 else { throw tree.span.unreadable }
    try parser.step()
    let before = changes
    var written = try write(tree)
    guard parser.dialect == .kura, changes == before, tree.span.start < tree.span.end,
      !parser.marks.contains(where: { $0.start < tree.span.end && tree.span.start < $0.end })
    else { return written }
    written.text = parser.source(tree.span)
    if written.text.hasPrefix("("), written.text.hasSuffix(")") { written.binding = .unary }
    return written
  }

  /// A value of SQL, where a condition is worth TRUE, FALSE or NULL.
  func operand(_ tree: Tree) throws -> Written { try operand(try value(tree), tree) }

  func operand(_ written: Written, _ tree: Tree) throws -> Written {
    if case .place = written.type { throw missing(localized("the place of a text"), at: tree.span) }
    guard written.isPredicate, isSQL else { return written }
    guard !written.nulls.isEmpty else {
      return Written("TERNARY(\(written.text), YES, NO)", .boolean)
    }
    let text = "TERNARY(\(written.text), YES, TERNARY(\(written.negated.text), NO, NULL))"
    return Written(text, .boolean, nulls: [text])
  }

  /// The texts of values, between commas.
  func texts(_ values: [Tree]) throws -> String {
    let texts = try values.map { tree in try operand(tree).text }
    return texts.joined(separator: ", ")
  }

  /// A condition; a value alone is asked whether it is true.
  func predicate(_ tree: Tree) throws -> Written {
    if let isTrue = tree.literalBoolean {
      changes += 1
      let always = Written.predicate("TRUEPREDICATE", .unary)
        .or(not: .predicate("FALSEPREDICATE", .unary))
      return isTrue ? always : always.negated
    }
    if case .parameter(let name) = tree.kind, parser.dialect == .kura, scope[name] == nil,
      name.dropFirst().first?.isNumber == false
    {
      return .predicate(name, .unary)
    }
    let written = try value(tree)
    if written.isPredicate { return written }
    // `priority == 1 OR 2` does not mean that 2 is true.
    if parser.dialect == .kura, tree.isLiteral { throw tree.span.unreadable }
    return try truth(written, tree)
  }

  /// The condition that a value is true: YES, not 0; outside of SQL also not nil, not empty.
  func truth(_ written: Written, _ tree: Tree) throws -> Written {
    changes += 1
    let text = written.text(in: .sum)
    if written.isMany, !scope.isQuantified {
      return .predicate("\(text).@count > 0").or(not: .predicate("\(text).@count == 0"))
    }
    switch written.type {
    case .integer, .number: return compared(written, "!=", Written("0", .integer))
    case .place(_, let anywhere, _): return test(anywhere, written.nulls)
    case .object, .date, .null, .text:
      if isSQL { throw missing(parser.source(tree.span), at: tree.span) }
      return compared(written, "!=", Written(written.type == .text ? "\"\"" : "NULL"))
    case .boolean, .unknown:
      return .predicate("\(text) == YES").or(not: .predicate("\(text) == NO"), nulls: written.nulls)
    }
  }

  func write(_ tree: Tree) throws -> Written {
    switch tree.kind {
    case .number(let digits):
      return Written(digits, Int(digits) == nil ? .number : .integer)
    case .string(let text, let mayBeName): return string(text, mayBeName)
    case .boolean(let isTrue): return Written(isTrue ? "YES" : "NO", .boolean)
    case .null: return Written("NULL", .null, nulls: ["NULL"])
    case .name(let name): return try self.name(name, tree)
    case .parameter(let name): return try parameter(name, tree)
    case .object(let name, let number): return object(name, number)
    case .root: return try root(tree)
    case .keyPath(let path): return keyPath(path)
    case .member(let base, let name): return try member(base, name, tree)
    case .index(let base, let index): return try self.index(base, index, tree)
    case .slice: return try slice(tree)
    case .call: return try call(tree)
    case .closure(_, let body): return try value(body)
    case .prefix(let sign, let inner): return try prefix(sign, inner, tree)
    case .infix(let sign, let left, let right): return try infix(sign, left, right, tree)
    case .list(let values): return try list(values)
    case .choice(let choices, let other): return try choice(choices, other)
    case .cast(let inner, let type): return try cast(inner, to: type, tree)
    case .interval: throw missing("INTERVAL", "dateByAdding(date, 1, \"day\")", at: tree.span)
    case .select(let query): return try nested(query)
    case .verbatim: return Written(parser.source(tree.span))
    case .star: return Written("SELF")
    }
  }

  private func list(_ values: [Tree]) throws -> Written {
    if isSQL, let last = values.last { throw missing(localized("a row of values"), at: last.span) }
    let texts = try values.map { element in try value(element).text(in: .sum) }
    return Written("{" + texts.joined(separator: ", ") + "}")
  }

  /// `a ? b : c`, `CASE WHEN a THEN b ELSE c END`
  private func choice(
    _ choices: [(condition: Tree, value: Tree)],
    _ other: Tree?
  ) throws -> Written {
    changes += 1
    if choices.count == 1, let other, !isSQL {
      let (met, unmet) = (try value(choices[0].value), try value(other))
      if met.isPredicate, unmet.isPredicate {
        let test = try predicate(choices[0].condition)
        let (yes, no) = (connected("AND", test, met), connected("AND", test.negated, unmet))
        return connected("OR", yes, no)
      }
    }
    var result =
      try other.map { tree in try operand(tree) }
      ?? Written("NULL", .null, nulls: ["NULL"])
    for (condition, value) in choices.reversed() {
      let test = try predicate(condition)
      let chosen = try operand(value)
      guard chosen.type.agrees(with: result.type) || !isSQL else {
        throw missing(localized("CASE with values of several types"), at: value.span)
      }
      let text = "TERNARY(\(test.text), \(chosen.text), \(result.text))"
      let type = chosen.type == .null ? result.type : chosen.type
      let mayBeNull = !chosen.nulls.isEmpty || !result.nulls.isEmpty
      result = Written(text, type, nulls: mayBeNull ? [text] : [])
    }
    return result
  }
}
