import Foundation
import KuraValues

extension FunctionMeaning {
  /// `now()`, `CAST(x, "NSDate")`, `objectFrom:withIndex:(list, 1)`, `noindex(x)`
  static let others: [FunctionMeaning] = [
    of("now", taking: 0) { _, context in .date(context.now) },
    of("castObject:toType:", taking: 2) { (arguments, context) throws(EvaluationFacts) in
      let type = try CastType(try arguments[1].text())
      return arguments[0].isNull ? .null : try type.cast(arguments[0], context)
    },
    of("objectFrom:withIndex:", taking: 2) { (arguments, _) throws(EvaluationFacts) in
      try arguments[0].element(at: arguments[1])
    },
    of("noindex:", taking: 1) { arguments, _ in arguments[0] },
  ]

  /// Kura's own: `coalesce(a, b)`, `round(x)`
  static let ownValues: [FunctionMeaning] = [
    FunctionMeaning("coalesce") { arguments, _ in arguments.first { !$0.isNull } ?? .null },
    number("round") { $0.rounded(.toNearestOrAwayFromZero) },
  ]
}

/// The types that CAST knows.
enum CastType: String {
  case date = "NSDate"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case string = "NSString"

  init(_ name: String) throws(EvaluationFacts) {
    guard let type = CastType(rawValue: name) else { throw .unknownType(name) }
    self = type
  }
}

extension CastType {
  func cast(_ value: Value, _ context: EvaluationContext) throws(EvaluationFacts) -> Value {
    switch self {
    case .date: try date(value, context)
    case .number: try number(value)
    case .decimal: try decimal(value)
    case .string: .string(try value.descriptionText(in: context))
    }
  }

  /// From seconds since 2001-01-01T00:00:00Z, or from a text that is a date.
  private func date(
    _ value: Value, _ context: EvaluationContext
  ) throws(EvaluationFacts) -> Value {
    if let seconds = value.approximateNumber {
      guard let moment = Timestamp(secondsSinceReferenceDate: seconds) else {
        throw .badDate(.outOfRange)
      }
      return .date(moment)
    }
    guard value.kind == .string || value.kind == .date else {
      throw .cannotCast(value.kind, "a date")
    }
    return .date(try value.date(in: context))
  }

  private func number(_ value: Value) throws(EvaluationFacts) -> Value {
    switch value {
    case .integer, .double, .decimal: return value
    case .boolean(let truth): return truth ? 1 : 0
    case .date(let moment): return .double(moment.secondsSinceReferenceDate)
    case .string(let text):
      guard let number = NumberText.number(text.trimmed) else { throw .unreadableNumber(text) }
      return number
    default: throw .cannotCast(value.kind, "a number")
    }
  }

  private func decimal(_ value: Value) throws(EvaluationFacts) -> Value {
    let decimal: Decimal? =
      switch value {
      case .decimal(let x): x
      case .integer(let x): Decimal(x)
      case .boolean(let x): x ? 1 : 0
      case .double(let x): Decimal(digitsOf: x)
      case .string(let x): NumberText.decimal(x.trimmed)
      default: nil
      }
    if let decimal { return .decimal(decimal) }
    if case .string(let text) = value { throw .unreadableNumber(text) }
    throw .cannotCast(value.kind, "a decimal")
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
