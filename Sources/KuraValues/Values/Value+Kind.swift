extension Value {
  /// What kind of value something is, as messages name it.
  package enum Kind: String, Sendable, Hashable {
    case null, boolean, integer, double, decimal, string, date, uuid, uri, binary
    case list, set, dictionary, object
  }

  /// `.integer` for `3`
  package var kind: Kind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .list: .list
    case .set: .set
    case .dictionary: .dictionary
    case .object: .object
    }
  }

  /// Whether there is nothing.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The elements of a list, a set or a dictionary's values; nil for what is no collection.
  package var elements: [Value]? {
    switch self {
    case .list(let x): x
    case .set(let x): x.elements
    case .dictionary(let x): x.values
    default: nil
    }
  }
}

extension Value.Kind {
  /// The place of the kind where values of several kinds are sorted.
  var rank: Int {
    switch self {
    case .null: 0
    case .boolean, .integer, .double, .decimal: 1
    case .string: 2
    case .date: 3
    case .uuid: 4
    case .uri: 5
    case .binary: 6
    case .list: 7
    case .set: 8
    case .dictionary: 9
    case .object: 10
    }
  }

  /// `a string`, `an integer`: the kind in a sentence.
  package var phrase: String {
    switch self {
    case .null: "nil"
    case .integer, .object: "an \(rawValue)"
    case .uri: "a URI"
    case .uuid: "a UUID"
    case .binary: "binary data"
    default: "a \(rawValue)"
    }
  }
}
