package import Foundation

/// How long a date is written by the custom of its locale: `long`, `short time`.
package struct DateStyle: Sendable, Hashable {
  package enum Length: String, Sendable, CaseIterable {
    case short, medium, long, full
  }

  /// Which half of it is written, or both also at 0:00.
  package enum Part: String, Sendable, CaseIterable {
    case date, time, datetime
  }

  package var length: Length
  /// Nil: the day, and the time where it is not 0:00.
  package var part: Part?

  package init(_ length: Length, part: Part? = nil) {
    self.length = length
    self.part = part
  }

  /// The style of `long`, `Long date`; nil for any other text.
  package init?(_ text: String) {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard (1...2).contains(words.count), let length = Length(rawValue: words[0]) else {
      return nil
    }
    self.init(length)
    if words.count == 2 {
      guard let part = Part(rawValue: words[1]) else { return nil }
      self.part = part
    }
  }

  /// `short medium long full`
  static let words = Length.allCases.map(\.rawValue).joined(separator: " ")
}

extension DateStyle.Length {
  var foundation: DateFormatter.Style {
    switch self {
    case .short: .short
    case .medium: .medium
    case .long: .long
    case .full: .full
    }
  }
}

/// The letters of a date's pattern, as Unicode's technical standard 35 has them.
package enum DatePattern {
  /// Throws what is wrong with a pattern.
  package static func check(_ pattern: String) throws(FormatProblem) {
    guard pattern.utf8.count <= FormatProblem.longest else { throw .tooLong }
    let fields = try fields(of: pattern)
    guard !fields.isEmpty else { throw .noField(.date) }
    let letters = Set(fields.map(\.letter))
    for (letter, count) in fields {
      if !known.contains(letter) { throw .unknownField(String(letter)) }
      if letter == "Y", !letters.contains("w") { throw .yearOfWeek(count: count) }
      if letter == "D", letters.contains("M") || letters.contains("L") {
        throw .dayOfYear(count: count)
      }
    }
  }

  private static let known = Set("GyYuUrQqMLwWdDFgEecabBhHKkmsSAzZOvVXx")

  /// Each run of one letter outside of apostrophes.
  private static func fields(
    of pattern: String
  ) throws(FormatProblem) -> [(letter: Character, count: Int)] {
    var fields: [(letter: Character, count: Int)] = []
    var isQuoted = false
    var last: Character?
    for character in pattern {
      if character == "'" { isQuoted.toggle() }
      let isField = !isQuoted && character.isASCII && character.isLetter
      if isField, character == last {
        fields[fields.count - 1].count += 1
      } else if isField {
        fields.append((character, 1))
      }
      last = isField ? character : nil
    }
    if isQuoted { throw .openQuote }
    return fields
  }

  /// Whose words stand in a pattern where nothing else says so: those of the language its own text
  /// is written in.
  package static func locale(of pattern: String) -> Locale {
    for scalar in pattern.unicodeScalars {
      switch scalar.value {
      case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: return japanese
      case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: return korean
      default: continue
      }
    }
    return english
  }

  /// A locale that was chosen for all that is written. Its calendar counts where the era is shown too:
  /// year 23 alone would be a date of long ago.
  package static func locale(chosen locale: Locale, for pattern: String) -> Locale {
    guard DateStyle(pattern) == nil, !pattern.contains("G"),
      let at = locale.identifier.firstIndex(of: "@")
    else { return locale }
    let keywords = locale.identifier[at...].dropFirst().split(separator: ";")
      .filter { !$0.hasPrefix("calendar=") }.joined(separator: ";")
    let base = locale.identifier[..<at]
    return Locale(identifier: keywords.isEmpty ? String(base) : "\(base)@\(keywords)")
  }

  private static let japanese = Locale(identifier: "ja_JP")
  private static let korean = Locale(identifier: "ko_KR")
  private static let english = Locale(identifier: "en_US")
}
