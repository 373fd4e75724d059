package import KuraDiagnostics
import KuraPredicates
package import KuraValues

/// Reads statements from bytes as they come from a file, a pipe or a user.
///
///     var reader = StatementReader(name: "report.kura")
///     reader.feed("count MemoDate; fetch MemoDate\n  limit 3\n".utf8)
///     reader.next()      // .statement(count …)
///     reader.next()      // .needsMore: the next line could continue it
///     reader.finish()
///     reader.next()      // .statement(fetch …)
///
/// Only complete lines are read before `finish`. A statement of many lines is parsed again only if
/// its text has doubled or a line seems to end it, so the work is linear in the text.
package struct StatementReader: Sendable {
  /// The name of the text in messages.
  let name: String?
  /// Whether a line that begins with the word of a clause continues the statement above it.
  let joinsClauses: Bool
  /// The bytes that are still needed.
  var bytes: [UInt8] = []
  /// The place from which the next statement is searched.
  var position = 0
  /// The start and the number of the line of `position`.
  var lineStart = 0
  var line: Int
  /// The end of the last complete line.
  var known = 0
  var isFinished = false
  /// A statement that continues after `known`.
  var open: OpenStatement?
  /// A statement with an error, whose remaining lines are to be skipped.
  var broken: BrokenStatement?
  /// Whether the last statement ended with `\`, which announces another line.
  var endsWithContinuation = false
  /// Parsed lines for similar ones, the last first.
  var repeated: [RepeatedLine] = []
  /// A range without a newline, up to the next one.
  var restOfLine: Range<Int>?
  private var lastSource: (lines: Range<Int>, text: SourceText)?
  /// The start of the statement that was read last.
  var origin = (line: 1, lineStart: 0, position: 0)

  package init(name: String? = nil, firstLine: Int = 1, joinsClauses: Bool = false) {
    self.name = name
    self.joinsClauses = joinsClauses
    line = firstLine
  }

  /// The result of `next`.
  package enum Event: Sendable {
    /// A statement, and its lines.
    case statement(Statement, source: SourceText)
    /// An error, and its lines; reading can continue after the statement.
    case failure(Diagnostic, source: SourceText)
    /// No statement is complete: feed more, or finish.
    case needsMore
    /// Finished, and everything was read.
    case end
  }
}

extension StatementReader {
  /// Adds bytes, in pieces of any length.
  package mutating func feed(_ more: some Sequence<UInt8>) {
    dropWhatIsRead()
    restOfLine = nil
    let start = bytes.count
    bytes.append(contentsOf: more)
    if let end = bytes[start...].lastIndex(of: .newline) { known = end + 1 }
  }

  /// The number of bytes that do not belong to a statement yet.
  package var unreadCount: Int { bytes.count - position }

  /// Marks the end of the text.
  package mutating func finish() {
    isFinished = true
    known = bytes.count
  }

  /// Reads a statement that is complete if nothing follows its last line; otherwise returns nil.
  package mutating func nextWithoutMore() -> Event? {
    guard !isFinished, known == bytes.count, unreadCount > 0 else { return nil }
    var ended = self
    ended.finish()
    guard case .statement(let statement, let source) = ended.next(), !ended.endsWithContinuation
    else { return nil }
    self = ended
    isFinished = false
    return .statement(statement, source: source)
  }

  package mutating func next() -> Event {
    if let event = readRepeated() { return event }
    if line == 1, position == 0 { skipFirstLine() }
    guard passBrokenStatement(), let start = skipToStatement() else {
      return isFinished ? .end : .needsMore
    }
    origin = (line, lineStart, position)
    if start.token.is(.dot) || isForeignSetting, isFirstOnLine { return readSetting() }
    if let event = readWordAlone(start.token) { return event }
    guard isWorthReading() else { return .needsMore }
    return readStatement(from: start)
  }

  /// Removes the bytes of statements that were read, if they are the greater part.
  private mutating func dropWhatIsRead() {
    guard lineStart > bytes.count / 2, lineStart > 4096 else { return }
    let count = lineStart
    bytes.removeFirst(count)
    position -= count
    lineStart = 0
    known -= count
    open?.move(by: -count)
    broken?.move(by: -count)
    lastSource = nil
  }

  /// Skips a byte order mark, and a line that names the shell: `#!/usr/bin/env kura`.
  private mutating func skipFirstLine() {
    if bytes[..<known].starts(with: [0xEF, 0xBB, 0xBF]) { (position, lineStart) = (3, 3) }
    guard bytes[position..<known].starts(with: "#!".utf8) else { return }
    advance(to: endOfLine(position))
  }

  private mutating func readStatement(from start: TokenCursor) -> Event {
    let (found, parser) = parse(from: start)
    switch found {
    case .success(let statement): return took(statement, parser)
    case .failure(let error):
      if error.diagnostic.facts.isIncomplete, !isFinished { return wait() }
      return failed(error.diagnostic, in: parser.cursor.lineDepth > 0)
    }
  }

  private mutating func took(_ statement: Statement, _ parser: StatementParser) -> Event {
    let end = parser.end
    if end.mayContinue, !isFinished { return wait() }
    endsWithContinuation = end == .continuation
    let source = source(of: statement.span)
    open = nil
    advance(to: lineStart + statement.span.end)
    if end == .semicolon { takeSemicolon() }
    if end == .line { noteRepeatable(statement) }
    return .statement(statement, source: source)
  }

  /// Moves past the `;` that ended a statement; only whitespace and comments precede it.
  private mutating func takeSemicolon() {
    let token = cursor(from: position).token
    if token.is(.semicolon) { advance(to: lineStart + token.span.end) }
  }

  mutating func failed(_ diagnostic: Diagnostic, in body: Bool) -> Event {
    let errorStart = max(position, lineStart + (diagnostic.span ?? .none).start)
    let diagnostic = withLaterMentions(missingPart(before: errorStart) ?? diagnostic)
    let end = max((diagnostic.span ?? .none).end, diagnostic.lastEdit)
    let source = source(of: SourceSpan(position - lineStart, end))
    broken = BrokenStatement(
      from: position, errorStart: errorStart, indent: indent, isInBody: body)
    open = nil
    return .failure(diagnostic, source: source)
  }

  /// Records how far the statement was parsed without success.
  private mutating func wait() -> Event {
    if open == nil { open = OpenStatement(from: position, indent: indent) }
    open?.attempted = known - position
    return .needsMore
  }

  private mutating func isWorthReading() -> Bool {
    guard !isFinished, open != nil else { return true }
    return open?.isWorthReading(bytes, to: known) ?? true
  }

  func cursor(from start: Int) -> TokenCursor {
    let lexer = Lexer(bytes, from: start, to: known, base: lineStart, mode: .statement)
    return TokenCursor(lexer, indent: indent)
  }

  /// Returns the complete lines from the statement's first line to the one in which a span ends.
  mutating func source(of span: SourceSpan) -> SourceText {
    let lines = lineStart..<max(lineStart, endOfLine(lineStart + span.end))
    if let lastSource, lastSource.lines == lines { return lastSource.text }
    let text = SourceText(bytes: Array(bytes[lines]), name: name, firstLine: line)
    lastSource = (lines, text)
    return text
  }
}

// Lines that begin with the word of a clause
extension StatementReader {
  /// Parses a statement; in a file together with the lines below it that begin with the word of a
  /// clause.
  ///
  ///     fetch MemoDate
  ///     where notifiable == YES
  ///     sort date
  func parse(
    from start: TokenCursor
  ) -> (found: Result<Statement, SyntaxError>, parser: StatementParser) {
    var (cursor, joined) = (start, [Token]())
    var whole: (Result<Statement, SyntaxError>, StatementParser)?
    while true {
      let parser = StatementParser(cursor)
      let place: Int?
      let found: (Result<Statement, SyntaxError>, StatementParser)
      do throws(SyntaxError) {
        var statement = try parser.parse()
        let isFollowed =
          joinsClauses && parser.end == .line && mayBeginClause(parser.cursor.token)
        place = isFollowed ? statement.span.end : nil
        statement.warnings += joined.prefix(1).map { Self.note($0, parser.text($0)) }
        found = (.success(statement), parser)
        whole = found
      } catch {
        place = error.diagnostic.span?.start
        found = (.failure(error), parser)
        // Without such a clause, the statement ends before the line, which has the error.
        if let whole, joined.contains(where: { $0.span.start == place }) { return whole }
      }
      guard let place, let lines = clauseLines(from: place), let last = lines.last,
        last.span.end > cursor.joinedTo
      else { return found }
      joined += lines
      cursor.joinedTo = last.span.end
    }
  }

  /// Returns the first words of the lines from a place on that begin with the word of a clause,
  /// with lines that are indented deeper between them; nil if no such line begins there.
  private func clauseLines(from place: Int) -> [Token]? {
    guard joinsClauses else { return nil }
    var lexer = Lexer(bytes, from: position, to: known, base: lineStart, mode: .statement)
    var (found, depth) = ([Token](), 0)
    while case let token = lexer.next(), token.end == nil {
      if depth == 0, token.span.start >= place {
        if token.followsBlankLine || token.is(.semicolon) { break }
        let isLine = token.startsLine && token.indent <= indent
        if isLine ? !beginsClause(token, lexer) : found.isEmpty { break }
        if isLine { found.append(token) }
      }
      guard case .symbol(let symbol) = token.kind else { continue }
      if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
    }
    return found.isEmpty ? nil : found
  }

  /// Returns whether a token begins a clause: `as of 3` is a statement, `as words` is not.
  private func beginsClause(_ token: Token, _ lexer: Lexer) -> Bool {
    var ahead = lexer
    return mayBeginClause(token) && !(isWord(token, "as") && isWord(ahead.next(), "of"))
  }

  private func mayBeginClause(_ token: Token) -> Bool {
    guard token.end == nil else { return false }
    return token.is(.and) || token.is(.or) || isWord(token, "as")
      || FetchClause(word: word(token)) != nil
  }

  private func isWord(_ token: Token, _ text: String) -> Bool {
    token.kind == .word && String(decoding: word(token), as: UTF8.self).lowercased() == text
  }

  private func word(_ token: Token) -> ArraySlice<UInt8> {
    bytes[lineStart + token.span.start..<lineStart + token.span.end]
  }

  private static func note(_ token: Token, _ word: String) -> Diagnostic {
    Diagnostic(StatementProblem.lineJoined(word), at: token.span, severity: .note)
  }

  /// Skips blank lines, comments and single `;`, up to the first token of a statement; nil if the
  /// known text has none.
  mutating func skipToStatement() -> TokenCursor? {
    skipBlanks()
    while position < known {
      let cursor = cursor(from: position)
      let token = cursor.token
      let isStart = token.end == nil && !token.is(.semicolon)
      if isStart, lineStart + token.span.start == position { return cursor }
      let end = isStart ? token.span.start : token.span.end
      advance(to: token.end == nil ? lineStart + end : known)
    }
    return nil
  }

  /// Skips the whitespace before most statements, so that their first token is read once.
  private mutating func skipBlanks() {
    var place = position
    while place < known, bytes[place].isBlankOrReturn || bytes[place] == .newline { place += 1 }
    advance(to: place)
  }

  /// Moves to a place, and counts the lines.
  mutating func advance(to place: Int) {
    let place = min(max(place, position), bytes.count)
    for offset in position..<place where bytes[offset] == .newline {
      line += 1
      lineStart = offset + 1
    }
    position = place
  }

  /// The indentation of the line, in columns.
  var indent: Int { columns(lineStart..<max(lineStart, position)) }

  /// Returns the columns of the whitespace with which a range begins.
  func columns(_ range: Range<Int>) -> Int {
    var columns = 0
    for byte in bytes[range] {
      guard byte.isBlankOrReturn else { break }
      columns = byte == 9 ? (columns / 8 + 1) * 8 : columns + 1
    }
    return columns
  }

  /// Whether only whitespace precedes the statement on its line.
  var isFirstOnLine: Bool { bytes[lineStart..<position].allSatisfy(\.isBlankOrReturn) }

  /// Returns the end of the line of a place, without its newline; cached for lines of many
  /// statements.
  mutating func endOfLine(_ place: Int) -> Int {
    let place = min(max(place, 0), bytes.count)
    if let restOfLine, restOfLine.contains(place) { return restOfLine.upperBound }
    let end = bytes[place...].firstIndex(of: .newline) ?? bytes.count
    restOfLine = place..<end
    return end
  }

  /// Reads a setting: `.mode json`
  mutating func readSetting() -> Event {
    let end = endOfLine(position)
    var setting = SettingLine(bytes[position..<end], base: lineStart)
    do throws(SyntaxError) {
      let statement = try setting.parse()
      let source = source(of: statement.span)
      advance(to: end)
      return .statement(statement, source: source)
    } catch {
      let source = source(of: error.diagnostic.span ?? .none)
      advance(to: end)
      return .failure(error.diagnostic, source: source)
    }
  }

  /// Whether it is `\d`, the form of a setting in another shell.
  var isForeignSetting: Bool {
    position + 1 < known && bytes[position] == UInt8(ascii: "\\")
      && (bytes[position + 1].isASCIILetter || bytes[position + 1] == UInt8(ascii: "?"))
  }

  /// Reads `quit` alone on its line, `help` alone or with a topic, `show tables`; nil for anything
  /// else.
  mutating func readWordAlone(_ first: Token) -> Event? {
    let word = bytes[position..<position + (first.span.end - first.span.start)]
    guard BareCommand.mayBegin(with: word), isFirstOnLine else { return nil }
    let end = endOfLine(position)
    guard end - position < 64, let call = BareCommand.setting(wordsOfLine(to: end)) else {
      return nil
    }
    let span = call.name.span.joined(call.arguments.last?.span ?? call.name.span)
    let source = source(of: span)
    advance(to: end)
    return .statement(Statement(call, span: span), source: source)
  }

  /// Returns the first words of the line, without a `;` at its end; at most three.
  private func wordsOfLine(to end: Int) -> [Name] {
    var line = bytes[position..<end]
    while let last = line.last, last.isBlankOrReturn || last == .newline { line.removeLast() }
    if line.last == UInt8(ascii: ";") { line.removeLast() }
    return line.split(maxSplits: 2, whereSeparator: \.isBlankOrReturn).map { word in
      Name(
        String(decoding: word, as: UTF8.self),
        span: SourceSpan(word.startIndex - lineStart, word.endIndex - lineStart))
    }
  }
}

// Fixes that also concern later statements
extension StatementReader {
  /// Adds the sign of a variable in later places: `let x = 3` and then `print x`.
  func withLaterMentions(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .variableWithoutSign(let name)? = diagnostic.facts as? StatementProblem,
      let first = diagnostic.fixIts.first, let span = diagnostic.span
    else { return diagnostic }
    var result = diagnostic
    let later = mentions(of: name, after: lineStart + span.end)
    result.fixIts = [FixIt(edits: first.edits + later.map { TextEdit($0, "$") })]
    return result
  }

  /// The number of bytes in which a name is searched.
  private static let nearby = 2_000

  /// Returns the places before a word in the known text, except keys after a dot.
  private func mentions(of name: String, after start: Int) -> [SourceSpan] {
    let end = min(bytes.count, start + Self.nearby)
    var lexer = Lexer(bytes, from: start, to: end, base: lineStart, mode: .statement)
    var (places, last) = ([SourceSpan](), Token(.end(.text), span: .none))
    while case let token = lexer.next(), token.end == nil {
      let isWord = token.kind == .word && word(token).elementsEqual(name.utf8)
      if isWord, !last.is(.dot) { places.append(SourceSpan(token.span.start, token.span.start)) }
      last = token
    }
    return places
  }
}

extension Diagnostic {
  /// The end of the last edit of its fixes.
  var lastEdit: Int { fixIts.map(\.span.end).max() ?? 0 }
}

// Repeated lines
extension StatementReader {
  /// Reads the statement of a line that repeats a previous one with other texts and numbers.
  mutating func readRepeated() -> Event? {
    guard let start = startOfRepeated else { return nil }
    let (known, kinds) = (known, repeated)
    let found = bytes.withUnsafeBufferPointer { all in
      let bytes = UnsafeBufferPointer(rebasing: all[..<known])
      return kinds.lazy.compactMap { $0.statement(at: start, bytes) }.first
    }
    guard let found else { return nil }
    advance(to: start)
    origin = (line, lineStart, position)
    endsWithContinuation = false
    let source = source(of: found.span)
    advance(to: start + found.span.end)
    return .statement(found, source: source)
  }

  /// The start of a line that may be a repetition.
  private var startOfRepeated: Int? {
    guard !repeated.isEmpty, broken == nil, open == nil else { return nil }
    let start = position < known && bytes[position] == .newline ? position + 1 : position
    return (start == lineStart || start > position) && start < known ? start : nil
  }

  /// Reads lines of `insert` that repeat a previous one: `take` gets the entity and the assignments
  /// of the previous statement and the values of each line, until it returns false. Nil if it took none.
  package mutating func takeRepeated(
    _ take: (Name, [Assignment], [Value]) -> Bool
  ) -> RepeatedLines? {
    guard let start = startOfRepeated else { return nil }
    let (known, kinds) = (known, repeated)
    var (places, end): ([Int], Int) = ([], start)
    bytes.withUnsafeBufferPointer { all in
      let bytes = UnsafeBufferPointer(rebasing: all[..<known])
      for kind in kinds where places.isEmpty {
        guard let model = kind.tree as? InsertStatement, case .assignments(let all) = model.values
        else { continue }
        end = kind.take(from: start, bytes, all, &places) { take(model.entity, all, $0) } ?? end
      }
    }
    guard !places.isEmpty else { return nil }
    advance(to: start)
    let lines = RepeatedLines(
      text: SourceText(bytes: Array(bytes[start..<end]), name: name, firstLine: line),
      starts: places.map { Int32(truncatingIfNeeded: $0 - start) })
    advance(to: end)
    (origin, endsWithContinuation) = ((line, lineStart, lineStart), false)
    return lines
  }

  /// Records a statement that is a complete line, for repetitions.
  mutating func noteRepeatable(_ statement: Statement) {
    guard statement.warnings.isEmpty, statement.span.start == 0,
      origin.position == origin.lineStart,
      position < known, bytes[position] == .newline, origin.lineStart == lineStart,
      let one = RepeatedLine(statement.tree, bytes[lineStart..<position])
    else { return }
    if repeated.count >= Self.mostRepeated { repeated.removeLast() }
    repeated.insert(one, at: 0)
  }

  /// The maximum number of alternating kinds of lines; more are rare.
  private static var mostRepeated: Int { 4 }
}

/// Lines that were read together.
package struct RepeatedLines: Sendable {
  /// The text of all lines.
  package let text: SourceText
  /// The start of each line in the text.
  let starts: [Int32]

  package func line(_ place: Int) -> SourceText {
    let end = place + 1 < starts.count ? Int(starts[place + 1]) - 1 : text.bytes.count
    return SourceText(
      bytes: Array(text.bytes[Int(starts[place])..<end]), name: text.name,
      firstLine: text.firstLine + place)
  }
}

// The text from the last statement on, for another reader.
extension StatementReader {
  /// Returns the text from the line in which the last statement began, as far as available, and at
  /// most `length` bytes.
  package func rest(atMost length: Int) -> SourceText {
    let end = min(bytes.count, origin.lineStart + length)
    let rest = bytes[min(origin.lineStart, end)..<end]
    return SourceText(bytes: Array(rest), name: name, firstLine: origin.line)
  }

  /// The start of the statement in that text.
  package var restStart: Int { origin.position - origin.lineStart }

  /// Continues after a place in that text, up to which another reader has read.
  package mutating func pass(to place: Int) {
    let end = min(bytes.count, origin.lineStart + place)
    guard end > position else { return }
    broken = nil
    open = nil
    advance(to: end)
  }
}
