import Foundation

/// The folding of texts under options: texts that are equal under them have the same ``key(_:)``.
///
///     TextFold.of([.caseInsensitive])?.folded("ＡBC メモ")   // the bytes of "abc メモ"
///
/// A text without odd scalars is folded scalar by scalar. What a scalar folds to is asked of Foundation once,
/// 256 scalars at a time.
package struct TextFold: Sendable {
  let options: String.CompareOptions
  private let pages: [FoldPageSlot]

  private init(_ options: String.CompareOptions) {
    self.options = options
    pages = (0..<256).map { _ in FoldPageSlot() }
  }

  static let c = TextFold(TextOptions.caseInsensitive.foundation)
  package static let cd = TextFold(
    ([.caseInsensitive, .diacriticInsensitive] as TextOptions).foundation)
  /// Folds marks and width, and leaves case.
  static let d = TextFold(TextOptions.diacriticInsensitive.foundation)
  /// Folds width alone.
  package static let width = TextFold(.widthInsensitive)
  /// Folds nothing: a key is the text composed.
  static let composing = TextFold([])

  /// The folding of some options; nil if nothing folds under them.
  package static func of(_ options: TextOptions) -> TextFold? {
    guard options.folds else { return nil }
    if !options.contains(.diacriticInsensitive) { return c }
    return options.contains(.caseInsensitive) ? cd : d
  }
}

extension TextFold {
  /// A folded text.
  package struct Output: Sendable {
    /// The number of bytes written.
    package var count: Int
    /// Whether the order of the bytes is not Foundation's, which compares letter, then mark.
    package var decomposes: Bool
    /// Whether a scalar beyond ASCII folded to another.
    package var folds: Bool
    /// Whether a mark was taken away: folding case alone gives something else.
    package var isMarked = false
  }

  /// The most bytes that a text of so many bytes folds to.
  package static func capacity(for count: Int) -> Int { count * 2 + 1 }

  /// Folds valid UTF-8 into memory of `capacity(for:)` bytes; nil if the text has odd scalars.
  package func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Output? {
    var pages = FoldPages()
    return fold(utf8, into: output, &pages)
  }

  /// The same of one of many texts, with the pages that the others needed.
  package func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    _ pages: inout FoldPages
  ) -> Output? {
    guard output.count >= Self.capacity(for: utf8.count) else { return nil }
    let lowers = options.contains(.caseInsensitive)
    var result = Output(count: 0, decomposes: false, folds: false)
    var i = 0
    while i < utf8.count {
      let byte = utf8[i]
      if byte < 0x80 {
        output[result.count] = lowers && byte &- 0x41 < 26 ? byte | 0x20 : byte
        result.count += 1
        i += 1
        continue
      }
      if OddScalars.ideographLeads.contains(byte), i + 2 < utf8.count {
        for k in 0..<3 { output[result.count + k] = utf8[i + k] }
        result.count += 3
        i += 3
        continue
      }
      let scalar = UTF8Scalar.read(utf8, at: i)
      if OddScalars.contains(scalar.value) { return nil }
      if byte >= 0xF0 {
        for k in 0..<4 { output[result.count + k] = utf8[i + k] }
        result.count += 4
        i += 4
        continue
      }
      let page = pages.page(scalar.value >> 8) { self.page($0) }
      let place = Int(scalar.value & 0xFF)
      let folded = page.folded[place]
      result.decomposes = result.decomposes || page.decomposes(place)
      result.folds = result.folds || UInt32(folded) != scalar.value
      result.isMarked = result.isMarked || page.isMarked(place)
      result.count += Self.write(folded, to: output, at: result.count)
      i += scalar.length
    }
    return result
  }

  /// A folded text as bytes; nil if it has odd scalars.
  package func folded(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8(folded)
  }

  /// Folded UTF-8 as bytes; nil if it has odd scalars.
  package func folded(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    withFolded(utf8) { bytes, _ in [UInt8](bytes) }
  }

  /// Calls the body with folded UTF-8, and returns nil without calling it if there are odd scalars.
  ///
  /// Allocates nothing for short texts.
  package func withFolded<Result>(
    _ utf8: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, Output) -> Result
  ) -> Result? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.capacity(for: utf8.count)) {
      buffer in
      guard let output = fold(utf8, into: buffer) else { return nil }
      return body(UnsafeBufferPointer(rebasing: buffer[..<output.count]), output)
    }
  }

  /// What a scalar that is not odd folds to.
  package func folded(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 {
      return options.contains(.caseInsensitive) && scalar &- 0x41 < 26 ? scalar | 0x20 : scalar
    }
    guard scalar <= 0xFFFF, !OddScalars.contains(scalar) else { return scalar }
    return UInt32(page(scalar >> 8).folded[Int(scalar & 0xFF)])
  }

  /// What an odd scalar of the Basic Multilingual Plane folds to, its marks kept; nil if it is itself.
  func oddLetters(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    let number = scalar.value >> 8
    return pages[Int(number & 0xFF)].page(number, options).odd[scalar.value]
  }

  private func page(_ number: UInt32) -> FoldTable {
    pages[Int(number & 0xFF)].page(number, options).table
  }

  private static func write(
    _ scalar: UInt16, to output: UnsafeMutableBufferPointer<UInt8>, at i: Int
  ) -> Int {
    switch scalar {
    case ..<0x80:
      output[i] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case ..<0x800:
      output[i] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      output[i + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 2
    default:
      output[i] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      output[i + 1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      output[i + 2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 3
    }
  }
}
