import Foundation
import Synchronization

/// The folding of texts under options. Texts that are equal under the options have the same
/// ``key(_:)``.
///
///     TextFold.of([.caseInsensitive])?.folded("ＡBC メモ")   // the bytes of "abc メモ"
///
/// A text without odd scalars is folded scalar by scalar. The foldings come from Foundation, and
/// are cached in pages of 256 scalars.
package struct TextFold: Sendable {
  let options: String.CompareOptions
  private let pages: [LazyPage<FoldPage>]
  private let tables = FoldTables()

  private init(_ options: String.CompareOptions) {
    self.options = options
    pages = (0..<256).map { _ in LazyPage<FoldPage>() }
  }

  static let c = TextFold(TextOptions.caseInsensitive.foundation)
  package static let cd = TextFold(
    ([.caseInsensitive, .diacriticInsensitive] as TextOptions).foundation)
  /// Folds marks and width, but not case.
  static let d = TextFold(TextOptions.diacriticInsensitive.foundation)
  /// Folds only width.
  package static let width = TextFold(.widthInsensitive)
  /// Folds nothing: the key is the composed text.
  package static let composing = TextFold([])

  /// Returns the folding for options; nil if they fold nothing.
  package static func of(_ options: TextOptions) -> TextFold? {
    guard options.folds else { return nil }
    if !options.contains(.diacriticInsensitive) { return c }
    return options.contains(.caseInsensitive) ? cd : d
  }
}

extension TextFold: Identifiable {
  package var id: UInt { options.rawValue }

  /// Whether a key is only the composed text.
  package var foldsNothing: Bool { options.isEmpty }

  /// A folded text.
  package struct Output: Sendable {
    /// The number of bytes written.
    package var count: Int
    /// Whether the order of the bytes can differ from Foundation's, which compares letters before
    /// marks.
    package var decomposes: Bool
  }

  /// Returns the maximum size of the folding of a text of this many bytes.
  package static func capacity(for count: Int) -> Int { count * 2 + 1 }

  /// Folds valid UTF-8 into memory of `capacity(for:)` bytes; nil if the text has odd scalars.
  package func fold(
    _ utf8: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Output? {
    guard output.count >= Self.capacity(for: utf8.count) else { return nil }
    let lowers = options.contains(.caseInsensitive)
    var result = Output(count: 0, decomposes: false)
    var i = 0
    while i < utf8.count {
      let byte = utf8[i]
      if byte < 0x80 {
        let length = Self.foldASCII(utf8, at: i, to: output, at: result.count, lowers: lowers)
        result.count += length
        i += length
        continue
      }
      if OddScalars.ideographLeads.contains(byte), i + 2 < utf8.count {
        for k in 0..<3 { output[result.count + k] = utf8[i + k] }
        result.count += 3
        i += 3
        continue
      }
      let scalar = UTF8Scalar.read(utf8, at: i)
      if byte >= 0xF0 {
        if OddScalars.contains(scalar.value) { return nil }
        for k in 0..<4 { output[result.count + k] = utf8[i + k] }
        result.count += 4
        i += 4
        continue
      }
      let table = table(of: scalar.value)
      let place = Int(scalar.value & 0xFF)
      let folded = table[place]
      if folded == FoldTable.odd { return nil }
      result.decomposes = result.decomposes || table.decomposes(place)
      result.count += Self.write(folded, to: output, at: result.count)
      i += scalar.length
    }
    return result
  }

  /// Folds eight ASCII characters at a place, or one if another scalar or the end follows soon, and
  /// returns their number.
  @inline(__always)
  private static func foldASCII(
    _ utf8: UnsafeBufferPointer<UInt8>, at i: Int, to output: UnsafeMutableBufferPointer<UInt8>,
    at place: Int, lowers: Bool
  ) -> Int {
    if i + 8 <= utf8.count, let from = utf8.baseAddress, let to = output.baseAddress {
      let word = UnsafeRawPointer(from + i).loadUnaligned(as: UInt64.self)
      if word & 0x8080_8080_8080_8080 == 0 {
        // The high bit of each byte from A up, without those from Z + 1 up
        let ones: UInt64 = 0x0101_0101_0101_0101
        let letters = (word &+ ones &* (0x80 - 0x41)) & ~(word &+ ones &* (0x80 - 0x5B))
        let lowered = word | (letters & (ones &* 0x80)) >> 2
        UnsafeMutableRawPointer(to + place).storeBytes(
          of: lowers ? lowered : word, as: UInt64.self)
        return 8
      }
    }
    output[place] = lowers && utf8[i] &- 0x41 < 26 ? utf8[i] | 0x20 : utf8[i]
    return 1
  }

  /// Returns a folded text as bytes; nil if it has odd scalars.
  package func folded(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8(folded)
  }

  /// Returns folded UTF-8 as bytes; nil if it has odd scalars.
  package func folded(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    withFolded(utf8) { bytes, _ in [UInt8](bytes) }
  }

  /// Calls the body with folded UTF-8; returns nil without calling it if there are odd scalars.
  ///
  /// It does not allocate for short texts.
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

  /// Returns the folding of a scalar that is not odd.
  package func folded(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 {
      return options.contains(.caseInsensitive) && scalar &- 0x41 < 26 ? scalar | 0x20 : scalar
    }
    guard scalar <= 0xFFFF else { return scalar }
    let folded = table(of: scalar)[Int(scalar & 0xFF)]
    return folded == FoldTable.odd ? scalar : UInt32(folded)
  }

  /// Returns the folding of an odd scalar of the Basic Multilingual Plane, with its marks; nil if
  /// it is unchanged.
  func oddLetters(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    let number = scalar.value >> 8
    return pages[Int(number & 0xFF)].page(FoldPage(number, options)).odd[scalar.value]
  }

  @inline(__always)
  private func table(of scalar: UInt32) -> FoldTable {
    tables.table(of: scalar) { pages[Int($0)].page(FoldPage($0, options)).table }
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

  /// Returns the text that represents all texts that are equal under the options.
  ///
  ///     TextFold.cd.key("ＣＡＦÉ")   // "cafe"
  ///     TextFold.cd.key("ｶﾞｽ")      // "ガス"
  ///
  /// Two texts are equal under the options if and only if they have the same key, so canonically
  /// equal texts are equal. The key is composed (NFC). It is created from the decomposed text:
  /// width and case are folded, and under `[d]` a mark is dropped if its letter is below U+0510,
  /// that is Latin, Greek or Cyrillic.
  ///
  /// Linear; a text without odd scalars is folded with a table.
  package func key(_ text: String) -> String {
    var text = text
    return text.withUTF8 { utf8 in
      withKey(utf8) { bytes, _ in String(decoding: bytes, as: UTF8.self) }
    }
  }

  /// Calls the body with the key of UTF-8; the output is nil if the text has odd scalars.
  ///
  /// It does not allocate for short texts without odd scalars.
  package func withKey<Result>(
    _ utf8: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, Output?) -> Result
  ) -> Result {
    if let result = withFolded(utf8, { body($0, $1) }) { return result }
    if options.isEmpty, utf8.isComposed { return body(utf8, nil) }
    return oddKey(utf8).withUnsafeBufferPointer { body($0, nil) }
  }

  /// Calls the body with bytes that have the order of texts under the options: by letters first,
  /// and a letter before the same letter with a mark.
  ///
  /// The bytes are those of the decomposed key, with a byte before each mark that sorts after every
  /// letter. Marks before the first letter count as letters.
  package func withSortKey<Result>(
    _ utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withKey(utf8) { bytes, output in
      if output?.decomposes == false { return body(bytes) }
      return Self.sortKey(ofKey: bytes).withUnsafeBufferPointer(body)
    }
  }

  /// Returns the bytes of `withSortKey` for the key of a text.
  package static func sortKey(ofKey key: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var sortKey: [UInt8] = []
    sortKey.reserveCapacity(key.count + key.count / 4)
    var (hasLetter, place) = (false, 0)
    while place < key.count {
      let end = composing.lettersEnd(key, from: place)
      if end > place {
        sortKey.append(contentsOf: key[place..<end])
        (hasLetter, place) = (true, end)
        continue
      }
      let scalar = UTF8Scalar.read(key, at: place)
      place += scalar.length
      for part in CanonicalParts.of(Unicode.Scalar(scalar.value) ?? "\u{FFFD}") {
        let isMark = part.isMark || 0x1160...0x11FF ~= part.value
        if hasLetter, isMark { sortKey.append(0xFF) }
        hasLetter = hasLetter || !part.isMark
        sortKey.append(contentsOf: UTF8.encode(part) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return sortKey
  }

  /// Returns the end of the scalars from a place on that are not odd and do not decompose. None of
  /// them is a mark.
  private func lettersEnd(_ key: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var place = start
    while place < key.count {
      let lead = key[place]
      if lead < 0x80 {
        place += 1
      } else if OddScalars.ideographLeads.contains(lead), place + 2 < key.count {
        place += 3
      } else {
        let scalar = UTF8Scalar.read(key, at: place)
        if scalar.value > 0xFFFF {
          if OddScalars.contains(scalar.value) { return place }
        } else {
          let (table, index) = (table(of: scalar.value), Int(scalar.value & 0xFF))
          if table[index] == FoldTable.odd || table.decomposes(index) { return place }
        }
        place += scalar.length
      }
    }
    return place
  }

  /// Returns the key of a text with odd scalars.
  ///
  /// A scalar that is not odd never composes with the scalar before it, so the key is that of the
  /// text's parts, each of them a scalar that is not odd and the odd ones after it.
  package func oddKey(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var keys = OddKeys(self)
    keys.append(utf8)
    return keys.bytes
  }
}

/// The consecutive keys of texts with odd scalars. Equal short parts of the texts are folded once.
package struct OddKeys {
  private let fold: TextFold
  package private(set) var bytes: [UInt8] = []
  /// The keys of odd parts of up to 15 bytes, by these bytes and their number.
  private var known: [UInt128: [UInt8]] = [:]

  package init(_ fold: TextFold) { self.fold = fold }

  /// Appends the key of a text.
  package mutating func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    var place = 0
    while place < utf8.count {
      let part = utf8.part(from: place)
      let slice = UnsafeBufferPointer(rebasing: utf8[place..<part.end])
      if part.isOdd { append(odd: slice) } else { appendFolded(slice) }
      place = part.end
    }
  }

  private mutating func append(odd part: UnsafeBufferPointer<UInt8>) {
    guard part.count < 16 else { return fold(odd: part) }
    let name = part.reduce(UInt128(part.count)) { $0 << 8 | UInt128($1) }
    if let key = known[name] { return bytes.append(contentsOf: key) }
    let start = bytes.count
    fold(odd: part)
    known[name] = Array(bytes[start...])
  }

  private mutating func fold(odd part: UnsafeBufferPointer<UInt8>) {
    if part.isComposed { return appendComposed(part) }
    var writer = KeyWriter(fold: fold)
    let text = String(decoding: part, as: UTF8.self)
    text.decomposedStringWithCanonicalMapping.unicodeScalars.forEach { writer.append($0) }
    bytes.append(contentsOf: String(writer.scalars).precomposedStringWithCanonicalMapping.utf8)
  }

  /// Appends the key of a part whose scalars neither decompose nor compose.
  private mutating func appendComposed(_ part: UnsafeBufferPointer<UInt8>) {
    var base: UInt32?
    var place = 0
    while place < part.count {
      let scalar = UTF8Scalar.read(part, at: place)
      let bytesOfScalar = UnsafeBufferPointer(rebasing: part[place..<place + scalar.length])
      place += scalar.length
      if !OddScalars.contains(scalar.value) {
        appendFolded(bytesOfScalar)
        base = fold.folded(scalar.value)
      } else if let odd = Unicode.Scalar(scalar.value) {
        if odd.isMark {
          if fold.dropsMarks, let base, base < 0x510 { continue }
          bytes.append(contentsOf: bytesOfScalar)
          continue
        }
        base = append(letter: odd, bytesOfScalar)
      }
    }
  }

  /// Appends the folding of an odd letter, and returns its last scalar.
  private mutating func append(
    letter: Unicode.Scalar, _ written: UnsafeBufferPointer<UInt8>
  ) -> UInt32? {
    if letter.value <= 0xFFFF, fold.options.isEmpty || fold.oddLetters(letter) == nil {
      bytes.append(contentsOf: written)
      return letter.value
    }
    var letters = String.UnicodeScalarView()
    fold.write(letter, to: &letters)
    bytes.append(contentsOf: String(letters).utf8)
    return letters.last?.value
  }

  private mutating func appendFolded(_ part: UnsafeBufferPointer<UInt8>) {
    withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: TextFold.capacity(for: part.count)
    ) { buffer in
      guard let output = fold.fold(part, into: buffer) else { return }
      bytes.append(contentsOf: buffer[..<output.count])
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no scalar decomposes or composes with another, so that the text is its only canonical
  /// form.
  package var isComposed: Bool { OddScalars.form(of: self) != .other }

  /// Returns the end of the longest part without odd scalars at a place or, if the next scalar is
  /// odd or followed by an odd one, of that scalar and the odd ones after it.
  fileprivate func part(from start: Int) -> (end: Int, isOdd: Bool) {
    let bits = OddScalars.bits
    var (last, place) = (start, start)
    while place < count {
      let length: Int
      if self[place] < 0x80 {
        length = 1
      } else {
        let scalar = UTF8Scalar.read(self, at: place)
        length = scalar.length
        if bits.contains(scalar.value) { break }
      }
      last = place
      place += length
    }
    if place == count { return (place, false) }
    if last > start { return (last, false) }
    // The text begins with an odd scalar, or with one that an odd scalar follows.
    while place < count, self[place] >= 0x80 {
      let scalar = UTF8Scalar.read(self, at: place)
      guard bits.contains(scalar.value) else { break }
      place += scalar.length
    }
    return (place, true)
  }
}

/// Builds the key of a text, scalar by scalar.
private struct KeyWriter {
  let fold: TextFold
  var scalars = String.UnicodeScalarView()
  /// The letter to which the next mark belongs; nil at the start.
  private var base: Unicode.Scalar?

  init(fold: TextFold) { self.fold = fold }

  mutating func append(_ scalar: Unicode.Scalar) {
    guard scalar.isMark else {
      let start = scalars.endIndex
      fold.write(scalar, to: &scalars)
      base = scalars[start...].last
      return
    }
    if fold.dropsMarks, let base, base.value < 0x0510 { return }
    scalars.append(fold.narrow(mark: scalar))
  }
}

extension TextFold {
  fileprivate var dropsMarks: Bool { options.contains(.diacriticInsensitive) }

  /// Returns the ordinary mark for a halfwidth voicing mark.
  fileprivate func narrow(mark: Unicode.Scalar) -> Unicode.Scalar {
    guard options.contains(.widthInsensitive) else { return mark }
    return mark == "\u{FF9E}" ? "\u{3099}" : mark == "\u{FF9F}" ? "\u{309A}" : mark
  }

  /// Writes the folding of a letter.
  fileprivate func write(_ scalar: Unicode.Scalar, to output: inout String.UnicodeScalarView) {
    if options.isEmpty {
      output.append(scalar)
    } else if scalar.value > 0xFFFF {
      let folds = options.contains(.caseInsensitive) && scalar.properties.isCased
      if folds {
        output.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      } else {
        output.append(scalar)
      }
    } else if OddScalars.contains(scalar.value) {
      output.append(contentsOf: oddLetters(scalar) ?? [scalar])
    } else {
      output.append(Unicode.Scalar(folded(scalar.value)) ?? scalar)
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar belongs to the letter before it: a combining mark, or a skin tone of an
  /// emoji.
  var isMark: Bool {
    guard value >= 0x300, value != 0x200D else { return false }
    return properties.isGraphemeExtend || 0x1F3FB...0x1F3FF ~= value
  }

}

extension OddScalars {
  /// The canonical form of a text, as far as comparisons must know it.
  enum Form {
    /// It has no odd scalars.
    case plain
    /// Its odd scalars neither decompose nor compose.
    case composed
    case other
  }

  static func form(of utf8: UnsafeBufferPointer<UInt8>) -> Form {
    let bits = bits
    var form = Form.plain
    var place = 0
    while let next = nextBeyondASCII(utf8, from: place) {
      place = next
      if ideographLeads.contains(utf8[place]) {
        place += 3
        continue
      }
      let scalar = UTF8Scalar.read(utf8, at: place)
      place += scalar.length
      guard bits.contains(scalar.value) else { continue }
      if !areInert(scalar.value) { return .other }
      form = .composed
    }
    return form
  }

  /// Returns whether an odd scalar neither decomposes nor composes with another.
  ///
  /// Most scalars that are not odd decompose, but remain unchanged without marks.
  fileprivate static func areInert(_ scalar: UInt32) -> Bool {
    switch scalar {
    // ß, ŉ, ẞ, joiners, variation selectors, ligatures, emoji and related scalars, ideographs.
    case 0xDF, 0x149, 0x1E9E, 0x200B...0x200F, 0x2060...0x2064, 0xFB00...0xFB06, 0xFE00...0xFE0F,
      0x1F000...0x1FBFF, 0x20000...0x2F7FF, 0x30000...0x323AF, 0xE0020...0xE007F,
      0xE0100...0xE01EF:
      true
    default: false
    }
  }
}

/// The canonical decompositions of 256 scalars.
final class CanonicalParts: Sendable {
  private let parts: [UInt32: [Unicode.Scalar]]

  private init(_ number: UInt32) {
    parts = ((number << 8)..<((number + 1) << 8)).reduce(into: [:]) { parts, value in
      guard let scalar = Unicode.Scalar(value) else { return }
      let found = Array(Self.decomposed(scalar))
      if found != [scalar] { parts[value] = found }
    }
  }

  private static func decomposed(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars
  }

  private static let pages = (0..<256).map { _ in LazyPage<CanonicalParts>() }

  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value < 0xC0 { return [scalar] }
    guard scalar.value <= 0xFFFF else { return Array(decomposed(scalar)) }
    let number = scalar.value >> 8
    let page = pages[Int(number)].page(CanonicalParts(number))
    return page.parts[scalar.value] ?? [scalar]
  }
}
