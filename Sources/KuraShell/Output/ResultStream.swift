import KuraDiagnostics
import KuraRendering

/// Where results go: bytes are collected and handed on in large pieces.
package final class ResultStream {
  /// Whether a person sees them: then controls in them are shown as escapes.
  package let isTerminal: Bool
  /// Where messages go: beside results each belongs behind what was answered before it.
  package var messages = MessagePlace.shown
  /// What the name of its file asks for, where `.mode` asks for nothing.
  var format: OutputFormat?
  /// What went into its file; nil: it is none.
  var written: WrittenFile?
  /// Nobody reads any more: what is not handed on yet, and what comes, is dropped.
  package private(set) var isUnread = false
  private var pending: [UInt8] = []
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private let finish: () throws -> Void
  private let hasEnded: () -> Bool
  private var isOpen = true
  /// What a quiet flush failed with, until somebody can be told.
  private var failure: (any Error)?

  private static let limit = 65_536

  /// `write` throws `ClosedOutput` where nobody reads any more; `finish` is called once.
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

/// Where messages go, as seen from the results.
package enum MessagePlace: Sendable {
  /// A person may see them come.
  case shown
  /// Into the same file or pipe.
  case sameFile
  case elsewhere
}

/// Nobody reads any more: `| head -1`.
package struct ClosedOutput: Error {
  package init() {}
}

extension ResultStream {
  /// Takes whole characters; throws `ClosedOutput` once it is known that nobody reads them.
  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard !isUnread else { throw ClosedOutput() }
    if isTerminal {
      VisibleText.append(lines: bytes, to: &pending)
    } else {
      pending.append(contentsOf: bytes)
    }
    if pending.count >= Self.limit { try flush() }
  }

  /// Takes what a format drew: what texts hide is shown in it, and its colours stay.
  package func append(drawn bytes: UnsafeRawBufferPointer) throws {
    guard !isUnread else { throw ClosedOutput() }
    pending.append(contentsOf: bytes)
    if pending.count >= Self.limit { try flush() }
  }

  /// Whether what is behind has ended by itself, or taken the terminal.
  var isOver: Bool { hasEnded() }

  package func append(_ text: String) throws {
    var text = text
    try text.withUTF8 { try append(UnsafeRawBufferPointer($0)) }
  }

  /// Hands on what is collected; it is dropped if that fails, and quietly if nobody reads it.
  package func flush() throws {
    if let failure {
      self.failure = nil
      throw failure
    }
    guard !pending.isEmpty else { return }
    defer { pending.removeAll(keepingCapacity: true) }
    do { try pending.withUnsafeBytes(write) } catch is ClosedOutput { isUnread = true }
  }

  /// The same, before a message that goes to the same place.
  func flushBeforeMessage() {
    if messages != .elsewhere { flushQuietly() }
  }

  /// The same; if it fails, the next flush says so.
  package func flushQuietly() {
    do { try flush() } catch { failure = error }
  }

  /// Hands on the rest and closes what is behind.
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
