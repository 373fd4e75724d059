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
    while i < text.count {
      let byte = text[i]
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      guard i + length <= text.count else { break }
      defer { i += length }
      if byte < 0x80 {
        output[written] = byte &- first < 26 ? byte ^ 0x20 : byte
        written += 1
      } else if isPlain(byte) || mapped(text, i, length) == 0 {
        for k in 0..<length { output[written + k] = text[i + k] }
        written += length
      } else {
        written += writeMapping(text, i, length, to: output + written)
      }
    }
    return written
  }

  /// Whether a byte begins an ideograph from U+4000 to U+9FFF, which have no case.
  private func isPlain(_ lead: UInt8) -> Bool { 0xE4...0xE9 ~= lead }

  /// What a scalar becomes: 0 if it stays, `several` if it becomes more than one.
  private func mapped(_ text: UnsafeBufferPointer<UInt8>, _ i: Int, _ length: Int) -> UInt32 {
    let scalar = UInt32(scalarIn: text, at: i, length)
    guard scalar <= 0xFFFF else { return CasePage.mapping(scalar, isUpper) }
    return pages[Int(scalar >> 8)].page(scalar >> 8, isUpper).mapped[Int(scalar & 0xFF)]
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

/// What 256 scalars become in the other case.
private final class CasePage: Sendable {
  let mapped: [UInt32]

  init(_ number: UInt32, _ isUpper: Bool) {
    mapped = (0..<256).map { CasePage.mapping(number << 8 | $0, isUpper) }
  }

  static func mapping(_ value: UInt32, _ isUpper: Bool) -> UInt32 {
    guard let scalar = Unicode.Scalar(value) else { return 0 }
    let mapping =
      isUpper ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
    return mapping.unicodeScalars.elementsEqual([scalar]) ? 0 : 1
  }
}

/// A place for a page, which is made when it is first wanted.
private final class CasePageSlot: Sendable {
  private let made = AtomicLazyReference<CasePage>()

  func page(_ number: UInt32, _ isUpper: Bool) -> CasePage {
    made.load() ?? made.storeIfNil(CasePage(number, isUpper))
  }
}
