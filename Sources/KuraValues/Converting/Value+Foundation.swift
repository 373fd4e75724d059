import Foundation

/// A value of a type that predicates do not know.
public struct UnknownValueType: Error, Sendable, CustomStringConvertible {
  /// The type's name.
  public let type: String
  /// The keys and places that lead to it.
  public let path: [String]

  /// `items.0: a predicate cannot read a CGRect`
  public var description: String {
    (path.isEmpty ? "" : path.joined(separator: ".") + ": ") + "a predicate cannot read a \(type)"
  }
}

extension Value {
  /// The value of what `JSONSerialization` gives, or of anything else that has lost its type.
  ///
  ///     try Value(untyped: ["title": "父の誕生日", "tags": ["家"], "done": false] as [String: Any])
  ///
  /// Linear. Throws an `UnknownValueType` for what is neither a collection nor `ValueConvertible`.
  public init(untyped value: Any) throws(UnknownValueType) {
    self = try Self.read(value, [])
  }

  private static func read(_ value: Any, _ path: [String]) throws(UnknownValueType) -> Value {
    switch value {
    case let known as any ValueConvertible: return known.predicateValue
    case is NSNull: return .null
    case let number as NSNumber: return read(number)
    case let text as NSString: return .string(String(describing: text))
    case let list as [Any]: return .list(try list.readEach(path))
    case let dictionary as [String: Any]: return .dictionary(try dictionary.readEach(path))
    case Optional<Any>.none: return .null
    default: throw UnknownValueType(type: "\(Swift.type(of: value))", path: path)
    }
  }

  /// A number by what it was made of; YES and NO are numbers of one byte.
  private static func read(_ number: NSNumber) -> Value {
    if let decimal = number as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
    return switch String(cString: number.objCType) {
    case "c", "B": .boolean(number.boolValue)
    case "d", "f": .double(number.doubleValue)
    case "Q": number.uint64Value.predicateValue
    default: .integer(number.int64Value)
    }
  }

  fileprivate static func readInside(
    _ value: Any, _ path: [String]
  ) throws(UnknownValueType) -> Value { try read(value, path) }
}

extension [Any] {
  fileprivate func readEach(_ path: [String]) throws(UnknownValueType) -> [Value] {
    var values: [Value] = []
    for (place, element) in enumerated() {
      values.append(try Value.readInside(element, path + ["\(place)"]))
    }
    return values
  }
}

extension [String: Any] {
  fileprivate func readEach(_ path: [String]) throws(UnknownValueType) -> ValueDictionary {
    var pairs: [(String, KuraValues.Value)] = []
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      pairs.append((key, try KuraValues.Value.readInside(value, path + [key])))
    }
    return ValueDictionary(pairs)
  }
}
