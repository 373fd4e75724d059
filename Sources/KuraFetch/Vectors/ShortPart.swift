import KuraGraph

/// A part near the beginning of texts without odd scalars, of which each scalar is one UTF-16 unit.
///
/// Which of the first 24 bytes begin a scalar is known as bits, whatever the scalars are, so that texts of
/// several scripts take the same way.
struct ShortPart {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let from: Int
  private let units: Int
  /// Whether its end may stand behind sixteen bytes: a scalar has three at most.
  private let isLong: Bool
  private let alone = LoneLeads.all.table

  /// Nil for a part that may reach farther.
  init?(_ access: TextAccess, from: Int64, units: Int64) {
    guard 0...7 ~= from, 0...7 - from ~= units else { return nil }
    bytes = access.bytes
    (self.from, self.units) = (Int(from), Int(units))
    isLong = (from + units + 1) * 3 > 16
  }

  /// The bytes of the part of a text; nil where its ends may cut through a character, and where few bytes
  /// stand behind the text.
  @inline(__always)
  func range(in text: Range<Int>) -> UnitRange? {
    guard text.lowerBound &+ 24 <= bytes.count else { return nil }
    let (first, count) = (text.lowerBound, text.count)
    // A scalar of four bytes is two units.
    if bytes.eight(from: first).hasLongScalar || bytes.eight(from: first &+ 8).hasLongScalar {
      return nil
    }
    if isLong, bytes.eight(from: first &+ 16).hasLongScalar { return nil }
    var leads = eight(first) | eight(first &+ 8) << 8
    leads |= isLong ? eight(first &+ 16) << 16 : ~0 << 16
    // Behind the end every byte is one.
    leads |= ~0 << UInt64(truncatingIfNeeded: min(count, 24))
    let start = next(&leads, from, first, count)
    let end = next(&leads, units, first, count)
    return start.isCut & end.isCut != 0 ? UnitRange(start: start.place, end: end.place) : nil
  }

  /// Where a unit begins, so many behind the first of those that are left, and whether no character
  /// reaches into it.
  @inline(__always)
  private func next(
    _ leads: inout UInt64, _ units: Int, _ first: Int, _ count: Int
  ) -> (place: Int, isCut: UInt8) {
    if units == 0 { return (min(leads.trailingZeroBitCount, count), 1) }
    for _ in 1..<units { leads &= leads &- 1 }
    let last = leads.trailingZeroBitCount
    leads &= leads &- 1
    let place = leads.trailingZeroBitCount
    let isCut = alone[Int(bytes[first &+ last])] & alone[Int(bytes[first &+ place])]
    return (min(place, count), bit(place >= count) | isCut)
  }

  @inline(__always)
  private func bit(_ condition: Bool) -> UInt8 { condition ? 1 : 0 }

  /// A bit for each of eight bytes that continues no scalar, the first lowest.
  @inline(__always)
  private func eight(_ place: Int) -> UInt64 {
    let word = bytes.eight(from: place)
    let leads = ~(word & ~(word << 1)) >> 7 & 0x0101_0101_0101_0101
    return (leads &* 0x0102_0408_1020_4080) >> 56
  }
}

extension UInt64 {
  /// Whether one of its eight bytes begins a scalar of four bytes.
  @inline(__always)
  fileprivate var hasLongScalar: Bool {
    self & self << 1 & self << 2 & self << 3 & 0x8080_8080_8080_8080 != 0
  }
}

/// For each byte 1 where a scalar that begins with it, and is not odd, is a character: ASCII that is printed,
/// Latin letters with marks, kana and ideographs. Never freed, and never written again.
private struct LoneLeads: @unchecked Sendable {
  let table: UnsafePointer<UInt8>

  static let all = LoneLeads()

  private init() {
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    room.initialize(repeating: 0, count: 256)
    for leads in [0x20...0x7E, 0xC3...0xC8, 0xE3...0xE9] {
      for lead in leads { room[lead] = 1 }
    }
    table = UnsafePointer(room)
  }
}
