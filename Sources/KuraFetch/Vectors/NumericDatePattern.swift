import KuraValues

/// A pattern of years, months, days, hours, minutes and seconds as numbers, such as `yyyy-MM`, `M月d日` or `HH:mm`.
///
/// It writes the digits that ICU writes, without calling ICU.
struct NumericDatePattern: Sendable {
  private let parts: [Part]

  private enum Part {
    case literal(String)
    /// The number of a letter, with a least count of digits
    case field(Character, digits: Int)
  }

  /// Whether the text is equal on all days at the same time of day.
  var readsOnlyTime: Bool {
    parts.allSatisfy { if case .field(let letter, _) = $0 { "Hms".contains(letter) } else { true } }
  }

  /// Returns nil for other fields, and for the names of styles.
  init?(_ pattern: String) {
    guard DateStyle(pattern) == nil else { return nil }
    var parts: [Part] = []
    var rest = Substring(pattern)
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      if let field = Self.field(first, run.count) {
        parts.append(field)
      } else if first.unicodeScalars.contains(where: Self.isField) {
        return nil
      } else {
        parts.append(.literal(String(run)))
      }
    }
    self.parts = parts
  }

  /// Returns whether a scalar is a field or a quote: ICU ignores a mark after it.
  private static func isField(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar.isASCII && scalar.properties.isAlphabetic
  }

  private static func field(_ letter: Character, _ count: Int) -> Part? {
    switch (letter, count) {
    case ("y", 1), ("y", 4), ("M", 1...2), ("d", 1...2), ("H", 1...2), ("m", 1...2), ("s", 1...2):
      .field(letter, digits: count)
    default: nil
    }
  }

  /// Returns the text of a local time in microseconds since 1970-01-01 0:00; nil outside the years 1 to 9999.
  func text(_ local: Int64) -> String? {
    let (year, month, day) = calendarDay(local.wholeDays)
    guard 1...9999 ~= year else { return nil }
    let seconds = local.timeOfDay / 1_000_000
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .field(let letter, let digits):
        let number =
          switch letter {
          case "y": year
          case "M": month
          case "d": day
          case "H": seconds / 3600
          case "m": seconds / 60 % 60
          default: seconds % 60
          }
        let written = String(number)
        text += String(repeating: "0", count: max(0, digits - written.utf8.count)) + written
      }
    }
    return text
  }
}
