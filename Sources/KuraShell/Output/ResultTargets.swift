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

  /// Whether what is written now is read by nobody.
  var isUnread: Bool { current.isUnread }

  /// `.output FILE`; nil: back to standard output.
  mutating func redirect(to stream: ResultStream?) throws {
    try standard.flush()
    let old = lasting
    lasting = stream
    try old?.close()
  }

  /// `.once FILE`
  mutating func redirectNext(to stream: ResultStream) throws {
    try standard.flush()
    let old = next
    next = stream
    try old?.close()
  }

  /// A statement has ended, and with it what `.once` said.
  mutating func endStatement() throws {
    let old = next
    next = nil
    try old?.close()
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

extension Session {
  /// Writes text to the results; nobody may read them any more, and that is no failure.
  func write(_ text: String) throws {
    reportWarnings()
    do { try targets.current.append(text) } catch is ClosedOutput {}
  }

  /// Writes a grid to the results, in the session's format.
  func write(_ grid: consuming Grid) throws {
    reportWarnings()
    let target = targets.current
    var buffer = OutputBuffer { try target.append($0) }
    do {
      try grid.write(as: settings.format, renderingOptions, to: &buffer)
    } catch is ClosedOutput {}
  }

  private var renderingOptions: RenderingOptions {
    RenderingOptions(
      zone: zone, nullText: settings.nullText,
      style: settings.chosenLocale.map { ValueStyle($0, settings.dateLength) },
      width: targets.isStandard ? surroundings.terminalWidth() : nil,
      ambiguousIsWide: surroundings.style.ambiguousIsWide,
      isTerminal: targets.current.isTerminal, cancel: surroundings.cancel)
  }
}
