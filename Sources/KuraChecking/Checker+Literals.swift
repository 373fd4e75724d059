import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension Checker {
  /// Reads a literal, or the literals in a list, as the type of the other side.
  func literal(
    _ literal: CheckedExpression, against other: CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    guard let type = other.type.literalType, isValueOperator(comparison) else {
      return literal.tree
    }
    return try read(literal, as: type, other.tree)
  }

  /// LIKE, MATCHES and the like take the right side as text, whatever the left is.
  private func isValueOperator(_ comparison: Comparison) -> Bool {
    switch comparison.operation {
    case .like, .matches, .beginsWith, .endsWith, .selector, .unsupported: false
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .in,
      .between:
      true
    }
  }

  /// What two expressions of which one is taken have in common: a literal is read as what the other
  /// one is.
  func alike(
    _ first: inout CheckedExpression, _ second: inout CheckedExpression
  ) throws(Diagnostic) -> CheckedType {
    if second.tree.isNull || first.tree.isNull {
      return first.tree.isNull ? second.type.orAny : first.type.orAny
    }
    if let type = first.type.literalType, case .literal = second.type {
      second.tree = try read(second, as: type, first.tree)
      return first.type
    }
    if let type = second.type.literalType, case .literal = first.type {
      first.tree = try read(first, as: type, second.tree)
      return second.type
    }
    return first.type.isSame(as: second.type) ? first.type : .any
  }

  /// Reads the literals of an expression, and texts in variables, as a type.
  func read(
    _ literal: CheckedExpression, as type: AttributeType, _ other: ExpressionTree?
  ) throws(Diagnostic) -> ExpressionTree {
    let tree = literal.tree
    return try tree.descending { () throws(Diagnostic) in
      tree.with(try kind(of: literal, as: type, other))
    }
  }

  private func kind(
    of literal: CheckedExpression, as type: AttributeType, _ other: ExpressionTree?
  ) throws(Diagnostic) -> ExpressionTree.Kind {
    switch literal.tree.kind {
    case .constant(var constant):
      if case .variable(let name) = literal.written.kind {
        constant = try self.constant(constant, of: name, as: type, literal.tree.span)
      }
      let value = try read(constant, as: type, literal.tree.span, other)
      return .constant(Constant(value, digits: constant.digits))
    case .aggregate:
      return .aggregate(
        try literal.parts.map { part throws(Diagnostic) in try read(part, as: type, other) })
    case .ternary(let condition, let yes, let no):
      let written = literal.written.branches ?? (yes, no)
      return .ternary(
        condition,
        try read(CheckedExpression(tree: yes, type: .any, written: written.yes), as: type, other),
        try read(CheckedExpression(tree: no, type: .any, written: written.no), as: type, other))
    case .evaluatedObject, .variable, .keyPath, .function, .message, .index, .indexAfterDot,
      .subquery, .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate,
      .fetch:
      return literal.tree.kind
    }
  }

  private func read(
    _ constant: Constant, as type: AttributeType, _ span: SourceSpan, _ other: ExpressionTree?
  ) throws(Diagnostic) -> Value {
    if type.has(constant.value) { return constant.value }
    switch (type, constant.value) {
    case (_, .list(let elements)):
      // What a nested fetch has found may be long, and is of the type.
      if elements.allSatisfy(type.has) { return constant.value }
      var values: [Value] = []
      for element in elements {
        values.append(try read(Constant(element), as: type, span, other))
      }
      return .list(values)
    case (_, .string(let text)) where type.readsStrings:
      return try value(text, type, span)
    case (.decimal, .double), (.decimal, .integer):
      guard let digits = constant.digits else { return constant.value }
      do { return try type.value(ofDigits: digits) } catch {
        throw Diagnostic(CheckFacts.unreadable(error), at: span)
      }
    case (_, .boolean), (_, .integer), (_, .double), (_, .decimal):
      guard type.isNumeric || type == .boolean else { throw mismatch(constant, type, span, other) }
      return constant.value
    case (_, .dictionary), (_, .object), (_, .set): return constant.value
    default: throw mismatch(constant, type, span, other)
    }
  }

  private func value(
    _ text: String, _ type: AttributeType, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let (zone, now) = (context.evaluation.zone, context.evaluation.now)
    do {
      let value = try type.value(ofText: text, in: zone, from: .person(now: now))
      if case .date(let moment) = value { warnIfSkipped(text, moment, zone, span) }
      return value
    } catch {
      throw Diagnostic(CheckFacts.unreadable(error), at: span)
    }
  }

  /// A time that no clock of the zone shows is read as a later one.
  private func warnIfSkipped(
    _ text: String, _ moment: Timestamp, _ zone: ZoneRules, _ span: SourceSpan
  ) {
    guard zone.skips(written: text, now: context.evaluation.now) else { return }
    let facts = SkippedTime(text: text, read: moment.text(.plain, in: zone), zone: zone.identifier)
    state.problems.append(Diagnostic(facts, at: span, severity: .warning))
  }

  /// An expression as it was written.
  func text(_ tree: ExpressionTree) -> String {
    let written = context.source?.text(tree.span) ?? ""
    let isInPart = context.predicates[String(written.dropFirst())] != nil
    return written.isEmpty || isInPart ? tree.expressionFormat : written
  }

  private func mismatch(
    _ constant: Constant, _ type: AttributeType, _ span: SourceSpan, _ other: ExpressionTree?
  ) -> Diagnostic {
    let literal = ExpressionTree(.constant(constant), span: span)
    // A date has no literal, and a truth is no number: it is what was written.
    let isDate = [.date, .boolean].contains(constant.value.kind)
    return Diagnostic(
      CheckFacts.literalMismatch(
        key: other.map(text), type: type, found: isDate ? text(literal) : literal.expressionFormat),
      at: span)
  }
}

extension Checker {
  /// `objectID == 17`, `objectID > 17`: numbers within the entity, which the path is made to read,
  /// unless it is compared with an object.
  func readNumber(_ tree: ExpressionTree, by path: inout ExpressionTree) {
    guard tree.isNumberLiteral, case .keyPath(var keys) = path.kind, !keys.components.isEmpty
    else { return }
    keys.components[keys.components.count - 1].name = objectNumberKey
    path.kind = .keyPath(keys)
  }
}

extension CheckedExpression {
  /// The elements of a list that was written, each as it was written.
  var parts: [CheckedExpression] {
    guard case .aggregate(let parts) = tree.kind else { return [] }
    var texts = parts
    if case .aggregate(let written) = written.kind, written.count == parts.count {
      texts = written
    }
    return zip(parts, texts).map { CheckedExpression(tree: $0, type: .any, written: $1) }
  }
}

extension ExpressionTree {
  /// What TERNARY is one or the other of.
  fileprivate var branches: (yes: ExpressionTree, no: ExpressionTree)? {
    if case .ternary(_, let yes, let no) = kind { (yes, no) } else { nil }
  }

  /// `nil`
  fileprivate var isNull: Bool {
    if case .constant(let constant) = kind { constant.value.isNull } else { false }
  }

  /// `3`, `{1, 2}`, and a list of numbers that came as an argument
  var isNumberLiteral: Bool {
    switch kind {
    case .constant(let constant):
      constant.value.elements.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
        ?? constant.value.isNumber
    case .aggregate(let parts):
      !parts.isEmpty && descending { parts.allSatisfy(\.isNumberLiteral) }
    default: false
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool { approximateNumber != nil }
}

/// `date == "2026-03-08 02:30"` in New York, where summer time begins half an hour before
private struct SkippedTime: DiagnosticFacts {
  let text: String
  let read: String
  let zone: String

  var sentence: String {
    localized("the clocks of \(zone) skip \"\(text)\", which is read as \(read)")
  }
  var help: String? {
    localized("an offset behind it says which moment is meant: \"\(text)Z\" in UTC")
  }
}

extension AttributeType {
  /// Whether a value stands against an attribute of the type as it is.
  fileprivate func has(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.json, _), (.string, .string), (.uri, .uri), (.date, .date), (.uuid, .uuid),
      (.binary, .binary):
      true
    default: false
    }
  }
}
