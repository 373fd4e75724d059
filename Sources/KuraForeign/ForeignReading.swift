import KuraBytes
package import KuraDiagnostics
package import KuraModel

/// The result of reading a text of another language.
package struct ForeignReading: Sendable {
  package var language: ForeignLanguage
  package var kind = Kind.statement
  /// The part of the text that was read.
  package var span: SourceSpan
  /// The first construct that Kura writes differently.
  package var place: SourceSpan
  /// Whether there is such a construct, and not only names in another spelling.
  package var isMarked = true
  /// Translations into Kura, the likeliest first; each statement is a line.
  package var translations: [String] = []
  /// An equivalent in Kura, if the language is only recognized.
  package var idea: String?
  /// A construct that Kura does not have, and its span.
  package var problem: (construct: UnsupportedConstruct, span: SourceSpan)?
  /// The place from which the text is unreadable.
  package var stop: SourceSpan?

  package enum Kind: Sendable {
    /// A complete statement of the other language
    case statement
    /// A statement of Kura that contains words of another language.
    case phrase
  }

  init(_ language: ForeignLanguage, _ span: SourceSpan) {
    (self.language, self.span, place) = (language, span, span)
  }
}

/// Reads texts of other languages.
///
///     let translator = ForeignTranslator(model)
///     translator.readings(of: Array("SELECT * FROM Item".utf8), from: 0)   // fetch Item
///
/// SQL, Swift and Objective-C are translated; a text whose meaning cannot be preserved is refused
/// at the word in question. Other languages are only recognized.
package struct ForeignTranslator: Sendable {
  let names: ModelNames
  /// The entities to try if the text names none, the most likely first.
  private let candidates: [String]

  /// Creates a translator; `lastEntity` is the entity of the last fetch.
  package init(_ model: Model, lastEntity: String? = nil) {
    names = ModelNames(model: model)
    let concrete = model.entities.filter { !$0.isAbstract }.map(\.name)
    let last = concrete.filter { $0 == lastEntity }
    candidates = last + concrete.filter { $0 != lastEntity }.prefix(12)
  }

  /// The maximum length of texts that are read.
  package static let longestText = 20_000

  /// Returns the readings of the text that begins at a byte.
  ///
  /// It runs on a deep stack, because the readers recurse, and a tree is freed recursively.
  package func readings(of bytes: [UInt8], from start: Int) -> [ForeignReading] {
    guard bytes.count - start <= Self.longestText, start < bytes.count else { return [] }
    let text = ForeignText(bytes, from: start)
    return DeepStack.runOnItsOwn { readings(of: text) }
  }

  private func readings(of text: ForeignText) -> [ForeignReading] {
    if text.isInsertOrFetch { return [] }
    let isKura = ForeignStatementReader.kuraWords.contains(text.firstWord)
    let isSQL =
      ForeignStatementReader.sqlWords.contains(text.firstWord) && !text.isDescription
      || text.first == UInt8(ascii: "(")
    let recognition = Recognition(names, entity: candidates.first, text.bytes, text.line)
    var readings: [ForeignReading?] = []
    if isKura, !text.beginsLikeSQL, !text.isPrintCall {
      if let named = recognition.pipe() ?? recognition.phrase() { return [named] }
      readings.append(statement(text, .kura))
    }
    if isSQL, !isKura || text.beginsLikeSQL { readings.append(statement(text, .sql)) }
    if isKura, text.beginsLikeSQL { readings.append(statement(text, .kura)) }
    if readings.contains(where: { $0?.translations.isEmpty == false || $0?.problem != nil }) {
      if text.beginsLikeKura { return readings.compactMap(\.self) }
    } else if !text.beginsLikeKura, let named = recognition.reading() {
      return [named]
    }
    if !text.beginsLikeKura {
      let whole = code(text, text.all)
      readings.append(whole == nil && text.line != text.all ? code(text, text.line) : whole)
      readings.append(wish(text))
    }
    if text.isPrintCall { readings.append(statement(text, .kura)) }
    return readings.compactMap(\.self)
  }

  /// Returns whether a text begins like SQL, and a line after it belongs to the same statement.
  package static func isOneStatement(ofSQL text: String, goingOnWith line: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= longestText,
      let start = bytes.firstIndex(where: { !ForeignText.isBlank($0) })
    else { return false }
    let both = ForeignText(bytes + [10] + Array(line.utf8), from: start)
    guard both.isSurelySQL || ForeignStatementReader.sqlWords.contains(both.firstWord) else {
      return false
    }
    let next = ForeignText(
      Array(line.utf8), from: line.utf8.prefix(while: ForeignText.isBlank).count)
    return !next.beginsLikeKura && both.statement(.sql).end > bytes.count
  }
}

// The readers
extension ForeignTranslator {
  /// Reads a statement of SQL, or of Kura with words of another language.
  private func statement(_ text: ForeignText, _ dialect: Dialect) -> ForeignReading? {
    let span = text.statement(dialect)
    let parser = ForeignParser(text.bytes, span, dialect)
    let reader = ForeignStatementReader(parser, names)
    var found = reading(span, parser, dialect == .sql ? .sql : .kura) { [try reader.read()] }
    guard dialect == .kura else { return found?.stop != nil && !text.isSurelySQL ? nil : found }
    found?.kind = .phrase
    let comment = text.tightComment(after: span.end)
    if reader.writer.changes == 0, parser.marks.isEmpty, comment == nil { found?.translations = [] }
    if let comment {
      found?.span.end = comment.span.end
      let translations = found?.translations ?? []
      found?.translations = translations.map { $0 + " -- " + comment.text }
    }
    return found
  }

  /// Reads a program; if it names no entity, with each entity that it could mean.
  private func code(_ text: ForeignText, _ span: SourceSpan) -> ForeignReading? {
    let language = ForeignLanguage.ofProgram(
      String(decoding: text.bytes[span.start..<span.end], as: UTF8.self))
    let readings = candidates.compactMap { entity -> ForeignReading? in
      let parser = ForeignParser(text.bytes, span, .code)
      return reading(span, parser, language) {
        try ScriptReader(parser, names, about: entity).read()
      }
    }
    guard var all = readings.first(where: { $0.problem == nil }) ?? readings.first else {
      return nil
    }
    var seen: Set<String> = []
    all.translations = readings.flatMap(\.translations).filter { seen.insert($0).inserted }
    // Nothing in `Book/2` belongs to one language.
    if !all.isMarked, all.problem == nil { all.language = .words }
    return all
  }

  private func wish(_ text: ForeignText) -> ForeignReading? {
    let sentence = String(decoding: text.bytes[text.line.start..<text.line.end], as: UTF8.self)
    var reading = ForeignReading(.words, text.line)
    reading.translations = [EverydaySentence.statement(for: sentence, names)].compactMap(\.self)
    return reading.translations.isEmpty ? nil : reading
  }

  private func reading(
    _ span: SourceSpan, _ parser: ForeignParser, _ language: ForeignLanguage,
    _ read: () throws -> [String]
  ) -> ForeignReading? {
    var reading = ForeignReading(language, span)
    do {
      reading.translations = try read()
    } catch {
      guard let error = error as? ForeignProblem else { return nil }
      reading.problem = error.construct.map { ($0, error.span) }
      if reading.problem == nil {
        guard parser.dialect == .sql else { return nil }
        reading.stop = error.span
      }
    }
    reading.language = parser.dialect == .code ? language : parser.language ?? language
    reading.place = parser.marks.min { $0.start < $1.start } ?? span
    reading.isMarked = !parser.marks.isEmpty
    return reading
  }
}

/// A text from a statement's first byte on, and its possible end.
struct ForeignText {
  let bytes: [UInt8]
  let start: Int
  /// The first word in lowercase; empty if the text does not begin with a word.
  let firstWord: String

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    self.start = start
    let word = bytes[start...].prefix { ($0 | 32) &- 97 < 26 || $0 == UInt8(ascii: "_") }
    firstWord = String(decoding: word, as: UTF8.self).lowercased()
  }

  var first: UInt8 { start < bytes.count ? bytes[start] : 0 }

  /// Whether it begins like a statement of Kura, and of no other language.
  var beginsLikeKura: Bool {
    ["fetch", "count", "exists", "explain", "undo", "redo"].contains(firstWord) && !isCall
  }

  /// Whether it begins with `insert or fetch` or `insert or update`, which only Kura has.
  var isInsertOrFetch: Bool {
    let words = ForeignLexer.tokens(of: bytes, line, .sql).prefix(3)
    guard words.count == 3, words[0].isWord("insert"), words[1].isWord("or") else { return false }
    return words[2].isWord(among: ["fetch", "update"])
  }

  /// Whether only SQL begins with these words.
  var isSurelySQL: Bool {
    let first = ["insert", "delete", "create", "alter", "drop", "truncate", "replace"]
    return firstWord == "select" || beginsLikeSQL && first.contains(firstWord)
  }

  /// Whether it is a `describe` of Kura, and not `describe table Item`.
  var isDescription: Bool { firstWord == "describe" && !beginsLikeSQL }

  /// `print(…)`
  var isPrintCall: Bool { firstWord == "print" && isCall }

  /// Whether its second word shows that it is not a statement of Kura.
  var beginsLikeSQL: Bool {
    ForeignLexer.tokens(of: bytes, line, .sql).dropFirst().first?
      .isWord(among: ["into", "from", "table", "select", "query", "or"]) == true
  }

  /// `count(…)`, `fetch.x`
  private var isCall: Bool {
    let next = bytes[(start + firstWord.utf8.count)...].first ?? 0
    return next == UInt8(ascii: "(") || next == UInt8(ascii: ".")
  }

  /// The complete text, without whitespace at its end.
  var all: SourceSpan { trimmed(to: bytes.count) }

  /// The first line.
  var line: SourceSpan {
    trimmed(to: bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
  }

  private func trimmed(to end: Int) -> SourceSpan {
    let last = bytes[start..<end].lastIndex { !Self.isBlank($0) }.map { $0 + 1 }
    return SourceSpan(start, last ?? end)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

extension ForeignText {
  /// Returns a comment after a place without a space after its dashes, `--note`; nil if there is
  /// none.
  func tightComment(after place: Int) -> (text: String, span: SourceSpan)? {
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let rest = bytes[place..<end].drop(while: Self.isBlank)
    guard rest.starts(with: "--".utf8), rest.count > 2, !Self.isBlank(rest[rest.startIndex + 2])
    else { return nil }
    return (String(decoding: rest.dropFirst(2), as: UTF8.self), SourceSpan(place, end))
  }

  /// Returns the first statement: up to a `;` outside brackets, a blank line, or a line that begins
  /// another statement. Brackets are ignored if one is not closed.
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
      if let last, depth <= 0 || !brackets,
        token.is(";") || token.startsLine && begins(token, after: last, dialect)
      {
        return SourceSpan(start, last.span.end)
      }
      last = token
    }
    return depth > 0 && brackets ? nil : SourceSpan(start, last?.span.end ?? start)
  }

  /// Returns whether a line does not continue the statement before.
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

  /// Returns whether `FETCH FIRST 10 ROWS ONLY` follows.
  private func isRowClause(after place: Int) -> Bool {
    let rest = SourceSpan(place, min(place + 20, bytes.count))
    let next = ForeignLexer.tokens(of: bytes, rest, .sql)[0]
    return next.isWord(among: ["first", "next"])
  }

  /// Words that begin statements, and not clauses.
  private static let otherFirstWords: Set = [
    "exists", "lesson", "hint", "answer", "next", "reset", "quiz", "help",
    "insert", "create", "drop", "alter", "truncate", "begin", "commit", "rollback", "pragma",
    "count",
    "print", "let", "entity", "model", "save", "undo", "changes", "show", "describe", "explain",
  ]
}
