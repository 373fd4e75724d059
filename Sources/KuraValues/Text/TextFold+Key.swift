import Foundation
import Synchronization

extension TextFold {
  /// Returns the text that represents all texts that are equal under the options.
  ///
  ///     TextFold.cd.key("ＣＡＦÉ")   // "cafe"
  ///     TextFold.cd.key("ｶﾞｽ")      // "ガス"
  ///
  /// Two texts are equal under the options if and only if they have the same key, so canonically equal texts
  /// are equal. The key is composed (NFC). It is made of the decomposed text: width and case are folded, and
  /// under `[d]` a mark is dropped if its letter is below U+0510, that is Latin, Greek or Cyrillic.
  ///
  /// Linear; a text without odd scalars is folded by a table.
  package func key(_ text: String) -> String {
    var text = text
    return text.withUTF8 { utf8 in
      withFolded(utf8) { bytes, _ in String(decoding: bytes, as: UTF8.self) }
    } ?? oddKey(text)
  }

  /// Calls the body with the key of UTF-8; the output is nil if the text has odd scalars.
  ///
  /// Allocates nothing for short texts without odd scalars.
  package func withKey<Result>(
    _ utf8: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, Output?) -> Result
  ) -> Result {
    if let result = withFolded(utf8, { body($0, $1) }) { return result }
    var key = oddKey(String(decoding: utf8, as: UTF8.self))
    return key.withUTF8 { body($0, nil) }
  }

  /// Calls the body with the bytes whose order is that of texts under the options: letter by letter, and a
  /// letter before the same letter with a mark.
  ///
  /// They are those of the key, decomposed, with a byte before each mark that comes after every letter; marks before the first
  /// letter are letters.
  package func withSortKey<Result>(
    _ utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withKey(utf8) { bytes, output in
      if output?.decomposes == false { return body(bytes) }
      var sortKey: [UInt8] = []
      sortKey.reserveCapacity(bytes.count * 2)
      var hasLetter = false
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        for part in CanonicalParts.of(scalar) {
          let isMark = part.isMark || 0x1160...0x11FF ~= part.value
          if hasLetter, isMark { sortKey.append(0xFF) }
          hasLetter = hasLetter || !part.isMark
          sortKey.append(contentsOf: UTF8.encode(part) ?? UTF8.encodedReplacementCharacter)
        }
      }
      return sortKey.withUnsafeBufferPointer(body)
    }
  }

  private func oddKey(_ text: String) -> String {
    var writer = KeyWriter(fold: self)
    if text.unicodeScalars.allSatisfy(\.isInert) {
      text.unicodeScalars.forEach { writer.append($0) }
      return String(writer.scalars)
    }
    let decomposed = text.decomposedStringWithCanonicalMapping
    decomposed.unicodeScalars.forEach { writer.append($0) }
    return String(writer.scalars).precomposedStringWithCanonicalMapping
  }
}

/// The key of a text, scalar by scalar.
private struct KeyWriter {
  let fold: TextFold
  var scalars = String.UnicodeScalarView()
  /// The letter to which the next mark belongs; nil at the start.
  private var base: Unicode.Scalar?

  init(fold: TextFold) { self.fold = fold }

  mutating func append(_ scalar: Unicode.Scalar) {
    guard scalar.isMark else {
      let start = scalars.endIndex
      fold.write(scalar, to: &scalars)
      base = scalars[start...].last
      return
    }
    if fold.dropsMarks, let base, base.value < 0x0510 { return }
    scalars.append(fold.narrow(mark: scalar))
  }
}

extension TextFold {
  fileprivate var dropsMarks: Bool { options.contains(.diacriticInsensitive) }

  /// A halfwidth voicing mark as the mark that it is.
  fileprivate func narrow(mark: Unicode.Scalar) -> Unicode.Scalar {
    guard options.contains(.widthInsensitive) else { return mark }
    return mark == "\u{FF9E}" ? "\u{3099}" : mark == "\u{FF9F}" ? "\u{309A}" : mark
  }

  /// Writes what a letter folds to.
  fileprivate func write(_ scalar: Unicode.Scalar, to output: inout String.UnicodeScalarView) {
    if options.isEmpty {
      output.append(scalar)
    } else if scalar.value > 0xFFFF {
      let folds = options.contains(.caseInsensitive) && scalar.properties.isCased
      if folds {
        output.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      } else {
        output.append(scalar)
      }
    } else if OddScalars.contains(scalar.value) {
      output.append(contentsOf: oddLetters(scalar) ?? [scalar])
    } else {
      output.append(Unicode.Scalar(folded(scalar.value)) ?? scalar)
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar belongs to the letter before it: a combining mark, or the skin color of an emoji.
  var isMark: Bool {
    guard value >= 0x300, value != 0x200D else { return false }
    return properties.isGraphemeExtend || 0x1F3FB...0x1F3FF ~= value
  }

  /// Whether the scalar neither decomposes nor composes with another, so that a text of such scalars has one
  /// canonical form. Most of those that are not odd decompose, but without marks they remain as they are.
  fileprivate var isInert: Bool {
    if !OddScalars.contains(value) { return true }
    return switch value {
    // ß, joiners, variation selectors, emoji and what is near them, ideographs.
    case 0xDF, 0x200B...0x200D, 0xFE00...0xFE0F, 0x1F000...0x1FBFF, 0x20000...0x2F7FF,
      0x30000...0x323AF, 0xE0100...0xE01EF:
      true
    default: false
    }
  }
}

/// The canonical decompositions of 256 scalars.
private final class CanonicalParts: Sendable {
  private let parts: [UInt32: [Unicode.Scalar]]

  private init(_ number: UInt32) {
    parts = ((number << 8)..<((number + 1) << 8)).reduce(into: [:]) { parts, value in
      guard let scalar = Unicode.Scalar(value) else { return }
      let found = Array(Self.decomposed(scalar))
      if found != [scalar] { parts[value] = found }
    }
  }

  private static func decomposed(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars
  }

  /// A place for a page, which is made when it is first needed.
  private final class Slot: Sendable {
    private let made = AtomicLazyReference<CanonicalParts>()

    func page(_ number: UInt32) -> CanonicalParts {
      made.load() ?? made.storeIfNil(CanonicalParts(number))
    }
  }

  private static let slots = (0..<256).map { _ in Slot() }

  /// The canonical decomposition of a scalar.
  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0xC0 { return [scalar] }
    guard scalar.value <= 0xFFFF else { return Array(decomposed(scalar)) }
    let number = scalar.value >> 8
    let page = slots[Int(number)].page(number)
    return page.parts[scalar.value] ?? [scalar]
  }
}
