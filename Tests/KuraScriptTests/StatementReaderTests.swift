import KuraDiagnostics
import KuraPredicates
import TestSupport
import Testing

@testable import KuraScript

@Suite struct StatementReaderTests {
  private func summaries(_ reader: inout StatementReader) -> [String] {
    var found: [String] = []
    while true {
      switch reader.next() {
      case .end, .needsMore: return found
      case let event: found.append(event.summary)
      }
    }
  }

  @Test func aSemicolonRunsAStatementWithoutTheNextLine() {
    var reader = StatementReader()
    reader.feed("print 1;\nprint 2\n".utf8)
    #expect(summaries(&reader) == ["print 1"])
    reader.feed("  + 3\n".utf8)
    #expect(summaries(&reader) == [])
    reader.feed("\n".utf8)
    #expect(summaries(&reader) == ["print 2 + 3"])
    reader.finish()
    #expect(summaries(&reader) == [])
  }

  @Test func anErrorIsReportedBeforeTheStatementEnds() {
    var reader = StatementReader()
    reader.feed("fetch A where (a === 1\n".utf8)
    #expect(summaries(&reader).count == 1)
    reader.feed("  AND b == 2)\n  sort c\nprint 1;".utf8)
    #expect(summaries(&reader) == [])
    reader.feed("\n".utf8)
    #expect(summaries(&reader) == ["print 1"])
  }

  @Test func sourcesHaveTheLinesAndNumbersOfTheirStatements() {
    var reader = StatementReader(name: "a.kura")
    reader.feed("#!/usr/bin/kura\n\nprint 1; print 2\n-- x\nprint (3\n)\n\nfoo\n".utf8)
    reader.finish()
    var sources: [SourceText] = []
    loop: while true {
      switch reader.next() {
      case .statement(_, let source), .failure(_, let source): sources.append(source)
      case .end, .needsMore: break loop
      }
    }
    #expect(sources.map(\.firstLine) == [3, 3, 5, 8])
    #expect(
      sources.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "print 1; print 2", "print 1; print 2", "print (3\n)", "foo",
      ])
    #expect(sources.allSatisfy { $0.name == "a.kura" })
  }

  @Test(
    "a byte order mark is ignored, whatever follows it, in pieces of any length",
    arguments: [
      "", "x", "\n", "print 1", "print 1\n", ".mode csv", "#!/usr/bin/kura", "#!k\n.mode csv\n",
    ])
  func byteOrderMark(text: String) {
    func read(_ bytes: [UInt8], _ length: Int) -> [String] {
      var reader = StatementReader()
      var found: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        reader.feed(rest.prefix(length))
        rest = rest.dropFirst(length)
        found += summaries(&reader)
      }
      reader.finish()
      return found + summaries(&reader)
    }
    let bytes = Array("\u{FEFF}\(text)".utf8)
    for length in 1...bytes.count {
      #expect(read(bytes, length) == read(Array(text.utf8), length), "pieces of \(length) bytes")
    }
  }

  @Test func aScriptComesToTheSameInPiecesOfAnyLength() {
    let text = "print 1\nprint 2 +\n3; print (4\n) -- x\n\n  print 5,\n    6\n  print 7\n;;print 8"
    for length in 1...text.utf8.count {
      var reader = StatementReader()
      var found: [String] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        reader.feed(rest.prefix(length))
        rest = rest.dropFirst(length)
        found += summaries(&reader)
      }
      reader.finish()
      found += summaries(&reader)
      #expect(
        found == ["print 1", "print 2 + 3", "print 4", "print 5, 6", "print 7", "print 8"],
        "pieces of \(length) bytes")
    }
  }

  @Test func twentyThousandStatementsComeInTheirOrder() {
    for separator in ["\n", ";", "; \n\n"] {
      var reader = StatementReader()
      let text = (0..<20_000).map { "print \($0)" }.joined(separator: separator)
      reader.feed(text.utf8)
      reader.finish()
      let found = summaries(&reader)
      #expect(found.count == 20_000)
      #expect(found.last == "print 19999")
    }
  }

  @Test func statementsFedLineByLineAreForgottenWhenRead() {
    var reader = StatementReader()
    for number in 0..<20_000 {
      reader.feed("print \(number)\n".utf8)
      #expect(summaries(&reader) == (number == 0 ? [] : ["print \(number - 1)"]))
    }
    #expect(reader.bytes.count < 20_000)
    #expect(reader.line == 20_000)
  }

  @Test func longStatementsFedLineByLineAreReadFewTimes() {
    let lines = (0..<100_000).map { "\($0),\n" }
    var reader = StatementReader()
    reader.feed("print {\n".utf8)
    var early: [String] = []
    for line in lines {
      reader.feed(line.utf8)
      early += summaries(&reader)
    }
    #expect(early.isEmpty)
    reader.feed("1}\nprint 1;\n".utf8)
    #expect(summaries(&reader).count == 2)

    reader.feed("fetch A where\n".utf8)
    for _ in lines { reader.feed("a == 1 OR\n".utf8); _ = reader.next() }
    reader.feed("a == 2;\n".utf8)
    #expect(summaries(&reader).count == 1)
  }

  @Test func readingGoesOnBehindEveryKindOfBrokenStatement() {
    for broken in [
      "fetsh A", "fetch A where (a == 1", "fetch A where a ==\n\n", "insert A {\"a\": [}",
      "insert A {\n  \"a\": 1,\n  \"b\n}", "entity A {\n  a: strin g\n  b: string\n}",
      "entity A { a: ; b: string }", "print 1 +\n\n", "print \"x", "print ＝", ".open \"x", ") ) )",
      "fetch A where (\n  a == 1\n  b == 2\n)", "print {1,\n  2,\n", "\u{0}", "print 1 2",
    ] {
      let found = events(of: "print 1\n\(broken)\nprint 2\n")
      #expect(found.first == "print 1" && found.last == "print 2", "\(broken): \(found)")
      #expect(found.count >= 3)
      #expect(events(of: "print 1\n\(broken)\nprint 2\n", inPieces: true) == found)
    }
  }

  @Test func bytesThatAreNoTextAreAnErrorWithAPlace() {
    var reader = StatementReader()
    reader.feed([0x70, 0x72, 0x69, 0x6E, 0x74, 0x20, 0xFF, 0x0A] + Array("print 2\n".utf8))
    reader.finish()
    #expect(summaries(&reader).count == 2)
  }

  @Test func noTextCrashesOrHoldsTheReader() throws {
    let words = [
      "fetch", "A", "where", "a", "==", "\"x\"", "(", ")", "{", "}", "[", "]", ";", "\n", "\n\n",
      "\n  ", "\\\n", "-- c\n", ".", ",", "sort", "let", "$x", "=", "insert", "entity", ":", "\"",
      "unique", "%", "#", "E/1", "1", "\t", "\\", "ＡＢ", "＝",
    ]
    for seed in 1...600 as ClosedRange<UInt64> {
      var random = SeededNumbers(seed: seed)
      let text = (0..<30).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      let whole = events(of: text)
      #expect(events(of: text, inPieces: true) == whole, "seed \(seed): \(text.debugDescription)")
    }
  }
}
