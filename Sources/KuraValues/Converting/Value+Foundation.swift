public import Foundation

/// A value with a type that predicates cannot read.
public struct UnknownValueType: Error, Sendable, CustomStringConvertible {
  /// The name of the type.
  public let type: String
  /// The path of keys and indexes to the value.
  public let path: [String]

  /// The error as a sentence: `items.0: a value of type CGRect cannot be read`
  public var description: String {
    let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
    return place + "a value of type \(type) cannot be read"
  }
}

extension UnknownValueType: LocalizedError {
  /// The `description`, for alerts and logs.
  public var errorDescription: String? { description }
}

extension Value {
  /// Creates a value from an untyped object, such as a result of `JSONSerialization`.
  ///
  ///     try Value(untyped: ["title": "父の誕生日", "tags": ["家"], "done": false] as [String: Any])
  ///
  /// It reads Foundation objects, the content of an `AnyHashable`, the raw value of an enumeration,
  /// and `Encodable` types, in this order. Any other `Hashable` value or class instance becomes an
  /// object without keys, compared by `==` or `===`. Linear in the value. Throws an
  /// `UnknownValueType` for anything else.
  public init(untyped value: Any) throws(UnknownValueType) {
    self = try Self.read(value, [])
  }

  fileprivate static func read(_ value: Any, _ path: [String]) throws(UnknownValueType) -> Value {
    switch value {
    case let known as any ValueConvertible: return known.predicateValue
    case let hidden as AnyHashable where !(hidden.base is AnyHashable):
      if let value = try readPlain(hidden.base, path) { return value }
    default: if let value = try readPlain(value, path) { return value }
    }
    let base = (value as? AnyHashable)?.base ?? value
    if let object = OpaqueObject(base) { return object.predicateValue }
    throw UnknownValueType(type: "\(Swift.type(of: value))", path: path)
  }

  private static func readPlain(
    _ value: Any, _ path: [String]
  ) throws(UnknownValueType) -> Value? {
    switch value {
    case let known as any ValueConvertible: return known.predicateValue
    // Bridged to a Swift set, it would be empty on Linux.
    case let set as NSCountedSet: return .set(ValueSet(try set.allObjects.readEach(path)))
    case let list as [Any]: return .list(try list.readEach(path))
    case let dictionary as [String: Any]: return .dictionary(try dictionary.readEach(path))
    case let set as Set<AnyHashable>:
      return .set(ValueSet(try set.map { $0 as Any }.readEach(path)))
    case let dictionary as [AnyHashable: Any]: return try read(dictionary, path)
    case Optional<Any>.none: return .null
    case let enumeration as any RawRepresentable: return try read(enumeration.rawValue, path)
    default: break
    }
    if let object = try readObject(value, path) { return object }
    guard let encodable = value as? any Encodable else { return Value?.none }
    return try? ValueEncoder().encode(encodable)
  }

  /// Reads Foundation objects.
  private static func readObject(
    _ value: Any, _ path: [String]
  ) throws(UnknownValueType) -> Value? {
    switch value {
    case is NSNull: .null
    case let number as NSNumber: read(number)
    case let text as NSString: .string(String(describing: text))
    case let date as NSDate:
      Date(
        timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate
      ).predicateValue
    case let uuid as NSUUID: UUID(uuidString: uuid.uuidString).map(Value.uuid)
    case let url as NSURL: (url.absoluteString as String?).map(Value.uri)
    case let data as NSData: .binary([UInt8](data))
    case let list as NSArray: .list(try list.map(\.self).readEach(path))
    case let set as NSOrderedSet: .list(try set.map(\.self).readEach(path))
    case let set as NSSet: .set(ValueSet(try set.map(\.self).readEach(path)))
    case let dictionary as NSDictionary: try read(dictionary.pairs, path)
    default: Value?.none
    }
  }

  /// Reads a dictionary with untyped keys. Keys that are not texts are inaccessible.
  private static func read(
    _ dictionary: [AnyHashable: Any], _ path: [String]
  ) throws(UnknownValueType) -> Value {
    var pairs: [String: Any] = [:]
    for (key, value) in dictionary {
      guard case .string(let name)? = try? Value(untyped: key.base) else {
        throw UnknownValueType(type: "key of type \(Swift.type(of: key.base))", path: path)
      }
      pairs[name] = value
    }
    return .dictionary(try pairs.readEach(path))
  }

  /// Reads a number as its original type; a Boolean is a number of one byte.
  private static func read(_ number: NSNumber) -> Value {
    if let decimal = number as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
    return switch String(cString: number.objCType) {
    case "c", "B": .boolean(number.boolValue)
    case "d": .double(number.doubleValue)
    case "f": number.floatValue.predicateValue
    case "Q": number.uint64Value.predicateValue
    default: .integer(number.int64Value)
    }
  }
}

extension NSDictionary {
  fileprivate var pairs: [AnyHashable: Any] {
    var pairs: [AnyHashable: Any] = [:]
    for case (let key as AnyHashable, let value) in self { pairs[key] = value }
    return pairs
  }
}

extension [Any] {
  fileprivate func readEach(_ path: [String]) throws(UnknownValueType) -> [Value] {
    var values: [Value] = []
    for (place, element) in enumerated() {
      values.append(try Value.read(element, path + ["\(place)"]))
    }
    return values
  }
}

extension [String: Any] {
  fileprivate func readEach(_ path: [String]) throws(UnknownValueType) -> ValueDictionary {
    var pairs: [(String, KuraValues.Value)] = []
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      pairs.append((key, try KuraValues.Value.read(value, path + [key])))
    }
    return ValueDictionary(pairs)
  }
}
