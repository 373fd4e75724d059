import KuraDiagnostics
import KuraSentences
public import KuraValues

/// The keys of a type, and how each is read.
///
///     static let readableKeys: KeyTable<Song> = [
///       "title": \.title, "year": \.year, "isOld": { $0.year < 1990 },
///     ]
public struct KeyTable<Root>: Sendable {
  /// A closure or Swift key path that reads a key.
  public typealias Reader = @Sendable (Root) -> any ValueConvertible

  private var readers: [String: Reader]
  /// The readers of a small table, in which a search takes less time than hashing the key.
  private var few: [(key: String, reader: Reader)] = []

  private static var mostSearched: Int { 8 }

  /// Creates a table. If a key occurs twice, the last reader is used. Linear in the readers.
  public init(_ readers: [(String, Reader)]) {
    self.init(Dictionary(readers, uniquingKeysWith: { $1 }))
  }

  private init(_ readers: [String: Reader]) {
    self.readers = readers
    if readers.count <= Self.mostSearched { few = readers.map { ($0, $1) } }
  }

  /// The keys in alphabetical order; n log n in them.
  public var keys: [String] { readers.keys.sorted() }

  /// Returns the table merged with another, whose readers take precedence. Linear in both.
  public func merging(_ other: KeyTable) -> KeyTable {
    KeyTable(readers.merging(other.readers) { $1 })
  }
}

extension KeyTable: ExpressibleByDictionaryLiteral {
  /// Creates a table such as `["title": \.title, "year": \.year]`. Linear in the keys.
  public init(dictionaryLiteral readers: (String, Reader)...) { self.init(readers) }
}

extension KeyTable {
  /// Returns the value of a key; nil if the table does not have it.
  func value(forKey key: String, of root: Root) -> KuraValues.Value? {
    if few.isEmpty { return readers[key]?(root).predicateValue }
    for (name, read) in few where name == key { return read(root).predicateValue }
    return nil
  }
}

/// A type whose keys are in a table. This is the shortest way to make a type readable.
///
///     struct Song: KeyTableReadable {
///       var title: String
///       var year: Int?
///       static let readableKeys: KeyTable<Song> = ["title": \.title, "year": \.year]
///     }
///     try songs.filter(by: "year < 1990 AND title LIKE[c] '*moon*'")
///
/// Any other key throws an error that suggests similar names.
public protocol KeyTableReadable: KeyReadable {
  /// The table of the keys.
  static var readableKeys: KeyTable<Self> { get }
}

extension KeyTableReadable {
  /// Returns the value of a key.
  ///
  /// Constant time plus the key's own reader. Throws a diagnostic for a key that is not in the
  /// table.
  public func value(forKey key: String) throws -> KuraValues.Value {
    if let value = Self.readableKeys.value(forKey: key, of: self) { return value }
    // The evaluator handles SELF, which is not a key.
    if key == "self" { return .null }
    throw Diagnostic(UnknownKey(key: key, type: "\(Self.self)", keys: Self.readableKeys.keys))
  }
}

/// A key that a type does not have.
struct UnknownKey: DiagnosticFacts {
  let key: String
  let type: String
  let near: [String]

  init(key: String, type: String, keys: [String]) {
    self.key = key
    self.type = type
    near = nearNames(to: key, among: keys)
  }

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("\(type) has no key \"\(key)\"") }
  var help: String? {
    near.isEmpty ? nil : localized("did you mean \(near.map(quoted).alternatives)?")
  }
}
