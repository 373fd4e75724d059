import Foundation
@_exported public import KuraPredicates
import KuraValues

/// A predicate in the shape of `NSPredicate`, so that a file ports by an import, a prefix and `try`.
///
///     let adults = try KUPredicate(format: "age >= %@ AND name BEGINSWITH %@", 18, "A")
///     try people.filtered(using: adults)
///
/// `NSPredicate` raises an exception for a text that is none and for values that do not compare; this
/// throws a diagnostic. It is immutable, and may be used by several threads.
public class KUPredicate: Codable, @unchecked Sendable {
  /// The predicate as a tree, for everything that the library can do beside.
  public let tree: PredicateTree

  /// Makes a predicate of a tree.
  public init(_ tree: PredicateTree) { self.tree = tree }

  /// Reads a format with its arguments.
  ///
  ///     try KUPredicate(format: "%K == %@", "title", nil)
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public convenience init(format: String, _ arguments: Any?...) throws {
    try self.init(
      format: format, argumentArray: arguments.map { argument -> Any in argument ?? NSNull() })
  }

  /// Reads a format with a list of arguments.
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public init(format: String, argumentArray: [Any]?) throws {
    tree = try PredicateTree(format: format, argumentArray: argumentArray?.map(tree(of:)))
  }

  /// `TRUEPREDICATE` or `FALSEPREDICATE`
  public init(value: Bool) { tree = value ? .always : .never }

  /// Makes a predicate of a closure, which is given the object and the variables.
  ///
  /// An object of the program's own is given as it is, but an `Encodable` value that is no class and
  /// not readable as the dictionary that it encodes; Swift's values as Foundation would have them.
  /// Constant time; to evaluate it costs what the closure costs.
  public init(block: @escaping @Sendable (Any?, [String: Any]?) -> Bool) {
    tree = PredicateTree { value, variables in
      block(value.plain, variables.isEmpty ? nil : variables.compactMapValues(\.plain))
    }
  }

  /// Reads a kept predicate; a comparison or a compound must be one. Linear in its text.
  ///
  /// Throws `DecodingError.dataCorrupted` for what is none.
  public required init(from decoder: any Decoder) throws {
    tree = try PredicateTree(from: decoder)
  }

  /// Keeps the predicate as its tree is kept, by its text. Linear in it.
  ///
  /// Throws `EncodingError.invalidValue` for a closure, and for an object without identity.
  public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
}

extension DecodingError {
  /// A predicate of another kind.
  static func other(than kind: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "a \(kind) is wanted here"))
  }
}

/// The tree of a predicate or an expression; all else as it is.
func tree(of argument: Any) -> Any {
  switch argument {
  case let predicate as KUPredicate: predicate.tree
  case let expression as KUExpression: expression.tree
  default: argument
  }
}

extension KUPredicate {
  /// The canonical text, which reads back. Linear in the tree.
  public var predicateFormat: String { tree.predicateFormat }

  /// Whether something fulfils the predicate.
  ///
  ///     try adults.evaluate(with: ["age": 20, "name": "Ann"] as [String: Any])   // true
  ///
  /// Linear in the object's keys, and in the tree for most predicates. Throws a diagnostic at the node
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func evaluate(with object: Any?) throws -> Bool {
    try tree.evaluate(with: object)
  }

  /// Whether something fulfils the predicate with values for its variables, or expressions.
  ///
  /// Linear in the object's keys, and in the tree for most predicates. Throws a diagnostic at the node
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func evaluate(with object: Any?, substitutionVariables: [String: Any]?) throws -> Bool {
    let variables = BoundVariables(substitutionVariables)
    return try variables.placed(in: tree)
      .evaluate(with: object, substitutionVariables: variables.values)
  }

  /// The predicate with values in the places of its variables, or expressions.
  ///
  /// Linear in the tree. Throws an `UnknownValueType` for a value that predicates do not know.
  public func withSubstitutionVariables(_ variables: [String: Any]) throws -> KUPredicate {
    let variables = BoundVariables(variables)
    let values = try variables.values.mapValues { try Value(untyped: $0) }
    return KUPredicate(variables.placed(in: tree).substituting(values))
  }
}

extension KUPredicate: Hashable {
  /// Equal by their trees. Linear in the smaller one.
  public static func == (a: KUPredicate, b: KUPredicate) -> Bool { a.tree == b.tree }

  /// Hashes the tree. Linear in it.
  public func hash(into hasher: inout Hasher) { hasher.combine(tree) }
}

extension KUPredicate {
  /// The predicate itself, which does not change.
  public func copy() -> Any { self }
}

extension KUPredicate: CustomStringConvertible {
  /// The canonical text. Linear in the tree.
  public var description: String { predicateFormat }
}

extension Value {
  /// The value as Swift has it: what Foundation's collections would hold; nil for null.
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
