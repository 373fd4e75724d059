/// How large a value that is computed may be.
package enum ValueLimit {
  /// The bytes of a text, and of what stands in a list of lists.
  package static let bytes = 64 << 20
  /// The elements of a list that is made of lists.
  package static let elements = 16_000_000
  /// How many lists may stand in each other.
  package static let levels = 256
}

/// In which way a value is too large.
package enum ValueExcess: Sendable, Hashable {
  case bytes(Int)
  case elements(Int)
  case levels(Int)
}

extension Value {
  /// What is too much about a collection in which others stand; nil: it may be made.
  ///
  /// A list that holds another twice takes no more memory than one, and twice the text when it is
  /// written: so it counts as often as it would be written. Linear, up to the limit.
  package var excess: ValueExcess? {
    var scale = ValueScale()
    scale.add(self, level: 1)
    return scale.excess
  }
}

/// Adds up what a value weighs.
private struct ValueScale {
  private var bytes = 0
  private(set) var excess: ValueExcess?

  mutating func add(_ value: Value, level: Int) {
    guard excess == nil else { return }
    bytes += value.ownWeight
    if bytes > ValueLimit.bytes { excess = .bytes(ValueLimit.bytes) }
    if level > ValueLimit.levels { excess = .levels(ValueLimit.levels) }
    switch value {
    case .list(let elements): add(elements, level)
    case .set(let set): add(set.elements, level)
    case .dictionary(let dictionary): add(dictionary.values, level)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .object:
      break
    }
  }

  private mutating func add(_ elements: [Value], _ level: Int) {
    for element in elements where excess == nil { add(element, level: level + 1) }
  }
}

extension Value {
  /// What it takes to write it, about.
  private var ownBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    default: 0
    }
  }

  fileprivate var ownWeight: Int { 64 + ownBytes }
}
