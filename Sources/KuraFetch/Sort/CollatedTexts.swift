import CCollation
import Foundation
import KuraBytes
import KuraValues

/// Texts prepared once for many comparisons according to the rules of a locale.
///
///     let texts = CollatedTexts(["Note 10", "note 9"], isNatural: true, [], Locale(identifier: "en"))
///     texts?.order(0, 1)   // .after
///
/// The order is that of `NaturalOrder`, or of a `TextNeedle` under `[l]`. Both call CoreFoundation, and most of their
/// cost is the conversion of strings and locale.
final class CollatedTexts: @unchecked Sendable {
  private let texts: [String]
  private let strings: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let lengths: UnsafeMutablePointer<Int>
  private let locale: UnsafeMutableRawPointer
  private let flags: UInt
  /// Whether the scalars order texts that compare as equal.
  private let isNatural: Bool

  /// Returns nil on platforms with a possibly different order.
  init?(_ texts: [String], isNatural: Bool, _ options: TextOptions, _ locale: Locale) {
    #if canImport(Darwin)
      return nil
    #else
      guard isNatural || options.contains(.localeSensitive), !options.contains(.normalized) else {
        return nil
      }
      self.texts = texts
      self.isNatural = isNatural
      let compare = isNatural ? NaturalOrder.options(options) : options.foundation
      flags = compare.rawValue | Self.nonliteral
      self.locale = Self.made(locale.identifier) { kura_collating_locale($0, $1) }.thing
      strings = .allocate(capacity: max(1, texts.count))
      lengths = .allocate(capacity: max(1, texts.count))
      for (place, text) in texts.enumerated() {
        let text = isNatural ? text : TextNeedle(text, options, locale: locale).composed
        let (string, length) = Self.made(text) { kura_collated_text($0, $1) }
        (strings + place).initialize(to: string)
        (lengths + place).initialize(to: length)
      }
    #endif
  }

  deinit {
    for place in texts.indices { kura_release_collated(strings[place]) }
    kura_release_collated(locale)
    strings.deallocate()
    lengths.deallocate()
  }

  /// The flag that Foundation adds unless the caller requests literal comparison.
  private static let nonliteral: UInt = 16

  private static func made(
    _ text: String, _ make: (UnsafePointer<UInt16>?, Int) -> UnsafeMutableRawPointer
  ) -> (thing: UnsafeMutableRawPointer, length: Int) {
    let units = Array(text.utf16)
    return (units.withUnsafeBufferPointer { make($0.baseAddress, $0.count) }, units.count)
  }
}

extension CollatedTexts {
  var count: Int { texts.count }

  /// Returns the order of the texts at two places.
  func order(_ a: Int, _ b: Int) -> ValueOrder {
    let result = kura_compare_collated(strings[a], lengths[a], strings[b], flags, locale)
    if result == 0 { return isNatural ? Bytes.compare(texts[a], texts[b]) : .same }
    return result < 0 ? .before : .after
  }

  /// Returns numbers with the order of the texts, equal for equal texts; nil if cancelled.
  ///
  /// Runs on all cores; O(*n* log *n*).
  func ranks(_ cancel: CancelFlag) -> [UInt32]? {
    guard let places = sorted(cancel) else { return nil }
    var ranks = [UInt32](repeating: 0, count: count)
    var rank: UInt32 = 0
    for (number, place) in places.enumerated() {
      if number > 0, order(places[number - 1], place) != .same { rank += 1 }
      ranks[place] = rank
    }
    return ranks
  }

  private func sorted(_ cancel: CancelFlag) -> [Int]? {
    let size = 1 << 14
    let pieces = (count + size - 1) / size
    var runs = Workers.map(count: pieces, inParallel: pieces > 1) { piece -> [Int] in
      if cancel.isRequested { return [] }
      return (piece * size..<min(self.count, (piece + 1) * size)).sorted { self.isBefore($0, $1) }
    }
    while runs.count > 1 {
      let left = runs
      runs = Workers.map(count: (left.count + 1) / 2, inParallel: true) { pair in
        if cancel.isRequested { return [] }
        return pair * 2 + 1 < left.count
          ? self.merged(left[pair * 2], left[pair * 2 + 1]) : left[pair * 2]
      }
    }
    return cancel.isRequested ? nil : runs.first ?? []
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool {
    let order = order(a, b)
    return order == .same ? a < b : order == .before
  }

  private func merged(_ a: [Int], _ b: [Int]) -> [Int] {
    var (i, j) = (0, 0)
    var result: [Int] = []
    result.reserveCapacity(a.count + b.count)
    while i < a.count, j < b.count {
      if isBefore(b[j], a[i]) {
        result.append(b[j])
        j += 1
      } else {
        result.append(a[i])
        i += 1
      }
    }
    return result + a[i...] + b[j...]
  }
}
