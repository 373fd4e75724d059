import Foundation
import KuraValues

extension KeptPart: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw KeptPart.corrupted("exactly one kind of value is wanted here", decoder)
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
      self = .value(.object(ObjectReference(KeptObject(objectID: id))))
    case .double, .decimal, .string, .date, .uuid, .uri, .binary:
      let text = try container.decode(String.self, forKey: key)
      guard let value = Self.value(key, text) else {
        throw KeptPart.corrupted("\"\(text)\" is no \(key.rawValue)", decoder)
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
    try container.decode([KeptPart].self, forKey: key).map { try $0.value(decoder) }
  }

  private static func dictionary(
    _ container: KeyedDecodingContainer<Key>, _ decoder: any Decoder
  ) throws -> Value {
    let pairs = try container.decode(Pairs.self, forKey: .dictionary)
    guard pairs.keys.count == pairs.values.count else {
      throw KeptPart.corrupted("a dictionary has as many keys as values", decoder)
    }
    let values = try pairs.values.map { try $0.value(decoder) }
    return .dictionary(ValueDictionary(zip(pairs.keys, values).map { ($0, $1) }))
  }
}
