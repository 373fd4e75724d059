import Foundation
import KuraDiagnostics
package import KuraValues

// Kura's own: `format(date, "M月d日(E)")`
extension PredicateFunction {
  static let formats = [
    own(
      "format", .optional([.any, .pattern, .locale], from: 2), .string,
      "a date or a number in a pattern, or short, medium, long or full",
      ("format(date(\"2021-07-20 18:20\"), \"M月d日(E) H:mm\")", "7月20日(火) 18:20")
    ) { (arguments, context) throws(EvaluationFacts) in
      if arguments[0].isNull { return .null }
      let format = try arguments[1].text()
      let chosen = context.writtenLocale.map { DatePattern.locale(chosen: $0, for: format) }
      let locale = arguments.count > 2 ? try arguments[2].locale() : chosen
      return .string(try arguments[0].text(format: format, locale, context))
    }.depending(on: [.zone, .locale]).knownElsewhere(
      as: "strftime", "date_format", "to_char", "dateformat")
  ]
}

extension FormatProblem {
  /// The locales and calendars that a name may mean.
  package var nearNames: String? {
    switch self {
    case .unknownLocale(let name):
      didYouMean(KuraDiagnostics.nearNames(to: name, among: LocaleName.known.sorted()))
    case .unknownCalendar(let name):
      didYouMean(KuraDiagnostics.nearNames(to: name, among: LocaleName.calendars.sorted()))
    default: nil
    }
  }
}

extension Value {
  /// The locale that its text names.
  fileprivate func locale() throws(EvaluationFacts) -> Locale {
    let name = try text()
    do { return try LocaleName.locale(name) } catch { throw .badFormat(error) }
  }

  /// A number in a pattern, or a date, or what its text says of one.
  fileprivate func text(
    format: String, _ locale: Locale?, _ context: EvaluationContext
  ) throws(EvaluationFacts) -> String {
    do {
      if let text = try numberText(format: format, locale) { return text }
    } catch { throw .badFormat(error) }
    guard kind == .date || kind == .string else {
      throw .wrongArgument(expected: "a date or a number", kind)
    }
    let moment = try date(in: context)
    do {
      return try moment.text(format: format, locale, in: context.zone)
    } catch { throw .badFormat(error) }
  }
}
