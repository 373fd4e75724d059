package import Foundation

/// A string to search for or compare with, prepared for many texts.
///
///     let needle = TextNeedle("CAFE", [.caseInsensitive, .diacriticInsensitive])
///     needle.isContained(in: "Café con Leche")   // true
///
/// Texts are compared by their keys (``TextFold/key(_:)``). Without `[d]` a search finds whole
/// characters, as Foundation's `range(of:options:)` does: "x" is not in "x̌". Under `[l]`
/// Foundation compares the composed texts according to the locale. An empty needle is never found.
package struct TextNeedle: Sendable {
  package let text: String
  package let options: TextOptions
  /// The locale for `[l]`.
  package let locale: Locale?
  let fold: TextFold?
  /// The bytes to compare: the key, or the bytes of the string under `[n]`. Empty under `[l]`.
  package let key: [UInt8]
  /// Whether the string has odd scalars.
  package let isOdd: Bool
  /// The key with each letter before its mark; nil if it equals the key.
  private let sortKey: [UInt8]?

  package init(_ text: String, _ options: TextOptions = [], locale: Locale? = nil) {
    self.text = text
    self.options = options
    self.locale = options.contains(.localeSensitive) ? locale : nil
    let fold = TextFold.of(options)
    self.fold = fold
    var copy = text
    (key, isOdd, sortKey) = copy.withUTF8 { Self.prepared($0, options, fold) }
  }

  /// Whether a search in a text has the result of a search in its key.
  ///
  /// The first use with ideographs takes some milliseconds.
  package var isStable: Bool {
    !options.contains(.normalized) && !options.contains(.localeSensitive)
      && text.unicodeScalars.allSatisfy { StableScalars.contain($0, folded: fold != nil) }
  }

  private static func prepared(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: TextOptions, _ fold: TextFold?
  ) -> (key: [UInt8], isOdd: Bool, sortKey: [UInt8]?) {
    if options.contains(.normalized) { return ([UInt8](utf8), false, nil) }
    if options.contains(.localeSensitive) { return ([], false, nil) }
    guard let fold else {
      let isOdd = OddScalars.areIn(utf8)
      return (
        isOdd ? TextFold.composing.withKey(utf8) { x, _ in [UInt8](x) } : [UInt8](utf8), isOdd, nil
      )
    }
    let (key, output) = fold.withKey(utf8) { ([UInt8]($0), $1) }
    let sorts = output?.decomposes == false
    return (key, output == nil, sorts ? nil : fold.withSortKey(utf8) { [UInt8]($0) })
  }
}

/// Scalars that are in the key of a text only if the text contains them, and that no mark changes. They are not the
/// composition of others, nor canonically equivalent to another; if texts are folded, no other folds to them.
enum StableScalars {
  static func contain(_ scalar: Unicode.Scalar, folded: Bool) -> Bool {
    switch scalar.value {
    // The Greek question mark, the Kelvin sign and the Greek varia are equivalent to them.
    case 0x3B, 0x4B, 0x60: false
    case 0x20...0x7E: !folded
    // Kana that are not voiced; the voicing marks are odd.
    case 0x3041...0x3096, 0x309D...0x309E, 0x30A1...0x30FE:
      !folded && CanonicalParts.of(scalar) == [scalar]
    case 0x3005...0x3007: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF: !equivalents.contains(scalar)
    // Skin tones are marks.
    case 0x1F3FB...0x1F3FF: !folded
    case 0x1F300...0x1FAFF: true
    default: false
    }
  }

  /// The ideographs to which compatibility ideographs are equivalent.
  private static let equivalents = Set(
    [0xF900...0xFAFF, 0x2F800...0x2FA1F].joined().lazy.compactMap { Unicode.Scalar($0 as UInt32) }
      .flatMap { CanonicalParts.of($0) })
}

extension TextNeedle {
  package func isContained(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isContained(in: $0) }
  }

  package func begins(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(begins)
  }

  package func ends(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(ends)
  }

  package func isContained(in utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    search(utf8, [], Bytes.contains, WholeCharacters.contains)
  }

  package func begins(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    search(utf8, .anchored, Bytes.begins, WholeCharacters.begins)
  }

  package func ends(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    search(utf8, [.anchored, .backwards], Bytes.ends, Bytes.ends)
  }

  package func equals(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    if comparesBytes {
      var text = text
      return text.withUTF8 { $0.count == utf8.count && Bytes.compare($0, utf8) == .same }
    }
    guard !options.contains(.localeSensitive), let fold else {
      return orderByLocale(of: String(decoding: utf8, as: UTF8.self)) == .same
    }
    return key.withUnsafeBufferPointer { key in
      fold.withKey(utf8) { text, _ in Bytes.compare(text, key) == .same }
    }
  }

  private typealias ByteSearch =
    (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool

  /// Searches the key of a text, by whole characters if marks are significant.
  private func search(
    _ utf8: UnsafeBufferPointer<UInt8>, _ place: String.CompareOptions, _ plain: ByteSearch,
    _ whole: ByteSearch
  ) -> Bool {
    guard !text.isEmpty, !utf8.isEmpty else { return false }
    return key.withUnsafeBufferPointer { key in
      if options.contains(.normalized) { return plain(utf8, key) }
      if options.contains(.localeSensitive) {
        return isFound(in: String(decoding: utf8, as: UTF8.self), place)
      }
      guard let fold else {
        switch OddScalars.form(of: utf8) {
        case .plain: return isOdd ? whole(utf8, key) : plain(utf8, key)
        case .composed: return whole(utf8, key)
        case .other where isStable: return whole(utf8, key)
        case .other: return TextFold.composing.withKey(utf8) { text, _ in whole(text, key) }
        }
      }
      let marksCount = !options.contains(.diacriticInsensitive)
      if marksCount, place.isEmpty, WholeCharacters.containsIgnoringCase(utf8, key) { return true }
      return fold.withKey(utf8) { text, output in
        marksCount && (isOdd || output == nil) ? whole(text, key) : plain(text, key)
      }
    }
  }

  /// Returns whether a text equals the needle.
  ///
  /// Without options, compares scalars.
  package func equals(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(equals)
  }

  /// Returns the order of a text and the needle: `.before` if `text < needle`.
  ///
  /// Without options, compares scalars; under `[c]` and `[d]`, the keys, with a letter before its
  /// mark; under `[l]`, according to the locale.
  package func order(of text: String) -> ValueOrder {
    if comparesBytes { return Bytes.compare(text, self.text) }
    guard !options.contains(.localeSensitive), let fold else { return orderByLocale(of: text) }
    var text = text
    return text.withUTF8 { utf8 in
      (sortKey ?? key).withUnsafeBufferPointer { key in
        fold.withSortKey(utf8) { Bytes.compare($0, key) }
      }
    }
  }

  /// Whether texts are compared by scalars.
  private var comparesBytes: Bool {
    options.contains(.normalized) || !options.folds && !options.contains(.localeSensitive)
  }
}

// `[l]`
extension TextNeedle {
  /// The string as Foundation compares it according to a locale: composed, and with width folded if
  /// it is ignored.
  package var composed: String { composed(text) }

  private func composed(_ text: String) -> String {
    (options.folds ? TextFold.width : .composing).key(text)
  }

  private func orderByLocale(of text: String) -> ValueOrder {
    let text = NSString(string: composed(text))
    let result = text.compare(
      composed, options: options.foundation, range: NSRange(location: 0, length: text.length),
      locale: locale)
    return ValueOrder(rawValue: result.rawValue) ?? .same
  }

  private func isFound(in text: String, _ place: String.CompareOptions) -> Bool {
    let text = NSString(string: composed(text))
    let found = text.range(
      of: composed, options: options.foundation.union(place),
      range: NSRange(location: 0, length: text.length), locale: locale)
    return found.location != NSNotFound
  }
}

extension TextNeedle {
  /// The folding of the keys that decide, except under `[l]` and `[n]`.
  package var keyFold: TextFold { fold ?? .composing }
}

/// Searches that find whole characters: a letter is not found inside the same letter with a mark.
///
/// A match ends where a character of the text ends; it can begin with a mark.
package enum WholeCharacters {
  package static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var start = 0
    while let hit = Bytes.first(needle, in: text, from: start) {
      if isEnd(hit + needle.count, of: text) { return true }
      start = hit + 1
    }
    return false
  }

  /// Returns whether a text has the letters of a lowercase ASCII needle in either case. False for other needles, and
  /// does not find scalars beyond ASCII that fold to the letters.
  static func containsIgnoringCase(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = needle.first, needle.allSatisfy({ $0 < 0x80 }) else { return false }
    var place = 0
    while place + needle.count <= text.count {
      if text[place].lowercase == first,
        needle.indices.allSatisfy({ text[place + $0].lowercase == needle[$0] }),
        isEnd(place + needle.count, of: text)
      {
        return true
      }
      place += 1
    }
    return false
  }

  package static func begins(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    Bytes.begins(text, needle) && isEnd(needle.count, of: text)
  }

  private static func isEnd(_ place: Int, of text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard place < text.count else { return true }
    let around = [place, UTF8Scalar.start(in: text, to: place)]
    if !around.contains(where: { OddScalars.contains(UTF8Scalar.read(text, at: $0).value) }) {
      return true
    }
    guard let next = text.scalar(at: place) else { return true }
    if next.isMark { return false }
    guard let last = text.scalar(at: UTF8Scalar.start(in: text, to: place)) else { return true }
    if last.isVirama, next.isLetterOrVowelSign {
      let virama = UTF8Scalar.start(in: text, to: place)
      guard virama > 0 else { return true }
      let before = text.scalar(at: UTF8Scalar.start(in: text, to: virama))
      return before.map { !$0.properties.isAlphabetic && !$0.isMark } ?? true
    }
    guard last.joins(next) else { return true }
    var end = 0
    for character in String(decoding: text, as: UTF8.self) where end < place {
      end += character.utf8.count
    }
    return end == place
  }
}

extension UInt8 {
  /// The small letter of a capital ASCII letter; other bytes are unchanged.
  fileprivate var lowercase: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func scalar(at place: Int) -> Unicode.Scalar? {
    let end = UTF8Scalar.end(in: self, from: place)
    return String(decoding: self[place..<end], as: UTF8.self).unicodeScalars.first
  }
}

extension Unicode.Scalar {
  /// Whether the sign joins the letters around it, like the virama of Devanagari.
  fileprivate var isVirama: Bool {
    value >= 0x900 && properties.canonicalCombiningClass == .virama
  }

  fileprivate var isLetterOrVowelSign: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .spacingMark:
      true
    default: false
    }
  }

  /// Returns whether the next scalar can belong to the same character although it is not a mark:
  /// after joiners, and between Hangul letters.
  fileprivate func joins(_ next: Unicode.Scalar) -> Bool {
    switch value {
    case 0x034F, 0x200D: true
    case 0x1100...0x11FF: 0x1100...0x11FF ~= next.value || 0xAC00...0xD7FB ~= next.value
    default: false
    }
  }
}
