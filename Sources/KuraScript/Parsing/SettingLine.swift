import KuraDiagnostics
import KuraPredicates

/// Reads a setting: a dot, a name, and words separated by spaces up to the line's end.
struct SettingLine {
  private let bytes: ArraySlice<UInt8>
  private let base: Int
  private var position: Int

  /// Begins at the dot; `base` is subtracted from offsets to make spans.
  init(_ line: ArraySlice<UInt8>, base: Int) {
    bytes = line
    self.base = base
    position = line.startIndex
  }

  mutating func parse() throws(SyntaxError) -> Statement {
    let start = position
    position += 1
    guard let name = try nextWord(), name.span.start == start + 1 - base else {
      throw SyntaxError(StatementProblem.missingSetting, at: span(from: start, to: start + 1))
    }
    var arguments: [Name] = []
    while let word = try nextWord() { arguments.append(word) }
    let end = arguments.last?.span.end ?? name.span.end
    return Statement(
      SettingStatement(name: name, arguments: arguments),
      span: SourceSpan(start - base, end))
  }

  private mutating func nextWord() throws(SyntaxError) -> Name? {
    while position < bytes.endIndex, bytes[position].isBlankOrReturn { position += 1 }
    guard position < bytes.endIndex else { return nil }
    let isQuoted = bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
    return isQuoted ? try quotedWord() : plainWord()
  }

  private mutating func plainWord() -> Name {
    let start = position
    while position < bytes.endIndex, !bytes[position].isBlankOrReturn { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return Name(text, span: span(from: start, to: position))
  }

  /// Reads `"My File.json"`, with the escapes of strings.
  private mutating func quotedWord() throws(SyntaxError) -> Name {
    let start = position
    let quote = bytes[start]
    let sign = quote == UInt8(ascii: "'") ? "'" : "\""
    position += 1
    while position < bytes.endIndex, bytes[position] != quote {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.endIndex else {
      position = bytes.endIndex
      throw SyntaxError(
        PredicateSyntaxProblem.unclosedQuote(sign, followsString: false),
        at: span(from: start, to: start + 1))
    }
    position += 1
    if position < bytes.endIndex, !bytes[position].isBlankOrReturn {
      let rest = plainWord()
      throw SyntaxError(
        PredicateSyntaxProblem.textAfterString(rest.text, quote: sign), at: rest.span)
    }
    return try word(of: start..<position)
  }

  private func word(of range: Range<Int>) throws(SyntaxError) -> Name {
    let literal = StringLiteral(quoted: bytes[range])
    let whole = span(from: range.lowerBound, to: range.upperBound)
    if let (problem, offset) = literal.problem {
      throw SyntaxError(
        PredicateSyntaxProblem.escape(problem), at: problem.span(from: offset - base, whole))
    }
    return Name(literal.text, span: whole)
  }

  private func span(from start: Int, to end: Int) -> SourceSpan {
    SourceSpan(start - base, end - base)
  }
}

extension UInt8 {
  /// Whether it is whitespace inside a line, or the carriage return at its end.
  var isBlankOrReturn: Bool { self == 32 || self == 9 || self == 13 }

  static let newline = UInt8(ascii: "\n")
}
