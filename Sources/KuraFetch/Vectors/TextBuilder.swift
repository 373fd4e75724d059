/// Puts texts one behind the other.
struct TextBuilder {
  private(set) var texts: TextViews

  init(_ count: Int) {
    texts = TextViews(bytes: [], ends: [])
    texts.ends.reserveCapacity(count)
    texts.bytes.reserveCapacity(count * 16)
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    texts.bytes.append(contentsOf: text)
    end()
  }

  /// Adds to the text that is being put together.
  mutating func add(_ part: String) { texts.bytes.append(contentsOf: part.utf8) }

  /// The text ends here.
  mutating func end() { texts.ends.append(UInt32(truncatingIfNeeded: texts.bytes.count)) }
}
