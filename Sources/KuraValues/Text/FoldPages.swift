import Foundation
import Synchronization

/// The foldings of 256 scalars to one scalar each. Raw memory avoids reference counting on access.
struct FoldTable: @unchecked Sendable {
  /// The folded scalars. The memory is never freed, and never modified after initialization.
  let folded: UnsafePointer<UInt16>
  /// A bit for each scalar whose folding has a canonical decomposition.
  private let decomposing: SIMD4<UInt64>
  /// A bit for each scalar whose folding differs if marks are kept.
  private let marked: SIMD4<UInt64>

  @inline(__always)
  func decomposes(_ place: Int) -> Bool { decomposing.has(place) }

  /// Returns whether a scalar has a mark that this folding removes.
  @inline(__always)
  func isMarked(_ place: Int) -> Bool { marked.has(place) }

  /// Creates a table from foldings, and from foldings that keep marks.
  fileprivate init(_ folded: [UInt16], marked: [UInt16]) {
    let room = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
    room.initialize(from: folded, count: 256)
    self.folded = UnsafePointer(room)
    decomposing = SIMD4(bits: (0..<256).filter { Self.decomposes(folded[$0]) })
    self.marked = SIMD4(bits: (0..<256).filter { folded[$0] != marked[$0] })
  }

  private static func decomposes(_ value: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    let text = String(Character(scalar))
    return !text.decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar])
  }
}

extension SIMD4<UInt64> {
  fileprivate init(bits places: [Int]) {
    self.init()
    for place in places { self[place >> 6] |= 1 << UInt64(place & 63) }
  }

  @inline(__always)
  fileprivate func has(_ place: Int) -> Bool { self[place >> 6] >> UInt64(place & 63) & 1 == 1 }
}

/// The most recently used pages; reading a slot costs more than the rest of the folding.
package struct FoldPages {
  private var number: UInt32 = .max
  private var page: FoldTable?
  private var others: [FoldTable?] = []

  package init() {}

  @inline(__always)
  mutating func page(_ number: UInt32, _ make: (UInt32) -> FoldTable) -> FoldTable {
    if number == self.number, let page { return page }
    return other(number, make)
  }

  private mutating func other(_ number: UInt32, _ make: (UInt32) -> FoldTable) -> FoldTable {
    if page != nil, others.isEmpty { others = Array(repeating: nil, count: 256) }
    if self.number < 256, !others.isEmpty { others[Int(self.number)] = page }
    let known = others.isEmpty ? nil : others[Int(number & 0xFF)]
    let next = known ?? make(number)
    (self.number, page) = (number, next)
    return next
  }
}

/// A page of the folding table: 256 scalars.
final class FoldPage: Sendable {
  let table: FoldTable
  /// The foldings of odd scalars other than themselves; marks are kept.
  let odd: [UInt32: [Unicode.Scalar]]

  init(_ number: UInt32, _ options: String.CompareOptions) {
    let keeping = options.subtracting(.diacriticInsensitive)
    let letters = Self.folded(number, keeping) { !OddScalars.contains($0) }
    let folded =
      keeping == options ? letters : Self.folded(number, options) { !OddScalars.contains($0) }
    table = FoldTable(folded.map(\.only), marked: letters.map(\.only))
    odd = Self.folded(number, keeping, OddScalars.contains).reduce(into: [:]) { odd, entry in
      if entry.letters.map(\.value) != [entry.scalar] { odd[entry.scalar] = entry.letters }
    }
  }

  /// A scalar and its folding.
  private struct Entry {
    let scalar: UInt32
    var letters: [Unicode.Scalar]

    /// The folding if it is a single scalar; otherwise the scalar itself.
    var only: UInt16 {
      UInt16(truncatingIfNeeded: letters.count == 1 ? letters[0].value : scalar)
    }
  }

  /// Returns Foundation's foldings of a page, computed in one text with separators that prevent
  /// composition. Scalars that are not included fold to themselves.
  private static func folded(
    _ number: UInt32, _ options: String.CompareOptions, _ isIncluded: (UInt32) -> Bool
  ) -> [Entry] {
    let scalars = (number << 8)..<((number + 1) << 8)
    let texts = scalars.map { value -> String in
      // ASCII, which includes the separator, is folded without a table.
      guard value >= 0x80, isIncluded(value), let scalar = Unicode.Scalar(value)
      else { return "?" }
      return String(Character(scalar))
    }
    let all = texts.joined(separator: separator).folding(options: options, locale: nil)
    let parts = all.unicodeScalars.split(separator: "\u{1}", omittingEmptySubsequences: false)
    return zip(scalars, parts).map { value, part in
      let isAsked = value >= 0x80 && isIncluded(value)
      return Entry(
        scalar: value, letters: isAsked ? Array(part) : Unicode.Scalar(value).map { [$0] } ?? [])
    }
  }

  private static let separator = "\u{1}"
}

/// A lazily created page, which is then kept.
final class LazyPage<Page: AnyObject & Sendable>: Sendable {
  private let cached = AtomicLazyReference<Page>()

  func page(_ make: @autoclosure () -> Page) -> Page { cached.load() ?? cached.storeIfNil(make()) }
}
