import KuraBytes
import KuraDiagnostics

/// Strings of JSON, with more escapes than the document has.
///
///     "a\u009b31m"
///
/// Controls behind ASCII and separators of lines mean something to terminals and to programs that
/// read lines; at a terminal nothing that is hidden is sent.
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

  /// Whether a byte begins what VisibleText knows as hidden and JSON does not escape by itself.
  private static func mayHide(_ text: UnsafeRawBufferPointer) -> Bool {
    // Without a branch the loop takes many bytes at a time, and most texts are ASCII.
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
