import KuraDiagnostics
import KuraScript

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
  mutating func postpones(_ statement: Statement, in source: SourceText) -> Bool {
    guard targets.isUnread, surroundings.ask == nil else { return false }
    guard statement.kind.effect == .asks else {
      unread.count(statement.kind.effect)
      return false
    }
    unread.put(statement, source)
    return true
  }

  /// Asks what was kept back; false if one failed.
  mutating func askUnread() -> Bool {
    var isWell = true
    for (statement, source) in unread.takeAll() where isWell || state.keepsGoing {
      isWell = perform(statement, in: source) && isWell
    }
    return isWell
  }

  /// Whether a script has gone on for long with nothing but queries whose answers nobody reads.
  mutating func leavesUnreadScript() -> Bool {
    guard targets.isUnread else { return false }
    unread.count(.asks)
    guard let count = unread.tooMany else { return false }
    state.isLeaving = true
    fail(Failure(ShellFacts.nobodyReads(statements: count)))
    return true
  }
}
