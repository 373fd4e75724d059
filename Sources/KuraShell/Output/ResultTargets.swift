import KuraDiagnostics
import KuraRendering

/// Where results go now: to standard output, to what `.output` named, or `.once`.
struct ResultTargets {
  let standard: ResultStream
  private var lasting: ResultStream?
  private var next: ResultStream?

  init(_ standard: ResultStream) { self.standard = standard }
}

extension ResultTargets {
  var current: ResultStream { next ?? lasting ?? standard }

  var isStandard: Bool { next == nil && lasting == nil }

  /// Whether the next statement's results go where no others do.
  var isOnce: Bool { next != nil }

  /// Whether what is written now is read by nobody.
  var isUnread: Bool { current.isUnread }

  /// Whether what `.output` named takes no more: it has ended, or has the terminal.
  var isOver: Bool { lasting.map { $0.isUnread || $0.isOver } ?? false }

  /// `.output FILE`; nil: back to standard output. Gives what went into the file of before.
  @discardableResult
  mutating func redirect(to stream: ResultStream?) throws -> WrittenFile? {
    try standard.flush()
    let old = lasting
    lasting = stream
    try old?.close()
    return old?.written
  }

  /// `.once FILE`
  mutating func redirectNext(to stream: ResultStream) throws {
    try standard.flush()
    let old = next
    next = stream
    try old?.close()
  }

  /// A statement has ended, and with it what `.once` said. Gives what went into its file.
  @discardableResult
  mutating func endStatement() throws -> WrittenFile? {
    let old = next
    next = nil
    try old?.close()
    return old?.written
  }

  /// Hands on what is collected, as before a person is asked for more.
  func flush() throws {
    try standard.flush()
    try lasting?.flush()
  }

  /// Hands on everything and closes what is not standard output; throws the first failure.
  mutating func close() throws {
    defer {
      // What failed before must not keep the others open.
      try? lasting?.close()
      standard.flushQuietly()
    }
    try endStatement()
    try redirect(to: nil)
    try standard.flush()
  }
}
