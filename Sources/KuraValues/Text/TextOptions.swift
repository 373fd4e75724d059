package import Foundation

/// What does not count where strings are compared; the numbers are Apple's.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: case, and width with it.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: diacritics, and width with them.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// `[n]`: the bytes as they are, whatever else is said.
  package static let normalized = TextOptions(rawValue: 4)
  /// `[l]`: by the rules of a locale.
  package static let localeSensitive = TextOptions(rawValue: 8)
}

extension TextOptions {
  /// Whether case or diacritics do not count.
  package var folds: Bool { !contains(.normalized) && rawValue & 3 != 0 }

  /// The same for Foundation.
  package var foundation: String.CompareOptions {
    guard folds else { return [] }
    // Asked for every text: numbers are put together faster than sets.
    let marks = contains(.diacriticInsensitive) ? String.CompareOptions.diacriticInsensitive : []
    let letters = contains(.caseInsensitive) ? String.CompareOptions.caseInsensitive : []
    let width = String.CompareOptions.widthInsensitive
    return String.CompareOptions(rawValue: marks.rawValue | letters.rawValue | width.rawValue)
  }
}
