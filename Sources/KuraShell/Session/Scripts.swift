import KuraBytes
import KuraDiagnostics
import KuraLessons
import KuraScript
import KuraSentences

/// Statements that come in pieces: a file, a pipe, an argument.
package struct ScriptInput {
  /// What messages call it; nil for what was typed.
  package var name: String?
  /// The number of its first line, where it is a part of a file.
  package var firstLine = 1
  /// Whether all its lines are there, or will be: a line with a clause goes on with the statement above.
  package var isWhole = false
  /// Whether more is there at once: a statement that is whole does not wait for what may follow.
  package var hasMore: () -> Bool = { true }
  /// The next bytes; nil at the end.
  package var read: () throws -> [UInt8]?

  package init(name: String?, read: @escaping () throws -> [UInt8]?) {
    self.name = name
    self.read = read
  }

  /// A text that is there already.
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
  /// Runs statements as they come, up to the first error unless the session keeps going.
  ///
  /// False if one failed.
  @discardableResult
  package func run(_ input: ScriptInput) -> Bool {
    var reader = StatementReader(
      name: input.name, firstLine: input.firstLine, joinsClauses: input.isWhole)
    var isWell = true
    defer { report.flush() }
    while !isLeaving, isWell || launch.keepsGoing && !surroundings.cancel.isRequested {
      if let end = speaking({ runNext(&reader, from: input, &isWell) }) { return end }
    }
    return isWell
  }

  /// One statement, or more of the input; whether all went well, if there is no more.
  private func runNext(
    _ reader: inout StatementReader, from input: ScriptInput, _ isWell: inout Bool
  ) -> Bool? {
    if insertLines(&reader) { return nil }
    let start = surroundings.uptime()
    var event = reader.next()
    if case .needsMore = event, reader.unreadCount > 0, !input.hasMore() {
      event = reader.nextWithoutMore() ?? event
    }
    switch event {
    case .statement(let statement, let source):
      let reading = surroundings.uptime() - start
      transcribe(statement, source)
      isWell = run(statement, in: source, reading: reading) && isWell
    case .failure(let diagnostic, let source):
      if depth == 0 { transcript.typed(String(decoding: source.bytes, as: UTF8.self).trimmed) }
      fail(diagnostic, in: source, &reader)
      lesson?.countTry()
      isWell = false
    case .needsMore:
      if !feed(&reader, from: input) { return false }
    case .end:
      return isWell
    }
    return nil
  }

  /// What scripts do by themselves is no part of what was typed.
  private func transcribe(_ statement: Statement, _ source: SourceText) {
    guard transcript.isOn, depth == 0,
      (statement.tree as? SettingStatement)?.name.text != "transcript"
    else { return }
    transcript.typed(source.text(statement.span))
  }

  /// Runs statements that were typed.
  @discardableResult
  package func run(_ text: String) -> Bool { run(ScriptInput(Array(text.utf8))) }

  /// So many bytes without the end of a statement are not waited for.
  static let longestStatement = 256 << 20

  /// Reads on; what was asked so far is answered before the input is waited for.
  private func feed(_ reader: inout StatementReader, from input: ScriptInput) -> Bool {
    report.flush()
    do { try targets.standard.flush() } catch {
      fail(error)
      if !launch.keepsGoing { return false }
    }
    if leavesUnreadScript() { return false }
    do {
      // A device has no end, and what has no statements in it is no script.
      guard reader.unreadCount <= Self.longestStatement else {
        throw Failure(ScriptFacts.statementTooLong(megabytes: Self.longestStatement >> 20))
      }
      if let bytes = try input.read() { reader.feed(bytes) } else { reader.finish() }
      return true
    } catch {
      fail(error)
      return false
    }
  }
}

/// Queries behind the moment when the reader of the results went away.
///
/// They are asked if something that changes follows, for an error among them would have stopped
/// it, and `_` may be what it changes. A script that asks for ever is left.
struct UnreadQueries {
  private var waiting: [(statement: Statement, source: SourceText)] = []
  /// How many statements, and pieces of the script, have come since something was changed.
  private var idle = 0

  /// So many are no script of which somebody waits for the end.
  static let limit = 10_000
}

extension UnreadQueries {
  var isEmpty: Bool { waiting.isEmpty }

  /// How many have come, if they are too many.
  var tooMany: Int? { idle >= Self.limit ? idle : nil }

  mutating func put(_ statement: Statement, _ source: SourceText) {
    waiting.append((statement, source))
    idle += 1
  }

  /// A statement is run, or more of the script is read.
  mutating func count(_ effect: Effect) { idle = effect == .changes ? 0 : idle + 1 }

  /// Those that wait, which wait no more.
  mutating func takeAll() -> [(statement: Statement, source: SourceText)] {
    defer { waiting = [] }
    return waiting
  }
}

extension Session {
  /// Keeps back a query of a script that nobody reads the answer of.
  func postpones(_ statement: Statement, in source: SourceText) -> Bool {
    guard targets.isUnread, surroundings.ask == nil else { return false }
    let effect = (try? statement.command.effect) ?? .changes
    guard effect == .asks else {
      unread.count(effect)
      return false
    }
    unread.put(statement, source)
    return true
  }

  /// Asks what was kept back; false if one failed.
  func askUnread() -> Bool {
    var isWell = true
    for (statement, source) in unread.takeAll() where isWell || launch.keepsGoing {
      isWell = perform(statement, in: source) && isWell
    }
    return isWell
  }

  /// Whether a script has gone on for long with nothing but queries whose answers nobody reads.
  func leavesUnreadScript() -> Bool {
    guard targets.isUnread else { return false }
    unread.count(.asks)
    guard let count = unread.tooMany else { return false }
    isLeaving = true
    fail(Failure(ScriptFacts.nobodyReads(statements: count)))
    return true
  }
}

/// Why a script is not run, or not to its end.
enum ScriptFacts: DiagnosticFacts {
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
        "nobody reads the results any more, and \(statements) statements have changed nothing: the rest was not run"
      )
    case .statementTooLong(let limit):
      localized("this has no end of a statement in \(limit) MB, and is no script")
    case .readTooDeep(let limit): localized("scripts read each other more than \(limit) deep")
    }
  }
}
