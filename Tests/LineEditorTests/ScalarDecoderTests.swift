import Testing

@testable import LineEditor

@Suite("Scalars from single bytes")
struct ScalarDecoderTests {
  private func decode(_ bytes: some Sequence<UInt8>) -> String {
    var decoder = ScalarDecoder()
    var view = String.UnicodeScalarView()
    for byte in bytes { decoder.feed(byte).map { view.append($0) } }
    return String(view)
  }

  @Test("are those of the text", arguments: ["a誕é😀\u{3099}\u{10FFFF}\u{1B}[A", "", "\u{0}"])
  func areThoseOfTheText(text: String) {
    #expect(decode(text.utf8).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func aKeyAfterABrokenSequenceCounts() {
    #expect(decode([0xE8, 0xAA, 0x0D, 0xE8, 0x41]) == "\rA")
  }

  @Test func whatIsNotUTF8IsShownAsSuch() {
    #expect(decode([0x80, 0xFF, 0xED, 0xA0, 0x80, 0x41]) == "\u{FFFD}\u{FFFD}\u{FFFD}A")
  }
}
