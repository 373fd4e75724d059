import KuraGraph
import KuraPredicates
import KuraValues

extension TextViews {
  /// Returns a part of each text, given by its first UTF-16 unit and its length.
  func parts(_ range: (Int) -> (Int64, Int64)) -> TextViews {
    parts { place, text, alone in
      let (from, units) = range(place)
      return UnitRange(text, max(0, from), max(0, units), alone)
    } else: { place, text in
      let (from, units) = range(place)
      return text.string(upTo: from, units).part(from: from, count: units)
    }
  }

  /// Returns the same range of each text.
  func parts(from: Int64, units: Int64) -> TextViews {
    guard case .known(let odd) = oddness else { return parts { _ in (from, units) } }
    return withAccess { access in
      guard let part = ShortPart(access, from: from, units: units) else {
        return parts { _ in (from, units) }
      }
      return parts { place, text, alone in
        if odd?.has(place) != true, let range = part.range(in: access.range(place)) { return range }
        return UnitRange(text, from, units, alone)
      } else: {
        $1.string(upTo: from, units).part(from: from, count: units)
      }
    }
  }

  /// Returns the bytes of a part of each text; `other` computes the part if it is not a range.
  @inline(__always)
  private func parts(
    _ range: (Int, UnsafeBufferPointer<UInt8>, LoneScalars.Access) -> UnitRange?,
    else other: (Int, UnsafeBufferPointer<UInt8>) -> String
  ) -> TextViews {
    var starts = [UInt32](repeating: 0, count: count)
    var ends = self.ends
    var others: [UInt8] = []
    starts.withUnsafeMutableBufferPointer { starts in
      ends.withUnsafeMutableBufferPointer { ends in
        LoneScalars.all.withAccess { alone in
          forEach { place, text in
            if let part = range(place, text, alone) {
              let start = ends[place] &- UInt32(truncatingIfNeeded: text.count)
              starts[place] = start &+ UInt32(truncatingIfNeeded: part.start)
              ends[place] = start &+ UInt32(truncatingIfNeeded: part.end)
            } else {
              let part = other(place, text)
              starts[place] = UInt32(bytes.count + others.count)
              others += part.utf8
              ends[place] = UInt32(bytes.count + others.count)
            }
          }
        }
      }
    }
    return TextViews(
      bytes: others.isEmpty ? bytes : bytes + others, starts: starts, ends: ends, oddness: oddness
    ).withoutUnusedBytes
  }

  /// The same texts in memory of their own, if they are a small part of the bytes.
  private var withoutUnusedBytes: TextViews {
    let used = withAccess { access in ends.indices.reduce(0) { $0 + access[$1].count } }
    guard used < bytes.count / 8 else { return self }
    var result = self
    result.bytes = []
    result.bytes.reserveCapacity(used)
    result.starts = nil
    forEach { place, text in
      result.bytes.append(contentsOf: text)
      result.ends[place] = UInt32(truncatingIfNeeded: result.bytes.count)
    }
    return result
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the beginning of the text as a string, with at least `from + units` UTF-16 units. It ends at an end of
  /// the text, or between two scalars that are characters of their own, so that the characters before are complete.
  fileprivate func string(upTo from: Int64, _ units: Int64) -> String {
    let (wanted, overflow) = Swift.max(0, from).addingReportingOverflow(Swift.max(0, units))
    guard !overflow, wanted < count else { return String(decoding: self, as: UTF8.self) }
    return LoneScalars.all.withAccess { alone in
      var (place, passed) = (0, Int64(0))
      var isAfterLone = false
      while place < count {
        let isLone = alone.has(self, at: place)
        if passed > wanted, isAfterLone, isLone { break }
        isAfterLone = isLone
        let byte = self[place]
        place += byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        passed += byte < 0xF0 ? 1 : 2
      }
      return String(decoding: self[..<Swift.min(place, count)], as: UTF8.self)
    }
  }
}

/// The bytes of a range of UTF-16 units of a text.
struct UnitRange {
  var start: Int
  var end: Int
}

extension UnitRange {
  /// Returns nil if a cut may be inside a character; Foundation decides then.
  @inline(__always)
  fileprivate init?(
    _ text: UnsafeBufferPointer<UInt8>, _ from: Int64, _ count: Int64, _ alone: LoneScalars.Access
  ) {
    guard let start = UnitRange.cut(text, from: 0, units: from, alone),
      let end = UnitRange.cut(text, from: start, units: count, alone)
    else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// Returns the byte at which a unit begins, `units` after a unit that begins at `start`; the end if the text is
  /// shorter.
  @inline(__always)
  private static func cut(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, units: Int64, _ alone: LoneScalars.Access
  ) -> Int? {
    if units == 0 { return start }
    if units >= text.count - start { return text.count }
    var (place, left, last) = (start, units, start)
    while place < text.count, left > 0 {
      let byte = text[place]
      last = place
      place += byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      left -= byte < 0xF0 ? 1 : 2
    }
    // A cut between the two units of a scalar.
    if left < 0 { return nil }
    guard place < text.count else { return text.count }
    return alone.has(text, at: last) && alone.has(text, at: place) ? place : nil
  }
}

/// The scalars of the Basic Multilingual Plane that are never part of a character with several scalars.
private struct LoneScalars {
  private let bits: [UInt64]

  static let all = LoneScalars()

  private init() {
    var bits = [UInt64](repeating: 0, count: 1024)
    let ranges: [ClosedRange<Int>] = [
      0x20...0x7E, 0xC0...0x24F, 0x3001...0x3003, 0x3005...0x3020, 0x3041...0x3096, 0x30A1...0x30FE,
      0x3400...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D,
    ]
    for scalar in ranges.joined() { bits[scalar >> 6] |= 1 << UInt64(scalar & 63) }
    self.bits = bits
  }

  func withAccess<Result>(_ body: (Access) -> Result) -> Result {
    bits.withUnsafeBufferPointer { body(Access(bits: $0)) }
  }

  struct Access {
    fileprivate let bits: UnsafeBufferPointer<UInt64>

    /// Returns whether a scalar of valid UTF-8 is always a character of its own.
    @inline(__always)
    func has(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
      let byte = text[place]
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      guard length < 4, place + length <= text.count else { return false }
      let scalar = Int(UInt32(scalarIn: text, at: place, length))
      return bits[scalar >> 6] >> UInt64(scalar & 63) & 1 == 1
    }
  }
}

/// A part near the beginning of texts without odd scalars, in which each scalar is one UTF-16 unit.
///
/// A bitmap of the first 24 bytes marks those that begin a scalar, so that all scripts take the same path.
struct ShortPart {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let from: Int
  private let units: Int
  /// Whether its end may be after 16 bytes: a scalar has up to three bytes.
  private let isLong: Bool
  private let alone = LoneLeads.all.table

  /// Returns nil if the part may be longer.
  init?(_ access: TextAccess, from: Int64, units: Int64) {
    guard 0...7 ~= from, 0...7 - from ~= units else { return nil }
    bytes = access.bytes
    (self.from, self.units) = (Int(from), Int(units))
    isLong = (from + units + 1) * 3 > 16
  }

  /// Returns the bytes of the part of a text; nil if its ends may cut through a character, or if fewer than 24 bytes
  /// follow.
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
    // All bytes after the end count as first bytes.
    leads |= ~0 << UInt64(truncatingIfNeeded: min(count, 24))
    let start = next(&leads, from, first, count)
    let end = next(&leads, units, first, count)
    return start.isCut & end.isCut != 0 ? UnitRange(start: start.place, end: end.place) : nil
  }

  /// Returns the place of a unit, `units` after the first remaining one, and whether it begins a character.
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

  /// Returns a bit for each of eight bytes that is not a continuation byte, the first one lowest.
  @inline(__always)
  private func eight(_ place: Int) -> UInt64 {
    let word = bytes.eight(from: place)
    let leads = ~(word & ~(word << 1)) >> 7 & 0x0101_0101_0101_0101
    return (leads &* 0x0102_0408_1020_4080) >> 56
  }
}

extension UInt64 {
  /// Whether one of the eight bytes begins a scalar of four bytes.
  @inline(__always)
  fileprivate var hasLongScalar: Bool {
    self & self << 1 & self << 2 & self << 3 & 0x8080_8080_8080_8080 != 0
  }
}

/// A 1 for each byte that, unless odd, begins a scalar that is a character: printable ASCII, Latin letters with marks,
/// kana and ideographs. Never freed or changed.
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
