import KuraDiagnostics
import KuraModel
import KuraPredicates

// `today() - 30`, which is no number: moments are moved and held apart by functions.
extension Checker {
  /// Says of arithmetic with a date what is meant; it fails for each object that has one.
  ///
  /// Gives whether it is such.
  func warnOfDates(
    in call: FunctionCall, _ arguments: [CheckedExpression], _ expression: ExpressionTree
  ) -> Bool {
    guard call.function?.isArithmetic == true,
      let date = arguments.first(where: \.isDate)?.written
    else { return false }
    let fix = meant(by: call, arguments).map { FixIt(expression.span, $0) }
    state.problems.append(
      Diagnostic(
        CheckFacts.dateArithmetic(text(date), meant: fix?.replacement(in: context.source)),
        at: expression.span, fixIt: fix, severity: .warning))
    return true
  }

  /// `dateByAdding(date, -30, "day")` for `date - 30`, `daysBetween(b, a)` for `a - b`.
  private func meant(by call: FunctionCall, _ arguments: [CheckedExpression]) -> String? {
    guard call.function == .add || call.function == .subtract, arguments.count == 2 else {
      return nil
    }
    let isLess = call.function == .subtract
    let (first, second) = (arguments[0], arguments[1])
    let texts = arguments.map { self.text($0.written) }
    switch (first.isDate, second.isDate) {
    case (true, true): return isLess ? "daysBetween(\(texts[1]), \(texts[0]))" : nil
    case (true, false) where second.isCount:
      return moved(texts[0], by: isLess ? texts[1].negative : texts[1])
    case (false, true) where first.isCount && !isLess: return moved(texts[1], by: texts[0])
    default: return nil
    }
  }

  private func moved(_ date: String, by count: String) -> String {
    "dateByAdding(\(date), \(count), \"day\")"
  }
}

extension CheckedExpression {
  fileprivate var isDate: Bool {
    switch type {
    case .date, .attribute(.date): true
    default: false
    }
  }

  fileprivate var isCount: Bool { type.isNumeric || tree.isNumberLiteral }
}

extension String {
  /// `-30`, `-(a + b)`
  fileprivate var negative: String {
    allSatisfy { $0.isLetter || $0.isNumber || $0 == "." } ? "-" + self : "-(\(self))"
  }
}
