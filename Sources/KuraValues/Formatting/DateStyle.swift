package import Foundation

/// The length of a date in the format of its locale: `long`, `short time`.
package struct DateStyle: Sendable, Hashable {
  package enum Length: String, Sendable, CaseIterable {
    case short, medium, long, full
  }

  /// The part that is written; a part with a time includes 0:00.
  package enum Part: String, Sendable, CaseIterable {
    case date, time, datetime
  }

  package var length: Length
  /// The part; nil means the day, and the time unless it is 0:00.
  package var part: Part?

  package init(_ length: Length, part: Part? = nil) {
    self.length = length
    self.part = part
  }

  /// Parses a style such as `long` or `Long date`; nil for any other text.
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

  /// The names of the lengths: `short medium long full`
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

/// The fields of a date pattern, as defined by Unicode Technical Standard 35.
package enum DatePattern {
  /// Throws if a pattern has a problem. `isRead`: it must also make sense for reading dates.
  package static func check(_ pattern: String, isRead: Bool = false) throws(FormatProblem) {
    guard pattern.utf8.count <= FormatProblem.longest else { throw .tooLong }
    let fields = try fields(of: pattern)
    guard !fields.isEmpty else { throw .noField(.date) }
    if let unknown = fields.first(where: { !known.contains($0.letter) }) {
      throw .unknownField(String(unknown.letter), isRead: isRead)
    }
    let letters = Set(fields.map(\.letter))
    let hasMonth = !letters.isDisjoint(with: "ML")
    for (letter, count) in fields {
      switch letter {
      case "Y" where !letters.contains("w"): throw .yearOfWeek(count: count)
      case "D" where hasMonth: throw .dayOfYear(count: count)
      case "m" where isRead && letters.isDisjoint(with: "hHkK"):
        throw .minuteAlone(count: count, hasMonth: hasMonth)
      case "s" where isRead && !letters.contains("m"): throw .secondAlone(count: count)
      default: continue
      }
    }
  }

  /// Returns the pattern with the letters that were probably meant, as in `dd/MM/yyyy` for `DD/mm/YYYY`; nil if it is
  /// valid, or if another problem remains.
  package static func corrected(_ pattern: String, isRead: Bool) -> String? {
    var result = pattern
    while true {
      do throws(FormatProblem) {
        try check(result, isRead: isRead)
        return result == pattern ? nil : result
      } catch {
        guard let next = error.corrected(result) else { return nil }
        result = next
      }
    }
  }

  /// Returns a pattern with another letter for a field, outside apostrophes.
  static func replacing(
    _ letter: Character, by other: Character, in pattern: String
  ) -> String {
    var isQuoted = false
    return String(
      pattern.map { character in
        if character == "'" { isQuoted.toggle() }
        return !isQuoted && character == letter ? other : character
      })
  }

  /// Returns the letters of a pattern's fields; none if the pattern is invalid.
  static func letters(of pattern: String) -> Set<Character> {
    Set(((try? fields(of: pattern)) ?? []).map(\.letter))
  }

  private static let known = Set("GyYuUrQqMLwWdDFgEecabBhHKkmsSAzZOvVXx")

  /// Returns each run of a letter outside apostrophes.
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

  /// Returns the locale for the words in a pattern when none is specified: the language of the
  /// pattern's own text.
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

  /// Returns the chosen locale for a pattern. Its calendar is dropped for a pattern without an era:
  /// year 23 alone would look like a date long ago.
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
