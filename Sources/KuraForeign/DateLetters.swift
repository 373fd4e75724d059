/// Reads the patterns of dates of other programs.
enum DateLetters {
  /// A pattern as Kura writes it; nil if a part of it has no counterpart.
  ///
  ///     DateLetters.pattern("YYYY-MM-DD")      // "yyyy-MM-dd"
  ///     DateLetters.pattern("%d.%m.%Y")        // "dd.MM.yyyy"
  static func pattern(_ text: String) -> String? {
    var (rest, result) = (text[...], "")
    let letters = text.contains("%") ? afterPercent : alone
    while let first = rest.first {
      if first.isLetter || first == "%" {
        guard let (theirs, ours) = letters.first(where: { rest.hasPrefix($0.0) }) else {
          return nil
        }
        result += ours
        rest = rest.dropFirst(theirs.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static let afterPercent = [
    ("%Y", "yyyy"), ("%y", "yy"), ("%m", "MM"), ("%d", "dd"), ("%H", "HH"), ("%M", "mm"),
    ("%i", "mm"), ("%S", "ss"), ("%s", "ss"), ("%F", "yyyy-MM-dd"), ("%T", "HH:mm:ss"),
  ]

  /// Longer parts come before their beginnings.
  private static let alone = [
    ("YYYY", "yyyy"), ("yyyy", "yyyy"), ("YY", "yy"), ("MM", "MM"), ("DD", "dd"), ("dd", "dd"),
    ("HH24", "HH"), ("HH", "HH"), ("MI", "mm"), ("mm", "mm"), ("SS", "ss"), ("ss", "ss"),
  ]
}
