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
    if !succeeded, isTypedByUser, !learning.isOpen, !services.cancel.isRequested {
      reportUnrun(in: reader)
    }
    return succeeded
  }

  /// Reports how many statements after a failed one were not run.
  private func reportUnrun(in reader: StatementReader) {
    var (rest, count) = (reader, 0)
    rest.finish()
    while count < Self.mostCounted {
      switch rest.next() {
      case .statement, .failure: count += 1
      case .needsMore, .end:
        if count == 1 { report(localized("the statement after it was not run")) }
        if count > 1 { report(localized("the \(count) statements after it were not run")) }
        return
      }
    }
  }

  /// The most statements that are counted after a failed one.
  private static let mostCounted = 1_000

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
      succeeded =
        run(statement, in: source, reading: services.uptime() - start) && succeeded
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
    learning.lesson?.countTry()
    return false
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
