package import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraSentences
package import KuraStore
package import KuraValues

/// Everything outside the session that it uses, so that a test can control it.
package struct SystemServices {
  package var openStore:
    (StoreSource, KeepingOptions, WorkProgress) throws(StoreProblems) -> StoreOpenResult
  /// Writes a complete store, and keeps it open; returns nil for something other than a file.
  package var makeStore:
    (StoreContents, StoreTarget, KeepingOptions, LockWaiting) throws(StoreProblems) -> StoreKeeper?
  /// Reads the bytes of a table of cases.
  package var readFile: (String) throws(Failure) -> [UInt8]
  /// Replaces the content of a file, completely or not at all.
  package var replaceFile: (String, [UInt8]) throws(Failure) -> Void = { path, _ throws(Failure) in
    throw Failure(
      FileProblem.cannotWrite(path: path, reason: localized("writing is not available here")))
  }
  /// Opens a file or pipe with statements.
  package var openScript: (String) throws(Failure) -> ScriptInput
  /// Reads the user's settings file; nil if there is none.
  package var readSettingsFile: (String) throws(Failure) -> [UInt8]?
  /// Returns the next bytes of standard input; nil at its end.
  package var readInput: () throws(Failure) -> [UInt8]?
  /// Whether standard input has more, or has ended.
  package var inputHasMore: () -> Bool = { true }
  /// Opens a file or command for results.
  package var openOutput: (OutputPlace) throws(Failure) -> ResultStream
  /// Lists the files and folders whose paths begin with the typed text.
  package var listFiles: (String) -> [ListedFile]
  /// Standard output.
  package var results: ResultStream
  /// Writes to standard error.
  package var report: (String) -> Void
  /// Asks the user at the terminal; nil without a terminal.
  package var ask: ((String) -> String?)?
  /// Lets the user edit a text in another program; nil without a terminal.
  package var edit: ((String) throws(Failure) -> String)?
  package var now: () -> Timestamp
  /// Waits for changes of a store by other processes; nil if that is not possible.
  package var waitForChange: (_ path: String, _ isEnding: @escaping () -> Bool) -> StoreWaiting? = {
    _, _ in nil
  }
  /// The author of saves, unless another one is given.
  package var userName: () -> String = { NSUserName() }
  /// Whether a signal requests the end of the program.
  package var isEnding: () -> Bool = { false }
  /// The time since an arbitrary moment, for `.timer`.
  package var uptime: () -> Duration
  /// The identifier of the zone of new stores: `Asia/Tokyo`.
  package var systemTimeZone: () -> String
  package var systemLocale: () -> Locale
  /// The language of lessons, unless another one is given.
  package var systemLanguage: () -> Language = { .english }
  /// The file with a learner's progress; nil for none.
  package var progressFile: ProgressFile?
  /// The cells of a line of standard output; nil if it is not a terminal.
  package var terminalWidth: () -> Int?
  /// The cells of a line of standard error; nil if it is not a terminal.
  package var reportWidth: () -> Int? = { nil }
  /// The style of messages.
  package var style: DiagnosticStyle
  /// The capabilities of the terminal for results.
  package var display = TerminalDisplay()
  /// Cancels the statement that runs: Control-C.
  package var cancel: CancelFlag
  /// Whether there is no history yet.
  package var isFirstTime: () -> Bool = { false }
  /// The recovery files for sessions that are ended from outside; nil for none.
  package var recoveryFiles: RecoveryFiles?
  /// The settings of the column cache; nil for no cache.
  package var cache: CacheSettings?
  /// Reports the progress of long work.
  package var progress = WorkProgress.none
}

extension SystemServices {
  /// The style of messages in the current window, which may have been resized.
  var styleNow: DiagnosticStyle {
    var style = style
    if let width = reportWidth() { style.columns = StandardStreams.columns(ofWidth: width) }
    return style
  }

  /// Reports that another process saves; Control-C ends the waiting.
  var lockWaiting: LockWaiting {
    let (report, style) = (report, styleNow)
    return LockWaiting(
      report: { report($0.rendered(style: style) + "\n") }, cancel: cancel)
  }
}

/// The source of a store.
package enum StoreSource: Sendable, Hashable {
  /// `todo.json`
  case file(String)
  /// `-`
  case standardInput
  /// `kura a.json b.json`, with `--union` as one entity
  indirect case files([StoreSource], isUnion: Bool)

  var first: StoreSource { if case .files(let all, _) = self { all[0] } else { self } }
}

/// The destination of a store.
package struct StoreTarget: Sendable, Equatable {
  package var path: String
  /// Whether an existing file is replaced.
  package var replaces: Bool

  package init(path: String, replaces: Bool) {
    self.path = path
    self.replaces = replaces
  }
}

/// A file or folder in a listing.
package struct ListedFile: Sendable, Hashable {
  package var path: String
  package var isFolder: Bool
}

/// The destination of results.
package enum OutputPlace: Sendable, Hashable {
  /// `.output report.csv`
  case file(String)
  /// `.output | gzip > report.gz`
  case command(String)
  /// `.once | less`: starts with the first output, and has the terminal then.
  case commandOnce(String)
  /// A pager for a result that is longer than the screen.
  case pager(String)
}

extension OutputPlace {
  /// The same destination, for one statement.
  var once: OutputPlace {
    if case .command(let command) = self { .commandOnce(command) } else { self }
  }
}

// Live
extension SystemServices {
  /// Returns services with the files, the clock and the streams of this process, without a user
  /// or a terminal.
  package static func live(
    style: DiagnosticStyle, color: ColorChoice = .never
  ) -> SystemServices {
    var services = SystemServices(
      openStore: { source, options, progress throws(StoreProblems) in
        try source.open(options, progress)
      },
      makeStore: { store, target, options, waits throws(StoreProblems) in
        try StoreKeeper.make(store, path: target.path, replaces: target.replaces, options, waits)
      },
      readFile: { path throws(Failure) in try LiveFiles.read(path) },
      openScript: { path throws(Failure) in try LiveFiles.script(path) },
      readSettingsFile: { path throws(Failure) in try LiveFiles.readOwn(path) },
      readInput: { () throws(Failure) in try LiveFiles.readInput() },
      openOutput: { place throws(Failure) in try LiveFiles.open(place) },
      listFiles: { LiveFiles.list($0) },
      results: LiveFiles.standardOutput(),
      report: { LiveFiles.report($0) }, ask: nil,
      now: { .now }, uptime: { LiveFiles.uptime() },
      systemTimeZone: { TimeZone.current.identifier }, systemLocale: { Locale.current },
      terminalWidth: { nil }, style: style, display: TerminalDisplay(color), cancel: .current)
    services.waitForChange = { LiveFiles.waiting(beside: $0, .current, $1) }
    return services
  }
}

extension StoreSource {
  /// The files that are read.
  var paths: [String] {
    switch self {
    case .file(let path): [path]
    case .standardInput: []
    case .files(let sources, _): sources.flatMap(\.paths)
    }
  }

  private func reader(_ options: KeepingOptions, _ progress: WorkProgress) -> StoreReader {
    paths.first.map {
      StoreReader(
        path: $0, isLenient: options.isLenient, progress: progress, cancel: options.cancel)
    } ?? StoreReader(isLenient: options.isLenient, progress: progress, cancel: options.cancel)
  }

  func open(
    _ options: KeepingOptions, _ progress: WorkProgress
  ) throws(StoreProblems) -> StoreOpenResult {
    switch self {
    case .file(let path): try StoreKeeper.open(path: path, options, progress: progress)
    case .standardInput: try StoreOpenResult(reading: reader(options, progress).read())
    case .files(let sources, let isUnion):
      try StoreOpenResult(
        reading: PlainFiles(sources.map { $0.reader(options, progress) }).read(isUnion: isUnion))
    }
  }
}

extension SystemServices {
  /// Sets the widths of standard output and standard error, by descriptor.
  package mutating func setWidths(_ width: @escaping (Int32) -> Int?) {
    terminalWidth = { width(1) }
    reportWidth = { width(2) }
  }

  /// Uses the user's recovery files and history.
  package mutating func useOwnFiles() {
    recoveryFiles = LiveFiles.recoveryFiles
    progressFile = LiveFiles.progressFile
    cache = LiveFiles.cache
    inputHasMore = LiveFiles.inputHasMore
    replaceFile = { path, bytes throws(Failure) in try LiveFiles.replace(path, with: bytes) }
    systemLanguage = { LiveFiles.language }
    isFirstTime = { access(LiveFiles.history, F_OK) != 0 }
  }
}
