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
    pages = (0..<256).map { _ in CasePageSlot() }
  }

  /// A text may grow to so many times its bytes.
  static let growth = 3
}

extension TextCase {
  /// Writes a text in the other case, and says how many bytes that took.
  func write(
    _ text: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let first: UInt8 = isUpper ? 0x61 : 0x41
    var all: UInt8 = 0
    for i in text.indices {
      let byte = text[i]
      output[i] = byte &- first < 26 ? byte ^ 0x20 : byte
      all |= byte
    }
    return all < 0x80 ? text.count : writeScalars(text, to: output)
  }

  private func writeScalars(
    _ text: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let first: UInt8 = isUpper ? 0x61 : 0x41
    var (i, written) = (0, 0)
    var (number, changed) = (UInt32.max, SIMD4<UInt64>())
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
        // Neighbours are mostly of one page.
        if scalar >> 8 != number {
          (number, changed) = (scalar >> 8, self.changed(scalar >> 8))
        }
        if changed[Int(scalar >> 6 & 3)] >> UInt64(scalar & 63) & 1 == 1 {
          written += writeMapping(text, i, length, to: output + written)
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

  /// The scalars of a page that are others in the other case.
  private func changed(_ page: UInt32) -> SIMD4<UInt64> {
    page < 256 ? pages[Int(page)].page(page, isUpper).changed : CasePage(page, isUpper).changed
  }

  private func writeMapping(
    _ text: UnsafeBufferPointer<UInt8>, _ i: Int, _ length: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let scalar = UInt32(scalarIn: text, at: i, length)
    guard let properties = Unicode.Scalar(scalar)?.properties else { return 0 }
    var count = 0
    for byte in (isUpper ? properties.uppercaseMapping : properties.lowercaseMapping).utf8 {
      output[count] = byte
      count += 1
    }
    return count
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

/// Which of 256 scalars are others in the other case: a bit for each.
private final class CasePage: Sendable {
  let changed: SIMD4<UInt64>

  init(_ number: UInt32, _ isUpper: Bool) {
    var changed = SIMD4<UInt64>()
    for low: UInt32 in 0..<256 where CasePage.isChanged(number << 8 | low, isUpper) {
      changed[Int(low >> 6)] |= 1 << UInt64(low & 63)
    }
    self.changed = changed
  }

  private static func isChanged(_ value: UInt32, _ isUpper: Bool) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    let mapping =
      isUpper ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
    return !mapping.unicodeScalars.elementsEqual([scalar])
  }
}

/// A place for a page, which is made when it is first wanted.
private final class CasePageSlot: Sendable {
  private let made = AtomicLazyReference<CasePage>()

  func page(_ number: UInt32, _ isUpper: Bool) -> CasePage {
    made.load() ?? made.storeIfNil(CasePage(number, isUpper))
  }
}
