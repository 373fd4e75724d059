import KuraDiagnostics
import KuraPredicates
import KuraValues

// `date == "2009年"`: a text that is more or less precise than a day
extension Checker {
  /// Returns the dates that a text can mean, or a comparison with the period that it describes.
  func dates(for compared: ComparedText) -> [FixIt] {
    let evaluation = context.evaluation
    if let period = FreeFormPeriod(compared.text), let fix = comparison(with: period, compared) {
      return [fix]
    }
    // A Boolean such as `YES` resembles the name of a day, yesterday, but never means it.
    if FreeFormBoolean.value(compared.text) != nil { return [] }
    let days =
      DateMeaning.texts(of: compared.text, in: evaluation.zone, now: evaluation.now)
      .ifNone(nearNames(to: compared.text, among: DateMeaning.dayWords))
    return days.map { FixIt(compared.span, "\"\($0)\"") }
  }

  /// Returns `year(date) == 2009` for `date == "2009年"`.
  private func comparison(with period: FreeFormPeriod, _ compared: ComparedText) -> FixIt? {
    let comparison = compared.comparison
    if case .relative(let count, let unit) = period {
      let day = count == 0 ? "today()" : "dateByAdding(today(), \(count), \"\(unit)\")"
      return FixIt(compared.span, day)
    }
    guard comparison.modifier == .direct else { return nil }
    let path = text(compared.other.written)
    let question = PeriodQuestion(path: path, operation: operation(compared))
    let whole = comparison.left.span.joined(comparison.right.span)
    if let list = list(of: compared, question) { return FixIt(whole, list) }
    guard compared.span == comparison.left.span || compared.span == comparison.right.span else {
      return nil
    }
    return question.text(period).map { FixIt(whole, $0) }
  }

  /// Returns the operator with the date on the left.
  private func operation(_ compared: ComparedText) -> ComparisonOperator {
    let operation = compared.comparison.operation
    return compared.isOnRight ? operation : operation.mirrored ?? operation
  }

  /// Returns `year(date) IN {2008, 2009}`, if all elements of the list are years.
  private func list(of compared: ComparedText, _ question: PeriodQuestion) -> String? {
    guard case .aggregate(let parts) = compared.comparison.right.kind, !parts.isEmpty else {
      return nil
    }
    let numbers = parts.compactMap { part -> (function: String, number: Int)? in
      guard case .constant(let constant) = part.kind, case .string(let text) = constant.value
      else { return nil }
      switch FreeFormPeriod(text) {
      case .year(let year)?: return ("year", year)
      case .monthOfYear(let month)?: return ("month", month)
      default: return nil
      }
    }
    guard numbers.count == parts.count, Set(numbers.map(\.function)).count == 1 else { return nil }
    let list = numbers.map { String($0.number) }.joined(separator: ", ")
    return "\(numbers[0].function)(\(question.path)) \(question.operation.text) {\(list)}"
  }
}

/// A comparison of a date with a period.
private struct PeriodQuestion {
  let path: String
  let operation: ComparisonOperator

  /// Returns the equivalent comparison of dates; nil if the operator has none.
  func text(_ period: FreeFormPeriod) -> String? {
    switch period {
    case .year(let year) where isEquality: "year(\(path)) \(sign) \(year)"
    case .monthOfYear(let month): "month(\(path)) \(isEquality ? sign : operation.text) \(month)"
    case .dayOfYear(let month, let day) where isEquality:
      negated("month(\(path)) == \(month) AND day(\(path)) == \(day)")
    case .dayOfYear, .relative: nil
    case .year, .month, .days: within(period)
    }
  }

  private var isEquality: Bool { ![.order, .range, .unknown].contains(operation.family) }

  private var sign: String { operation == .notEqual ? "!=" : "==" }

  private func negated(_ both: String) -> String {
    operation == .notEqual ? "NOT (\(both))" : "(\(both))"
  }

  /// Returns `date >= "2009-01-01" AND date < "2009-02-01"`: from the start of the period to the start of the next.
  private func within(_ period: FreeFormPeriod) -> String? {
    guard let first = period.start else { return nil }
    let start = "\"\(Timestamp.text(of: first))\""
    guard let next = period.end else {
      switch operation {
      case .less: return "\(path) < \(start)"
      case .notEqual: return "NOT (\(path) >= \(start))"
      default: return isEquality || operation == .greaterOrEqual ? "\(path) >= \(start)" : nil
      }
    }
    let end = "\"\(Timestamp.text(of: next))\""
    return switch operation {
    case .less: "\(path) < \(start)"
    case .lessOrEqual: "\(path) < \(end)"
    case .greater: "\(path) >= \(end)"
    case .greaterOrEqual: "\(path) >= \(start)"
    case .between, .selector, .unsupported: nil
    default: negated("\(path) >= \(start) AND \(path) < \(end)")
    }
  }
}
