/// Looks for bytes, never going back in the text (Knuth, Morris and Pratt).
struct LiteralSearch: Sendable {
  private let bytes: [UInt8]
  /// How much of the bytes is still found where the next one is not.
  private let borders: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var borders = [Int](repeating: 0, count: bytes.count)
    var border = 0
    for i in bytes.indices.dropFirst() {
      while border > 0, bytes[border] != bytes[i] { border = borders[border - 1] }
      if bytes[border] == bytes[i] { border += 1 }
      borders[i] = border
    }
    self.borders = borders
  }

  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    guard !bytes.isEmpty else { return place }
    var found = 0
    for i in place..<text.count {
      count += 1
      while found > 0, bytes[found] != text[i] {
        found = borders[found - 1]
        count += 1
      }
      if bytes[found] == text[i] { found += 1 }
      if found == bytes.count { return i + 1 }
    }
    return nil
  }
}
