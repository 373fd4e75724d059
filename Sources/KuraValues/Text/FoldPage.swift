import Foundation
import Synchronization

/// What 256 scalars fold to, each to one.
final class FoldPage: Sendable {
  let folded: [UInt16]
  /// Whether the folded scalar has a canonical decomposition.
  let decomposes: [Bool]

  /// Asks Foundation for a page, in one text with separators so that nothing composes.
  init(_ number: UInt32, _ options: String.CompareOptions) {
    let scalars = (number << 8)..<((number + 1) << 8)
    let texts = scalars.map { value -> String in
      // ASCII, which the separator is of, is folded without a table.
      guard value >= 0x80, !OddScalars.contains(value), let scalar = Unicode.Scalar(value)
      else { return "?" }
      return String(Character(scalar))
    }
    let all = texts.joined(separator: Self.separator).folding(
      options: options, locale: nil)
    let parts = all.unicodeScalars.split(separator: "\u{1}", omittingEmptySubsequences: false)
    folded = zip(scalars, parts).map { value, part in
      UInt16(truncatingIfNeeded: part.count == 1 ? part.first?.value ?? value : value)
    }
    decomposes = folded.map(Self.decomposes)
  }

  private static let separator = "\u{1}"

  private static func decomposes(_ value: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    let text = String(Character(scalar))
    return !text.decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar])
  }
}

/// A place for a page, which is made when it is first wanted.
final class FoldPageSlot: Sendable {
  private let made = AtomicLazyReference<FoldPage>()

  func page(_ number: UInt32, _ options: String.CompareOptions) -> FoldPage {
    made.load() ?? made.storeIfNil(FoldPage(number, options))
  }
}
