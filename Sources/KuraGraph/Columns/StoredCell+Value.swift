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
    case (.json, _): self = .text(value.jsonText)
    case (.date, .date(let date)): self = .integer(date.microseconds)
    case (.integer, .integer(let x)), (.integer16, .integer(let x)), (.integer32, .integer(let x)):
      self = .integer(x)
    case (.double, .double(let x)), (.float, .double(let x)): self = .double(x)
    case (.boolean, .boolean(let x)): self = .boolean(x)
    case (.string, .string(let x)), (.uri, .uri(let x)): self = .text(x)
    case (.uuid, .uuid(let x)): self = .text(x.uuidString)
    case (.decimal, .decimal(let x)): self = .text(NumberText.text(x))
    case (.binary, .binary(let x)): self = .text(Data(x).base64EncodedString())
    default: self = .null
    }
  }
}

extension Value {
  /// The value as JSON on one line.
  package var jsonText: String {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func appendJSON(to bytes: inout [UInt8]) {
    switch self {
    case .null: JSONWriter.appendNull(to: &bytes)
    case .boolean(let x): JSONWriter.append(x, to: &bytes)
    case .integer(let x): JSONWriter.append(x, to: &bytes)
    case .double(let x): JSONWriter.append(x, to: &bytes)
    case .decimal(let x): bytes.append(contentsOf: NumberText.text(x).utf8)
    case .string(let x), .uri(let x): JSONWriter.append(x, to: &bytes)
    case .date(let x): JSONWriter.append(x.text(.rfc3339, in: .utc), to: &bytes)
    case .uuid(let x): JSONWriter.append(x.uuidString, to: &bytes)
    case .binary(let x): JSONWriter.append(Data(x).base64EncodedString(), to: &bytes)
    case .list(let x): appendList(x, to: &bytes)
    case .set(let x): appendList(x.elements, to: &bytes)
    case .dictionary(let x): appendMembers(x, to: &bytes)
    case .object(let x): JSONWriter.append(x.id?.number ?? 0, to: &bytes)
    }
  }

  private func appendList(_ elements: [Value], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (i, element) in elements.enumerated() {
      if i > 0 { bytes.append(contentsOf: ", ".utf8) }
      element.appendJSON(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private func appendMembers(_ members: ValueDictionary, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (i, key) in members.keys.enumerated() {
      if i > 0 { bytes.append(contentsOf: ", ".utf8) }
      JSONWriter.append(key, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
      members.values[i].appendJSON(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
