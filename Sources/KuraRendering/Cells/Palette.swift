import KuraValues

/// The colors of a terminal by meaning, as the numbers of its escape sequences.
///
///     Palette.dark.null    // "90", as in ESC[90m
package struct Palette: Sendable, Equatable {
  package var null: String
  package var number: String
  package var date: String
  package var object: String
  package var heading: String
  /// The lines below a table.
  package var note: String
}

extension Palette {
  /// Bright letters for a dark background.
  package static let dark = Palette(
    null: "90", number: "36", date: "35", object: "94", heading: "1", note: "90")
  /// Dark letters for a light background.
  package static let light = Palette(
    null: "90", number: "34", date: "35", object: "32", heading: "1", note: "90")
  /// Colors that are readable on any background.
  package static let neutral = Palette(
    null: "2", number: "36", date: "35", object: "32", heading: "1", note: "2")

  /// Returns the color of a value; nil for none.
  func code(of value: Value) -> String? {
    switch value {
    case .null: null
    case .integer, .double, .decimal: number
    case .date: date
    case .object: object
    case .boolean, .string, .uuid, .uri, .binary, .list, .set, .dictionary: nil
    }
  }
}

extension [UInt8] {
  /// Appends text in a color; nil for none.
  mutating func append(_ text: some Collection<UInt8>, painted code: String?) {
    guard let code, !text.isEmpty else { return append(contentsOf: text) }
    append(contentsOf: "\u{1B}[\(code)m".utf8)
    append(contentsOf: text)
    append(contentsOf: "\u{1B}[0m".utf8)
  }
}
