import Foundation
import KuraBytes
package import KuraValues

/// Values as JSON: integers with all their digits, text unescaped where JSON allows it.
///
///     {"title": "父の誕生日", "date": "1935-06-11", "tags": [1, 2.0, null]}
package struct JSONText {
  private let zone: ZoneRules
  private let objects: Objects
  private let escape: JSONEscape

  /// How an object is written.
  enum Objects {
    /// `17`, as in the document
    case numbers
    /// `"MemoDate/17"`
    case names
  }

  init(_ zone: ZoneRules, objects: Objects, isTerminal: Bool = false) {
    self.zone = zone
    self.objects = objects
    escape = JSONEscape(isTerminal: isTerminal)
  }
}

extension JSONText {
  /// Appends a value; a list may nest as deep as the parsers let it.
  package func append(_ value: Value, isShortDate: Bool = false, to bytes: inout [UInt8]) {
    switch value {
    case .null: JSONWriter.appendNull(to: &bytes)
    case .boolean(let x): JSONWriter.append(x, to: &bytes)
    case .integer(let x): JSONWriter.append(x, to: &bytes)
    case .double(let x): JSONWriter.append(x, to: &bytes)
    case .decimal(let x): bytes.append(contentsOf: (x.isNaN ? "null" : x.description).utf8)
    case .string(let x), .uri(let x): escape.append(x, to: &bytes)
    case .date(let x): append(x, isShort: isShortDate, to: &bytes)
    case .uuid(let x): JSONWriter.append(x.uuidString, to: &bytes)
    case .binary(let x): JSONWriter.append(Data(x).base64EncodedString(), to: &bytes)
    case .list(let x): append(x, to: &bytes)
    case .set(let x): append(x.elements, to: &bytes)
    case .dictionary(let x): append(x, to: &bytes)
    case .object(let x): append(x, to: &bytes)
    }
  }

  /// Appends a string whose bytes are valid UTF-8.
  package func append(utf8 text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    escape.append(utf8: text, to: &bytes)
  }

  private func append(_ date: Timestamp, isShort: Bool, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    date.write(isShort ? .day : .rfc3339, in: zone, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private func append(_ list: [Value], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (i, element) in list.enumerated() {
      if i > 0 { bytes.append(contentsOf: ", ".utf8) }
      append(element, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private func append(_ dictionary: ValueDictionary, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (i, (key, value)) in zip(dictionary.keys, dictionary.values).enumerated() {
      if i > 0 { bytes.append(contentsOf: ", ".utf8) }
      escape.append(key, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
      append(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func append(_ object: ObjectReference, to bytes: inout [UInt8]) {
    switch (objects, object.id) {
    case (_, nil): append(.null, to: &bytes)
    case (.numbers, let id?): append(.integer(id.number), to: &bytes)
    case (.names, let id?): escape.append(id.description, to: &bytes)
    }
  }
}
