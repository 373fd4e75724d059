import KuraModel

/// A value of a key in a change set.
package enum ChangeValue: Sendable, Equatable {
  case null
  /// An integer, or a date as microseconds since 1970
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// A text, or the canonical text of a decimal, uuid, uri, binary or json value
  case text(String)
  /// `parentCategory`: the number of an object in the destination's tree
  case object(Int64)
  /// `tags`: the numbers in order
  case objects([Int64])
}

extension ChangeValue {
  /// Creates the value of an attribute from the stored form of its column.
  package init(_ cell: StoredCell) {
    switch cell {
    case .null, .link, .links: self = .null
    case .integer(let x): self = .integer(x)
    case .double(let x): self = .double(x)
    case .boolean(let x): self = .boolean(x)
    case .text(let x): self = .text(x)
    }
  }

  /// The stored form of an attribute's value; null for relationships.
  package var cell: StoredCell {
    switch self {
    case .null, .object, .objects: .null
    case .integer(let x): .integer(x)
    case .double(let x): .double(x)
    case .boolean(let x): .boolean(x)
    case .text(let x): .text(x)
    }
  }

  /// The numbers of the objects in a relationship.
  package var numbers: [Int64] {
    switch self {
    case .object(let number): [number]
    case .objects(let numbers): numbers
    case .null, .integer, .double, .boolean, .text: []
    }
  }

  /// Returns whether both are equal. Texts are compared by Unicode scalars, and doubles by bits.
  package static func == (a: ChangeValue, b: ChangeValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let x), .integer(let y)): x == y
    case (.double(let x), .double(let y)): x.bitPattern == y.bitPattern
    case (.boolean(let x), .boolean(let y)): x == y
    case (.text(let x), .text(let y)): x.utf8.elementsEqual(y.utf8)
    case (.object(let x), .object(let y)): x == y
    case (.objects(let x), .objects(let y)): x == y
    default: false
    }
  }
}

extension ChangeValue: Hashable {
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let x): hasher.combine(x)
    case .double(let x): hasher.combine(x.bitPattern)
    case .boolean(let x): hasher.combine(x)
    // Values with equal scalars are also canonically equivalent.
    case .text(let x): hasher.combine(x)
    case .object(let x): hasher.combine(x)
    case .objects(let x): hasher.combine(x)
    }
  }
}
