import Foundation
import KuraJSON
package import KuraModel
package import KuraValues

/// A value in the form in which a column holds it.
package enum StoredCell: Sendable, Equatable {
  case null
  /// integers; dates as microseconds
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// texts, and the canonical text of decimal, uuid, uri, binary and json values
  case text(String)
  /// a row of the destination's table
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

  /// Whether its text has scalars for which a search of bytes is not Foundation's answer.
  package var isOddText: Bool {
    let text = text
    return text.utf8.contains { $0 > 0x7F }
      && text.unicodeScalars.contains { $0.value > 0x7F && OddScalars.contains($0.value) }
  }
}

extension StoredCell {
  /// A value of an attribute in the form in which its column holds it.
  ///
  /// The value is of the attribute's type; what is not becomes null.
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
