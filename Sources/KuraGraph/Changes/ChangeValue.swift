import KuraModel

/// A value of a key in a change set.
package enum ChangeValue: Sendable, Equatable {
  case null
  /// integers; dates as microseconds since 1970
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// texts, and the canonical text of decimal, uuid, uri, binary and json values
  case text(String)
  /// `parentCategory`: the number of an object of the destination's tree
  case object(Int64)
  /// `tags`: numbers, in their order
  case objects([Int64])
}

extension ChangeValue {
  /// An attribute's value in the form in which its column holds it.
  package init(_ cell: StoredCell) {
    switch cell {
    case .null, .link, .links: self = .null
    case .integer(let x): self = .integer(x)
    case .double(let x): self = .double(x)
    case .boolean(let x): self = .boolean(x)
    case .text(let x): self = .text(x)
    }
  }

  /// The cell of an attribute; objects have none of this kind.
  package var cell: StoredCell {
    switch self {
    case .null, .object, .objects: .null
    case .integer(let x): .integer(x)
    case .double(let x): .double(x)
    case .boolean(let x): .boolean(x)
    case .text(let x): .text(x)
    }
  }

  /// The numbers of the objects that a relationship has.
  package var numbers: [Int64] {
    switch self {
    case .object(let number): [number]
    case .objects(let numbers): numbers
    case .null, .integer, .double, .boolean, .text: []
    }
  }

  /// Texts are equal by their Unicode scalars, and a double is equal to itself.
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
    // Equal by scalars implies equal by canonical equivalence.
    case .text(let x): hasher.combine(x)
    case .object(let x): hasher.combine(x)
    case .objects(let x): hasher.combine(x)
    }
  }
}
