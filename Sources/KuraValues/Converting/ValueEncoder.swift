/// Turns any `Encodable` value into one that predicates read, once.
///
///     struct Book: Codable { var title: String; var published: Date; var tags: [String] }
///     let value = try ValueEncoder().encode(book)   // a dictionary with title, published, tags
///     try PredicateTree(parsing: "ANY tags LIKE '時*'").evaluate(value: value)
///
/// What has keys becomes a dictionary in the order in which it was encoded, what has none a list.
/// Dates, UUIDs, URLs, `Data`, decimals and whatever else is `ValueConvertible` keep their types. A
/// key that is nil and therefore not encoded is missing, which is null to a predicate.
public struct ValueEncoder: Sendable {
  /// What `encode(to:)` of a type may ask for.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Makes an encoder.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

  /// The value; linear in what is encoded.
  ///
  /// Throws what the type's own `encode(to:)` throws, and `EncodingError.invalidValue` for a type
  /// that encodes nothing or mixes containers.
  public func encode(_ value: some Encodable) throws -> Value {
    try EncodedSlot.value(of: value, EncoderPlace(userInfo: userInfo))
  }
}

/// Where in the encoded value an encoder stands.
struct EncoderPlace {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: any Sendable]

  func below(_ key: any CodingKey) -> EncoderPlace {
    EncoderPlace(codingPath: codingPath + [key], userInfo: userInfo)
  }
}

/// A key of a place in a list, and of a superclass.
struct PlaceKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) {
    self.intValue = intValue
    stringValue = "\(intValue)"
  }

  static let superclass = PlaceKey(stringValue: "super")
}
