import Testing

@testable import KuraDiagnostics
@testable import KuraShell

@Suite("The display of a terminal")
struct TerminalDisplayTests {
  @Test(
    "is dark if its background is set so",
    arguments: [
      ("15;0", true), ("0;15", false), ("15;default;0", true), ("0;7", false), ("7;8", true),
      ("12;12", false),
    ])
  func ground(colors: String, isDark: Bool) { #expect(TerminalDisplay.isDark(colors) == isDark) }

  @Test("is not assumed to be dark without a setting", arguments: [nil, "", "x;y", "0;99"])
  func noGround(colors: String?) {
    #expect(TerminalDisplay.isDark(colors) == nil)
  }

  @Test("uses the pager of the environment")
  func pager() {
    #expect(TerminalDisplay.pager(["KURA_PAGER": "less -i", "PAGER": "more"]) == "less -i")
    #expect(TerminalDisplay.pager(["PAGER": "more"]) == "more")
    #expect(TerminalDisplay.pager(["PAGER": "cat"]) == nil)
    #expect(TerminalDisplay.pager(["PAGER": " "]) == nil)
    #expect(TerminalDisplay.pager(["PATH": "/there/is/nothing"]) == nil)
  }

  @Test("passes options to less, before those of the user")
  func less() {
    #expect(
      TerminalDisplay.pagerEnvironment([:])["LESS"]
        == "-FKRSX -PsSpace continues, b goes back, q quits$")
    #expect(
      TerminalDisplay.pagerEnvironment(["LESS": "iM"])["LESS"]
        == "-FKRSX -PsSpace continues, b goes back, q quits$ -iM")
    #expect(
      TerminalDisplay.pagerEnvironment(["LESS": "-+S"])["LESS"]
        == "-FKRSX -PsSpace continues, b goes back, q quits$ -+S")
    #expect(TerminalDisplay.pagerEnvironment([:])["LESSCHARSET"] == "utf-8")
    let own = TerminalDisplay.pagerEnvironment(["LESSCHARSET": "latin1"])
    #expect(own["LESSCHARSET"] == "latin1")
  }

  @Test("has a number of lines, of which long ones take several")
  func screen() {
    let screen = Screen(columns: 10, rows: 3, width: DisplayWidth())
    #expect(screen.fits(Array("1\n2\n".utf8)))
    #expect(!screen.fits(Array("1\n2\n3\n".utf8)))
    #expect(screen.fits(Array("12345678901\n".utf8)))
    #expect(!screen.fits(Array("123456789012345678901\n".utf8)))
    #expect(screen.fits(Array("\u{1B}[36m1234567890\u{1B}[0m\n2\n".utf8)))
    #expect(!screen.fits(Array("誕生日誕生日誕生日誕生日\n2\n".utf8)))
  }

  @Test("has colours, and no other sequences, in a pager")
  func sequences() {
    let text = Array("\u{1B}[?7l│ \u{1B}[36m7\u{1B}[0m\u{1B}[12G │\u{1B}[?7h".utf8)
    let left = TerminalSequences.removed(from: text[...]) { $0 != UInt8(ascii: "m") }
    #expect(String(decoding: left, as: UTF8.self) == "│ \u{1B}[36m7\u{1B}[0m │")
    #expect(TerminalSequences.removed(from: Array("a\u{1B}[3".utf8)[...]) { _ in true }.count == 1)
  }

  @Test(
    "has readable times",
    arguments: [
      (0, "0 µs"), (412, "412 µs"), (1_234, "1.2 ms"), (45_678, "45.6 ms"), (345_678, "345 ms"),
      (1_030_000, "1.03 s"), (59_999_999, "59.99 s"), (125_000_000, "2 min 5 s"),
    ])
  func times(microseconds: Int, text: String) {
    #expect(Report.readableTime(.microseconds(microseconds)) == "time: \(text)")
  }
}
