import KuraGraph
import KuraValues
import Synchronization

/// A conversion of texts to lowercase or uppercase, scalar by scalar, equal to `lowercased()` and `uppercased()`.
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

  /// The greatest growth of a text in bytes, as a factor.
  static let growth = 3
}

extension TextCase {
  /// Writes a text in the other case, and returns the number of bytes.
  ///
  /// `pages` are the pages that previous texts have used.
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
      // The last eight bytes may overlap those that are done.
      place = min(place + 8, text.count - 8)
    }
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns the case bit of each of eight ASCII bytes that is one of 26 letters.
  @inline(__always)
  private func letters(_ word: UInt64, from first: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // The highest bit shows whether a byte is not below the first letter, and whether it is above the last.
    let notBelow = word &+ ones &* UInt64(0x80 - first)
    let after = word &+ ones &* UInt64(0x80 - first - 26)
    return (notBelow & ~after & Self.highBits) >> 2
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

  /// Returns whether a byte begins a scalar from U+3000 to U+9FFF: kana and ideographs have no case.
  private func isPlain(_ lead: UInt8) -> Bool { 0xE3...0xE9 ~= lead }

  /// Returns the mapping of a scalar beyond ASCII; nil if it does not change.
  @inline(__always)
  func mapping(of scalar: UInt32, _ pages: inout CasePages) -> CaseMapping? {
    let mapping = pages.table(scalar >> 8, self).mapped[Int(scalar & 0xFF)]
    return mapping.count == 0 ? nil : mapping
  }

  fileprivate func table(of page: UInt32) -> CaseTable {
    pages[Int(min(page, Self.lastPage))].table(min(page, Self.lastPage), isUpper)
  }

  /// Scalars on later pages have no case.
  private static let lastPage: UInt32 = 0x1FF
}

/// The recently used pages: reading a slot costs more than everything else, above all on several cores.
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
  /// Reads the scalar at a place of valid UTF-8.
  @inline(__always)
  init(scalarIn text: UnsafeBufferPointer<UInt8>, at i: Int, _ length: Int) {
    self = UInt32(text[i])
    guard length > 1 else { return }
    self &= 0x7F >> UInt32(length)
    for k in 1..<length { self = self << 6 | UInt32(text[i + k] & 0x3F) }
  }
}

/// The bytes of a scalar's mapping; empty if it does not change.
struct CaseMapping {
  /// The bytes from the lowest on, and their count in the highest byte. The highest bit marks odd scalars.
  private var bits: UInt64 = 0

  init(_ scalar: Unicode.Scalar, isUpper: Bool) {
    let mapping = isUpper ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
    if mapping.unicodeScalars.elementsEqual([scalar]) { return }
    // Three scalars of two bytes are the longest mapping.
    let bytes = mapping.utf8.prefix(7)
    for (place, byte) in bytes.enumerated() { bits |= UInt64(byte) << UInt64(8 * place) }
    let isOdd = mapping.unicodeScalars.contains { OddScalars.contains($0.value) }
    bits |= UInt64(bytes.count | (isOdd ? 0x80 : 0)) << 56
  }

  /// Creates the mapping of an unchanged scalar.
  init() {}

  var count: Int { Int(bits >> 56 & 0x7F) }
  /// Whether a search of its bytes differs from Foundation's answer.
  var isOdd: Bool { bits >> 63 == 1 }

  @inline(__always)
  func write(to output: UnsafeMutablePointer<UInt8>) {
    for k in 0..<count { output[k] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * k)) }
  }
}

/// The mappings of 256 scalars; never freed or changed.
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

/// A place for a lazily created table.
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

/// The bytes of many texts in the other case, if all keep their length: the ASCII letters of all are changed at once,
/// then the other scalars that have a case.
struct CaseBlock {
  let bytes: [UInt8]
  /// Whether a result contains a scalar for which a byte search differs from Foundation's answer.
  private(set) var makesOdd = false

  /// Returns nil if the length of a text changes.
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

/// The state of writing a block.
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

  /// Writes the block; returns whether all texts keep their length.
  mutating func write() -> Bool {
    guard let base = source.baseAddress else { return true }
    Self.writeASCII(base, output, source.count, from: textCase.firstLetter)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: source.count) { places in
      let count = CasedLeads.find(base, source.count, into: places)
      for i in 0..<count where !change(at: Int(places[i])) { return false }
      return true
    }
  }

  /// Writes the bytes with the ASCII letters in the other case, without a branch per byte, so that the loop vectorizes.
  private static func writeASCII(
    _ source: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ count: Int,
    from first: UInt8
  ) {
    for i in 0..<count {
      let byte = source[i]
      output[i] = byte ^ (byte &- first < 26 ? 0x20 : 0)
    }
  }

  /// Changes the scalar at a place; returns false if its mapping has another length.
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

  /// Stores their places, and returns their count.
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

  /// Returns the highest bit of each of eight bytes that is such a first byte.
  @inline(__always)
  private static func bits(_ word: UInt64) -> UInt64 {
    let leads = word & (word << 1) & high
    let low = word & ~high
    // E3 to E9 begin kana and ideographs, from U+3000 to U+9FFF, which have no case.
    let notBelow = low &+ 0x1D1D_1D1D_1D1D_1D1D
    let after = low &+ 0x1616_1616_1616_1616
    return leads & ~(notBelow & ~after)
  }
}
