package import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraSentences
package import KuraStore
package import KuraValues

/// Everything outside that a session touches, so that a test can hold it still.
package struct Surroundings {
  package var openStore:
    (StoreSource, KeepingOptions, WorkProgress) throws(StoreProblems) -> StoreOpenResult
  /// Writes a store whole, and keeps it from then on; nil for what is no file.
  package var makeStore:
    (StoreContents, StoreTarget, KeepingOptions, LockWaiting) throws(StoreProblems) -> StoreKeeper?
  /// The bytes of a table of cases.
  package var readFile: (String) throws(Failure) -> [UInt8]
  /// Puts other bytes into a file, all of them or none.
  package var replaceFile: (String, [UInt8]) throws(Failure) -> Void = { path, _ throws(Failure) in
    throw Failure(FileFacts.cannotWrite(path: path, reason: localized("nothing is written here")))
  }
  /// The statements of a file or a pipe.
  package var openScript: (String) throws(Failure) -> ScriptInput
  /// What a person wrote for every session; nil where there is nothing.
  package var readOwnFile: (String) throws(Failure) -> [UInt8]?
  /// The next bytes of standard input; nil at its end.
  package var readInput: () throws(Failure) -> [UInt8]?
  /// Whether standard input has something now, or its end.
  package var inputHasMore: () -> Bool = { true }
  /// A file or command that takes results.
  package var openOutput: (OutputPlace) throws(Failure) -> ResultStream
  /// The files and folders whose paths begin as what is typed.
  package var listFiles: (String) -> [ListedFile]
  /// Standard output.
  package var results: ResultStream
  /// Writes to standard error.
  package var report: (String) -> Void
  /// Asks the person at the terminal; nil off a terminal.
  package var ask: ((String) -> String?)?
  /// Lets the person change a text in a program for that; nil off a terminal.
  package var edit: ((String) throws(Failure) -> String)?
  package var now: () -> Timestamp
  /// Waits beside a store for what others do to it; nil: that cannot be done.
  package var waitBeside: (_ path: String, _ isEnding: @escaping () -> Bool) -> StoreWaiting? = {
    _, _ in nil
  }
  /// Who saves, unless somebody says another.
  package var userName: () -> String = { NSUserName() }
  /// Whether somebody asks for the end of the program: a signal.
  package var isEnding: () -> Bool = { false }
  /// The time that has passed since some moment, for `.timer`.
  package var uptime: () -> Duration
  /// `Asia/Tokyo`, for new stores.
  package var systemTimeZone: () -> String
  package var systemLocale: () -> Locale
  /// In which lessons are read, unless somebody says another one.
  package var systemLanguage: () -> Language = { .english }
  /// Where a learner's progress is kept; nil: nowhere.
  package var progressFile: ProgressFile?
  /// The cells of a line of the terminal that standard output is; nil if it is none.
  package var terminalWidth: () -> Int?
  /// The cells of a line of the terminal that standard error is; nil if it is none.
  package var reportWidth: () -> Int? = { nil }
  /// How messages look.
  package var style: DiagnosticStyle
  /// What the terminal of the results can show.
  package var display = TerminalDisplay()
  /// Who asks for it stops the statement that runs: Control-C.
  package var cancel: CancelFlag
  /// Whether there is no history yet.
  package var isFirstTime: () -> Bool = { false }
  /// Where unsaved changes of a session are kept that is ended from outside; nil: nowhere.
  package var recoveryFiles: RecoveryFiles?
  /// Where columns are cached; nil: nowhere.
  package var cache: CacheSettings?
  /// Where long work says how far it is.
  package var progress = WorkProgress.none
}

extension Surroundings {
  /// How messages look in the window as it is now: it may have been resized.
  var styleNow: DiagnosticStyle {
    var style = style
    if let width = reportWidth() { style.columns = StandardStreams.columns(ofWidth: width) }
    return style
  }

  /// While somebody else saves, that is said, and Control-C ends the waiting.
  var lockWaiting: LockWaiting {
    let (report, style) = (report, styleNow)
    return LockWaiting(
      report: { report($0.rendered(style: style) + "\n") }, cancel: cancel)
  }
}

/// What a store is read from.
package enum StoreSource: Sendable, Hashable {
  /// `todo.json`
  case file(String)
  /// `-`
  case standardInput
}

/// What a store is written to.
package struct StoreTarget: Sendable, Equatable {
  package var path: String
  /// Whether a file that is there is replaced.
  package var replaces: Bool

  package init(path: String, replaces: Bool) {
    self.path = path
    self.replaces = replaces
  }
}

/// A file that is there.
package struct ListedFile: Sendable, Hashable {
  package var path: String
  package var isFolder: Bool
}

/// Where `.output` sends results.
package enum OutputPlace: Sendable, Hashable {
  /// `.output report.csv`
  case file(String)
  /// `.output | gzip > report.gz`
  case command(String)
  /// `.once | less`: begins when something comes for it, and has the terminal then.
  case commandOnce(String)
  /// What shows a result that is longer than the screen.
  case pager(String)
}

extension OutputPlace {
  /// The same for one statement.
  var once: OutputPlace {
    if case .command(let command) = self { .commandOnce(command) } else { self }
  }
}

// Live
extension Surroundings {
  /// The files, the clock and the streams of this process; nobody to ask, and no terminal.
  package static func live(
    style: DiagnosticStyle, color: ColorChoice = .never
  ) -> Surroundings {
    var surroundings = Surroundings(
      openStore: { source, options, progress throws(StoreProblems) in
        try source.open(options, progress)
      },
      makeStore: { store, target, options, waits throws(StoreProblems) in
        try StoreKeeper.make(store, path: target.path, replaces: target.replaces, options, waits)
      },
      readFile: { path throws(Failure) in try LiveFiles.read(path) },
      openScript: { path throws(Failure) in try LiveFiles.script(path) },
      readOwnFile: { path throws(Failure) in try LiveFiles.readOwn(path) },
      readInput: { () throws(Failure) in try LiveFiles.readInput() },
      openOutput: { place throws(Failure) in try LiveFiles.open(place) },
      listFiles: { LiveFiles.list($0) },
      results: LiveFiles.standardOutput(),
      report: { LiveFiles.report($0) }, ask: nil,
      now: { .now }, uptime: { LiveFiles.uptime() },
      systemTimeZone: { TimeZone.current.identifier }, systemLocale: { Locale.current },
      terminalWidth: { nil }, style: style, display: TerminalDisplay(color), cancel: .current)
    surroundings.waitBeside = { LiveFiles.waiting(beside: $0, .current, $1) }
    return surroundings
  }
}

extension StoreSource {
  func open(
    _ options: KeepingOptions, _ progress: WorkProgress
  ) throws(StoreProblems) -> StoreOpenResult {
    switch self {
    case .file(let path): try StoreKeeper.open(path: path, options, progress: progress)
    case .standardInput:
      StoreOpenResult(
        store: try StoreReader(progress: progress, cancel: options.cancel).read(), keeper: nil)
    }
  }
}

extension Surroundings {
  /// How wide standard output and standard error are, by their numbers.
  package mutating func setWidths(_ width: @escaping (Int32) -> Int?) {
    terminalWidth = { width(1) }
    reportWidth = { width(2) }
  }

  /// Recovery files and the history are those of this person.
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
