public import Foundation
import KuraDiagnostics
import KuraSentences
import KuraValues
import Synchronization

/// A Swift key path and the closure that reads it.
struct NamedPath<Root>: Sendable {
  /// The key path; nil if two key paths have the same name.
  var path: (any AnyKeyPath & Sendable)?
  var read: @Sendable (Root) -> Value = { _ in .null }

  /// The marker for different key paths with the same name.
  static var ambiguous: NamedPath { NamedPath(path: nil) }
}

/// An object that is read with the key paths of a predicate.
struct PathReader<Root>: KeyReadable {
  let root: Root
  let readers: [String: NamedPath<Root>]
  /// The path to this object, such as `author.` for the value of `author`.
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

/// Different key paths with one name: `TypedKey(\Book.a, "x") == 1 && TypedKey(\Book.b, "x") == 2`.
private struct AmbiguousName: DiagnosticFacts {
  let name: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("two key paths have the name \(quoted(name))") }
  var help: String? { localized("give one of them another name: TypedKey(path, \"name\")") }
}

extension AnyKeyPath {
  /// The path as keys, such as `author.name` for `\Book.author?.name`; nil if keys cannot express
  /// it.
  var plainName: String? {
    let text = "\(self)".split(separator: ".", maxSplits: 1).dropFirst().joined()
    let name = text.filter { $0 != "?" && $0 != "!" }
    let isPlain = !name.isEmpty && name.split(separator: ".").allSatisfy { String($0).isIdentifier }
    return isPlain ? name : nil
  }
}

/// Generated names of computed properties, numbered per type.
enum ComputedNames {
  private static let known = Mutex<[ObjectIdentifier: [UncheckedPath]]>([:])

  /// Returns a name such as `computed1`, always the same one for equal key paths.
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
  /// Creates a sort key from Foundation's `SortDescriptor`; nil for a computed property, which has
  /// no key.
  ///
  ///     SortTree(SortDescriptor(\Book.title, order: .reverse))?.description   // title desc
  ///     SortTree(SortDescriptor(\Book.author?.name))?.description   // author.name
  ///
  /// String comparators map as follows: `lexical` is the default order of the language; if
  /// Foundation has them, `localized` is `[l]` and `localizedStandard` is `natural`. Any other
  /// comparator gives nil, as does a descriptor with a custom comparator. Linear in the key.
  public init?<Root>(_ descriptor: SortDescriptor<Root>) {
    guard let name = descriptor.keyPath?.plainName,
      let (options, isNatural) = Self.comparison(descriptor.stringComparator)
    else { return nil }
    self.init(
      Key(name).expression, options: options, isNatural: isNatural,
      isAscending: descriptor.order == .forward)
  }

  /// Returns the options for a string comparator; nil if the language cannot express it.
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
