public import KuraDiagnostics
public import KuraValues

/// A key path of Swift as a side of a comparison, whose type the compiler checks.
///
///     let title = TypedKey(\Book.title), year = TypedKey(\Book.year)
///     try books.filter(by: title.contains("猫", options: .cd) && year < 1910)
///
/// The type needs no conformance: the key path reads. A stored property is printed by its name; for a
/// computed one give it, `TypedKey(\Book.age, "age")`, or it is numbered as it comes, `computed1`.
/// Different key paths of one name cannot be read in one predicate.
public struct TypedKey<Root, Value: ValueConvertible & SendableMetatype>: Sendable {
  /// The key as a tree names it.
  public let name: String
  let reader: NamedPath<Root>

  /// Makes a key of a key path.
  public init(_ path: any KeyPath<Root, Value> & Sendable, _ name: String? = nil) {
    self.name = name ?? path.plainName ?? ComputedNames.name(of: path)
    reader = NamedPath(path: path) { $0[keyPath: path].predicateValue }
  }

  /// The key without its type.
  public var key: Key { Key(name) }
}

/// A predicate over the key paths of one type.
///
///     let old: TypedPredicate<Book> = TypedKey(\Book.year) < 1910
///     old.tree.predicateFormat   // year < 1910
public struct TypedPredicate<Root>: Sendable {
  /// The predicate, in which keys have their names.
  public let tree: PredicateTree
  let readers: [String: NamedPath<Root>]

  /// Whether something fulfils the predicate.
  ///
  /// Linear in the tree for most predicates. Throws a diagnostic where values cannot be compared.
  public func evaluate(
    _ object: Root, in environment: PredicateEnvironment = .current
  ) throws(Diagnostic) -> Bool {
    try tree.evaluate(value: root(object), in: environment)
  }

  func root(_ object: Root) -> Value {
    .object(ObjectReference(PathReader(root: object, readers: readers)))
  }

  /// Both. Linear in the keys, and in the parts of the left side.
  public static func && (a: TypedPredicate, b: TypedPredicate) -> TypedPredicate {
    a.joined(b, a.tree && b.tree)
  }

  /// One of both at least. Linear in the keys, and in the parts of the left side.
  public static func || (a: TypedPredicate, b: TypedPredicate) -> TypedPredicate {
    a.joined(b, a.tree || b.tree)
  }

  /// The opposite. Constant time.
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
  /// `title == "x"`
  public static func == (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key == right)
  }

  /// `title != "x"`
  public static func != (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key != right)
  }

  /// `title < "x"`
  public static func < (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key < right)
  }

  /// `title <= "x"`
  public static func <= (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key <= right)
  }

  /// `title > "x"`
  public static func > (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key > right)
  }

  /// `title >= "x"`
  public static func >= (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key >= right)
  }

  /// Whether it is one of these. Linear in the values.
  public func isIn(_ values: [Value], options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.isIn(values, options: options))
  }

  /// From the first to the second, both of which belong to it.
  public func isBetween(_ low: Value, and high: Value) -> TypedPredicate<Root> {
    predicate(key.isBetween(low, and: high))
  }
}

extension TypedKey where Value: TextOrNil {
  /// `title CONTAINS "誕生"`
  public func contains(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.contains(text, options: options))
  }

  /// `title BEGINSWITH "父"`
  public func beginsWith(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.beginsWith(text, options: options))
  }

  /// `title ENDSWITH "日"`
  public func endsWith(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.endsWith(text, options: options))
  }

  /// `title LIKE "*の?生日"`
  public func isLike(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.isLike(text, options: options))
  }

  /// `title MATCHES ".+[0-9]"`
  public func matches(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.matches(text, options: options))
  }
}

/// What text operators ask: a string, or an optional one.
public protocol TextOrNil {}

extension String: TextOrNil {}
extension Substring: TextOrNil {}
extension Optional: TextOrNil where Wrapped: TextOrNil {}
