package import Foundation
package import KuraValues

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
