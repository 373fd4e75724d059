import KuraDiagnostics
import KuraPredicates
import Testing

@Suite struct LexerTests {
  private func tokens(_ text: String, _ mode: Lexer.Mode = .statement) -> [Token] {
    let bytes = Array(text.utf8)
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: mode)
    var tokens: [Token] = []
    repeat { tokens.append(lexer.next()) } while tokens.last?.end == nil
    return tokens.dropLast()
  }

  private func texts(_ text: String, _ mode: Lexer.Mode = .statement) -> [String] {
    tokens(text, mode).map { SourceText(text).text($0.span) }
  }

  @Test func theLongestSymbolWins() {
    #expect(
      texts("a==b!=c<>d<=e=<f=>g>=h") == [
        "a", "==", "b", "!=", "c", "<>", "d", "<=", "e", "=<", "f", "=>", "g", ">=", "h",
      ])
    #expect(
      texts("a**b*c<<d>>e&&f&g||h|i:=j:k") == [
        "a", "**", "b", "*", "c", "<<", "d", ">>", "e", "&&", "f", "&", "g", "||", "h", "|", "i",
        ":=",
        "j", ":", "k",
      ])
    #expect(texts("a===b!==c<-1") == ["a", "===", "b", "!==", "c", "<", "-", "1"])
  }

  @Test func aPointNeedsADigitOnBothSides() {
    #expect(
      texts("1.5 1.x 1..2 2.5.6") == ["1.5", "1", ".", "x", "1", ".", ".", "2", "2.5", ".", "6"])
    #expect(texts("1e5 1e+5 1.0E-5") == ["1e5", "1e+5", "1.0E-5"])
    #expect(tokens("1e").map(\.kind) == [.invalid(.numberWithLetters)])
  }

  @Test func wordsOfAnyScriptAreOneWord() {
    #expect(
      texts("題名 été_1 naïve2 переменная शब्द") == ["題名", "été_1", "naïve2", "переменная", "शब्द"])
  }

  @Test func reservedWordsAreKnownInAnyCase() {
    #expect(
      tokens("CONTAINS contains CoNtAiNs containsx").map(\.keyword) == [
        .contains, .contains, .contains, nil,
      ])
    #expect(tokens("uti-conforms-to UTI-EQUALS uti-other")[0].keyword == .utiConformsTo)
    #expect(texts("uti-other") == ["uti", "-", "other"])
  }

  @Test func commentsNeedBlanksAroundThem() {
    #expect(texts("a -- b\nc") == ["a", "c"])
    #expect(texts("a --b") == ["a", "-", "-", "b"])
    #expect(texts("a-- b") == ["a", "-", "-", "b"])
    #expect(texts("a\n--\nb") == ["a", "b"])
    #expect(texts("\"-- no\" -- yes \"") == ["\"-- no\""])
    #expect(texts("a -- b", .format(takesArguments: false)) == ["a", "-", "-", "b"])
  }

  @Test func linesAreKnownByTheirFirstToken() {
    let tokens = tokens("a b\n  c\n\n\td -- x\n-- y\ne \\\n f")
    #expect(tokens.map(\.startsLine) == [false, false, true, true, true, false])
    #expect(tokens.map(\.followsBlankLine) == [false, false, false, true, false, false])
    #expect(tokens.filter(\.startsLine).map(\.indent) == [2, 8, 0])
  }

  @Test func aStringEndsOnItsLineInAStatementOnly() {
    #expect(tokens("'a\nb'").first?.kind == .invalid(.unclosedQuote))
    #expect(tokens("'a\nb'", .format(takesArguments: false)).map(\.kind) == [.string])
    #expect(tokens("'a\\").map(\.kind) == [.invalid(.unclosedQuote)])
  }

  @Test func bytesThatAreNoTextAreOneTokenEach() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xE8, 0xAA], [0xED, 0xA0, 0x80], [0]] {
      var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
      var count = 0
      while lexer.next().end == nil { count += 1 }
      #expect((1...bytes.count).contains(count))
    }
  }

  @Test func specifiersAreTokensWhereArgumentsAreGiven() {
    let mode = Lexer.Mode.format(takesArguments: true)
    #expect(texts("%@ %K %lld %% '%@' % 2", mode) == ["%@", "%K", "%lld", "%%", "'%@'", "%", "2"])
  }
}
