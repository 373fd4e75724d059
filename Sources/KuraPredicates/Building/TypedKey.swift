public import KuraDiagnostics
public import KuraValues

/// A Swift key path as a side of a comparison, with the type checked by the compiler.
///
///     let title = TypedKey(\Book.title), year = TypedKey(\Book.year)
///     try books.filter(by: title.contains("猫", options: .cd) && year < 1910)
///
/// The type needs no conformance, because the key path reads the value. A stored property prints
/// under its name. Give a computed one a name, as in `TypedKey(\Book.age, "age")`; otherwise its
/// name is generated, such as `computed1`. One predicate cannot contain different key paths with
/// the same name.
public struct TypedKey<Root, Value: ValueConvertible & SendableMetatype>: Sendable {
  /// The name of the key in a tree.
  public let name: String
  let reader: NamedPath<Root>

  /// Creates a key from a key path.
  public init(_ path: any KeyPath<Root, Value> & Sendable, _ name: String? = nil) {
    self.name = name ?? path.plainName ?? ComputedNames.name(of: path)
    reader = NamedPath(path: path) { $0[keyPath: path].predicateValue }
  }

  /// The key without its type.
  public var key: Key { Key(name) }
}

/// A predicate over key paths of one type.
///
///     let old: TypedPredicate<Book> = TypedKey(\Book.year) < 1910
///     old.tree.predicateFormat   // year < 1910
public struct TypedPredicate<Root>: Sendable {
  /// The predicate as a tree with named keys.
  public let tree: PredicateTree
  let readers: [String: NamedPath<Root>]

  /// Returns whether an object matches the predicate.
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic if values cannot be compared.
  public func evaluate(
    _ object: Root, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try tree.evaluate(value: root(object), in: environment)
  }

  func root(_ object: Root) -> Value {
    .object(ObjectReference(PathReader(root: object, readers: readers)))
  }

  /// Returns the conjunction of both. Linear in the keys, and in the parts of the left side.
  public static func && (a: TypedPredicate, b: TypedPredicate) -> TypedPredicate {
    a.joined(b, a.tree && b.tree)
  }

  /// Returns the disjunction of both. Linear in the keys, and in the parts of the left side.
  public static func || (a: TypedPredicate, b: TypedPredicate) -> TypedPredicate {
    a.joined(b, a.tree || b.tree)
  }

  /// Returns the negation. Constant time.
  public static prefix func ! (a: TypedPredicate) -> TypedPredicate {
    TypedPredicate(tree: !a.tree, readers: a.readers)
  }

  private func joined(_ other: TypedPredicate, _ tree: PredicateTree) -> TypedPredicate {
    let readers = readers.merging(other.readers) { $0.path == $1.path ? $1 : .ambiguous }
    return TypedPredicate(tree: tree, readers: readers)
  }
}

extension TypedKey {
  private func predicate(_ tree: PredicateTree) -> TypedPredicate<Root> {
    TypedPredicate(tree: tree, readers: [name: reader])
  }
}

extension TypedKey {
  /// Returns the comparison `title == "x"`.
  public static func == (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key == right)
  }

  /// Returns the comparison `title != "x"`.
  public static func != (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key != right)
  }

  /// Returns the comparison `title < "x"`.
  public static func < (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key < right)
  }

  /// Returns the comparison `title <= "x"`.
  public static func <= (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key <= right)
  }

  /// Returns the comparison `title > "x"`.
  public static func > (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key > right)
  }

  /// Returns the comparison `title >= "x"`.
  public static func >= (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key >= right)
  }

  /// Returns a comparison that tests whether the key is one of the values. Linear in the values.
  public func isIn(_ values: [Value], options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.isIn(values, options: options))
  }

  /// Returns a comparison with a range that includes both bounds.
  public func isBetween(_ low: Value, and high: Value) -> TypedPredicate<Root> {
    predicate(key.isBetween(low, and: high))
  }
}

extension TypedKey where Value: TextOrNil {
  /// Returns the comparison `title CONTAINS "誕生"`.
  public func contains(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.contains(text, options: options))
  }

  /// Returns the comparison `title BEGINSWITH "父"`.
  public func beginsWith(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.beginsWith(text, options: options))
  }

  /// Returns the comparison `title ENDSWITH "日"`.
  public func endsWith(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.endsWith(text, options: options))
  }

  /// Returns the comparison `title LIKE "*の?生日"`.
  public func isLike(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.isLike(text, options: options))
  }

  /// Returns the comparison `title MATCHES ".+[0-9]"`.
  public func matches(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.matches(text, options: options))
  }
}

/// The types for text operators: strings and optional strings.
public protocol TextOrNil {}

extension String: TextOrNil {}
extension Substring: TextOrNil {}
extension Optional: TextOrNil where Wrapped: TextOrNil {}
