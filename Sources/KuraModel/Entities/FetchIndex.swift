/// Keys of an entity by which its objects are kept in order: `index (category, date desc)`.
///
///     try Entity("MemoDate") { Attribute("date", .date); FetchIndex("date") }
///     FetchIndex("category", .descending("date"))
///
/// A fetch by `==`, `<`, BETWEEN, IN or BEGINSWITH of the first key looks only at the objects that
/// the order leads to, and a sort by just these keys, either way round, is read off it. The order is
/// made when a fetch wants it for the second time (n log n), and kept while objects change.
public struct FetchIndex: Sendable, Hashable {
  /// A key and its direction.
  public struct Element: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `date`
    public var key: String
    /// Whether the least comes first.
    public var isAscending: Bool

    /// Makes an element; the least comes first unless said.
    public init(_ key: String, isAscending: Bool = true) {
      self.key = key
      self.isAscending = isAscending
    }

    /// A key of which the least value comes first.
    public init(stringLiteral key: String) { self.init(key) }

    /// A key of which the greatest value comes first.
    public static func descending(_ key: String) -> Element { Element(key, isAscending: false) }
  }

  /// The keys, the first of which decides first.
  public var elements: [Element]

  /// Makes an index of keys with their directions.
  public init(_ elements: [Element]) { self.elements = elements }

  /// Makes an index of keys with their directions.
  public init(_ elements: Element...) { self.elements = elements }

  /// `category`, `date`; linear in them
  public var keys: [String] { elements.map(\.key) }
}

/// A fetch index with the entity that declares it, which may be an ancestor.
package struct OwnedIndex: Sendable, Hashable {
  package var owner: String
  package var index: FetchIndex
}

extension AttributeType {
  /// Whether objects can be kept in the order of its values.
  package var isIndexable: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date, .string: true
    case .decimal, .uuid, .uri, .binary, .json: false
    }
  }
}
