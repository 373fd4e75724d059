import KuraGraph
import KuraValues

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
