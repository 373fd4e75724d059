import Foundation
import KuraBytes
package import KuraModel
package import KuraValues

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
