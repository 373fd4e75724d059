import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// Numbers, booleans and dates.
extension Checker {
  /// `1950-01-01` is 1948, and no date.
  func checkArithmetic(_ side: CheckedExpression, against other: CheckedExpression)
    throws(Diagnostic)
  {
    guard case .function = side.tree.kind, side.tree.isComputedFromNumbers,
      let type = other.type.literalType, !type.isNumeric, type != .boolean, type != .json
    else { return }
    let text = context.source?.text(side.tree.span) ?? side.tree.expressionFormat
    let date = BindText.date(text)
    throw Diagnostic(
      CheckFacts.arithmetic(
        path: other.written.expressionFormat, type: type, found: text, date: date),
      at: side.tree.span, fixIt: date.map { FixIt(side.tree.span, "\"\($0)\"") })
  }

  /// A boolean is 0 or 1.
  func checkBoolean(
    _ side: CheckedExpression, _ constant: Constant, _ other: CheckedExpression,
    _ comparison: Comparison
  ) throws(Diagnostic) {
    guard other.type.literalType == .boolean, comparison.operation.asksForEquality,
      let number = constant.value.approximateNumber, number != 0, number != 1
    else { return }
    throw Diagnostic(
      CheckFacts.literalMismatch(
        key: other.written.expressionFormat, type: .boolean,
        found: side.tree.expressionFormat), at: side.tree.span)
  }

  /// A variable's text where a number or a boolean stands on the other side; a text that was
  /// written there is a mistake.
  func number(
    _ side: CheckedExpression, _ constant: Constant, _ other: CheckedExpression
  ) throws(Diagnostic) -> ExpressionTree {
    guard case .string(let text) = constant.value else { return side.tree }
    guard case .variable(let name) = side.written.kind else {
      guard other.type.isComputedNumber else { return side.tree }
      throw Diagnostic(
        CheckFacts.textAgainstNumber(path: other.written.expressionFormat, text: text),
        at: side.tree.span)
    }
    let isComputed = other.type.isComputedNumber || other.tree.isNumberLiteral
    guard let type = isComputed ? .double : other.type.literalType else { return side.tree }
    let read = try self.constant(constant, of: name, as: type, side.tree.span)
    return side.tree.with(.constant(read))
  }

  /// The text in a variable as a number or a boolean, where such is wanted: what `--arg n 3` gives.
  func constant(
    _ constant: Constant, of variable: String, as type: AttributeType, _ span: SourceSpan
  ) throws(Diagnostic) -> Constant {
    guard case .string(let text) = constant.value else { return constant }
    if type == .boolean,
      let value = try? type.value(ofText: text, in: context.evaluation.zone)
    {
      return Constant(value)
    }
    guard type.isNumeric else { return constant }
    guard let number = NumberText.number(text) else {
      throw Diagnostic(CheckFacts.notANumber(variable: variable, text: text), at: span)
    }
    return Constant(number, digits: text)
  }
}

extension ComparisonOperator {
  fileprivate var asksForEquality: Bool {
    switch self {
    case .equal, .notEqual, .in: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .contains, .beginsWith,
      .endsWith, .like, .matches, .selector, .unsupported:
      false
    }
  }
}

extension CheckedType {
  /// `year(date)`, `items.@count`
  fileprivate var isComputedNumber: Bool { if case .number = self { true } else { false } }
}

extension ExpressionTree {
  /// `1950 - 1 - 1`: arithmetic in which everything is a number that was written.
  fileprivate var isComputedFromNumbers: Bool {
    switch kind {
    case .constant(let constant): constant.value.approximateNumber != nil
    case .function(let call):
      call.function?.isArithmetic == true
        && descending { call.arguments.allSatisfy(\.isComputedFromNumbers) }
    default: false
    }
  }
}

/// Texts that were typed, for messages.
private enum BindText {
  /// `1950-01-01` for `1950/1/1`; nil for what is not written like a date.
  static func date(_ text: String) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    guard parts.count == 3, parts[0].count == 4, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
      parts[1...].allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let padded = parts.map { $0.count == 1 ? "0" + $0 : String($0) }
    return padded.joined(separator: "-")
  }
}
