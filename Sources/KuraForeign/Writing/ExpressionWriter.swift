import KuraDiagnostics
import KuraModel

/// Writes values and conditions of other languages in Kura's.
final class ExpressionWriter {
  let names: ModelNames
  let parser: ForeignParser
  var scope = ForeignScope()
  /// The entity that is meant where data have a name of nobody's.
  var defaultEntity: String?
  /// The keys that may be null, as they were met: what SQL does not know, Kura holds for false.
  var nullable: [String] = []
  /// Whether conditions that differ in that are told apart.
  var minds = true
  /// Whether there was one.
  var mindedNull = false
  /// How often something had to be written otherwise than it stood.
  var changes = 0
  private var depth = 0

  init(_ names: ModelNames, _ parser: ForeignParser) {
    self.names = names
    self.parser = parser
  }

  /// A variable for a subquery that none around it has: `$x`, `$y`.
  func newVariable() -> String {
    let used = ([scope.root].compactMap(\.self) + scope.names.values).map(\.path)
    let letters = ["$x", "$y", "$z"] + (1...200).map { "$x\($0)" }
    return letters.first { letter in
      !used.contains { $0 == letter || $0.hasPrefix(letter + ".") }
    } ?? "$x"
  }

  /// Writes something where other names hold.
  func inside<Result>(
    _ scope: ForeignScope, _ write: () throws(ForeignProblem) -> Result
  ) throws(ForeignProblem) -> Result {
    let outside = self.scope
    self.scope = scope
    defer { self.scope = outside }
    return try write()
  }

  func missing(_ construct: String, _ instead: String? = nil, at span: SourceSpan) -> ForeignProblem
  {
    .noCounterpart(NoCounterpart(construct, instead: instead), span)
  }
}

extension ExpressionWriter {
  /// A value; in a statement of Kura it stays as it stands where nothing in it is foreign.
  func value(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    depth += 1
    defer { depth -= 1 }
    guard depth < 150 else { throw .unreadable(tree.span) }
    try parser.step()
    let before = changes
    var written = try write(tree)
    guard parser.dialect == .kura, changes == before, tree.span.start < tree.span.end,
      !isMarked(tree.span)
    else { return written }
    written.text = parser.source(tree.span)
    if written.text.hasPrefix("("), written.text.hasSuffix(")") { written.binding = .unary }
    return written
  }

  private func isMarked(_ span: SourceSpan) -> Bool {
    parser.marks.contains { $0.start < span.end && span.start < $0.end }
  }

  /// A condition; a value alone is asked whether it is true.
  func predicate(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    if case .boolean(let isTrue) = tree.kind {
      changes += 1
      return .predicate(isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE", .unary)
    }
    if case .record(let entries) = tree.kind {
      guard let all = QueryBuilder.all(try mongoConditions(entries)) else {
        throw .unreadable(tree.span)
      }
      parser.mark(.mongoDB, at: tree.span)
      changes += 1
      return all
    }
    if case .parameter(let name) = tree.kind, parser.dialect == .kura, scope[name] == nil,
      name.dropFirst().first?.isNumber == false
    {
      return .predicate(name, .unary)
    }
    let written = try value(tree)
    if written.isPredicate { return written }
    // `priority == 1 OR 2` means another thing than that 2 is something.
    if parser.dialect == .kura, tree.isLiteral { throw .unreadable(tree.span) }
    return truth(written, isTrue: true)
  }

  /// Whether a value is something: YES, not nil, not empty.
  func truth(_ written: Written, isTrue: Bool) -> Written {
    changes += 1
    let text = written.text(in: .sum)
    if written.isMany, !scope.isQuantified {
      var count = Written.predicate("\(text).@count \(isTrue ? ">" : "==") 0")
      count.opposite = "\(text).@count \(isTrue ? "==" : ">") 0"
      return count
    }
    let unequal = isTrue ? "!=" : "=="
    switch written.type {
    case .object, .date, .null: return .comparison(text, unequal, "NULL")
    case .text: return .comparison(text, unequal, "\"\"")
    case .number: return .comparison(text, unequal, "0")
    case .place(_, let anywhere, _):
      return .predicate(isTrue ? anywhere : "NOT \(anywhere)", isTrue ? .comparison : .not)
    case .boolean, .unknown: return .predicate("\(text) == \(isTrue ? "YES" : "NO")")
    }
  }

  private func write(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    switch tree.kind {
    case .number(let digits): return Written(digits, .number)
    case .string(let text, let mayBeName): return string(text, mayBeName)
    case .pattern(let text, _): return Written(StatementText.string(text), .text)
    case .boolean(let isTrue): return Written(isTrue ? "YES" : "NO", .boolean)
    case .null: return Written("NULL", .null)
    case .name(let name): return try self.name(name, tree)
    case .parameter(let name): return try parameter(name, tree)
    case .object(let name, let number): return object(name, number)
    case .root: return try root(tree)
    case .keyPath(let path): return keyPath(path)
    case .member(let base, let name): return try member(base, name, tree)
    case .elements(let base): return try elements(base)
    case .index(let base, let index): return try self.index(base, index, tree)
    case .slice(let base, let from, let to): return try slice(base, from, to, tree)
    case .call: return try call(tree)
    case .closure(_, let body): return try value(body)
    case .prefix(let sign, let inner): return try prefix(sign, inner, tree)
    case .infix(let sign, let left, let right): return try infix(sign, left, right, tree)
    case .list(let values): return try list(values)
    case .record: throw .unreadable(tree.span)
    case .choice(let choices, let other): return try choice(choices, other)
    case .cast(let inner, let type): return try cast(inner, to: type, tree)
    case .interval: throw missing("INTERVAL", "dateByAdding(date, 1, \"day\")", at: tree.span)
    case .select(let query): return try nested(query)
    case .comprehension: return try nestedQuery(tree)
    case .verbatim: return verbatim(tree)
    case .star: return Written("SELF")
    }
  }

  /// `tags[]`: each of them.
  private func elements(_ base: ForeignExpression) throws(ForeignProblem) -> Written {
    var written = try value(base)
    written.isMany = !base.isRoot
    changes += 1
    return written
  }

  private func verbatim(_ tree: ForeignExpression) -> Written {
    Written(parser.source(tree.span))
  }

  private func list(_ values: [ForeignExpression]) throws(ForeignProblem) -> Written {
    var texts: [String] = []
    for element in values { texts.append(try value(element).text(in: .sum)) }
    return Written("{" + texts.joined(separator: ", ") + "}")
  }

  private func choice(
    _ choices: [(condition: ForeignExpression, value: ForeignExpression)],
    _ other: ForeignExpression?
  ) throws(ForeignProblem) -> Written {
    changes += 1
    if choices.count == 1, case .boolean(true) = choices[0].value.kind,
      case .boolean(false)? = other?.kind
    {
      return try predicate(choices[0].condition)
    }
    var result = try other.map { (tree) throws(ForeignProblem) in try value(tree) }
    for (condition, value) in choices.reversed() {
      let test = try predicate(condition)
      let chosen = try self.value(value)
      let rest = result?.text ?? "NULL"
      result = Written("TERNARY(\(test.text), \(chosen.text), \(rest))", chosen.type)
    }
    return result ?? Written("NULL", .null)
  }
}
