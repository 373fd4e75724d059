import Foundation
import KuraJSON
package import KuraModel
package import KuraValues

/// A value in the form in which a column stores it.
package enum StoredCell: Sendable, Equatable {
  case null
  /// An integer, or a date in microseconds
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// A text, or the canonical text of a decimal, uuid, uri, binary or json value
  case text(String)
  /// A row of the destination table
  case link(UInt32)
  case links([UInt32])
}

extension StoredCell {
  var integer: Int64 {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    case .null, .double, .text, .link, .links: 0
    }
  }

  var double: Double { if case .double(let value) = self { value } else { 0 } }
  var text: String { if case .text(let value) = self { value } else { "" } }
  var link: UInt32 { if case .link(let value) = self { value } else { noRow } }
  var links: [UInt32] { if case .links(let value) = self { value } else { [] } }

  /// Whether its text has scalars for which a byte search can differ from Foundation.
  package var isOddText: Bool {
    let text = text
    return text.utf8.contains { $0 > 0x7F }
      && text.unicodeScalars.contains { $0.value > 0x7F && OddScalars.contains($0.value) }
  }
}

extension StoredCell {
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
