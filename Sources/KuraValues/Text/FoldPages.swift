import Foundation
import Synchronization

/// What 256 scalars fold to, each to one: read without a look at who owns it.
struct FoldTable: @unchecked Sendable {
  /// For each of the scalars; never freed, and never written again.
  let folded: UnsafePointer<UInt16>
  /// A bit for each folded scalar that has a canonical decomposition.
  private let marks: SIMD4<UInt64>

  @inline(__always)
  func decomposes(_ place: Int) -> Bool { marks[place >> 6] >> UInt64(place & 63) & 1 == 1 }

  fileprivate init(_ folded: [UInt16]) {
    let room = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
    var marks = SIMD4<UInt64>()
    for place in 0..<256 {
      room[place] = folded[place]
      if Self.decomposes(folded[place]) { marks[place >> 6] |= 1 << UInt64(place & 63) }
    }
    (self.folded, self.marks) = (UnsafePointer(room), marks)
  }

  private static func decomposes(_ value: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    let text = String(Character(scalar))
    return !text.decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar])
  }
}

/// The pages that texts have needed last: asking a slot costs more than the rest.
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

/// The table of 256 scalars, as it is made.
final class FoldPage: Sendable {
  let table: FoldTable

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
    table = FoldTable(
      zip(scalars, parts).map { value, part in
        UInt16(truncatingIfNeeded: part.count == 1 ? part.first?.value ?? value : value)
      })
  }

  private static let separator = "\u{1}"
}

/// A place for a page, which is made when it is first wanted and stays.
final class FoldPageSlot: Sendable {
  private let made = AtomicLazyReference<FoldPage>()

  func page(_ number: UInt32, _ options: String.CompareOptions) -> FoldTable {
    (made.load() ?? made.storeIfNil(FoldPage(number, options))).table
  }
}
