package import KuraBytes
import KuraDiagnostics
import KuraRendering
import KuraSentences
import KuraValues

/// A result that can be shown several times and in several formats.
enum ShownResult {
  /// The same text in every format: a count, a model.
  case text(String)
  /// A grid that is created in the language of the format, and may depend on the format.
  case grid((OutputFormat) throws -> Grid)
}

extension Session {
  func write(_ text: String) throws { try write(.text(text)) }

  /// Writes a grid to the results. It is created in the language of the format, and again for each
  /// format that shows it.
  func write(_ grid: @autoclosure @escaping () throws -> Grid) throws {
    try write(.grid { _ in try grid() })
  }

  /// Writes a grid that also depends on the format.
  func write(_ grid: @escaping (OutputFormat) throws -> Grid) throws { try write(.grid(grid)) }

  private func write(_ result: ShownResult) throws {
    lastResult = result
    try show(result, as: format)
  }

  /// The format that is set; if that is the default, the format for the extension of the results'
  /// file.
  var format: OutputFormat {
    let isSet = settings.format.name != OutputFormat.usual.name
    return isSet ? settings.format : targets.current.format ?? settings.format
  }

  /// Writes text that is not a result, such as help, through a pager if it is long.
  func page(_ text: String) throws { try show(.text(text), as: format) }

  /// Writes text to the current destination, without a pager.
  func writeWhole(_ text: String) throws {
    reportWarnings()
    try transcribe(.text(text), as: format)
    if services.ask != nil { leaveEndedOutput() }
    try draw(.text(text), as: format)
  }

  /// Shows a result at the current destination, through a pager if it is longer than the screen.
  func show(_ result: ShownResult, as format: OutputFormat) throws {
    reportWarnings()
    try transcribe(result, as: format)
    if services.ask != nil { leaveEndedOutput() }
    if let (pager, screen) = pager() {
      do { return try showPaged(result, as: format, pager, screen) } catch let failure as Failure {
        guard failure.isOfMissingCommand else { throw failure }
        report(failure, in: nil)
      }
    }
    try draw(result, as: format)
  }

  private func draw(_ result: ShownResult, as format: OutputFormat) throws {
    let target = targets.current
    do {
      switch result {
      case .text(let text):
        target.written?.noteText()
        try target.append(text)
      case .grid(let make):
        var buffer = OutputBuffer { bytes in
          if target.isTerminal { try target.append(drawn: bytes) } else { try target.append(bytes) }
        }
        let options = renderingOptions
        try format.language.speaks {
          let grid = try make(format)
          target.written?.noteRows(grid.rowCount)
          try grid.write(as: format, options, to: &buffer)
        }
      }
    } catch is ClosedOutput {}
  }

  /// The cells of a line of the results; nil if they do not go to a terminal.
  var resultWidth: Int? { targets.isStandard ? services.terminalWidth() : nil }

  /// The options without colors or a width.
  var plainOptions: RenderingOptions {
    var options = RenderingOptions(
      zone: zone, nullText: settings.nullText,
      style: settings.chosenLocale.map { ValueStyle($0, settings.dateLength) },
      cancel: services.cancel)
    options.booleans = settings.booleans
    return options
  }

  private var renderingOptions: RenderingOptions {
    let target = targets.current
    var options = plainOptions
    (options.width, options.isTerminal) = (resultWidth, target.isTerminal)
    options.ambiguousIsWide = services.style.ambiguousIsWide
    options.canPlace = options.width != nil && target.isTerminal && services.display.isCapable
    options.palette = palette(onTerminal: target.isTerminal)
    return options
  }

  private func palette(onTerminal isTerminal: Bool) -> Palette? {
    let display = services.display
    guard isTerminal ? display.colorsTerminal : display.colorsAll else { return nil }
    return switch settings.theme {
    case .off: nil
    case .light: .light
    case .dark: .dark
    case .auto: display.isDark.map { $0 ? .dark : .light } ?? .neutral
    }
  }
}

extension OutputFormat {
  /// The language of results: programs read the same results in every language.
  var language: Language { isForPeople ? .current : .english }
}

// Pagers
extension Session {
  /// Returns the pager's command and the size of the screen; nil if there is no pager now.
  private func pager() -> (command: String, screen: Screen)? {
    guard services.ask != nil, depth == 0, !launch.isSafe, targets.isStandard,
      targets.standard.isTerminal, services.display.isCapable,
      let columns = services.terminalWidth(), let rows = services.display.height()
    else { return nil }
    let command: String? =
      switch settings.pager {
      case .off: nil
      case .auto: services.display.pager()
      case .command(let command): command
      }
    let width = DisplayWidth(ambiguousIsWide: services.style.ambiguousIsWide)
    return command.map { ($0, Screen(columns: columns, rows: rows, width: width)) }
  }

  private func showPaged(
    _ result: ShownResult, as format: OutputFormat, _ pager: String, _ screen: Screen
  ) throws {
    let output = PagedOutput(screen) { try self.open(pager) }
    let start = services.uptime()
    defer { if output.isPaged { timeInPager += services.uptime() - start } }
    do { try draw(result, as: format, into: output) } catch is ClosedOutput {
    } catch {
      try? output.close(onto: targets.current)
      throw error
    }
    try output.close(onto: targets.current)
  }

  private func open(_ pager: String) throws -> ResultStream {
    try targets.standard.flush()
    // The time limit does not include reading.
    deadline.stop()
    return try services.openOutput(.pager(pager))
  }

  private func draw(
    _ result: ShownResult, as format: OutputFormat, into output: PagedOutput
  ) throws {
    switch result {
    case .text(let text):
      var shown: [UInt8] = []
      Array(text.utf8).withUnsafeBytes { VisibleText.append(lines: $0, to: &shown) }
      try shown.withUnsafeBytes(output.append)
    case .grid(let make):
      var buffer = OutputBuffer(limit: PagedOutput.piece) { try output.append($0) }
      let options = renderingOptions
      try format.language.speaks { try make(format).write(as: format, options, to: &buffer) }
    }
  }

  /// Reports that the command of `.output` has ended, and returns to standard output.
  func leaveEndedOutput() {
    guard targets.isOver else { return }
    do { try targets.redirect(to: nil) } catch { fail(error) }
    report(localized("the .output command has ended; results go to standard output again"))
  }
}

extension WorkProgress {
  /// Returns progress that is shown as a line of a terminal.
  ///
  /// `show` receives a function that gives the text for a number of columns, and decides whether
  /// and when to draw it.
  package static func line(
    _ show: @escaping @Sendable ((_ columns: Int) -> String) -> Void,
    _ erase: @escaping @Sendable () -> Void
  ) -> WorkProgress {
    WorkProgress(report: { moment in show { moment.text(columns: $0) } }, end: erase)
  }
}

extension WorkProgress.Moment {
  /// Returns `loading todo.json: 43 %, 88 of 205 MB`.
  ///
  /// If that is too wide, the name loses its beginning, and then is left out.
  func text(columns: Int) -> String {
    let measure = ProgressText.measure(self)
    let verb = ProgressText.verb(work)
    let width = DisplayWidth()
    let room = columns - width.cells(verb) - width.cells(measure) - 3
    let name = shortened(work.name, to: room, width)
    let text = name.isEmpty ? measure : "\(verb) \(name): \(measure)"
    return width.cells(text) <= columns ? text : ""
  }

  private func shortened(_ name: String, to room: Int, _ width: DisplayWidth) -> String {
    if width.cells(name) <= room { return name }
    var rest = Substring(name)
    while !rest.isEmpty, width.cells(String(rest)) > room - 1 { rest = rest.dropFirst() }
    return rest.isEmpty ? "" : "…\(rest)"
  }
}

extension WorkProgress.Work {
  fileprivate var name: String {
    switch self {
    case .loading(let name), .fetching(let name): VisibleText.of(name)
    }
  }
}

/// The words of a progress line.
private enum ProgressText {
  static func verb(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: localized("loading")
    case .fetching: localized("fetching")
    }
  }

  /// Returns `43 %, 88 of 205 MB`; for a pipe `88 MB`.
  static func measure(_ moment: WorkProgress.Moment) -> String {
    let done = amount(moment.done, moment.work)
    guard let total = moment.total, total > 0 else { return "\(done) \(unit(moment.work))" }
    let percent = min(100, Int(Double(moment.done) / Double(total) * 100))
    return localized("\(percent) %, \(done) of \(amount(total, moment.work)) \(unit(moment.work))")
  }

  private static func amount(_ count: Int, _ work: WorkProgress.Work) -> Int {
    switch work {
    case .loading: count / 1_000_000
    case .fetching: count
    }
  }

  private static func unit(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: "MB"
    case .fetching: localized("rows")
    }
  }
}
