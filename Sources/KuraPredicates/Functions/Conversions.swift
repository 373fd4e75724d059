import Foundation
import KuraValues

// `CAST(x, "NSDate")`, `objectFrom:withIndex:(list, 1)`, `noindex(x)`
extension PredicateFunction {
  static let values = [
    now,
    cast,
    apple(
      "objectFrom:withIndex:", [.collection, .any], .member, "an element of a list; also list[0]",
      ("objectFrom:withIndex:({7, 8}, 1)", "8")
    ) { (arguments, _) throws(EvaluationFacts) in try arguments[0].element(at: arguments[1]) },
    apple(
      "noindex:", [.any], .argument, "the value itself; a store is asked to use no index",
      ("noindex(3)", "3")
    ) { arguments, _ in arguments[0] },
  ]

  package static let cast = apple(
    "castObject:toType:", [.any, .word(of: CastType.allCases.map(\.rawValue))], .castTarget,
    "the value as another type; also CAST(x, \"NSNumber\")", ("CAST(\"42\", \"NSNumber\")", "42")
  ) { (arguments, context) throws(EvaluationFacts) in
    let type = try CastType(try arguments[1].text())
    return arguments[0].isNull ? .null : try type.cast(arguments[0], context)
  }.depending(on: .zone)

  /// Kura's own: `coalesce(a, b)`
  static let ownValues = [
    own(
      "coalesce", .several(.any), .firstTyped, "the first value that is not nil",
      ("coalesce(nil, 3)", "3")
    ) { arguments, _ in arguments.first { !$0.isNull } ?? .null }
    .knownElsewhere(as: "ifnull", "nvl"),
    own(
      "uuid", [], .uuid, "a new UUID by chance",
      ("uuid()", "4525460A-A64C-4002-8525-460AA64C3002")
    ) { _, context in .uuid(UUID(randomBits: (context.random(), context.random()))) }
    .depending(on: .chance).knownElsewhere(as: "newid", "gen_random_uuid", "uuidstring"),
    round,
  ]
}

/// The types that CAST knows.
enum CastType: String, CaseIterable {
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
  /// What the cast gives.
  var result: PredicateFunction.ResultType {
    switch self {
    case .date: .date
    case .number, .decimal: .number
    case .string: .string
    }
  }

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

extension UUID {
  /// A UUID of version 4 (RFC 9562) of bits that chance has given.
  fileprivate init(randomBits bits: (UInt64, UInt64)) {
    let high = bits.0 & ~0xF000 | 0x4000
    let low = bits.1 & ~(0xC0 << 56) | 0x80 << 56
    func byte(_ word: UInt64, _ place: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(place)))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
