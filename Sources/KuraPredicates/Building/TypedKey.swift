public import KuraDiagnostics
public import KuraValues

/// A key path of Swift as a side of a comparison, whose type the compiler checks.
///
///     let title = TypedKey(\Book.title), year = TypedKey(\Book.year)
///     try books.filter(by: title.contains("猫", options: .cd) && year < 1910)
///
/// The type needs no conformance: the key path reads. A stored property is printed by its name; for a
/// computed one give it, `TypedKey(\Book.age, "age")`.
public struct TypedKey<Root, Value: ValueConvertible & SendableMetatype>: Sendable {
  /// The key as a tree names it.
  public let name: String
  let read: @Sendable (Root) -> KuraValues.Value

  /// Makes a key of a key path.
  public init(_ path: any KeyPath<Root, Value> & Sendable, _ name: String? = nil) {
    self.name = name ?? Self.name(of: path)
    read = { $0[keyPath: path].predicateValue }
  }

  /// `author.name` of `\Book.author.name`; what has no name gets one that is no other's.
  private static func name(of path: KeyPath<Root, Value>) -> String {
    let text = "\(path)".split(separator: ".", maxSplits: 1).dropFirst().joined()
    let name = text.filter { $0 != "?" && $0 != "!" }
    let isPlain = !name.isEmpty && name.split(separator: ".").allSatisfy { String($0).isIdentifier }
    return isPlain ? name : "key\(UInt(bitPattern: path.hashValue))"
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
  let readers: [String: @Sendable (Root) -> Value]

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
    TypedPredicate(tree: tree, readers: readers.merging(other.readers) { $1 })
  }
}

/// Something read by the key paths of a predicate.
struct PathReader<Root>: KeyReadable {
  let root: Root
  let readers: [String: @Sendable (Root) -> Value]
  /// `author.` of what stands behind `author`
  var prefix = ""

  func value(forKey key: String) -> Value {
    if let read = readers[prefix + key] { return read(root) }
    let inside = prefix + key + "."
    guard readers.keys.contains(where: { $0.hasPrefix(inside) }) else { return .null }
    return .object(ObjectReference(PathReader(root: root, readers: readers, prefix: inside)))
  }
}
