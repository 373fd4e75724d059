package import KuraModel
import KuraValues

extension AttributeType {
  /// Whether an attribute of this type can have a value, in the form in which a column holds it.
  func admits(_ value: ChangeValue) -> Bool {
    switch value {
    case .null: true
    case .integer(let number): integers?.contains(number) ?? false
    case .double(let number): admits(number)
    case .boolean: self == .boolean
    case .text(let text): admits(text)
    case .object, .objects: false
    }
  }

  /// The integers that a column of this type holds, dates in microseconds; nil for other types.
  var integers: ClosedRange<Int64>? {
    switch self {
    case .integer: .min ... .max
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .date: Timestamp.earliest.microseconds...Timestamp.latest.microseconds
    case .double, .float, .decimal, .string, .boolean, .uuid, .uri, .binary, .json: nil
    }
  }

  func admits(_ number: Double) -> Bool {
    switch self {
    case .double, .float: holds(.double(number))
    case .integer, .integer16, .integer32, .decimal, .string, .boolean, .date, .uuid, .uri,
      .binary, .json:
      false
    }
  }

  func admits(_ text: String) -> Bool {
    switch self {
    case .string: true
    case .uri: !text.isEmpty
    case .decimal, .json, .uuid, .binary:
      // What a document can have: other texts are read as nil, or not at all.
      (try? value(ofText: text, in: .utc)).map { $0 != .null } ?? false
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date: false
    }
  }

  /// Whether every text is a value of this type, so that no column of it needs a look at each.
  package var admitsEveryText: Bool { self == .string }
}

extension KeySlot {
  /// Whether a key can have a value, as far as its type tells; whether the objects of a relationship exist is
  /// another question.
  package func admits(_ value: ChangeValue) -> Bool {
    if let type = attributeType { return type.admits(value) }
    return switch value {
    case .null, .object: true
    case .objects(let numbers): isToMany || numbers.count <= 1
    case .integer, .double, .boolean, .text: false
    }
  }
}
