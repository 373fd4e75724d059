import TestSupport
import Testing

@testable import LineEditor

@Suite("Keys from bytes")
struct KeyDecoderTests {
  /// Returns the keys of bytes that a terminal sends at once, with nothing after them.
  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  private func keys(_ bytes: [UInt8]) -> [Key] {
    var decoder = KeyDecoder()
    let keys = bytes.compactMap { decoder.feed($0) }
    return keys + [decoder.patience == nil ? nil : decoder.flush()].compactMap { $0 }
  }

  @Test(
    "are those of older terminals",
    arguments: [
      ("a", [Key.scalar("a")]), ("誕", [.scalar("誕")]), ("\u{3}", [.scalar("\u{3}")]),
      ("\u{1B}[A", [.sequence("\u{1B}[A")]), ("\u{1B}OA", [.sequence("\u{1B}OA")]),
      ("\u{1B}[1;5D", [.sequence("\u{1B}[1;5D")]),
      ("\u{1B}[5~x", [.sequence("\u{1B}[5~"), .scalar("x")]),
      ("\u{1B}f", [.sequence("\u{1B}f")]), ("\u{1B}é", [.sequence("\u{1B}é")]),
      ("\u{1B}", [.escape]), ("\u{1B}[", [.sequence("\u{1B}[")]),
      ("\u{1B}_", [.sequence("\u{1B}_")]),
      ("\u{1B}\u{1B}[D", [.sequence("\u{1B}[D")]), ("\u{1B}[[A", [.sequence("\u{1B}[[A")]),
      ("\u{1B}[200~", [.paste]),
    ])
  func olderKeys(_ bytes: String, _ expected: [Key]) {
    #expect(keys(bytes) == expected)
  }

  @Test(
    "of newer protocols are the same keys",
    arguments: [
      ("\u{1B}[97u", [Key.scalar("a")]), ("\u{1B}[97;5u", [.scalar("\u{1}")]),
      ("\u{1B}[97;3u", [.sequence("\u{1B}a")]), ("\u{1B}[27u", [.escape]),
      ("\u{1B}[13u", [.scalar("\r")]), ("\u{1B}[9;2u", [.sequence("\u{1B}[Z")]),
      ("\u{1B}[27;5;97~", [.scalar("\u{1}")]), ("\u{1B}[57400u", [.scalar("1")]),
      ("\u{1B}[1;1:1A", [.sequence("\u{1B}[A")]), ("\u{1B}[1;5:2D", [.sequence("\u{1B}[1;5D")]),
      ("\u{1B}[12354u", [.scalar("あ")]),
    ])
  func newerKeys(_ bytes: String, _ expected: [Key]) {
    #expect(keys(bytes) == expected)
  }

  @Test(
    "are not created from unknown sequences and reports",
    arguments: [
      "\u{1B}[1;1:3A", "\u{1B}[97;1:3u", "\u{1B}[57441u", "\u{1B}[97;9u", "\u{1B}[I", "\u{1B}[O",
      "\u{1B}[M !!", "\u{1B}[<0;10;20M", "\u{1B}[<0;10;20m", "\u{1B}[?62;4c",
      "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}]11;rgb:00/00/00\u{7}", "\u{1B}P1$r0m\u{1B}\\",
      "\u{1B}[1;2\u{18}",
    ])
  func nothing(_ bytes: String) {
    #expect(keys(bytes) == [])
    #expect(keys(bytes + "x") == [.scalar("x")])
  }

  @Test("are recognized after every incomplete sequence")
  func brokenOff() {
    for sequence in ["\u{1B}[1;5", "\u{1B}O1;", "\u{1B}[[", "\u{1B}"] {
      #expect(
        keys(sequence + "\u{1B}[A").last == .sequence("\u{1B}[A"), "\(sequence.debugDescription)")
      #expect(keys(sequence + "\r").last?.scalars.last == "\r", "\(sequence.debugDescription)")
    }
  }

  @Test("of arbitrary bytes end, and a plain key after them is recognized")
  func anyBytes() {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<3_000 {
      var decoder = KeyDecoder()
      let pieces: [[UInt8]] = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        let starts: [[UInt8]] = [
          [0x1B], [0x1B, 0x5B], [0x1B, 0x4F], [0x1B, 0x5D], [0xE8, 0xAA], [],
        ]
        return starts.randomElement(using: &random)!
          + (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
      }
      for byte in pieces.joined() { _ = decoder.feed(byte) }
      if decoder.patience != nil { _ = decoder.flush() }
      #expect(decoder.patience == nil)
      #expect(decoder.feed(UInt8(ascii: "k")) == .scalar("k"))
    }
  }

  @Test(
    "that the user binds are known",
    arguments: [
      ("bind \"^X^R\" em-toggle-overwrite", ["\u{18}\u{12}"]),
      ("bind -s \\e[15~ \"fetch \"", ["\u{1B}[15~"]),
      ("kura:bind -a k ed-prev-line", ["k"]), ("# bind x y\nbind -v", []),
      ("bind '\\033[5~' ed-newline", ["\u{1B}[5~"]),
      ("edit on\nsetty -a", []),
    ])
  func bindings(_ text: String, _ keys: [String]) {
    #expect(UserBindings(text).keys == Set(keys))
  }
}
