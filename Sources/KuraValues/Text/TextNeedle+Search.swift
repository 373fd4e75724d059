import Foundation

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

  private typealias ByteSearch =
    (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool

  private func search(
    _ text: String, _ bytes: ByteSearch, _ place: String.CompareOptions
  ) -> Bool {
    guard !self.text.isEmpty, !text.isEmpty else { return false }
    if let answer = answer(for: text, bytes) { return answer }
    return isFound(in: text, place)
  }

  private func isFound(in text: String, _ place: String.CompareOptions) -> Bool {
    let text = NSString(string: text)
    let found = text.range(
      of: self.text, options: options.foundation.union(place),
      range: NSRange(location: 0, length: text.length), locale: locale)
    return found.location != NSNotFound
  }

  /// The answer from the bytes, nil where only Foundation has it.
  private func answer(for text: String, _ body: ByteSearch) -> Bool? {
    guard let folded else { return nil }
    var text = text
    return text.withUTF8 { utf8 in
      folded.withUnsafeBufferPointer { needle in
        if let fold {
          return fold.withFolded(utf8) { text, output in
            if body(text, needle) { return true }
            return isDoubtful(text, output) ? nil : false
          } ?? nil
        }
        if options.contains(.normalized) { return body(utf8, needle) }
        if OddScalars.areIn(utf8) { return nil }
        if body(utf8, needle) { return true }
        return isDoubtful(utf8) ? nil : false
      }
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
    return same ?? (foundationOrder(of: text) == .same)
  }

  /// How a text stands to the needle: `.before` if `text < needle`.
  ///
  /// Without options by scalars; under `[c]`, `[d]` and `[l]` as Foundation compares.
  package func order(of text: String) -> ValueOrder {
    if !options.folds, !options.contains(.localeSensitive) || options.contains(.normalized) {
      return Bytes.compare(text, self.text)
    }
    return foldedOrder(of: text) ?? foundationOrder(of: text)
  }

  private func foldedOrder(of text: String) -> ValueOrder? {
    guard let fold, let folded, foldedSorts else { return nil }
    var text = text
    return text.withUTF8 { utf8 in
      fold.withFolded(utf8) { bytes, output in
        output.decomposes ? nil : folded.withUnsafeBufferPointer { Bytes.compare(bytes, $0) }
      } ?? nil
    }
  }

  private func foundationOrder(of text: String) -> ValueOrder {
    let text = NSString(string: text)
    let result = text.compare(
      self.text, options: options.foundation, range: NSRange(location: 0, length: text.length),
      locale: locale)
    return ValueOrder(rawValue: result.rawValue) ?? .same
  }
}
