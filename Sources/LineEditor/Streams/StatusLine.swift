import Synchronization

/// A progress line of a terminal, which is rewritten in place and erased at the end.
///
///     let line = StatusLine(2)
///     line?.show { columns in "loading: 43 %" }   // drawn after half a second
///     line?.erase()                               // nothing is left of it
///
/// Work that takes less than half a second is never shown.
package final class StatusLine: Sendable {
  private let file: Int32
  private let uptime: @Sendable () -> Duration
  private let state = Mutex(State())

  private struct State {
    /// The start of the work; nil between two tasks.
    var start: Duration?
    /// The time of the last drawing; nil if there is nothing to erase.
    var drawn: Duration?
  }

  private static let delay = Duration.milliseconds(500)
  private static let pause = Duration.milliseconds(100)

  /// Creates a line; nil if the file is not a terminal.
  package convenience init?(_ file: Int32) {
    guard System.width(of: file) != nil else { return nil }
    let clock = ContinuousClock()
    let start = clock.now
    self.init(file) { start.duration(to: clock.now) }
  }

  /// Creates a line on any file, with a given clock.
  init(_ file: Int32, uptime: @escaping @Sendable () -> Duration) {
    self.file = file
    self.uptime = uptime
  }
}

extension StatusLine {
  /// Draws a text for a number of columns, unless it is too early. Thread-safe.
  package func show(_ text: (_ columns: Int) -> String) {
    let now = uptime()
    state.withLock { state in
      guard isDue(&state, now) else { return }
      state.drawn = now
      // The last column stays free, because some terminals begin a new line after it.
      let columns = (System.width(of: file) ?? 80) - 1
      write("\r" + blanks(columns) + "\r" + text(columns))
    }
  }

  private func isDue(_ state: inout State, _ now: Duration) -> Bool {
    guard let start = state.start else {
      state.start = now
      return false
    }
    guard let drawn = state.drawn else { return now - start >= StatusLine.delay }
    return now - drawn >= StatusLine.pause
  }

  /// Ends the work and erases the line.
  package func erase() {
    state.withLock { state in
      if state.drawn != nil { write("\r" + blanks((System.width(of: file) ?? 80) - 1) + "\r") }
      state = State()
    }
  }

  private func write(_ text: String) { System.write(text.utf8, to: file) }
}

private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
