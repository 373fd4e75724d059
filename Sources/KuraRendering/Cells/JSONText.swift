import Foundation
import KuraBytes
import KuraDiagnostics
package import KuraValues

/// Writes values as JSON: integers with all their digits, text unescaped if JSON allows it.
///
///     {"title": "父の誕生日", "date": "1935-06-11", "tags": [1, 2.0, null]}
package struct JSONText {
  private let zone: ZoneRules
  private let objects: Objects
  private let escape: JSONEscape

  /// The form of an object.
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
  /// Appends a value; a list may be as deep as the parsers allow.
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

/// Strings of JSON, with more escapes than a document has.
///
///     "a\u009b31m"
///
/// Control characters outside ASCII and line separators affect terminals and programs that read
/// lines. Hidden characters are never sent to a terminal.
struct JSONEscape {
  let isTerminal: Bool
}

extension JSONEscape {
  func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &bytes) }
  }

  func append(utf8 text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    let start = bytes.count
    JSONWriter.append(utf8: text, to: &bytes)
    guard Self.mayHide(text) else { return }
    let written = Array(bytes[start...])
    bytes.removeSubrange(start...)
    written.withUnsafeBytes { VisibleText.append($0, to: &bytes, escape: append) }
  }

  /// Returns whether a byte may begin a hidden character that JSON itself does not escape.
  private static func mayHide(_ text: UnsafeRawBufferPointer) -> Bool {
    // Without a branch the loop is vectorized, and most texts are ASCII.
    var highest: UInt8 = 0
    for byte in text { highest = max(highest, byte) }
    return highest >= 0x7F && text.contains(where: beginsHidden)
  }

  private static func beginsHidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }

  private func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    guard isTerminal || Self.isEscapedAlways(scalar) else {
      return bytes.append(contentsOf: String(scalar).utf8)
    }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      bytes.append(
        contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
    }
  }

  private static func isEscapedAlways(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}
