import Foundation
import KuraValues

/// The types that CAST supports.
enum CastType: String, CaseIterable {
  case date = "NSDate"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case string = "NSString"
  case uuid = "NSUUID"
  case uri = "NSURL"
  case binary = "NSData"
  case set = "NSSet"
  case dictionary = "NSDictionary"

  /// The types' names: `NSDate`, and `NSDate?` for nil instead of an error.
  static let names = allCases.map(\.rawValue) + allCases.map { $0.rawValue + "?" }

  /// Returns the type of a name; nil if there is no such type.
  init?(_ name: String) {
    self.init(rawValue: name.hasSuffix("?") ? String(name.dropLast()) : name)
  }

  /// Converts a value to the type with a name. If the name ends with `?`, returns nil for values
  /// that cannot be converted.
  static func cast(
    _ value: Value, toType name: String, _ context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    guard let type = CastType(name) else { throw .unknownType(name) }
    if value.isNull { return .null }
    guard name.hasSuffix("?") else { return try type.cast(value, context) }
    let result = (try? type.cast(value, context)) ?? .null
    // Such numbers fail in sums and cannot be stored.
    if case .string = value, result.approximateNumber?.isFinite == false { return .null }
    return result
  }
}

extension CastType {
  /// The type of the result.
  var result: PredicateFunction.ResultType {
    switch self {
    case .date: .date
    case .number, .decimal: .number
    case .string: .string
    case .uuid: .uuid
    case .uri, .binary, .set, .dictionary: .other
    }
  }

  private func cast(_ value: Value, _ context: EvaluationContext) throws(EvaluationError) -> Value {
    switch self {
    case .date: try date(value, context)
    case .number: try number(value)
    case .decimal: try decimal(value)
    case .string: .string(try value.descriptionText(in: context))
    case .uuid, .uri, .binary: try read(value)
    case .set: .set(ValueSet(try elements(of: value, "a set")))
    case .dictionary: try dictionary(value)
    }
  }

  /// Converts seconds since 2001-01-01T00:00:00Z, or a text that is a date.
  private func date(
    _ value: Value, _ context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    if let seconds = value.approximateNumber {
      guard let moment = Timestamp(secondsSinceReferenceDate: seconds) else {
        throw .badDate(.outOfRange)
      }
      return .date(context.exactDates ? moment : moment.inWholeMicroseconds)
    }
    guard value.kind == .string || value.kind == .date else {
      throw .cannotCast(value.kind, "a date")
    }
    return .date(try value.date(in: context))
  }

  private func number(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .integer, .double, .decimal: return value
    case .boolean(let truth): return truth ? 1 : 0
    case .date(let moment): return .double(moment.secondsSinceReferenceDate)
    case .string(let text):
      if let number = NumberText.number(text.trimmed) { return number }
      // Numbers without a literal print like this.
      guard let number = Double.unwritten[text] else { throw .unreadableNumber(text) }
      return .double(number)
    default: throw .cannotCast(value.kind, "a number")
    }
  }

  private func decimal(_ value: Value) throws(EvaluationError) -> Value {
    let decimal: Decimal? =
      switch value {
      case .decimal(let x): x
      case .integer(let x): Decimal(x)
      case .boolean(let x): x ? 1 : 0
      case .double(let x): Decimal(digitsOf: x)
      case .string(let x): x == "NaN" ? .nan : NumberText.decimal(x.trimmed)
      default: nil
      }
    if let decimal { return .decimal(decimal) }
    if case .string(let text) = value { throw .unreadableNumber(text) }
    throw .cannotCast(value.kind, "a decimal")
  }
}

extension CastType {
  /// Converts a text that represents a value of this kind.
  private func read(_ value: Value) throws(EvaluationError) -> Value {
    if value.kind == kind { return value }
    guard let text = value.stringValue else { throw .cannotCast(value.kind, kind.phrase) }
    guard let read = Value(literal: text, kind) else { throw .unreadableText(text, kind) }
    return read
  }

  private var kind: Value.Kind {
    switch self {
    case .date: .date
    case .number: .double
    case .decimal: .decimal
    case .string: .string
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .set: .set
    case .dictionary: .dictionary
    }
  }

  private func elements(
    of value: Value, _ wanted: String
  ) throws(EvaluationError) -> [Value] {
    guard let elements = value.elements else { throw .cannotCast(value.kind, wanted) }
    return elements
  }

  /// Converts a list of lists, each with a key and its value.
  private func dictionary(_ value: Value) throws(EvaluationError) -> Value {
    if case .dictionary = value { return value }
    var pairs: [(String, Value)] = []
    for element in try elements(of: value, "a dictionary") {
      guard case .list(let pair) = element, pair.count == 2, case .string(let key) = pair[0]
      else { throw .cannotCast(element.kind, "a key and its value") }
      pairs.append((key, pair[1]))
    }
    return .dictionary(ValueDictionary(pairs))
  }
}

extension Double {
  /// The numbers without a literal, by the texts that CAST reads. Other spellings are errors.
  static let unwritten = ["Infinity": Double.infinity, "-Infinity": -.infinity, "NaN": .nan]
}

extension Value {
  /// Creates a value of some kind from a text; nil if the text does not represent one.
  ///
  ///     Value(literal: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", .uuid)
  init?(literal text: String, _ kind: Kind) {
    let read: Value? =
      switch kind {
      case .uuid: UUID(uuidString: text).map(Value.uuid)
      case .binary: Data(base64Encoded: text).map { .binary([UInt8]($0)) }
      case .uri: .uri(text)
      default: Value?.none
      }
    guard let read else { return nil }
    self = read
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
