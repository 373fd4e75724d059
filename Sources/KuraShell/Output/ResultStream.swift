import KuraDiagnostics
import KuraRendering
import KuraSentences

/// A destination of results: bytes are buffered and passed on in large pieces.
package final class ResultStream {
  /// Whether it is a terminal: control characters are then shown as escapes.
  package let isTerminal: Bool
  /// The destination of messages: if it is the same file, messages must follow earlier results.
  package var messages = MessagePlace.shown
  /// The format for the file's extension, if `.mode` has not set one.
  var format: OutputFormat?
  /// The summary of the output to its file; nil if it is not a file.
  var written: WrittenFile?
  /// Whether nothing reads the results any more: buffered and later output is dropped.
  package private(set) var isUnread = false
  private var pending: [UInt8] = []
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private let finish: () throws -> Void
  private let hasEnded: () -> Bool
  private var isOpen = true
  /// The error of a quiet flush, until it can be reported.
  private var failure: (any Error)?

  private static let limit = 65_536

  /// Creates a stream. `write` throws `ClosedOutput` if nothing reads any more; `finish` is called
  /// once.
  package init(
    isTerminal: Bool = false, write: @escaping (UnsafeRawBufferPointer) throws -> Void,
    finish: @escaping () throws -> Void = {}, hasEnded: @escaping () -> Bool = { false }
  ) {
    self.isTerminal = isTerminal
    self.write = write
    self.finish = finish
    self.hasEnded = hasEnded
  }

  deinit { if isOpen { try? finish() } }
}

/// The destination of messages, relative to the destination of the results.
package enum MessagePlace: Sendable {
  /// A terminal.
  case shown
  /// The same file or pipe.
  case sameFile
  case elsewhere
}

/// The error if nothing reads any more: `| head -1`.
package struct ClosedOutput: Error {
  package init() {}
}

extension ResultStream {
  /// Appends complete characters; throws `ClosedOutput` once it is known that nothing reads them.
  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard !isUnread else { throw ClosedOutput() }
    if isTerminal {
      VisibleText.append(lines: bytes, to: &pending)
    } else {
      pending.append(contentsOf: bytes)
    }
    if pending.count >= Self.limit { try flush() }
  }

  /// Appends what a format drew: hidden characters are already escaped, and its colors are kept.
  package func append(drawn bytes: UnsafeRawBufferPointer) throws {
    guard !isUnread else { throw ClosedOutput() }
    pending.append(contentsOf: bytes)
    if pending.count >= Self.limit { try flush() }
  }

  /// Whether the reading command has ended, or has taken the terminal.
  var isOver: Bool { hasEnded() }

  package func append(_ text: String) throws {
    var text = text
    try text.withUTF8 { try append(UnsafeRawBufferPointer($0)) }
  }

  /// Passes on what is buffered; it is dropped if that fails, silently if nothing reads it.
  package func flush() throws {
    if let failure {
      self.failure = nil
      throw failure
    }
    guard !pending.isEmpty else { return }
    defer { pending.removeAll(keepingCapacity: true) }
    do { try pending.withUnsafeBytes(write) } catch is ClosedOutput { isUnread = true }
  }

  /// Flushes before a message to the same destination.
  func flushBeforeMessage() {
    if messages != .elsewhere { flushQuietly() }
  }

  /// Flushes without throwing; after a failure the next flush throws.
  package func flushQuietly() {
    do { try flush() } catch { failure = error }
  }

  /// Passes on the rest and closes the destination.
  package func close() throws {
    guard isOpen else { return }
    isOpen = false
    do { try flush() } catch {
      try? finish()
      throw error
    }
    try finish()
  }
}

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

/// The summary of the output to a file of `.once` or `.output`.
struct WrittenFile {
  let path: String
  private var rows = 0
  private var isText = false
  private var isEmpty = true

  init(_ path: String) { self.path = path }
}

extension WrittenFile {
  mutating func noteRows(_ count: Int) {
    rows += count
    isEmpty = false
  }

  /// Notes a text, such as a count or a model, which has no rows.
  mutating func noteText() { (isText, isEmpty) = (true, false) }

  fileprivate var sentence: String {
    if isEmpty { return localized("\(path) is empty: there were no results") }
    if isText { return localized("wrote \(path)") }
    return localized("wrote \(counted(rows, "row", "rows")) to \(path)")
  }
}

extension Session {
  /// Reports what was written to a file that was closed; scripts get no report.
  func tell(of file: WrittenFile?) {
    guard let file, services.ask != nil else { return }
    report(file.sentence)
  }
}
