import KuraDiagnostics
import TestSupport
import Testing

private struct Facts: DiagnosticFacts {
  var sentence = #"MemoDate has no key "titl""#
  var help: String?
}

@Suite struct DiagnosticTests {
  /// Renders an error at the text between « and », which are removed from the source.
  private func rendered(
    _ marked: String, name: String? = nil, help: String? = nil, fix: String? = nil,
    style: DiagnosticStyle = .plain
  ) -> String {
    let parts = marked.unicodeScalars
      .split(omittingEmptySubsequences: false) { "«»".unicodeScalars.contains($0) }
      .map { String(String.UnicodeScalarView($0)) }
    let source = SourceText(parts.joined(), name: name)
    let start = parts[0].utf8.count
    let span = SourceSpan(start, start + (parts.count > 2 ? parts[1].utf8.count : 0))
    let diagnostic = Diagnostic(Facts(help: help), at: span, fixIt: fix.map { FixIt(span, $0) })
    return diagnostic.rendered(in: source, style: style)
  }

  @Test("An error in a file has its place, the line, a mark and help")
  func file() {
    let text = "-- birthdays\n\nfetch MemoDate where «titl» == \"x\"\n"
    #expect(
      rendered(text, name: "report.kura", help: #"did you mean "title"?"#) == """
        report.kura:3:22: error: MemoDate has no key "titl"
          fetch MemoDate where titl == "x"
                               ^~~~
          did you mean "title"?
        """)
  }

  @Test("A typed line needs no place; with several lines it has line and column")
  func typed() {
    #expect(
      rendered("count «titl»") == """
        error: MemoDate has no key "titl"
          count titl
                ^~~~
        """)
    #expect(
      rendered("count MemoDate\r\n  where «titl»\r\n") == """
        2:9: error: MemoDate has no key "titl"
            where titl
                  ^~~~
        """)
  }

  @Test("The mark is placed by display width, also after kanji, NFD, emoji and tabs")
  func wide() {
    #expect(
      rendered("誕生 か\u{3099}👨‍👩‍👧\t«誕生日» x") == """
        error: MemoDate has no key "titl"
          誕生 か\u{3099}👨‍👩‍👧  誕生日 x
                     ^~~~~~
        """)
  }

  @Test("A span that cuts a character marks all of it")
  func cluster() {
    #expect(rendered("a か«\u{3099}» b").hasSuffix("\n  a か\u{3099} b\n    ^~"))
    #expect(rendered("a «か»\u{3099} b").hasSuffix("\n  a か\u{3099} b\n    ^~"))
  }

  @Test("A span over several lines marks its first")
  func lines() {
    #expect(rendered("a «bc\r\nde» f").hasSuffix("\n  a bc\n    ^~"))
  }

  @Test("An empty span, and the end of the text after its last word, are one caret")
  func end() {
    #expect(rendered("ab«»c").hasSuffix("\n  abc\n    ^"))
    #expect(rendered("fetch x where «»").hasSuffix("\n  fetch x where \n               ^"))
    let script = rendered("fetch x where \n\n«»", name: "a.kura")
    #expect(script.hasPrefix("a.kura:1:14: error: "))
    #expect(rendered("«»") == #"error: MemoDate has no key "titl""#)
  }

  @Test("A line of a megabyte is cut around the span")
  func long() {
    let left = String(repeating: #"{"title": "父"}, "#, count: 60_000)
    let lines = rendered(left + "«nope»" + left).split(separator: "\n")
    let width = DisplayWidth()
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…") && lines[1].contains("nope"))
    #expect((96...104).contains(width.cells(String(lines[1]))))
    let blanks = lines[2].prefix { $0 == " " }.count
    let upToMark = lines[1].firstRange(of: "nope").map { String(lines[1][..<$0.lowerBound]) } ?? ""
    #expect(blanks == width.cells(upToMark))
    #expect(lines[2].hasSuffix("^~~~"))
  }

  @Test("A span of a megabyte shows its beginning")
  func longSpan() {
    let lines = rendered("fetch «" + String(repeating: "x", count: 1_000_000) + "»")
      .split(separator: "\n")
    #expect(lines[1].hasPrefix("  fetch xxx") && lines[1].hasSuffix("x…"))
    #expect(lines[2].hasPrefix("        ^~~~") && lines[2].count <= 104)
  }

  @Test("Near the end of a long line the space goes to the text before it")
  func longEnd() {
    let lines = rendered(String(repeating: "abcdefghi ", count: 50) + "«x»").split(separator: "\n")
    #expect(lines[1].count == 2 + 1 + 100)
    #expect(lines[2].hasSuffix(" ^") && lines[2].count == lines[1].count)
  }

  @Test("Control characters of the line, the name or the sentence never reach the terminal")
  func controls() {
    let facts = Facts(sentence: "no key \"a\u{1B}[2J\"", help: "a\u{7}b")
    let source = SourceText("x \u{1B}]0;y\u{7} z", name: "a\u{9B}b")
    let text = Diagnostic(facts, at: SourceSpan(9, 10)).rendered(in: source)
    #expect(
      !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    #expect(text.hasSuffix("\n  x \\u{1B}]0;y\\u{7} z\n                    ^\n  a\\u{7}b"))
  }

  @Test("A fix is shown unless the help already contains it")
  func fix() {
    #expect(rendered("a «titl»", fix: "title").hasSuffix("\n  fix: write \"title\" for \"titl\""))
    #expect(rendered("(a«»", fix: ")").hasSuffix("\n  fix: write (a)"))
    #expect(rendered("a\n (b c«» d\ne", fix: ")").hasSuffix("\n  fix: write (b c) d"))
    #expect(rendered("a «;»", fix: "").hasSuffix("\n  fix: remove \";\""))
    #expect(!rendered("a «titl»", help: "so", fix: "title").contains("fix:"))
  }

  @Test("Bytes that are not UTF-8 have a place, too")
  func invalid() {
    let source = SourceText(bytes: Array("誕 ".utf8) + [0xFF, 0x61], name: "a.json")
    let text = Diagnostic(Facts(), at: SourceSpan(4, 5)).rendered(in: source)
    #expect(text.hasPrefix("a.json:1:3: error: ") && text.hasSuffix("\n  誕 \u{FFFD}a\n     ^"))
  }

  @Test("Without a place there is the sentence, with the name of the text")
  func noPlace() {
    #expect(Diagnostic(Facts(sentence: "gone"), severity: .warning).rendered() == "warning: gone")
    let source = SourceText("x", name: "a.json")
    #expect(Diagnostic(Facts(sentence: "gone"), in: source).description == "a.json: error: gone")
    let other = Diagnostic(
      Facts(sentence: "gone"), at: SourceSpan(0, 1), severity: .note, in: source)
    #expect(other.rendered(in: SourceText("y")).hasPrefix("a.json:1:1: note: gone\n  x\n"))
  }

  @Test("On a terminal the place is bold, the severity and the mark have colours")
  func color() {
    #expect(
      rendered("a\n«titl»", style: .ansi) == """
        \u{1B}[1m2:1: \u{1B}[0m\u{1B}[1;31merror\u{1B}[0m: MemoDate has no key "titl"
          titl
          \u{1B}[1;32m^~~~\u{1B}[0m
        """)
  }

  @Test("No span of any text breaks the excerpt", arguments: [UInt64(7), 8, 9])
  func anything(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    let alphabet: [[UInt8]] =
      ["a", "誕", "か\u{3099}", "\t", "\n", "\r\n", "\u{301}", "👨‍👩‍👧", "\u{1B}"]
      .map { Array($0.utf8) } + [[0xFF], [0xE8]]
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).flatMap { _ in
        alphabet.randomElement(using: &random) ?? []
      }
      let start = Int.random(in: -2..<bytes.count + 3, using: &random)
      let span = SourceSpan(start, Int.random(in: -2..<bytes.count + 3, using: &random))
      let style = DiagnosticStyle(columns: Int.random(in: -1..<40, using: &random))
      let text = Diagnostic(Facts(), at: span).rendered(in: SourceText(bytes: bytes), style: style)
      #expect(text.contains("error: "), "seed \(seed)")
      #expect(text.split(separator: "\n").count <= 3, "seed \(seed)")
    }
  }
}
