package import KuraDiagnostics
import KuraPredicates

/// Makes statements of bytes as they come from a file, a pipe or a person.
///
///     var reader = StatementReader(name: "report.kura")
///     reader.feed("count MemoDate; fetch MemoDate\n  limit 3\n".utf8)
///     reader.next()      // .statement(count …)
///     reader.next()      // .needsMore: the next line could go on
///     reader.finish()
///     reader.next()      // .statement(fetch …)
///
/// Only whole lines are read until `finish`. A statement of many lines is read again only when its
/// text has doubled or a line seems to end it, so the work is linear in the text.
package struct StatementReader: Sendable {
  /// What the text is called in messages.
  let name: String?
  /// Whether a line that begins with the word of a clause goes on with the statement above it.
  let joinsClauses: Bool
  /// All bytes that are still needed.
  var bytes: [UInt8] = []
  /// Where the next statement is looked for.
  var position = 0
  /// Where the line of `position` begins, and its number.
  var lineStart = 0
  var line: Int
  /// The end of the last whole line.
  var known = 0
  var isFinished = false
  /// A statement that goes on behind `known`.
  var open: OpenStatement?
  /// A statement with an error whose other lines are still to be passed over.
  var broken: BrokenStatement?
  /// Whether the last statement ended with `\`, which promises another line.
  var endsWithContinuation = false
  /// Lines that were read, the last first, as others may come like them.
  var repeated: [RepeatedLine] = []
  /// Bytes without a newline in them, up to one.
  var restOfLine: Range<Int>?
  private var lastSource: (lines: Range<Int>, text: SourceText)?
  /// Where the statement began that was read last.
  var origin = (line: 1, lineStart: 0, position: 0)

  package init(name: String? = nil, firstLine: Int = 1, joinsClauses: Bool = false) {
    self.name = name
    self.joinsClauses = joinsClauses
    line = firstLine
  }

  /// What comes next.
  package enum Event: Sendable {
    /// A statement, and the lines it stands on.
    case statement(Statement, source: SourceText)
    /// An error, and the lines it stands on; reading can go on behind the statement.
    case failure(Diagnostic, source: SourceText)
    /// No statement is complete: feed more, or finish.
    case needsMore
    /// Finished, and everything was read.
    case end
  }
}

extension StatementReader {
  /// Takes more bytes, in pieces of any length.
  package mutating func feed(_ more: some Sequence<UInt8>) {
    dropWhatIsRead()
    restOfLine = nil
    let start = bytes.count
    bytes.append(contentsOf: more)
    if let end = bytes[start...].lastIndex(of: .newline) { known = end + 1 }
  }

  /// How many bytes it has that belong to no statement yet.
  package var unreadCount: Int { bytes.count - position }

  /// Says that nothing more comes.
  package mutating func finish() {
    isFinished = true
    known = bytes.count
  }

  /// Reads a statement that is whole if nothing follows its last line; nil if no such statement was read.
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

  /// Reads the next statement.
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

  /// Takes away the bytes of statements that were read, once they are the greater part.
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
}

extension StatementReader {
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
    if end.mayGoOn, !isFinished { return wait() }
    endsWithContinuation = end == .continuation
    let source = source(of: statement.span)
    open = nil
    advance(to: lineStart + statement.span.end)
    if end == .semicolon { takeSemicolon() }
    if end == .line { noteRepeatable(statement) }
    return .statement(statement, source: source)
  }

  /// Goes behind the `;` that ended a statement; only blanks and comments stand before it.
  private mutating func takeSemicolon() {
    let token = cursor(from: position).token
    if token.is(.semicolon) { advance(to: lineStart + token.span.end) }
  }

  mutating func failed(_ diagnostic: Diagnostic, in body: Bool) -> Event {
    let errorStart = max(position, lineStart + (diagnostic.span ?? .none).start)
    let diagnostic = withLaterMentions(whatIsMissing(before: errorStart) ?? diagnostic)
    let end = max((diagnostic.span ?? .none).end, diagnostic.lastEdit)
    let source = source(of: SourceSpan(position - lineStart, end))
    broken = BrokenStatement(
      from: position, errorStart: errorStart, indent: indent, isInBody: body)
    open = nil
    return .failure(diagnostic, source: source)
  }

  /// Notes how far the statement was read in vain.
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

  /// The whole lines from the statement's first to the one in which a span ends.
  mutating func source(of span: SourceSpan) -> SourceText {
    let lines = lineStart..<max(lineStart, endOfLine(lineStart + span.end))
    if let lastSource, lastSource.lines == lines { return lastSource.text }
    let text = SourceText(bytes: Array(bytes[lines]), name: name, firstLine: line)
    lastSource = (lines, text)
    return text
  }
}
