import Foundation
import KuraJSON
package import KuraModel
package import KuraValues

/// A value of a key in the form in which a column or a change set stores it.
package enum StoredCell: Sendable {
  case null
  /// An integer, or a date as microseconds since 1970
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// A text, or the canonical text of a decimal, uuid, uri, binary or json value
  case text(String)
  /// `parentCategory`: in a change set the number of an object in the destination's tree, in a
  /// column its row
  case object(Int64)
  /// `tags`: the numbers or rows in order
  case objects([Int64])
}

extension StoredCell {
  var integer: Int64 {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    case .null, .double, .text, .object, .objects: 0
    }
  }

  var double: Double { if case .double(let value) = self { value } else { 0 } }
  /// The rows of a relationship's objects.
  var rows: [UInt32] { numbers.map { UInt32(truncatingIfNeeded: $0) } }
  var text: String { if case .text(let value) = self { value } else { "" } }

  /// The numbers or rows of the objects in a relationship.
  package var numbers: [Int64] {
    switch self {
    case .object(let number): [number]
    case .objects(let numbers): numbers
    case .null, .integer, .double, .boolean, .text: []
    }
  }

  /// Whether its text has scalars for which a byte search can differ from Foundation.
  package var isOddText: Bool {
    let text = text
    return text.utf8.contains { $0 > 0x7F }
      && text.unicodeScalars.contains { $0.value > 0x7F && OddScalars.contains($0.value) }
  }

  /// Creates the value of a relationship; null without objects.
  init(links numbers: [Int64], _ isToMany: Bool) {
    self = numbers.first.map { isToMany ? .objects(numbers) : .object($0) } ?? .null
  }

  /// Creates the stored form of an attribute's value.
  ///
  /// The value must be of the attribute's type; any other becomes null.
  package init(_ value: Value, as type: AttributeType) {
    switch (type, value) {
    case (.json, .null), (_, .null): self = .null
    case (.json, _): self = .text(JSONNode(ofJSON: value).text)
    case (.date, .date(let date)): self = .integer(date.microseconds)
    case (.integer, .integer(let x)), (.integer16, .integer(let x)), (.integer32, .integer(let x)):
      self = .integer(x)
    case (.double, .double(let x)) where type.holds(value): self = .double(x)
    case (.float, .double(let x)) where Float(x).isFinite: self = .double(Double(Float(x)))
    case (.boolean, .boolean(let x)): self = .boolean(x)
    case (.string, .string(let x)), (.uri, .uri(let x)): self = .text(x)
    case (.uuid, .uuid(let x)): self = .text(x.uuidString)
    case (.decimal, .decimal(let x)): self = .text(NumberText.text(x))
    case (.binary, .binary(let x)): self = .text(Data(x).base64EncodedString())
    default: self = .null
    }
  }
}

extension StoredCell: Hashable {
  /// Returns whether both are equal. Texts are compared by Unicode scalars, and doubles by bits.
  package static func == (a: StoredCell, b: StoredCell) -> Bool {
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
