import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// Patterns and locales: `format(date, "yyyy-MM-dd")`, `date(text, "MM/dd/yyyy")`
extension Checker {
  /// Checks a literal pattern and locale before any value is formatted.
  func checkFormat(
    _ arguments: [CheckedExpression], _ function: PredicateFunction
  ) throws(Diagnostic) {
    for (place, argument) in arguments.enumerated() {
      guard case .constant(let constant) = argument.tree.kind,
        case .string(let text) = constant.value
      else { continue }
      do throws(FormatProblem) {
        switch function.operands.kind(at: place) {
        case .locale: _ = try LocaleName.locale(text)
        case .pattern: try Self.check(pattern: text, for: arguments[0])
        case .dateForm: try Self.check(form: text, for: arguments[0])
        case .any, .number, .integer, .text, .date, .collection, .word, nil: break
        }
      } catch {
        var problem = Diagnostic(EvaluationError.badFormat(error), at: argument.tree.span)
        let isRead = function.operands.kind(at: place) == .dateForm
        if case .constant = argument.written.kind,
          let corrected = DatePattern.corrected(text, isRead: isRead)
        {
          problem.fixIts = [FixIt(argument.tree.span, corrected.writtenText)]
        }
        throw problem
      }
    }
  }

  /// Checks the form in which `date` reads a value.
  private static func check(
    form: String, for argument: CheckedExpression
  ) throws(FormatProblem) {
    if DateNumber(rawValue: form) != nil { return }
    let isNumber = argument.type.isNumeric || argument.tree.isNumberLiteral
    if isNumber { throw .patternOfNumber(form) }
    try DatePattern.check(form, isRead: true)
  }

  private static func check(
    pattern: String, for argument: CheckedExpression
  ) throws(FormatProblem) {
    switch argument.type {
    case .date, .attribute(.date):
      if DateStyle(pattern) == nil { try DatePattern.check(pattern) }
    case let type where type.isNumeric || argument.tree.isNumberLiteral:
      _ = try Value.integer(0).numberText(format: pattern, nil)
    default: break
    }
  }
}
