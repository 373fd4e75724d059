extension Value: Hashable {
  /// Equal as `==` in a predicate: numbers by value, strings by their Unicode scalars.
  ///
  /// A number never equals a string, a list never a set.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let x), .integer(let y)): x == y
    case (.string(let x), .string(let y)): Value.sameScalars(x, y)
    case (.date(let x), .date(let y)): x == y
    case (.uuid(let x), .uuid(let y)): x == y
    case (.uri(let x), .uri(let y)): Value.sameScalars(x, y)
    case (.binary(let x), .binary(let y)): x == y
    case (.list(let x), .list(let y)): x == y
    case (.set(let x), .set(let y)): x == y
    case (.dictionary(let x), .dictionary(let y)): x == y
    case (.object(let x), .object(let y)): x === y || (x.id != nil && x.id == y.id)
    default: Value.compareNumbers(a, b) == .same
    }
  }

  /// Hashes so that equal values hash alike: `1`, `1.0` and `YES` do.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean, .integer, .double, .decimal: hashNumber(into: &hasher)
    case .string(let x), .uri(let x): Value.hashScalars(x, into: &hasher)
    case .date(let x): hasher.combine(x)
    case .uuid(let x): hasher.combine(x)
    case .binary(let x): hasher.combine(x)
    case .list(let x): hasher.combine(x)
    case .set(let x): hasher.combine(x)
    case .dictionary(let x): hasher.combine(x)
    case .object(let x):
      if let id = x.id { hasher.combine(id) } else { hasher.combine(ObjectIdentifier(x)) }
    }
  }

  /// By its value as a double; all that are not a number are alike.
  private func hashNumber(into hasher: inout Hasher) {
    let number = approximateNumber ?? .nan
    hasher.combine(number.isNaN ? .nan : number)
  }

  // A string's own == and hash take canonically equivalent strings for equal; a predicate does not.
  private static func sameScalars(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && Bytes.compare(a, b) == .same
  }

  private static func hashScalars(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
