public import Foundation

/// What a value is in Swift; nil where it is something else.
///
///     try ExpressionTree(parsing: "price * 2").evaluate(["price": 3]).intValue   // 6
extension Value {
  /// YES or NO, also as a number that is 1 or 0.
  public var boolValue: Bool? {
    switch self {
    case .boolean(let x): x
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// The number, if it has no fraction and 64 bits are enough.
  public var intValue: Int? {
    guard let number = try? wholeNumber() else { return nil }
    return Int(exactly: number)
  }

  /// The number, rounded to what a double can hold.
  public var doubleValue: Double? { approximateNumber }

  /// The number with its digits, which a decimal has 38 of.
  public var decimalValue: Decimal? {
    switch self {
    case .decimal(let x): x
    case .integer(let x): Decimal(x)
    case .double(let x): Decimal(digitsOf: x)
    default: nil
    }
  }

  /// The text of a string or a URI. Constant time.
  public var stringValue: String? {
    switch self {
    case .string(let x), .uri(let x): x
    default: nil
    }
  }

  /// The date.
  public var dateValue: Date? { if case .date(let x) = self { x.date } else { nil } }

  /// The UUID.
  public var uuidValue: UUID? { if case .uuid(let x) = self { x } else { nil } }

  /// The URI as Foundation reads it. Linear in the text.
  public var urlValue: URL? { if case .uri(let x) = self { URL(string: x) } else { nil } }

  /// Binary data. Linear in it.
  public var dataValue: Data? { if case .binary(let x) = self { Data(x) } else { nil } }

  /// The elements of a list or a set. Constant time.
  public var arrayValue: [Value]? {
    switch self {
    case .list(let x): x
    case .set(let x): x.elements
    default: nil
    }
  }

  /// Keys and values. Constant time; of an object that is a dictionary of Swift, n log n in its
  /// keys.
  public var dictionaryValue: ValueDictionary? {
    switch self {
    case .dictionary(let x): x
    case .object(let x): x.content
    default: nil
    }
  }

  /// The object itself, if it is of a type.
  ///
  ///     value.object(as: Person.self)?.name
  ///
  /// Constant time.
  public func object<Object>(as type: Object.Type = Object.self) -> Object? {
    switch self {
    case .object(let x): x.base as? Object
    case .dictionary(let x): x.object as? Object
    default: nil
    }
  }

  /// The value as anything `Decodable`.
  ///
  ///     try value.decoded(as: [Book].self)
  ///
  /// Linear. Throws a `DecodingError` that says where it does not fit.
  public func decoded<Result: Decodable>(as type: Result.Type = Result.self) throws -> Result {
    try ValueDecoder().decode(type, from: self)
  }
}
