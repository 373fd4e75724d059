import KuraDiagnostics
import KuraRendering

/// The current destination of results: standard output, or the one of `.output` or `.once`.
struct ResultTargets {
  let standard: ResultStream
  private var lasting: ResultStream?
  private var next: ResultStream?

  init(_ standard: ResultStream) { self.standard = standard }
}

extension ResultTargets {
  var current: ResultStream { next ?? lasting ?? standard }

  var isStandard: Bool { next == nil && lasting == nil }

  /// Whether the next statement's results have a destination of their own.
  var isOnce: Bool { next != nil }

  /// Whether nothing reads what is written now.
  var isUnread: Bool { current.isUnread }

  /// Whether the destination of `.output` is finished: it has ended, or has the terminal.
  var isOver: Bool { lasting.map { $0.isUnread || $0.isOver } ?? false }

  /// Performs `.output FILE`; nil returns to standard output. Returns what was written to the
  /// previous file.
  @discardableResult
  mutating func redirect(to stream: ResultStream?) throws -> WrittenFile? {
    try standard.flush()
    let old = lasting
    lasting = stream
    try old?.close()
    return old?.written
  }

  /// Performs `.once FILE`.
  mutating func redirectNext(to stream: ResultStream) throws {
    try standard.flush()
    let old = next
    next = stream
    try old?.close()
  }

  /// Ends a statement, and with it the destination of `.once`. Returns what was written to its
  /// file.
  @discardableResult
  mutating func endStatement() throws -> WrittenFile? {
    let old = next
    next = nil
    try old?.close()
    return old?.written
  }

  /// Passes on what is buffered, as before the user is asked for more.
  func flush() throws {
    try standard.flush()
    try lasting?.flush()
  }

  /// Passes on everything and closes all but standard output; throws the first failure.
  mutating func close() throws {
    defer {
      // An earlier failure must not keep the others open.
      try? lasting?.close()
      standard.flushQuietly()
    }
    try endStatement()
    try redirect(to: nil)
    try standard.flush()
  }
}
