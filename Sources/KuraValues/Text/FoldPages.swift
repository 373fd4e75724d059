import Foundation
import Synchronization

/// The foldings of 256 scalars to one scalar each, in memory that is never freed: access needs no
/// reference counting.
struct FoldTable: @unchecked Sendable {
  /// The foldings, and then 16 words with a bit for each folding that has a canonical decomposition.
  fileprivate let words: UnsafePointer<UInt16>

  /// The folding of an odd scalar; U+FFFF is odd itself.
  static let odd: UInt16 = 0xFFFF

  @inline(__always)
  subscript(place: Int) -> UInt16 { words[place] }

  @inline(__always)
  func decomposes(_ place: Int) -> Bool { words[256 + place >> 4] >> UInt16(place & 15) & 1 == 1 }

  fileprivate init(_ words: UnsafePointer<UInt16>) { self.words = words }

  fileprivate init(folded: [UInt16]) {
    let room = UnsafeMutablePointer<UInt16>.allocate(capacity: 272)
    room.initialize(repeating: 0, count: 272)
    room.update(from: folded, count: 256)
    for place in 0..<256 where folded[place] != Self.odd && Self.decomposes(folded[place]) {
      room[256 + place >> 4] |= 1 << UInt16(place & 15)
    }
    words = UnsafePointer(room)
  }

  private static func decomposes(_ value: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    let text = String(Character(scalar))
    return !text.decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar])
  }
}

/// The folding tables of the Basic Multilingual Plane, each created at its first use.
struct FoldTables: @unchecked Sendable {
  private let tables: UnsafeMutablePointer<Atomic<UnsafePointer<UInt16>?>>

  init() {
    tables = .allocate(capacity: 256)
    for number in 0..<256 { (tables + number).initialize(to: Atomic(nil)) }
  }

  /// Returns the table of a scalar up to U+FFFF.
  @inline(__always)
  func table(of scalar: UInt32, _ make: (UInt32) -> FoldTable) -> FoldTable {
    let number = scalar >> 8 & 0xFF
    if let known = tables[Int(number)].load(ordering: .acquiring) { return FoldTable(known) }
    let made = make(number)
    tables[Int(number)].store(made.words, ordering: .releasing)
    return made
  }
}

/// A page of the folding table: 256 scalars.
final class FoldPage: Sendable {
  let table: FoldTable
  /// The foldings of odd scalars other than themselves; marks are kept.
  let odd: [UInt32: [Unicode.Scalar]]

  init(_ number: UInt32, _ options: String.CompareOptions) {
    let keeping = options.subtracting(.diacriticInsensitive)
    let letters = Self.folded(number, options) { !OddScalars.contains($0) }
    table = FoldTable(
      folded: letters.map { OddScalars.contains($0.scalar) ? FoldTable.odd : $0.only })
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
