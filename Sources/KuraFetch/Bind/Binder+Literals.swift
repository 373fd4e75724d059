import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension Binder {
  /// Reads a literal, or the literals in a list, as the type of the other side.
  func literal(
    _ literal: BoundExpression, against other: BoundExpression, _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    guard let type = other.type.literalType, isValueOperator(comparison) else {
      return literal.tree
    }
    return try read(literal.tree, as: type, other.tree)
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
    _ first: inout BoundExpression, _ second: inout BoundExpression
  ) throws(Diagnostic) -> BoundType {
    if second.tree.isNull || first.tree.isNull {
      return first.tree.isNull ? second.type.orAny : first.type.orAny
    }
    if let type = first.type.literalType, case .literal = second.type {
      second.tree = try read(second.tree, as: type, first.tree)
      return first.type
    }
    if let type = second.type.literalType, case .literal = first.type {
      first.tree = try read(first.tree, as: type, second.tree)
      return second.type
    }
    return first.type.isSame(as: second.type) ? first.type : .any
  }

  func read(
    _ tree: ExpressionTree, as type: AttributeType, _ other: ExpressionTree?
  ) throws(Diagnostic) -> ExpressionTree {
    try tree.descending { () throws(Diagnostic) in try readKind(of: tree, as: type, other) }
  }

  private func readKind(
    of tree: ExpressionTree, as type: AttributeType, _ other: ExpressionTree?
  ) throws(Diagnostic) -> ExpressionTree {
    switch tree.kind {
    case .constant(let constant):
      let value = try read(constant, as: type, tree.span, other)
      return tree.with(.constant(Constant(value, digits: constant.digits)))
    case .aggregate(let parts):
      var result: [ExpressionTree] = []
      for part in parts { result.append(try read(part, as: type, other)) }
      return tree.with(.aggregate(result))
    case .ternary(let condition, let yes, let no):
      return tree.with(
        .ternary(condition, try read(yes, as: type, other), try read(no, as: type, other)))
    case .evaluatedObject, .variable, .keyPath, .function, .message, .index, .indexAfterDot,
      .subquery, .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate,
      .fetch:
      return tree
    }
  }

  private func read(
    _ constant: Constant, as type: AttributeType, _ span: SourceSpan, _ other: ExpressionTree?
  ) throws(Diagnostic) -> Value {
    switch (type, constant.value) {
    case (_, .null), (.json, _), (.string, .string), (.uri, .uri), (.date, .date), (.uuid, .uuid),
      (.binary, .binary):
      return constant.value
    case (_, .list(let elements)):
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
        throw Diagnostic(BindFacts.unreadable(error), at: span)
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
    do { return try type.value(ofText: text, in: environment.rules) } catch {
      throw Diagnostic(BindFacts.unreadable(error), at: span)
    }
  }

  /// An expression as it was written.
  func text(_ tree: ExpressionTree) -> String {
    let written = environment.source?.text(tree.span) ?? ""
    return written.isEmpty ? tree.expressionFormat : written
  }

  private func mismatch(
    _ constant: Constant, _ type: AttributeType, _ span: SourceSpan, _ other: ExpressionTree?
  ) -> Diagnostic {
    let literal = ExpressionTree(.constant(constant))
    return Diagnostic(
      BindFacts.literalMismatch(
        key: other.map(text), type: type, found: literal.expressionFormat), at: span)
  }
}

extension Binder {
  /// `objectID == 17`, `objectID > 17`: numbers within the entity.
  ///
  /// The path is made to read the number, unless it is compared with an object.
  func numbers(
    _ tree: ExpressionTree, _ entity: String, _ path: inout ExpressionTree,
    _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    guard tree.isNumberLiteral, case .keyPath(var keys) = path.kind, !keys.components.isEmpty else {
      return tree
    }
    keys.components[keys.components.count - 1].name = objectNumberKey
    path.kind = .keyPath(keys)
    return tree
  }
}

extension ExpressionTree {
  /// `nil`
  fileprivate var isNull: Bool {
    if case .constant(let constant) = kind { constant.value.isNull } else { false }
  }

  /// `3`, `{1, 2}`
  fileprivate var isNumberLiteral: Bool {
    switch kind {
    case .constant(let constant): constant.value.approximateNumber != nil
    case .aggregate(let parts):
      !parts.isEmpty && descending { parts.allSatisfy(\.isNumberLiteral) }
    default: false
    }
  }
}
