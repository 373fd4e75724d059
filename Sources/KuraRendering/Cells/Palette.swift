package import Foundation
package import KuraValues

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

/// Formats dates and numbers for people, according to a locale.
package struct ValueStyle: Sendable {
  private let locale: Locale
  private let length: DateStyle.Length

  package init(_ locale: Locale, _ length: DateStyle.Length) {
    self.locale = locale
    self.length = length
  }

  /// Returns the text of a date or a number; nil for any other value.
  func text(_ value: Value, isShortDate: Bool, in zone: ZoneRules) -> String? {
    switch value {
    case .date(let moment):
      let style = DateStyle(length, part: isShortDate ? .date : .datetime)
      return try? moment.text(style, locale, in: zone)
    // A number with hundreds of zeros is not localized.
    case .double(let number) where number != 0 && !(1e-9..<1e18).contains(number.magnitude):
      return nil
    // A year has no thousands separator.
    case .integer(let number) where number.magnitude < 10_000:
      return try? value.numberText(format: "0", locale)
    case .integer, .double, .decimal: return try? value.numberText(.decimal, locale)
    case .null, .boolean, .string, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      return nil
    }
  }
}
