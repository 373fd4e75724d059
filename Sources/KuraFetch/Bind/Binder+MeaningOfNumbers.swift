import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// Numbers, booleans and dates.
extension Binder {
  /// `1950-01-01` is 1948, and no date.
  func checkArithmetic(_ side: Side, against other: Side) throws(Diagnostic) {
    guard case .function = side.tree.kind, side.tree.isComputedFromNumbers,
      let type = other.type.literalType, !type.isNumeric, type != .boolean, type != .json
    else { return }
    let text = environment.source?.text(side.tree.span) ?? side.tree.expressionFormat
    let date = BindText.date(text)
    throw Diagnostic(
      MeaningFacts.arithmetic(
        path: other.written.expressionFormat, type: type, found: text, date: date),
      at: side.tree.span, fixIt: date.map { FixIt(side.tree.span, "\"\($0)\"") })
  }

  /// A boolean is 0 or 1.
  func checkBoolean(
    _ side: Side, _ constant: Constant, _ other: Side, _ comparison: Comparison
  ) throws(Diagnostic) {
    guard other.type.literalType == .boolean, comparison.operation.asksForEquality,
      let number = constant.value.approximateNumber, number != 0, number != 1
    else { return }
    throw Diagnostic(
      BindFacts.literalMismatch(
        key: other.written.expressionFormat, type: .boolean,
        found: side.tree.expressionFormat), at: side.tree.span)
  }

  /// A variable's string where a number or a boolean stands on the other side; a string that was
  /// written there is a mistake.
  func number(
    _ side: Side, _ constant: Constant, _ other: Side
  ) throws(Diagnostic) -> ExpressionTree {
    guard case .string(let text) = constant.value else { return side.tree }
    let isNumeric = other.type.literalType?.isNumeric ?? other.type.isComputedNumber
    guard case .variable(let name) = side.written.kind else {
      guard other.type.isComputedNumber else { return side.tree }
      throw Diagnostic(
        MeaningFacts.textAgainstNumber(path: other.written.expressionFormat, text: text),
        at: side.tree.span)
    }
    if other.type.literalType == .boolean,
      let value = try? AttributeType.boolean.value(ofText: text, in: environment.rules)
    {
      return side.tree.with(.constant(Constant(value)))
    }
    guard isNumeric else { return side.tree }
    guard let number = NumberText.number(text) else {
      throw Diagnostic(MeaningFacts.notANumber(variable: name, text: text), at: side.tree.span)
    }
    return side.tree.with(.constant(Constant(number, digits: text)))
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

extension BoundType {
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
