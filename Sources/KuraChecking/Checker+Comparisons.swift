import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Checker {
  /// A comparison: its literals are read as the type they stand against.
  ///
  /// Of one with a problem the sides are left as they are.
  func checked(_ comparison: Comparison) -> Comparison {
    var (left, right) = checkedSides(comparison)
    var result = comparison
    (result.left, result.right) = (left.tree, right.tree)
    let sides = (left, right)
    return noting(result, { offering($0, comparison, sides.0, sides.1) }) { () throws(Diagnostic) in
      try oneValues(&left, &right, comparison)
      try readMeanings(&left, &right, comparison)
      try checkShape(comparison, left.type, right.type)
      try checkText(comparison, left, right)
      let read = try literals(comparison, left, right)
      (left.tree, right.tree) = (read.left, read.right)
      warnIfNever(comparison, left, right)
      warnOfQuotedKeys(comparison)
      warnOfNullCollection(comparison)
      warnOfSignsInText(comparison)
      return read
    }
  }

  /// Both sides; of a word that is no key on one of them the other says what it may mean.
  private func checkedSides(
    _ comparison: Comparison
  ) -> (CheckedExpression, CheckedExpression) {
    let start = state.problems.count
    let left = checked(comparison.left)
    let middle = state.problems.count
    let right = checked(comparison.right)
    let end = state.problems.count
    if end > middle { offerValues(middle..<end, of: comparison.right, against: left, comparison) }
    if middle > start {
      offerValues(start..<middle, of: comparison.left, against: right, comparison)
      offerOptions(start..<middle, comparison)
    }
    return (left, right)
  }

  private func literals(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) throws(Diagnostic) -> Comparison {
    var result = comparison
    (result.left, result.right) = (left.tree, right.tree)
    if case .objectID = left.type.element {
      readNumber(right.tree, by: &result.left)
    } else if case .objectID = right.type.element {
      readNumber(left.tree, by: &result.right)
    } else {
      result.right = try literal(right, against: left, comparison)
      result.left = try literal(left, against: right, comparison)
    }
    return result
  }

  /// ANY and ALL want a collection; without them a collection is not compared with a value.
  private func checkShape(
    _ comparison: Comparison, _ left: CheckedType, _ right: CheckedType
  ) throws(Diagnostic) {
    switch (comparison.modifier, left) {
    case (.any, .collection), (.all, .collection), (.any, .any), (.all, .any), (.any, .literal),
      (.all, .literal), (.any, .attribute(.json)), (.all, .attribute(.json)):
      return
    case (.any, _), (.all, _):
      throw Diagnostic(
        CheckFacts.modifierNeedsCollection(comparison.left.expressionFormat),
        at: comparison.left.span)
    case (.direct, .collection)
    where comparison.comparesValues || comparison.comparesObject(right):
      throw Diagnostic(
        CheckFacts.collectionNeedsModifier(
          path: comparison.left.expressionFormat, operation: comparison.operation.text),
        at: comparison.left.span,
        fixIt: FixIt(SourceSpan(comparison.left.span.start, comparison.left.span.start), "ANY "))
    case (.direct, _): return
    }
  }

  /// LIKE, MATCHES, BEGINSWITH and ENDSWITH are asked of text.
  private func checkText(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) throws(Diagnostic) {
    switch comparison.operation {
    case .like, .matches, .beginsWith, .endsWith:
      guard let type = left.type.literalType, !type.holdsText else { return }
      throw Diagnostic(
        CheckFacts.operatorNeedsText(operation: comparison.operation.text, type: type),
        at: comparison.operationSpan == .none ? comparison.left.span : comparison.operationSpan)
    case .contains:
      guard case .attribute(let type) = left.type, !type.holdsText else { return }
      throw Diagnostic(
        CheckFacts.operatorNeedsText(operation: comparison.operation.text, type: type),
        at: comparison.operationSpan == .none ? comparison.left.span : comparison.operationSpan)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between,
      .selector, .unsupported:
      return
    }
  }
}

extension Comparison {
  /// `tags == Tag/1`, which is true of nothing: many are not one.
  fileprivate func comparesObject(_ right: CheckedType) -> Bool {
    guard case .object = right else { return false }
    return operation == .equal || operation == .notEqual
  }

  /// Whether the operator asks about the left value itself, not about what it contains.
  fileprivate var comparesValues: Bool {
    switch operation {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .like, .matches, .beginsWith,
      .endsWith:
      true
    case .equal, .notEqual: right.isScalarLiteral
    case .contains, .in, .selector, .unsupported: false
    }
  }
}

extension ExpressionTree {
  /// `"x"`, `3`, `YES`; not `nil`, not a list
  var isScalarLiteral: Bool {
    guard case .constant(let constant) = kind else { return false }
    switch constant.value {
    case .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary: return true
    case .null, .list, .set, .dictionary, .object: return false
    }
  }
}
