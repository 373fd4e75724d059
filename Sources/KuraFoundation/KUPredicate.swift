import Foundation
@_exported public import KuraPredicates
import KuraValues

/// A predicate with the interface of `NSPredicate`. To port a file, change the import and the
/// prefix, and add `try`.
///
///     let adults = try KUPredicate(format: "age >= %@ AND name BEGINSWITH %@", 18, "A")
///     try people.filtered(using: adults)
///
/// For an invalid format and for values that cannot be compared, `NSPredicate` raises an exception,
/// and this class throws a diagnostic. It is immutable, and safe to use from several threads.
public class KUPredicate: Codable, @unchecked Sendable {
  /// The predicate as a tree, for the rest of the library.
  public let tree: PredicateTree

  /// Creates a predicate from a tree.
  public init(_ tree: PredicateTree) { self.tree = tree }

  /// Parses a format with its arguments.
  ///
  ///     try KUPredicate(format: "%K == %@", "title", nil)
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  public convenience init(format: String, _ arguments: Any?...) throws {
    try self.init(
      format: format, argumentArray: arguments.map { argument -> Any in argument ?? NSNull() })
  }

  /// Parses a format with an array of arguments.
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  public init(format: String, argumentArray: [Any]?) throws {
    tree = try PredicateTree(format: format, argumentArray: argumentArray?.map(tree(of:)))
  }

  /// Creates a constant predicate, `TRUEPREDICATE` or `FALSEPREDICATE`.
  public init(value: Bool) { tree = value ? .always : .never }

  /// Creates a predicate from a closure, which receives the object and the variables.
  ///
  /// The closure receives an object of the program unchanged, and Swift values as Foundation
  /// represents them. An exception is an `Encodable` value that is neither a class nor readable:
  /// the closure receives the dictionary that it encodes. Constant time; evaluation costs what the
  /// closure costs.
  public init(block: @escaping @Sendable (Any?, [String: Any]?) -> Bool) {
    tree = PredicateTree { value, variables in
      block(value.plain, variables.isEmpty ? nil : variables.compactMapValues(\.plain))
    }
  }

  /// Decodes a predicate. Linear in its text.
  ///
  /// Throws `DecodingError.dataCorrupted` if the data is not a predicate.
  public required init(from decoder: any Decoder) throws {
    tree = try PredicateTree(from: decoder)
  }

  /// Encodes the predicate as its tree does, as a text. Linear in it.
  ///
  /// Throws `EncodingError.invalidValue` for a closure, and for an object without identity.
  public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
}

extension DecodingError {
  /// Returns an error for a predicate of another kind.
  static func other(than kind: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "expected a \(kind) predicate"))
  }
}

/// Returns the tree of a predicate or an expression; any other argument is unchanged.
func tree(of argument: Any) -> Any {
  switch argument {
  case let predicate as KUPredicate: predicate.tree
  case let expression as KUExpression: expression.tree
  default: argument
  }
}

extension KUPredicate {
  /// The canonical format, which can be parsed again. Linear in the tree.
  public var predicateFormat: String { tree.predicateFormat }

  /// Returns whether an object matches the predicate.
  ///
  ///     try adults.evaluate(with: ["age": 20, "name": "Ann"] as [String: Any])   // true
  ///
  /// Linear in the object's keys, and in the tree for most predicates. Throws a diagnostic at the
  /// node that cannot be evaluated, or an `UnknownValueType`.
  public func evaluate(with object: Any?) throws -> Bool {
    try tree.evaluate(with: object)
  }

  /// Returns whether an object matches the predicate, with variables bound to values or
  /// expressions.
  ///
  /// Linear in the object's keys, and in the tree for most predicates. Throws a diagnostic at the
  /// node that cannot be evaluated, or an `UnknownValueType`.
  public func evaluate(with object: Any?, substitutionVariables: [String: Any]?) throws -> Bool {
    let variables = BoundVariables(substitutionVariables)
    return try variables.placed(in: tree)
      .evaluate(with: object, substitutionVariables: variables.values)
  }

  /// Returns the predicate with values or expressions inserted for its variables.
  ///
  /// Linear in the tree. Throws an `UnknownValueType` for a value that predicates do not support.
  public func withSubstitutionVariables(_ variables: [String: Any]) throws -> KUPredicate {
    let variables = BoundVariables(variables)
    let values = try variables.values.mapValues { try Value(untyped: $0) }
    return KUPredicate(variables.placed(in: tree).substituting(values))
  }
}

extension KUPredicate: Hashable {
  /// Returns whether the trees are equal. Linear in the smaller one.
  public static func == (a: KUPredicate, b: KUPredicate) -> Bool { a.tree == b.tree }

  /// Hashes the tree. Linear in it.
  public func hash(into hasher: inout Hasher) { hasher.combine(tree) }
}

extension KUPredicate {
  /// Returns the predicate itself, because it is immutable.
  public func copy() -> Any { self }
}

extension KUPredicate: CustomStringConvertible {
  /// The canonical format. Linear in the tree.
  public var description: String { predicateFormat }
}

extension Value {
  /// The value as a Swift or Foundation value, as collections contain it; nil for null.
  var plain: Any? {
    switch self {
    case .null: nil
    case .boolean(let x): x
    case .integer(let x): Int(x)
    case .double(let x): x
    case .decimal(let x): x
    case .string(let x): x
    case .date(let x): x.date
    case .uuid(let x): x
    case .uri(let x): URL(string: x) ?? x
    case .binary(let x): Data(x)
    case .list(let x): x.map { $0.plain ?? NSNull() }
    case .set(let x): x.elements.map { $0.plain ?? NSNull() }
    case .dictionary(let x): x.object ?? x.plainPairs
    case .object(let x): dictionaryValue?.plainPairs ?? x.base
    }
  }
}

extension ValueDictionary {
  fileprivate var plainPairs: [String: Any] {
    Dictionary(
      zip(keys, values.map { $0.plain ?? NSNull() }).map { ($0, $1) },
      uniquingKeysWith: { $1 })
  }
}
