import KuraBytes
import KuraScript

/// Statements that come in pieces: a file, a pipe, an argument.
package struct ScriptInput {
  /// What messages call it; nil for what was typed.
  package var name: String?
  /// The next bytes; nil at the end.
  package var read: () throws -> [UInt8]?

  package init(name: String?, read: @escaping () throws -> [UInt8]?) {
    self.name = name
    self.read = read
  }

  /// A text that is there already.
  package init(_ bytes: [UInt8], name: String? = nil) {
    var rest: [UInt8]? = bytes
    self.init(name: name) {
      defer { rest = nil }
      return rest
    }
  }
}

extension Session {
  /// Runs statements as they come, up to the first error unless the session keeps going.
  ///
  /// False if one failed.
  @discardableResult
  package mutating func run(_ input: ScriptInput) -> Bool {
    var reader = StatementReader(name: input.name)
    var isWell = true
    while !state.isLeaving, isWell || state.keepsGoing && !surroundings.cancel.isRequested {
      let start = surroundings.uptime()
      switch reader.next() {
      case .statement(let statement, let source):
        let reading = surroundings.uptime() - start
        isWell = run(statement, in: source, reading: reading) && isWell
      case .failure(let diagnostic, let source):
        fail(diagnostic, in: source)
        isWell = false
      case .needsMore:
        if !feed(&reader, from: input) { return false }
      case .end:
        return isWell
      }
    }
    return isWell
  }

  /// Runs statements that were typed.
  @discardableResult
  package mutating func run(_ text: String) -> Bool { run(ScriptInput(Array(text.utf8))) }

  /// So many bytes without the end of a statement are not waited for.
  static let longestStatement = 256 << 20

  /// Reads on; what was asked so far is answered before the input is waited for.
  private mutating func feed(_ reader: inout StatementReader, from input: ScriptInput) -> Bool {
    do { try targets.standard.flush() } catch {
      fail(error)
      if !state.keepsGoing { return false }
    }
    if leavesUnreadScript() { return false }
    do {
      // A device has no end, and what has no statements in it is no script.
      guard reader.unreadCount <= Self.longestStatement else {
        throw Failure(ShellFacts.statementTooLong(megabytes: Self.longestStatement >> 20))
      }
      if let bytes = try input.read() { reader.feed(bytes) } else { reader.finish() }
      return true
    } catch {
      fail(error)
      return false
    }
  }
}
