import KuraDiagnostics

/// A text from a statement's first byte on, and how far it may go.
struct ForeignText {
  let bytes: [UInt8]
  let start: Int
  /// The first word in small letters; empty where it begins otherwise.
  let firstWord: String

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    self.start = start
    let word = bytes[start...].prefix { ($0 | 32) &- 97 < 26 || $0 == UInt8(ascii: "_") }
    firstWord = String(decoding: word, as: UTF8.self).lowercased()
  }

  var first: UInt8 { start < bytes.count ? bytes[start] : 0 }

  /// Whether it begins as a statement of Kura does that no other language has.
  var beginsLikeKura: Bool {
    ["fetch", "count", "exists", "explain", "undo", "redo"].contains(firstWord) && !isCall
  }

  /// Whether nothing but SQL begins with these words.
  var isSurelySQL: Bool {
    if firstWord == "select" { return true }
    let first = ["insert", "delete", "create", "alter", "drop", "truncate", "replace"]
    return beginsLikeSQL && first.contains(firstWord)
  }

  /// `print(…)`
  var isPrintCall: Bool { firstWord == "print" && isCall }

  /// Whether its second word is one that no statement of Kura has there.
  var beginsLikeSQL: Bool {
    let words = ForeignLexer.tokens(of: bytes, line, .sql)
    guard words.count > 1 else { return false }
    return words[1].isWord(among: ["into", "from", "table", "select", "query", "or"])
  }

  /// `count(…)`, `fetch.x`
  private var isCall: Bool {
    let next = bytes[(start + firstWord.utf8.count)...].first ?? 0
    return next == UInt8(ascii: "(") || next == UInt8(ascii: ".")
  }

  /// All of it, without blanks at its end.
  var all: SourceSpan {
    let end = bytes.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? bytes.count
    return SourceSpan(start, max(start, end))
  }

  /// The first line.
  var line: SourceSpan {
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let last = bytes[start..<end].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? end
    return SourceSpan(start, last)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

extension ForeignText {
  /// A comment after a place without a blank after its dashes, `--note`; nil if there is none.
  func tightComment(after place: Int) -> (text: String, span: SourceSpan)? {
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let rest = bytes[place..<end].drop(while: Self.isBlank)
    guard rest.starts(with: "--".utf8), rest.count > 2, !Self.isBlank(rest[rest.startIndex + 2])
    else { return nil }
    return (String(decoding: rest.dropFirst(2), as: UTF8.self), SourceSpan(place, end))
  }

  /// The first statement: up to a `;` outside of brackets, a blank line, or a line that begins
  /// another one. A bracket that is never closed holds nothing together.
  func statement(_ dialect: Dialect) -> SourceSpan {
    let tokens = ForeignLexer.tokens(of: bytes, all, dialect).filter { $0.kind != .end }
    return end(of: tokens, dialect, minding: true) ?? end(of: tokens, dialect, minding: false)
      ?? SourceSpan(start, start)
  }

  private func end(
    of tokens: [ForeignToken], _ dialect: Dialect, minding brackets: Bool
  ) -> SourceSpan? {
    var (depth, last): (Int, ForeignToken?) = (0, nil)
    for token in tokens {
      if token.is("(") { depth += 1 }
      if token.is(")") { depth -= 1 }
      if let last, depth <= 0 || !brackets {
        if token.is(";") || token.startsLine && begins(token, after: last, dialect) {
          return SourceSpan(start, last.span.end)
        }
      }
      last = token
    }
    return depth > 0 && brackets ? nil : SourceSpan(start, last?.span.end ?? start)
  }

  /// Whether a line is no continuation of the statement before.
  private func begins(_ token: ForeignToken, after last: ForeignToken, _ dialect: Dialect) -> Bool {
    let between = bytes[last.span.end..<token.span.start]
    if between.count(where: { $0 == UInt8(ascii: "\n") }) > 1 { return true }
    if token.is(".") || token.isWord(among: Self.otherFirstWords) { return true }
    if between.last == 32 || between.last == 9 { return false }
    if token.isWord("fetch"), !isRowClause(after: token.span.end) { return true }
    if last.kind == .sign, !last.is(")"), !last.is("}"), !last.is("]"), !last.is("*") {
      return false
    }
    if last.isWord(among: ForeignParser.clauseWords) { return false }
    // In Kura a line that is not indented begins a statement.
    if dialect == .kura { return true }
    if token.isWord("select"), firstWord == "select" { return true }
    return !token.isWord(among: ForeignParser.clauseWords) && !token.is(")")
  }

  /// `FETCH FIRST 10 ROWS ONLY`
  private func isRowClause(after place: Int) -> Bool {
    let rest = SourceSpan(place, min(place + 20, bytes.count))
    let next = ForeignLexer.tokens(of: bytes, rest, .sql)[0]
    return next.isWord(among: ["first", "next"])
  }

  /// Words that begin statements, and no clause.
  private static let otherFirstWords: Set = [
    "exists", "lesson", "hint", "answer", "next", "reset", "quiz", "help",
    "insert", "create", "drop", "alter", "truncate", "begin", "commit", "rollback", "pragma",
    "count",
    "print", "let", "entity", "model", "save", "undo", "changes", "show", "describe", "explain",
  ]
}
