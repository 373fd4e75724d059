public import Foundation
import KuraDiagnostics
import KuraSentences
import KuraValues
import Synchronization

/// A key path of Swift, and how it is read.
struct NamedPath<Root>: Sendable {
  /// Nil where two key paths have one name.
  var path: (any AnyKeyPath & Sendable)?
  var read: @Sendable (Root) -> Value = { _ in .null }

  /// Different key paths of one name: nobody knows which of them is meant.
  static var ambiguous: NamedPath { NamedPath(path: nil) }
}

/// Something read by the key paths of a predicate.
struct PathReader<Root>: KeyReadable {
  let root: Root
  let readers: [String: NamedPath<Root>]
  /// `author.` of what stands behind `author`
  var prefix = ""

  func value(forKey key: String) throws(Diagnostic) -> Value {
    if let found = readers[prefix + key] {
      if found.path == nil { throw Diagnostic(AmbiguousName(name: prefix + key)) }
      return found.read(root)
    }
    let inside = prefix + key + "."
    guard readers.keys.contains(where: { $0.hasPrefix(inside) }) else { return .null }
    return .object(ObjectReference(PathReader(root: root, readers: readers, prefix: inside)))
  }
}

/// `TypedKey(\Book.a, "x") == 1 && TypedKey(\Book.b, "x") == 2`
private struct AmbiguousName: DiagnosticFacts {
  let name: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("two key paths have the name \(quoted(name))") }
  var help: String? { localized("give one of them another: TypedKey(path, \"name\")") }
}

extension AnyKeyPath {
  /// `author.name` of `\Book.author?.name`; nil for what no key names.
  var plainName: String? {
    let text = "\(self)".split(separator: ".", maxSplits: 1).dropFirst().joined()
    let name = text.filter { $0 != "?" && $0 != "!" }
    let isPlain = !name.isEmpty && name.split(separator: ".").allSatisfy { String($0).isIdentifier }
    return isPlain ? name : nil
  }
}

/// The names of computed properties that nobody has named, numbered for each type as they come.
enum ComputedNames {
  private static let known = Mutex<[ObjectIdentifier: [UncheckedPath]]>([:])

  /// `computed1`, the same for the same key path.
  static func name<Root, Value>(of path: any KeyPath<Root, Value> & Sendable) -> String {
    let path = UncheckedPath(path: path)
    return known.withLock { known in
      let paths = known[ObjectIdentifier(Root.self), default: []]
      if let place = paths.firstIndex(of: path) { return "computed\(place + 1)" }
      known[ObjectIdentifier(Root.self)] = paths + [path]
      return "computed\(paths.count + 1)"
    }
  }

  private struct UncheckedPath: Equatable, @unchecked Sendable {
    let path: AnyKeyPath
  }
}

extension SortTree {
  /// The key, direction and comparison of Foundation's `SortDescriptor`; nil for a computed property,
  /// which no key names.
  ///
  ///     SortTree(SortDescriptor(\Book.title, order: .reverse))?.description   // title desc
  ///     SortTree(SortDescriptor(\Book.author?.name))?.description   // author.name
  ///
  /// Of the comparators of strings `lexical` is the order of the language without a word more, and where
  /// Foundation has them `localized` is `[l]` and `localizedStandard` is `natural`; any other is nil, as
  /// is the descriptor of a key path that has one of its own. Linear in the key.
  public init?<Root>(_ descriptor: SortDescriptor<Root>) {
    guard let name = descriptor.keyPath?.plainName,
      let (options, isNatural) = Self.comparison(descriptor.stringComparator)
    else { return nil }
    self.init(
      Key(name).expression, options: options, isNatural: isNatural,
      isAscending: descriptor.order == .forward)
  }

  /// How strings compare; nil where the language has no word for it.
  private static func comparison(
    _ comparator: String.StandardComparator?
  ) -> (ComparisonOptions, isNatural: Bool)? {
    guard var comparator else { return ([], false) }
    comparator.order = .forward
    if comparator == .lexical { return ([], false) }
    #if canImport(Darwin)
      if comparator == .localized { return (.localeSensitive, false) }
      if comparator == .localizedStandard { return ([], true) }
    #endif
    return nil
  }
}
