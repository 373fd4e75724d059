import Testing

@testable import KuraStore

@Suite struct ContentHashTests {
  /// From the xxHash project's own tests and its command line's outputs.
  @Test func checksumsAreThoseOfXXH64() {
    #expect(UInt64(checksumOf: []).hexadecimal == "ef46db3751d8e999")
    #expect(UInt64(checksumOf: Array("a".utf8)).hexadecimal == "d24ec4f1a98c6e5b")
    #expect(UInt64(checksumOf: Array("abc".utf8)).hexadecimal == "44bc2cf5ad770999")
    #expect(
      UInt64(checksumOf: Array("Nobody inspects the spammish repetition".utf8)).hexadecimal
        == "fbcea83c8a378bf1")
  }

  @Test func theSameBytesInAnyPiecesHaveOneName() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for length in [0, 1, 7, 31, 32, 33, 63, 64, 100, 300] {
      var whole = ContentHash()
      whole.add(Array(bytes[..<length]))
      for piece in [1, 3, 31, 32, 33, 64] {
        var hash = ContentHash()
        for start in stride(from: 0, to: length, by: piece) {
          hash.add(Array(bytes[start..<min(start + piece, length)]))
        }
        #expect(hash.value == whole.value && hash.count == UInt64(length))
      }
    }
  }

  @Test func hexadecimalIsReadBackAndNothingElseIs() {
    let value = HashValue(high: 0xFF, low: .max)
    #expect(value.text == "00000000000000ffffffffffffffffff")
    #expect(HashValue(text: value.text) == value)
    #expect(HashValue(text: value.text.uppercased()) == nil)
    #expect(UInt64(hexadecimal: "+000000000000001") == nil)
  }
}
