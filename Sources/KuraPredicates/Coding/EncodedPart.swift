import Foundation
import KuraValues

/// A value that a text cannot express, encoded under the name of the variable that replaces it.
///
///     {"date": "2009-01-01T00:00:00Z"}   {"uuid": "E621E1F8-…"}   {"and": ["a == 1"]}
enum EncodedPart: Sendable {
  /// A constant without a literal.
  case value(Value)
  /// A chain of fewer than two parts, which only code can build.
  case and([String]), or([String])
  /// An expression as a predicate: the `done` of `NOT done`.
  case truth(String)
  /// A predicate as an expression: `a < b`.
  case predicate(String)
  /// `MemoDate/17`
  case quotient(entity: String, number: Int64)
}

extension EncodedPart {
  enum Key: String, CodingKey {
    case null, boolean, integer, double, decimal, string, date, seconds, uuid, uri, binary
    case list, set, dictionary, object
    case and, or, truth, predicate, quotient
  }

  /// The pairs of a dictionary, in order.
  struct Pairs: Codable {
    var keys: [String]
    var values: [EncodedPart]
  }

  /// An object as its identity.
  struct Object: Codable {
    var entity: String
    var root: String?
    var number: Int64
  }

  /// Returns the value; throws if the part is something else.
  func value(_ decoder: any Decoder) throws -> Value {
    if case .value(let value) = self { return value }
    throw EncodedPart.corrupted("expected a value", decoder)
  }

  static func corrupted(_ what: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: what))
  }
}

/// An object that is known only by its identity.
struct EncodedObject: KeyReadable {
  let objectID: ObjectID?
  func value(forKey key: String) -> Value { .null }
}

extension EncodedPart: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .value(let value): try encode(value, in: &container)
    case .and(let parts): try container.encode(parts, forKey: .and)
    case .or(let parts): try container.encode(parts, forKey: .or)
    case .truth(let text): try container.encode(text, forKey: .truth)
    case .predicate(let text): try container.encode(text, forKey: .predicate)
    case .quotient(let entity, let number):
      try container.encode(Object(entity: entity, number: number), forKey: .quotient)
    }
  }

  private func encode(
    _ value: Value, in container: inout KeyedEncodingContainer<Key>
  ) throws {
    switch value {
    case .null: try container.encodeNil(forKey: .null)
    case .boolean(let x): try container.encode(x, forKey: .boolean)
    case .integer(let x): try container.encode(x, forKey: .integer)
    // Encoded as text, because JSON has no infinity.
    case .double(let x): try container.encode("\(x)", forKey: .double)
    case .decimal(let x): try container.encode("\(x)", forKey: .decimal)
    case .string(let x): try container.encode(x, forKey: .string)
    case .date(let x) where x.steps != 0:
      try container.encode("\(x.secondsSinceReferenceDate)", forKey: .seconds)
    case .date(let x): try container.encode(x.text(.rfc3339, in: .utc), forKey: .date)
    case .uuid(let x): try container.encode(x.uuidString, forKey: .uuid)
    case .uri(let x): try container.encode(x, forKey: .uri)
    case .binary(let x):
      try container.encode(Data(x).base64EncodedString(), forKey: .binary)
    case .list(let x): try container.encode(x.map(EncodedPart.value), forKey: .list)
    case .set(let x): try container.encode(x.elements.map(EncodedPart.value), forKey: .set)
    case .dictionary(let x):
      let pairs = Pairs(keys: x.keys, values: x.values.map(EncodedPart.value))
      try container.encode(pairs, forKey: .dictionary)
    case .object(let x): try encode(x, in: &container)
    }
  }

  private func encode(
    _ object: ObjectReference, in container: inout KeyedEncodingContainer<Key>
  ) throws {
    guard let id = object.id else {
      throw EncodingError.invalidValue(
        object,
        .init(
          codingPath: container.codingPath,
          debugDescription:
            "an object without an identity exists only in memory and cannot be encoded"))
    }
    let kept = Object(
      entity: id.entity, root: id.root == id.entity ? nil : id.root, number: id.number)
    try container.encode(kept, forKey: .object)
  }
}

extension EncodedPart: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw EncodedPart.corrupted("expected exactly one kind of value", decoder)
    }
    switch key {
    case .and: self = .and(try container.decode([String].self, forKey: key))
    case .or: self = .or(try container.decode([String].self, forKey: key))
    case .truth: self = .truth(try container.decode(String.self, forKey: key))
    case .predicate: self = .predicate(try container.decode(String.self, forKey: key))
    case .quotient:
      let kept = try container.decode(Object.self, forKey: key)
      self = .quotient(entity: kept.entity, number: kept.number)
    case .null: self = .value(.null)
    case .boolean: self = .value(.boolean(try container.decode(Bool.self, forKey: key)))
    case .integer: self = .value(.integer(try container.decode(Int64.self, forKey: key)))
    case .list: self = .value(.list(try Self.values(container, key, decoder)))
    case .set: self = .value(.set(ValueSet(try Self.values(container, key, decoder))))
    case .dictionary: self = .value(try Self.dictionary(container, decoder))
    case .object:
      let kept = try container.decode(Object.self, forKey: key)
      let id = ObjectID(entity: kept.entity, root: kept.root, number: kept.number)
      self = .value(.object(ObjectReference(EncodedObject(objectID: id))))
    case .double, .decimal, .string, .date, .seconds, .uuid, .uri, .binary:
      let text = try container.decode(String.self, forKey: key)
      guard let value = Self.value(key, text) else {
        throw EncodedPart.corrupted("invalid \(key.rawValue): \"\(text)\"", decoder)
      }
      self = .value(value)
    }
  }

  private static func value(_ key: Key, _ text: String) -> Value? {
    switch key {
    case .double: Double(text).map(Value.double)
    case .decimal: Decimal(string: text).map(Value.decimal)
    case .string: .string(text)
    case .date: (try? Timestamp(text, in: .utc)).map(Value.date)
    // A Foundation date with a fraction of a microsecond.
    case .seconds:
      Double(text).flatMap(Timestamp.init(secondsSinceReferenceDate:)).map(Value.date)
    case .uuid: UUID(uuidString: text).map(Value.uuid)
    case .uri: .uri(text)
    case .binary: Data(base64Encoded: text).map { .binary([UInt8]($0)) }
    case .null, .boolean, .integer, .list, .set, .dictionary, .object, .and, .or, .truth,
      .predicate, .quotient:
      nil
    }
  }

  private static func values(
    _ container: KeyedDecodingContainer<Key>, _ key: Key, _ decoder: any Decoder
  ) throws -> [Value] {
    try container.decode([EncodedPart].self, forKey: key).map { try $0.value(decoder) }
  }

  private static func dictionary(
    _ container: KeyedDecodingContainer<Key>, _ decoder: any Decoder
  ) throws -> Value {
    let pairs = try container.decode(Pairs.self, forKey: .dictionary)
    guard pairs.keys.count == pairs.values.count else {
      throw EncodedPart.corrupted("a dictionary must have as many values as keys", decoder)
    }
    let values = try pairs.values.map { try $0.value(decoder) }
    return .dictionary(ValueDictionary(zip(pairs.keys, values).map { ($0, $1) }))
  }
}
