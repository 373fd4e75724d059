package import Foundation

/// The options of a string comparison, with Apple's raw values.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: ignores case and width.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: ignores diacritics and width.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// `[n]`: compares bytes, and overrides the other options.
  package static let normalized = TextOptions(rawValue: 4)
  /// `[l]`: compares according to a locale.
  package static let localeSensitive = TextOptions(rawValue: 8)
}

extension TextOptions {
  /// Whether case or diacritics are ignored.
  package var folds: Bool { !contains(.normalized) && rawValue & 3 != 0 }

  /// Whether bytes that are found in a key must be whole characters.
  package var findsCharacters: Bool {
    !contains(.diacriticInsensitive) && !contains(.normalized)
  }

  /// The options for Foundation.
  package var foundation: String.CompareOptions {
    guard folds else { return [] }
    // Called for every text: combining numbers is faster than combining sets.
    let marks = contains(.diacriticInsensitive) ? String.CompareOptions.diacriticInsensitive : []
    let letters = contains(.caseInsensitive) ? String.CompareOptions.caseInsensitive : []
    let width = String.CompareOptions.widthInsensitive
    return String.CompareOptions(rawValue: marks.rawValue | letters.rawValue | width.rawValue)
  }
}
