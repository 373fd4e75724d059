import KuraDiagnostics

// Characters of a Japanese keyboard or a word processor where the language has its own.
extension PredicateParser {
  /// `＝` where `=` is meant; the fix mends all that follow on the line.
  func lookalike(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    guard let scalar = text.unicodeScalars.first, let meaning = Lookalike.meaning(of: scalar)
    else { return SyntaxError(PredicateSyntaxFacts.unknownCharacter(text), at: token.span) }
    return SyntaxError(
      PredicateSyntaxFacts.lookalike(text, meaning: meaning), at: token.span,
      fixIt: plainLine(from: token))
  }

  /// `ＣＯＮＴＡＩＮＳ`: a keyword in letters of full width.
  func fullWidthWord(_ token: Token) -> SyntaxError? {
    let text = cursor.text(token)
    guard text.utf8.count > 2, text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let plain = text.unicodeScalars.map { Lookalike.meaning(of: $0) ?? String($0) }.joined()
    guard plain != text, Keyword(word: plain) != nil else { return nil }
    return SyntaxError(
      PredicateSyntaxFacts.lookalike(text, meaning: plain), at: token.span,
      fixIt: FixIt(token.span, plain))
  }

  private func plainLine(from token: Token) -> FixIt {
    let end = min(cursor.endOffset, token.span.start + PlainText.longest)
    let line = cursor.textInPlace(SourceSpan(token.span.start, end)).prefix { !$0.isNewline }
    var text = PlainText(line.unicodeScalars)
    text.read()
    return FixIt(
      SourceSpan(token.span.start, token.span.start + text.mendedLength), text.mended)
  }
}

/// A line with its lookalikes replaced, up to the last of them.
private struct PlainText {
  private var rest: Substring.UnicodeScalarView.SubSequence
  private var length = 0
  private var output = ""
  private var isInWord = false
  /// What stands for the first so many bytes.
  private(set) var mended = ""
  private(set) var mendedLength = 0

  /// Nobody types more than this by hand; further on the next error says the same.
  static let longest = 10_000

  init(_ scalars: Substring.UnicodeScalarView) { rest = scalars[...] }

  mutating func read() {
    while let scalar = rest.first {
      let meaning = isInWord && scalar.continuesIdentifier ? nil : Lookalike.meaning(of: scalar)
      isInWord = scalar.startsIdentifier || isInWord && scalar.continuesIdentifier
      if scalar == "\"" || scalar == "'" {
        copyString(scalar)
      } else if let meaning, !isInWord {
        replace(meaning)
      } else {
        copy(scalar)
      }
    }
  }

  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    length += scalar.utf8.count
    return scalar
  }

  private mutating func copy(_ scalar: Unicode.Scalar) {
    _ = take()
    output.unicodeScalars.append(scalar)
  }

  private mutating func copyString(_ quote: Unicode.Scalar) {
    copy(quote)
    while let scalar = rest.first {
      copy(scalar)
      if scalar == quote { return }
      if scalar == "\\", let escaped = rest.first { copy(escaped) }
    }
  }

  private mutating func replace(_ meaning: String) {
    _ = take()
    if meaning == "\"" || meaning == "'" { return replaceString(meaning) }
    output += meaning
    note()
  }

  /// `"誕生"` for `“誕生”`, where the line has both marks.
  private mutating func replaceString(_ quote: String) {
    output += quote
    note()
    guard let end = rest.firstIndex(where: { Lookalike.meaning(of: $0) == quote }) else { return }
    let inside = String(rest[..<end])
    output += inside.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
    while rest.startIndex < end { _ = take() }
    _ = take()
    output += quote
    note()
  }

  private mutating func note() {
    mended = output
    mendedLength = length
  }
}
