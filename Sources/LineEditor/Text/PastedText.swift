/// The bytes that a terminal sends between the marks of a bracketed paste.
struct PastedText {
  private static let endMark = Array("\u{1B}[201~".utf8)
  private var bytes: [UInt8] = []

  /// Adds a byte; returns true after the last byte of the mark that ends the paste.
  mutating func take(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return byte == Self.endMark.last && bytes.suffix(Self.endMark.count) == Self.endMark[...]
  }

  /// The text: line breaks of every kind as `\n`, tabs unchanged, no other control characters.
  var text: String {
    let content =
      bytes.suffix(Self.endMark.count) == Self.endMark[...]
      ? bytes.dropLast(Self.endMark.count) : bytes[...]
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in String(decoding: content, as: UTF8.self).unicodeScalars {
      append(scalar, after: previous, to: &result)
      previous = scalar
    }
    return String(result)
  }

  private func append(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?,
    to result: inout String.UnicodeScalarView
  ) {
    switch scalar {
    case "\r": result.append("\n")
    case "\n": if previous != "\r" { result.append("\n") }
    case "\t": result.append("\t")
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
    default: result.append(scalar)
    }
  }
}
