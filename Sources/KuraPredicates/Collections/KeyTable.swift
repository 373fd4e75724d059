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

  private var readers: ErasedReaders

  /// Creates a table. If a key occurs twice, the last reader is used. Linear in the readers.
  public init(_ readers: [(String, Reader)]) {
    self.readers = ErasedReaders(
      readers.map { key, read in
        (key, { read($0.assumingMemoryBound(to: Root.self).pointee).predicateValue })
      })
  }

  /// The keys in alphabetical order; n log n in them.
  public var keys: [String] { readers.keys.sorted() }

  /// Returns the table merged with another, whose readers take precedence. Linear in both.
  public func merging(_ other: KeyTable) -> KeyTable {
    var result = self
    result.readers = ErasedReaders(readers.pairs + other.readers.pairs)
    return result
  }
}

/// The readers of a table without its type: a generic collection would look up its type at each
/// call, which costs more than reading a key.
private struct ErasedReaders: Sendable {
  /// Reads a key of an object at an address.
  typealias Reader = @Sendable (UnsafeRawPointer) -> KuraValues.Value

  private(set) var keys: [String] = []
  private var readers: [Reader] = []
  /// The places of the keys; empty for few keys, among which a search is faster than hashing.
  private var places: [String: Int] = [:]

  private static let mostSearched = 8

  init(_ pairs: [(String, Reader)]) {
    let distinct = Dictionary(pairs, uniquingKeysWith: { $1 })
    for (key, reader) in distinct {
      keys.append(key)
      readers.append(reader)
    }
    if keys.count > Self.mostSearched {
      places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    }
  }

  var pairs: [(String, Reader)] { Array(zip(keys, readers)) }

  func value(forKey key: String, of object: UnsafeRawPointer) -> KuraValues.Value? {
    let place = places.isEmpty ? keys.firstIndex(of: key) : places[key]
    return place.map { readers[$0](object) }
  }
}

extension KeyTable: ExpressibleByDictionaryLiteral {
  /// Creates a table such as `["title": \.title, "year": \.year]`. Linear in the keys.
  public init(dictionaryLiteral readers: (String, Reader)...) { self.init(readers) }
}

extension KeyTable {
  /// Returns the value of a key; nil if the table does not have it.
  func value(forKey key: String, of root: Root) -> KuraValues.Value? {
    withUnsafePointer(to: root) { readers.value(forKey: key, of: $0) }
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
