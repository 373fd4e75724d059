import Foundation
package import KuraJSON
package import KuraValues

extension Value {
  /// Creates a value from JSON: a list, dictionary, string, number, Boolean or null.
  ///
  /// Integers beyond 64 bits become decimals. Throws `ValueMismatch.outOfRange` for an integer of
  /// more than 38 digits, and for a number beyond the range of a double, such as `1e999`.
  package init(json node: JSONNode) throws(ValueMismatch) {
    switch node.kind {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let digits): self = try Value(jsonNumber: digits)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(try Value.values(elements))
    case .object(let members):
      let values = try Value.values(members.map(\.value))
      self = .dictionary(ValueDictionary(Array(zip(members.map(\.key), values))))
    }
  }

  private static func values(_ nodes: [JSONNode]) throws(ValueMismatch) -> [Value] {
    var values: [Value] = []
    for node in nodes { values.append(try Value(json: node)) }
    return values
  }

  private init(jsonNumber digits: String) throws(ValueMismatch) {
    let isWhole = digits.utf8.allSatisfy { $0 != 0x2E && $0 | 0x20 != 0x65 }
    if isWhole, let integer = Int64(digits) {
      self = .integer(integer)
    } else if isWhole, let decimal = NumberText.decimal(digits) {
      self = .decimal(decimal)
    } else if !isWhole, let double = Double(digits), double.isFinite {
      self = .double(double)
    } else {
      throw .outOfRange(.json, digits: digits)
    }
  }
}

extension JSONNode {
  /// Creates the document form of a value of a type that the model determines.
  ///
  /// Dates are RFC 3339 in the zone or a day, decimals and UUIDs are strings, bytes are base64, and
  /// objects are the number of their objectID.
  package init(_ value: Value, in zone: ZoneRules) {
    switch value {
    case .null: self.init(.null)
    case .boolean(let x): self.init(.boolean(x))
    case .integer(let x): self.init(.number("\(x)"))
    case .double(let x): self.init(x.isFinite ? .number(x.description) : .null)
    case .decimal(let x): self.init(.string(x.description))
    case .string(let x), .uri(let x): self.init(.string(x))
    case .date(let x): self.init(.string(x.documentText(in: zone)))
    case .uuid(let x): self.init(.string(x.uuidString))
    case .binary(let x): self.init(.string(Data(x).base64EncodedString()))
    case .list(let x): self.init(.array(x.map { JSONNode($0, in: zone) }))
    case .set(let x): self.init(.array(x.elements.map { JSONNode($0, in: zone) }))
    case .dictionary(let x): self.init(.object(JSONNode.members(x, in: zone)))
    case .object(let x): self.init(x.id.map { .number("\($0.number)") } ?? .null)
    }
  }

  private static func members(_ dictionary: ValueDictionary, in zone: ZoneRules) -> [JSONMember] {
    zip(dictionary.keys, dictionary.values).map { JSONMember($0, JSONNode($1, in: zone)) }
  }

  /// Creates the document form of a `json` attribute; an integer beyond 64 bits is a number, as it was read.
  package init(ofJSON value: Value) {
    switch value {
    case .decimal(let x) where x.exponent >= 0: self.init(.number(NumberText.text(x)))
    case .list(let x): self.init(.array(x.map(JSONNode.init(ofJSON:))))
    case .set(let x): self.init(.array(x.elements.map(JSONNode.init(ofJSON:))))
    case .dictionary(let x):
      self.init(
        .object(zip(x.keys, x.values).map { JSONMember($0, JSONNode(ofJSON: $1)) }))
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .object:
      self.init(value, in: .utc)
    }
  }

  package var jsonKind: JSONKind {
    switch kind {
    case .null: .null
    case .boolean: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
