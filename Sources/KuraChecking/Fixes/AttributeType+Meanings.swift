import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraValues

extension AttributeType {
  /// Returns the most likely meanings of a text that is not a value of this type, as literals.
  ///
  ///     AttributeType.boolean.literals(meantBy: "いいえ", in: evaluation)     // ["NO"]
  ///     AttributeType.date.literals(meantBy: "01-JAN-2009", in: evaluation)   // ["\"2009-01-01\""]
  package func literals(meantBy text: String, in evaluation: EvaluationContext) -> [String] {
    switch self {
    case .boolean: FreeFormBoolean.value(text).map { [$0 ? "YES" : "NO"] } ?? []
    case .integer, .integer16, .integer32, .double, .float, .decimal:
      FreeFormNumber.digits(text).map { [$0] } ?? []
    case .date: dates(meantBy: text, in: evaluation)
    case .string, .json: [text.writtenText]
    case .uuid, .uri, .binary: []
    }
  }

  private func dates(meantBy text: String, in evaluation: EvaluationContext) -> [String] {
    let days = DateMeaning.texts(of: text, in: evaluation.zone, now: evaluation.now)
    if !days.isEmpty { return days.map { "\"\($0)\"" } }
    switch FreeFormPeriod(text) {
    case .relative(0, _)?: return ["today()"]
    case .relative(let count, let unit)?: return ["dateByAdding(today(), \(count), \"\(unit)\")"]
    case let period?: return period.start.map { ["\"\(Timestamp.text(of: $0))\""] } ?? []
    case nil: return nearNames(to: text, among: DateMeaning.dayWords).map(\.writtenText)
    }
  }
}

extension [String] {
  func ifNone(_ others: @autoclosure () -> [String]) -> [String] { isEmpty ? others() : self }
}

extension String {
  /// The text as a string literal.
  package var writtenText: String {
    ExpressionTree(.constant(Constant(.string(self)))).expressionFormat
  }
}
