package import Foundation

/// A string to look for or to compare with, prepared once for many texts.
///
///     let needle = TextNeedle("CAFE", [.caseInsensitive, .diacriticInsensitive])
///     needle.isContained(in: "Café con Leche")   // true
///
/// The answers are those of Foundation's `range(of:options:)` and `compare(_:options:)`; texts
/// without odd scalars get them from their folded bytes. There Foundation errs, and its answer is not
/// taken: under `[c]` it has a letter before one that folds for the letter with a mark, and finds "が" in
/// "かＡ". The empty needle is nowhere.
package struct TextNeedle: Sendable {
  /// The string itself.
  package let text: String
  /// The same with halfwidth kana and their voicing marks as one, where width does not count.
  package let composed: String
  /// What does not count.
  package let options: TextOptions
  /// Whose rules count under `[l]`.
  package let locale: Locale?
  let fold: TextFold?
  /// The bytes, folded under the options; nil where only Foundation has the answer.
  let folded: [UInt8]?
  /// Whether the folded bytes sort as Foundation sorts.
  let foldedSorts: Bool
  /// Prepares a string.
  package init(_ text: String, _ options: TextOptions = [], locale: Locale? = nil) {
    self.text = text
    self.options = options
    self.locale = options.contains(.localeSensitive) ? locale : nil
    fold = TextFold.of(options)
    composed = fold == nil ? text : HalfwidthKana.composed(text) ?? text
    var copy = composed
    (folded, foldedSorts) = copy.withUTF8 { [fold] in Self.prepared($0, options, fold) }
  }

  private static func prepared(
    _ utf8: UnsafeBufferPointer<UInt8>, _ options: TextOptions, _ fold: TextFold?
  ) -> ([UInt8]?, Bool) {
    if options.contains(.normalized) { return ([UInt8](utf8), true) }
    if options.contains(.localeSensitive) { return (nil, false) }
    if let fold { return fold.withFolded(utf8) { ([UInt8]($0), !$1.decomposes) } ?? (nil, false) }
    return (OddScalars.areIn(utf8) ? nil : [UInt8](utf8), true)
  }
}

extension TextNeedle {
  /// The bytes whose search in NFC text without odd scalars is Foundation's answer, nil if none are.
  ///
  /// Without options every needle without odd scalars has them; under `[c]` and `[d]` those of
  /// scalars to which nothing else folds, such as kanji and hiragana without voicing marks.
  package var exactBytes: [UInt8]? {
    guard !text.isEmpty else { return nil }
    if options.contains(.normalized) { return folded }
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: { OddScalars.contains($0.value) }) else { return nil }
    if options.folds, !scalars.allSatisfy({ ExactScalars.contains($0.value) }) { return nil }
    return [UInt8](text.utf8)
  }

  /// The folded bytes whose search in a folded text is Foundation's answer, nil if none are.
  package var foldedBytes: [UInt8]? { text.isEmpty ? nil : folded }
}

/// The scalars to which no other scalar folds, under any options.
enum ExactScalars {
  static func contains(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3005...0x3007, 0x3041...0x3096: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    default: false
    }
  }
}

extension TextNeedle {
  /// `text CONTAINS needle`
  package func isContained(in text: String) -> Bool {
    search(text, Bytes.contains, [])
  }

  /// `text BEGINSWITH needle`
  package func begins(_ text: String) -> Bool {
    search(text, Bytes.begins, .anchored)
  }

  /// `text ENDSWITH needle`
  package func ends(_ text: String) -> Bool {
    search(text, Bytes.ends, [.anchored, .backwards])
  }

  /// The same of UTF-8, of which a string is made only where bytes do not tell.
  package func isContained(in utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    search(utf8, Bytes.contains) { isContained(in: $0) }
  }

  /// The same of UTF-8.
  package func begins(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    search(utf8, Bytes.begins) { begins($0) }
  }

  /// The same of UTF-8.
  package func ends(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    search(utf8, Bytes.ends) { ends($0) }
  }

  /// The same of UTF-8.
  package func equals(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    if options.folds, let same = answer(forUTF8: utf8, { Bytes.compare($0, $1) == .same }) {
      return same
    }
    return equals(String(decoding: utf8, as: UTF8.self))
  }

  private func search(
    _ utf8: UnsafeBufferPointer<UInt8>, _ bytes: ByteSearch, _ whole: (String) -> Bool
  ) -> Bool {
    guard !text.isEmpty, !utf8.isEmpty else { return false }
    return answer(forUTF8: utf8, bytes) ?? whole(String(decoding: utf8, as: UTF8.self))
  }

  private typealias ByteSearch =
    (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool

  private func search(
    _ text: String, _ bytes: ByteSearch, _ place: String.CompareOptions
  ) -> Bool {
    guard !self.text.isEmpty, !text.isEmpty else { return false }
    if let answer = answer(for: text, bytes) { return answer }
    if let composed = composed(text) { return search(composed, bytes, place) }
    return isFound(in: text, place)
  }

  /// A text with halfwidth kana and their voicing marks as one; nil where there are none, or width counts.
  private func composed(_ text: String) -> String? {
    fold == nil ? nil : HalfwidthKana.composed(text)
  }

  private func isFound(in text: String, _ place: String.CompareOptions) -> Bool {
    let text = NSString(string: text)
    let found = text.range(
      of: composed, options: options.foundation.union(place),
      range: NSRange(location: 0, length: text.length), locale: locale)
    return found.location != NSNotFound
  }

  /// The answer from the bytes, nil where only Foundation has it.
  private func answer(for text: String, _ body: ByteSearch) -> Bool? {
    var text = text
    return text.withUTF8 { answer(forUTF8: $0, body) }
  }

  private func answer(forUTF8 utf8: UnsafeBufferPointer<UInt8>, _ body: ByteSearch) -> Bool? {
    guard let folded else { return nil }
    return folded.withUnsafeBufferPointer { needle in
      if let fold {
        return fold.withFolded(utf8) { text, _ in body(text, needle) }
      }
      if options.contains(.normalized) { return body(utf8, needle) }
      return OddScalars.areIn(utf8) ? nil : body(utf8, needle)
    }
  }
}

extension TextNeedle {
  /// `text == needle`
  ///
  /// Without options by scalars; under `[c]`, `[d]` and `[l]` as Foundation compares.
  package func equals(_ text: String) -> Bool {
    if !options.folds, !options.contains(.localeSensitive) || options.contains(.normalized) {
      return text.utf8.count == self.text.utf8.count && Bytes.compare(text, self.text) == .same
    }
    let same = answer(for: text) { Bytes.compare($0, $1) == .same }
    return same ?? composed(text).map(equals) ?? (foundationOrder(of: text) == .same)
  }

  /// How a text stands to the needle: `.before` if `text < needle`.
  ///
  /// Without options by scalars; under `[c]`, `[d]` and `[l]` as Foundation compares.
  package func order(of text: String) -> ValueOrder {
    if !options.folds, !options.contains(.localeSensitive) || options.contains(.normalized) {
      return Bytes.compare(text, self.text)
    }
    if foldedSorts, let order = foldedOrder(of: text, whereItSorts: true) { return order }
    if let composed = composed(text) { return self.order(of: composed) }
    let order = foundationOrder(of: text)
    // What is not equal is not taken for the same.
    return order == .same ? foldedOrder(of: text, whereItSorts: false) ?? order : order
  }

  /// The order of the folded bytes; nil where there are odd scalars, or, if that is wanted, where it is not
  /// Foundation's.
  private func foldedOrder(of text: String, whereItSorts: Bool) -> ValueOrder? {
    guard let fold, let folded else { return nil }
    var text = text
    return text.withUTF8 { utf8 in
      fold.withFolded(utf8) { bytes, output in
        output.decomposes && whereItSorts
          ? nil : folded.withUnsafeBufferPointer { Bytes.compare(bytes, $0) }
      } ?? nil
    }
  }

  private func foundationOrder(of text: String) -> ValueOrder {
    let text = NSString(string: text)
    let result = text.compare(
      composed, options: options.foundation, range: NSRange(location: 0, length: text.length),
      locale: locale)
    return ValueOrder(rawValue: result.rawValue) ?? .same
  }
}
