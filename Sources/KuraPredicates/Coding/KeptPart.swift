import Foundation
import KuraValues

/// What a text cannot say, under the name of the variable that stands for it.
///
///     {"date": "2009-01-01T00:00:00Z"}   {"uuid": "E621E1F8-…"}   {"and": ["a == 1"]}
enum KeptPart: Sendable {
  /// A constant without a literal.
  case value(Value)
  /// A chain of fewer than two parts, as it can be built without a text.
  case and([String]), or([String])
  /// `NOT done`: an expression as a predicate
  case truth(String)
  /// `a < b` as an expression
  case predicate(String)
  /// `MemoDate/17`
  case quotient(entity: String, number: Int64)
}

extension KeptPart {
  enum Key: String, CodingKey {
    case null, boolean, integer, double, decimal, string, date, uuid, uri, binary
    case list, set, dictionary, object
    case and, or, truth, predicate, quotient
  }

  /// The pairs of a dictionary, in their order.
  struct Pairs: Codable {
    var keys: [String]
    var values: [KeptPart]
  }

  /// An object, by its identity alone.
  struct Object: Codable {
    var entity: String
    var root: String?
    var number: Int64
  }

  /// A value, of which it must be one.
  func value(_ decoder: any Decoder) throws -> Value {
    if case .value(let value) = self { return value }
    throw KeptPart.corrupted("a value is wanted here", decoder)
  }

  static func corrupted(_ what: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: what))
  }
}

/// An object of which nothing is known but its identity.
struct KeptObject: KeyReadable {
  let objectID: ObjectID?
  func value(forKey key: String) -> Value { .null }
}
