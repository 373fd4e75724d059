import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// A key that a type reads when it is decoded.
struct ProbedKey: Equatable {
  var name: String
  /// The kind of value that the type reads there; `any` if the property decodes itself.
  var stored: StoredKind
  var isOptional: Bool
  var isList: Bool
}

/// Finds the keys of a `Decodable` type by decoding an instance from placeholder values.
///
/// A type that rejects its placeholder, such as an enumeration without `CaseIterable`, stops the
/// decoding; the keys after it remain unknown.
final class KeyProbe {
  private(set) var keys: [ProbedKey] = []

  static func keys(of type: any Decodable.Type) -> [ProbedKey] {
    let probe = KeyProbe()
    _ = try? type.init(from: ProbeDecoder(probe: probe))
    return probe.keys
  }

  fileprivate func note(_ name: String, _ type: Any.Type, isOptional: Bool) {
    guard !keys.contains(where: { $0.name == name }) else { return }
    let element = (type as? any ProbedList.Type)?.element
    let known = (element ?? type) as? any ProbedType.Type
    keys.append(
      ProbedKey(
        name: name, stored: known?.stored ?? .any, isOptional: isOptional, isList: element != nil))
  }

  /// Returns a placeholder value of a type.
  fileprivate static func instance<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
    if let known = type as? any ProbedType.Type, let value = known.probe as? Wanted {
      return value
    }
    if let cases = type as? any CaseIterable.Type, let first = cases.first as? Wanted {
      return first
    }
    return try Wanted(from: ProbeDecoder(probe: nil))
  }
}

/// A list, whose element type determines the kind that the key stores.
private protocol ProbedList {
  static var element: Any.Type { get }
}

extension Array: ProbedList { fileprivate static var element: Any.Type { Element.self } }
extension Set: ProbedList { fileprivate static var element: Any.Type { Element.self } }

extension CaseIterable {
  fileprivate static var first: Self? { allCases.first }
}

/// Gives every type a placeholder, and records the keys of the outermost type.
private struct ProbeDecoder: Decoder, SingleValueDecodingContainer, UnkeyedDecodingContainer {
  let probe: KeyProbe?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeKeys(probe: probe))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { self }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { false }
  func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
    try KeyProbe.instance(type)
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> { ProbeDecoder(probe: nil).container(keyedBy: type) }
  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { ProbeDecoder(probe: nil) }
  func superDecoder() -> any Decoder { self }
}

private struct ProbeKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: KeyProbe?

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
    probe?.note(key.stringValue, type, isOptional: false)
    return try KeyProbe.instance(type)
  }

  func decodeIfPresent<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) -> Wanted? {
    absent(type, key)
  }

  // The defaults of these requirements call `decodeNil`, so each standard type needs its own
  // implementation.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { absent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { absent(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { absent(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { absent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { absent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { absent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { absent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { absent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { absent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { absent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { absent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { absent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { absent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { absent(type, key) }

  private func absent<Wanted>(_ type: Wanted.Type, _ key: Key) -> Wanted? {
    probe?.note(key.stringValue, type, isOptional: true)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    probe?.note(key.stringValue, Any.self, isOptional: false)
    return ProbeDecoder(probe: nil).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    probe?.note(key.stringValue, Any.self, isOptional: false)
    return ProbeDecoder(probe: nil)
  }
  func superDecoder() -> any Decoder { ProbeDecoder(probe: nil) }
  func superDecoder(forKey key: Key) -> any Decoder { ProbeDecoder(probe: nil) }
}

// Graph objects know their keys.

extension GraphObject: KeyListing {
  /// The keys of its entity.
  package var ownKeys: [String] { snapshot.graph.model.keys(of: entityName) }
}

extension ObjectSnapshot: KeyListing {
  package var ownKeys: [String] { object.ownKeys }
}

extension ManagedObject: KeyListing {
  /// The keys of its entity; empty if the object was deleted.
  package var ownKeys: [String] { graphObject?.ownKeys ?? [] }
}

// Graph objects know which of their keys are relationships.

extension ObjectSnapshot: RelationshipListing {
  package func isLink(_ key: String) -> Bool { object.isLink(key) }
}

extension ManagedObject: RelationshipListing {
  /// Whether the key is a relationship; true if the object was deleted.
  package func isLink(_ key: String) -> Bool { graphObject?.isLink(key) ?? true }
}

/// The reasons why a Swift type does not fit a model.
enum StorableProblem: DiagnosticFacts {
  case unknownEntity(type: String, String, known: [String])
  case unknownKey(type: String, String, entity: String, known: [String])
  case unfit(type: String, String, entity: String, String)
  case withoutKeys(String)

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String {
    switch self {
    case .unknownEntity(let type, let entity, _):
      localized("\(type): the model has no entity \"\(entity)\"")
    case .unknownKey(let type, let key, let entity, _):
      localized("\(type).\(key): \(entity) has no key \"\(key)\"")
    case .unfit(let type, let key, let entity, let reason):
      "\(type).\(key): \(entity).\(key) \(reason)"
    case .withoutKeys(let type): localized("\(type) encodes no keys, so it cannot be an object")
    }
  }

  var help: String? {
    switch self {
    case .unknownEntity(_, let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? localized("declare the entity's name: static let entityName")
    case .unknownKey(_, let key, _, let known):
      didYouMean(nearNames(to: key, among: known))
        ?? localized("its keys are \(known.list)")
    case .unfit, .withoutKeys: nil
    }
  }
}

/// A Swift type that `ValueDecoder` decodes from a single value.
protocol ProbedType: Decodable {
  /// The placeholder for a probe of a type's keys.
  static var probe: Self { get }
  /// The kind of property that stores this type.
  static var stored: StoredKind { get }
}

/// The kind of property that a Swift type needs in a model.
enum StoredKind: Sendable {
  case number, string, boolean, date, uuid, uri, binary, object, any
}

extension ProbedType where Self: Numeric {
  static var probe: Self { 0 }
  static var stored: StoredKind { .number }
}

extension Int: ProbedType {}
extension Int8: ProbedType {}
extension Int16: ProbedType {}
extension Int32: ProbedType {}
extension Int64: ProbedType {}
extension UInt: ProbedType {}
extension UInt8: ProbedType {}
extension UInt16: ProbedType {}
extension UInt32: ProbedType {}
extension UInt64: ProbedType {}
extension Double: ProbedType {}
extension Float: ProbedType {}
extension Decimal: ProbedType {}

extension Bool: ProbedType {
  static var probe: Bool { false }
  static var stored: StoredKind { .boolean }
}

extension String: ProbedType {
  static var probe: String { "" }
  static var stored: StoredKind { .string }
}

extension Date: ProbedType {
  static var probe: Date { Date(timeIntervalSince1970: 0) }
  static var stored: StoredKind { .date }
}

extension UUID: ProbedType {
  static var probe: UUID { UUID() }
  static var stored: StoredKind { .uuid }
}

extension URL: ProbedType {
  static var probe: URL { URL(filePath: "/") }
  static var stored: StoredKind { .uri }
}

extension Data: ProbedType {
  static var probe: Data { Data() }
  static var stored: StoredKind { .binary }
}

extension ObjectID: ProbedType {
  static var probe: ObjectID { ObjectID(entity: "Entity", number: 1) }
  static var stored: StoredKind { .object }
}
