import KuraGraph
import KuraValues
import Synchronization

/// Texts in small letters or in capitals, as `lowercased()` and `uppercased()` make them: scalar by
/// scalar.
struct TextCase: Sendable {
  let isUpper: Bool
  private let pages: [CasePageSlot]

  static let lower = TextCase(isUpper: false)
  static let upper = TextCase(isUpper: true)

  private init(isUpper: Bool) {
    self.isUpper = isUpper
    pages = (0..<0x200).map { _ in CasePageSlot() }
  }

  /// The first of the ASCII letters that change.
  var firstLetter: UInt8 { isUpper ? 0x61 : 0x41 }

  /// A text may grow to so many times its bytes.
  static let growth = 3
}

extension TextCase {
  /// Writes a text in the other case, and says how many bytes that took.
  ///
  /// The pages are those that the texts before have needed.
  func write(
    _ text: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>,
    _ pages: inout CasePages
  ) -> Int {
    let first = firstLetter
    guard text.count >= 8, let base = text.baseAddress else {
      var all: UInt8 = 0
      for i in text.indices {
        let byte = text[i]
        output[i] = byte &- first < 26 ? byte ^ 0x20 : byte
        all |= byte
      }
      return all < 0x80 ? text.count : writeScalars(text, to: output, &pages)
    }
    var place = 0
    while true {
      let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
      if word & Self.highBits != 0 { return writeScalars(text, to: output, &pages) }
      UnsafeMutableRawPointer(output + place).storeBytes(
        of: word ^ letters(word, from: first), as: UInt64.self)
      if place == text.count - 8 { return text.count }
      // The last eight may begin among those that are done.
      place = min(place + 8, text.count - 8)
    }
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The bit of the case in each of eight ASCII bytes that is one of 26 letters.
  @inline(__always)
  private func letters(_ word: UInt64, from first: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // The highest bit says whether a byte is not below the first, and whether it is behind the last.
    let notBelow = word &+ ones &* UInt64(0x80 - first)
    let behind = word &+ ones &* UInt64(0x80 - first - 26)
    return (notBelow & ~behind & Self.highBits) >> 2
  }

  private func writeScalars(
    _ text: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>,
    _ pages: inout CasePages
  ) -> Int {
    let first = firstLetter
    var (i, written) = (0, 0)
    while i < text.count {
      let byte = text[i]
      if byte < 0x80 {
        output[written] = byte &- first < 26 ? byte ^ 0x20 : byte
        written += 1
        i += 1
        continue
      }
      let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      guard i + length <= text.count else { break }
      defer { i += length }
      if !isPlain(byte) {
        let scalar = UInt32(scalarIn: text, at: i, length)
        if let mapping = mapping(of: scalar, &pages) {
          mapping.write(to: output + written)
          written += mapping.count
          continue
        }
      }
      for k in 0..<length { output[written + k] = text[i + k] }
      written += length
    }
    return written
  }

  /// Whether a byte begins a scalar from U+3000 to U+9FFF: kana and ideographs have no case.
  private func isPlain(_ lead: UInt8) -> Bool { 0xE3...0xE9 ~= lead }

  /// What a scalar that is not ASCII becomes; nil: it stays.
  @inline(__always)
  func mapping(of scalar: UInt32, _ pages: inout CasePages) -> CaseMapping? {
    let mapping = pages.table(scalar >> 8, self).mapped[Int(scalar & 0xFF)]
    return mapping.count == 0 ? nil : mapping
  }

  fileprivate func table(of page: UInt32) -> CaseTable {
    pages[Int(min(page, Self.lastPage))].table(min(page, Self.lastPage), isUpper)
  }

  /// No scalar behind it has a case, nor has any of it.
  private static let lastPage: UInt32 = 0x1FF
}

/// The pages that texts have needed last: asking a slot costs more than all else, on two cores above all.
struct CasePages {
  private var number: UInt32 = .max
  private var table: CaseTable?
  private var others: [UInt32: CaseTable] = [:]

  @inline(__always)
  mutating func table(_ number: UInt32, _ textCase: TextCase) -> CaseTable {
    if number == self.number, let table { return table }
    return other(number, textCase)
  }

  private mutating func other(_ number: UInt32, _ textCase: TextCase) -> CaseTable {
    let next = others[number] ?? textCase.table(of: number)
    others[number] = next
    (self.number, table) = (number, next)
    return next
  }
}

extension UInt32 {
  /// The scalar at a place of valid UTF-8.
  @inline(__always)
  init(scalarIn text: UnsafeBufferPointer<UInt8>, at i: Int, _ length: Int) {
    self = UInt32(text[i])
    guard length > 1 else { return }
    self &= 0x7F >> UInt32(length)
    for k in 1..<length { self = self << 6 | UInt32(text[i + k] & 0x3F) }
  }
}

/// The bytes of what a scalar becomes: of none where it stays.
struct CaseMapping {
  /// From the lowest byte on, their number in the highest, of which the highest bit is of one that is odd.
  private var bits: UInt64 = 0

  init(_ scalar: Unicode.Scalar, isUpper: Bool) {
    let mapping = isUpper ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
    if mapping.unicodeScalars.elementsEqual([scalar]) { return }
    // Three scalars of two bytes are the longest there is.
    let bytes = mapping.utf8.prefix(7)
    for (place, byte) in bytes.enumerated() { bits |= UInt64(byte) << UInt64(8 * place) }
    let isOdd = mapping.unicodeScalars.contains { OddScalars.contains($0.value) }
    bits |= UInt64(bytes.count | (isOdd ? 0x80 : 0)) << 56
  }

  /// Of a scalar that stays.
  init() {}

  var count: Int { Int(bits >> 56 & 0x7F) }
  /// Whether a search of its bytes is not Foundation's answer.
  var isOdd: Bool { bits >> 63 == 1 }

  @inline(__always)
  func write(to output: UnsafeMutablePointer<UInt8>) {
    for k in 0..<count { output[k] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * k)) }
  }
}

/// What 256 scalars are in the other case; never freed, and never written again.
struct CaseTable: @unchecked Sendable {
  let mapped: UnsafePointer<CaseMapping>

  fileprivate init(_ page: UInt32, _ isUpper: Bool) {
    let room = UnsafeMutablePointer<CaseMapping>.allocate(capacity: 256)
    for low: UInt32 in 0..<256 {
      let scalar = Unicode.Scalar(page << 8 | low)
      (room + Int(low)).initialize(
        to: scalar.map { CaseMapping($0, isUpper: isUpper) } ?? CaseMapping())
    }
    mapped = UnsafePointer(room)
  }
}

/// A place for a table, which is made when it is first wanted.
private final class CasePageSlot: Sendable {
  private final class Page: Sendable {
    let table: CaseTable

    init(_ table: CaseTable) { self.table = table }
  }

  private let made = AtomicLazyReference<Page>()

  func table(_ number: UInt32, _ isUpper: Bool) -> CaseTable {
    (made.load() ?? made.storeIfNil(Page(CaseTable(number, isUpper)))).table
  }
}

/// Many texts one behind the other in the other case, where none becomes longer or shorter by it: the
/// ASCII letters of all are changed at once, and behind them the scalars that are not ASCII and have a
/// case.
struct CaseBlock {
  let bytes: [UInt8]
  /// Whether a scalar came of it for which a search of bytes is not Foundation's answer.
  private(set) var makesOdd = false

  /// Nil where a text becomes longer or shorter.
  init?(_ source: [UInt8], _ textCase: TextCase) {
    var (makesOdd, isDone) = (false, true)
    bytes = source.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: max(1, source.count)) { output, filled in
        guard let start = output.baseAddress else { return }
        var block = Writing(textCase, source, start)
        isDone = block.write()
        makesOdd = block.makesOdd
        filled = source.count
      }
    }
    guard isDone else { return nil }
    self.makesOdd = makesOdd
  }
}

/// A block while it is written.
private struct Writing {
  private let textCase: TextCase
  private let source: UnsafeBufferPointer<UInt8>
  private let output: UnsafeMutablePointer<UInt8>
  private var pages = CasePages()
  private(set) var makesOdd = false

  init(
    _ textCase: TextCase, _ source: UnsafeBufferPointer<UInt8>,
    _ output: UnsafeMutablePointer<UInt8>
  ) {
    (self.textCase, self.source, self.output) = (textCase, source, output)
  }

  /// Whether all texts keep their length.
  mutating func write() -> Bool {
    guard let base = source.baseAddress else { return true }
    Self.writeASCII(base, output, source.count, from: textCase.firstLetter)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: source.count) { places in
      let count = CasedLeads.find(base, source.count, into: places)
      for i in 0..<count where !change(at: Int(places[i])) { return false }
      return true
    }
  }

  /// The bytes with the ASCII letters in the other case; no branch depends on one, so that a core
  /// changes many at once.
  private static func writeASCII(
    _ source: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ count: Int,
    from first: UInt8
  ) {
    for i in 0..<count {
      let byte = source[i]
      output[i] = byte ^ (byte &- first < 26 ? 0x20 : 0)
    }
  }

  /// Changes the scalar at a place; false: its mapping has another length.
  private mutating func change(at place: Int) -> Bool {
    let lead = source[place]
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard place + length <= source.count else { return true }
    let scalar = UInt32(scalarIn: source, at: place, length)
    guard let mapping = textCase.mapping(of: scalar, &pages) else { return true }
    guard mapping.count == length else { return false }
    mapping.write(to: output + place)
    if mapping.isOdd { makesOdd = true }
    return true
  }
}

/// The first bytes of scalars that may have a case.
private enum CasedLeads {
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Writes down where they stand, and says how many they are.
  static func find(
    _ source: UnsafePointer<UInt8>, _ size: Int, into places: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    var (count, place) = (0, 0)
    while place + 8 <= size {
      let word = UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self).littleEndian
      var leads = bits(word)
      while leads != 0 {
        places[count] = UInt32(truncatingIfNeeded: place &+ leads.trailingZeroBitCount >> 3)
        count &+= 1
        leads &= leads &- 1
      }
      place &+= 8
    }
    for place in place..<size where bits(UInt64(source[place])) != 0 {
      places[count] = UInt32(truncatingIfNeeded: place)
      count += 1
    }
    return count
  }

  /// The highest bit of each of eight bytes that is one.
  @inline(__always)
  private static func bits(_ word: UInt64) -> UInt64 {
    let leads = word & (word << 1) & high
    let low = word & ~high
    // From U+3000 to U+9FFF, E3 to E9, kana and ideographs, none has a case.
    let notBelow = low &+ 0x1D1D_1D1D_1D1D_1D1D
    let behind = low &+ 0x1616_1616_1616_1616
    return leads & ~(notBelow & ~behind)
  }
}
