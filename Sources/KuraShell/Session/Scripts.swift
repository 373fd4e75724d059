import KuraBytes
import KuraDiagnostics
import KuraLessons
import KuraScript
import KuraSentences

/// Statements that come in pieces: from a file, a pipe or an argument.
package struct ScriptInput {
  /// The name for messages; nil for typed text.
  package var name: String?
  /// The number of its first line, if it is part of a file.
  package var firstLine = 1
  /// Whether it is read to its end in any case, so that a line with a clause continues the
  /// statement above.
  package var isWhole = false
  /// Returns whether more is available at once: a complete statement does not wait for what may
  /// follow.
  package var hasMore: () -> Bool = { true }
  /// Returns the next bytes; nil at the end.
  package var read: () throws -> [UInt8]?

  package init(name: String?, read: @escaping () throws -> [UInt8]?) {
    self.name = name
    self.read = read
  }

  /// Creates an input from a complete text.
  package init(_ bytes: [UInt8], name: String? = nil, firstLine: Int = 1) {
    var rest: [UInt8]? = bytes
    self.init(name: name) {
      defer { rest = nil }
      return rest
    }
    self.firstLine = firstLine
  }
}

extension Session {
  /// Runs statements as they come, up to the first error unless the session continues after errors.
  ///
  /// Returns false if one failed.
  @discardableResult
  package func run(_ input: ScriptInput) -> Bool {
    var reader = StatementReader(
      name: input.name, firstLine: input.firstLine, joinsClauses: input.isWhole)
    var succeeded = true
    defer { report.flush() }
    while !isLeaving, succeeded || launch.continuesAfterErrors && !services.cancel.isRequested {
      if let end = speaking({ runNext(&reader, from: input, &succeeded) }) { return end }
    }
    return succeeded
  }

  /// Runs one statement or reads more input; at the end returns whether all succeeded.
  private func runNext(
    _ reader: inout StatementReader, from input: ScriptInput, _ succeeded: inout Bool
  ) -> Bool? {
    if insertLines(&reader) { return nil }
    let start = services.uptime()
    var event = reader.next()
    if case .needsMore = event, reader.unreadCount > 0, !input.hasMore() {
      event = reader.nextWithoutMore() ?? event
    }
    switch event {
    case .statement(let statement, let source):
      let reading = services.uptime() - start
      transcribe(statement, source)
      succeeded = run(statement, in: source, reading: reading) && succeeded
    case .failure(let diagnostic, let source):
      succeeded = takeFailure(diagnostic, in: source, &reader) && succeeded
    case .needsMore:
      if !feed(&reader, from: input) { return false }
    case .end:
      return succeeded
    }
    return nil
  }

  /// Runs what a text that is not a statement certainly means, or reports its problem and returns
  /// false.
  private func takeFailure(
    _ problem: Diagnostic, in source: SourceText, _ reader: inout StatementReader
  ) -> Bool {
    let found = explanation(of: problem, in: source, &reader)
    if let text = respelled([(problem, source), found]) { return run(text) }
    if depth == 0 { transcript.typed(String(decoding: source.bytes, as: UTF8.self).trimmed) }
    fail(found.diagnostic, in: found.source)
    lesson?.countTry()
    return false
  }

  /// Writes a typed statement to the transcript; scripts are not part of it.
  private func transcribe(_ statement: Statement, _ source: SourceText) {
    guard transcript.isOn, depth == 0,
      (statement.tree as? SettingStatement)?.name.text != "transcript"
    else { return }
    transcript.typed(source.text(statement.span))
  }

  /// Runs statements that were typed.
  @discardableResult
  package func run(_ text: String) -> Bool { run(ScriptInput(Array(text.utf8))) }

  /// The number of bytes of one statement that are read at most.
  static let longestStatement = 256 << 20

  /// Reads more input; results so far are flushed before the wait.
  private func feed(_ reader: inout StatementReader, from input: ScriptInput) -> Bool {
    report.flush()
    do { try targets.standard.flush() } catch {
      fail(error)
      if !launch.continuesAfterErrors { return false }
    }
    if leavesUnreadScript() { return false }
    do {
      // A device has no end, and a file without statements is not a script.
      guard reader.unreadCount <= Self.longestStatement else {
        throw Failure(ScriptProblem.statementTooLong(megabytes: Self.longestStatement >> 20))
      }
      if let bytes = try input.read() { reader.feed(bytes) } else { reader.finish() }
      return true
    } catch {
      fail(error)
      return false
    }
  }
}

/// Queries after the reader of the results has ended.
///
/// They are performed if a change follows, because an error in one of them would have prevented it,
/// and the change can use `_`. A script of endless queries is ended.
struct UnreadQueries {
  private var waiting: [(statement: Statement, source: SourceText)] = []
  /// The number of statements and pieces of the script since the last change.
  private var idle = 0

  /// The number of queries after which a script is ended.
  static let limit = 10_000
}

extension UnreadQueries {
  var isEmpty: Bool { waiting.isEmpty }

  /// The number, if it exceeds the limit.
  var tooMany: Int? { idle >= Self.limit ? idle : nil }

  mutating func put(_ statement: Statement, _ source: SourceText) {
    waiting.append((statement, source))
    idle += 1
  }

  /// Counts a statement, or a piece of the script.
  mutating func count(_ effect: Effect) { idle = effect == .changes ? 0 : idle + 1 }

  /// Returns the postponed queries and clears the list.
  mutating func takeAll() -> [(statement: Statement, source: SourceText)] {
    defer { waiting = [] }
    return waiting
  }
}

extension Session {
  /// Postpones a query whose result nothing reads.
  func postpones(_ statement: Statement, in source: SourceText) -> Bool {
    guard targets.isUnread, services.ask == nil else { return false }
    let effect = (try? statement.command.effect) ?? .changes
    guard effect == .reads else {
      unread.count(effect)
      return false
    }
    unread.put(statement, source)
    return true
  }

  /// Performs the postponed queries; returns false if one failed.
  func askUnread() -> Bool {
    var succeeded = true
    for (statement, source) in unread.takeAll() where succeeded || launch.continuesAfterErrors {
      succeeded = perform(statement, in: source) && succeeded
    }
    return succeeded
  }

  /// Ends a script that has consisted only of unread queries for too long; returns whether it did.
  func leavesUnreadScript() -> Bool {
    guard targets.isUnread else { return false }
    unread.count(.reads)
    guard let count = unread.tooMany else { return false }
    isLeaving = true
    fail(Failure(ScriptProblem.nobodyReads(statements: count)))
    return true
  }
}

/// The reasons why a script is not run to its end.
enum ScriptProblem: DiagnosticFacts {
  /// `yes 'count Item' | kura todo.json | head -1`
  case nobodyReads(statements: Int)
  /// `-f /dev/zero`
  case statementTooLong(megabytes: Int)
  /// A script that reads itself.
  case readTooDeep(limit: Int)

  var sentence: String {
    switch self {
    case .nobodyReads(let statements):
      localized(
        "the results are no longer read, and the last \(statements) statements changed nothing, so the rest was not run"
      )
    case .statementTooLong(let limit):
      localized("no statement ends within \(limit) MB: this is not a script")
    case .readTooDeep(let limit): localized("scripts are nested more than \(limit) levels deep")
    }
  }
}
