import Foundation
import KuraDiagnostics
import TestSupport
import Testing

private struct Facts: DiagnosticFacts {
  var sentence = #"MemoDate has no key "titl""#
  var help: String?
}

@Suite("Fixes, and messages for programs") struct FixItTests {
  /// Returns the span of a text in another.
  private func span(of part: String, in text: String) throws -> SourceSpan {
    let range = try #require(text.range(of: part))
    return SourceSpan(
      text.utf8.distance(from: text.startIndex, to: range.lowerBound),
      text.utf8.distance(from: text.startIndex, to: range.upperBound))
  }

  @Test("Edits of one fix are applied together, in any order")
  func edits() throws {
    let text = "誕生 == a OR b"
    let fix = try FixIt(edits: [
      TextEdit(span(of: "b", in: text), "誕生 == \"b\""), TextEdit(span(of: "a", in: text), "\"a\""),
    ])
    #expect(fix.applied(to: text) == "誕生 == \"a\" OR 誕生 == \"b\"")
    #expect(fix.replacement(in: SourceText(text)) == "\"a\" OR 誕生 == \"b\"")
  }

  @Test("Up to three fixes are shown, each on a line; a fix of the whole text is shown as it reads")
  func several() throws {
    let text = "fetch MemoDate where titl == 1"
    var diagnostic = Diagnostic(Facts(), at: try span(of: "titl", in: text))
    diagnostic.fixIts = ["title", "tilt", "tile", "till"].map {
      FixIt(diagnostic.span ?? .none, $0)
    }
    let shown = diagnostic.rendered(in: SourceText(text))
    #expect(
      shown.hasSuffix(
        """

          fix: write "title" for "titl"
          or:  write "tilt" for "titl"
          or:  write "tile" for "titl"
        """))
    diagnostic.fixIt = FixIt(SourceSpan(0, text.utf8.count), "count MemoDate")
    #expect(diagnostic.rendered(in: SourceText(text)).hasSuffix("\n  fix: write count MemoDate"))
  }

  @Test("A message for programs counts lines and scalars from 1")
  func json() throws {
    let text = "count A;\nfetch か\u{3099} where titl == 1"
    let place = try span(of: "titl", in: text)
    let diagnostic = Diagnostic(Facts(help: "so"), at: place, fixIt: FixIt(place, "\"t\""))
    #expect(
      diagnostic.rendered(in: SourceText(text, name: "a.kura"), style: .json)
        == #"""
        {"severity": "error", "message": "MemoDate has no key \"titl\"", "help": "so", "file": "a.kura", \#
        "line": 2, "column": 16, "endColumn": 20, "fixes": [{"title": "write \"t\" for titl", \#
        "edits": [{"line": 2, "column": 16, "endColumn": 20, "text": "\"t\""}]}]}
        """#.replacing("\\#\n", with: ""))
  }

  @Test("An edit over several lines is one for each of them")
  func lines() {
    let text = "a b\r\nc d\ne f"
    let diagnostic = Diagnostic(Facts(), at: SourceSpan(0, 0), fixIt: FixIt(SourceSpan(2, 10), "x"))
    let json = diagnostic.rendered(in: SourceText(text), style: .json)
    #expect(
      json.hasSuffix(
        #""edits": [{"line": 1, "column": 3, "endColumn": 4, "text": "x"}, "#
          + #"{"line": 2, "column": 1, "endColumn": 4, "text": ""}, "#
          + #"{"line": 3, "column": 1, "endColumn": 2, "text": ""}]}]}"#))
  }

  @Test("Without a place there are no fixes")
  func noPlace() {
    let diagnostic = Diagnostic(Facts(), at: SourceSpan(0, 1), fixIt: FixIt(SourceSpan(0, 1), "x"))
    let json = diagnostic.rendered(style: .json)
    #expect(
      json == #"{"severity": "error", "message": "MemoDate has no key \"titl\"", "fixes": []}"#)
  }

  @Test("Any span of any text gives one line of JSON", arguments: [UInt64(1), 2, 3])
  func anything(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    let alphabet: [[UInt8]] =
      ["a", "誕", "か\u{3099}", "\"", "\n", "\r\n", "\u{1B}"].map { Array($0.utf8) } + [
        [0xFF], [0xE8],
      ]
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).flatMap { _ in
        alphabet.randomElement(using: &random) ?? []
      }
      let start = Int.random(in: -2..<bytes.count + 3, using: &random)
      let span = SourceSpan(start, Int.random(in: -2..<bytes.count + 3, using: &random))
      let diagnostic = Diagnostic(Facts(), at: span, fixIt: FixIt(span, "x\n"))
      let text = diagnostic.rendered(in: SourceText(bytes: bytes), style: .json)
      #expect(text.hasPrefix("{") && text.hasSuffix("]}") && !text.contains("\n"), "seed \(seed)")
    }
  }
}
