package import Foundation
import KuraDiagnostics
import KuraModel
package import KuraRendering
import KuraScript
package import KuraSentences
import KuraStore
package import KuraValues

/// The request of a command line for a session.
package struct Launch: Sendable {
  /// The store; nil for a graph in memory.
  package var store: StoreSource?
  /// `--create`
  package var creates = false
  package var isReadOnly = false
  package var savesAtEnd = false
  /// `--dry-run`
  package var isDryRun = false
  /// `--safe`
  package var isSafe = false
  /// False for `--no-lock`
  package var takesLock = true
  package var dropsDamagedSave = false
  /// `--lenient`
  package var isLenient = false
  /// `--union`
  var isUnion = false
  /// False for `--no-cache`
  package var caches = true
  /// `--lock-timeout SECONDS`
  package var lockTimeout: Duration?
  package var continuesAfterErrors = false
  /// `--exit-status`: whether the exit status reports if the last query found anything
  package var statusTellsFound = false
  /// The form of messages, `--diagnostics json`; nil for text without the notes for a user at a
  /// prompt.
  package var messages: MessageForm?
  /// `--color`
  package var color = ColorChoice.automatic
  /// `--timeout SECONDS`
  package var timeout: Duration?
  package var format: OutputFormat
  /// `--arg NAME VALUE`
  package var arguments: [String: String] = [:]
  package var zone: ZoneRules?
  package var locale: Locale?
  /// `--language`
  package var language: Language?
  /// `--author`: the author of saves, for the history; nil for the user
  package var author: String?
  /// The first statement of a conversation, run as if it were typed: `lesson 1`
  package var opening: String?
  /// `-f FILE`
  package var scripts: [String] = []
  package var statements: [String] = []
  /// The user's settings file, for a conversation; nil for none.
  package var initFile: String?

  /// Creates a request for an empty graph in memory.
  package init() { format = .usual }
}

extension Launch {
  /// Returns the language for a command line: that of its option, otherwise that of the
  /// environment. Completions are in English, because a shell reads them, perhaps for other users.
  package static func language(of arguments: [String]) -> Language {
    if arguments.first == "generate",
      arguments.dropFirst().first.flatMap(CompletionScript.init(rawValue:)) != nil
    {
      return .english
    }
    let option = arguments.firstIndex(of: "--language").map { arguments.index(after: $0) }
    let name = option.flatMap { $0 < arguments.endIndex ? arguments[$0] : nil }
    return name.flatMap(Language.init(locale:)) ?? LiveFiles.language
  }

  /// The ways to start, for `--help`.
  static var overview: String {
    localized(
      """
      kura todo.json                       an interactive session
      kura todo.json 'fetch Item limit 3'  statements as arguments
      kura todo.json -f report.kura        a script
      echo 'count Item' | kura todo.json   a pipe
      curl … | kura - 'count input'        plain JSON from a pipe
      kura --union *.jsonl 'count input'   several files of plain JSON
      kura --create todo.json              a new, empty store
      kura check CASES.tsv                 tests of predicates
      kura lesson                          lessons on predicates, from the first
      kura lesson check LESSON.md          a check that a lesson is correct
      kura lesson grade LESSON.md ANSWERS  the grades of a class
      kura notebook NOTES.md               the blocks of a notebook, run again
      kura generate man|bash|zsh|fish      a manual page, or completions for a shell

      .help in the shell explains the language.
      """)
  }

  /// Adds a string variable: `who`, `O'Brien`, or as one text `who=O'Brien`.
  mutating func addArgument(_ values: [String]) throws(Failure) {
    var parts =
      values.count == 2
      ? values
      : values[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
    if parts[0].hasPrefix("$") { parts[0].removeFirst() }
    guard parts.count == 2, !parts[0].isEmpty else {
      throw Failure(LaunchProblem.argumentWithoutValue(values.joined(separator: "=")))
    }
    arguments[parts[0]] = parts[1]
  }

  /// Adds the files after the first one.
  mutating func takeFiles(_ others: [StoreSource]) throws(Failure) {
    guard isUnion || !others.isEmpty else { return }
    guard let first = store else { throw Failure(LaunchProblem.unionOfNothing) }
    guard !creates else { throw Failure(LaunchProblem.createsSeveral) }
    store = .files([first] + others, isUnion: isUnion)
  }

  /// Reads the seconds that a save waits for the lock.
  static func lockTimeout(_ seconds: Double) throws(Failure) -> Duration {
    guard seconds >= 0, seconds <= 1e9 else { throw Failure(LaunchProblem.badLockTimeout) }
    return .seconds(seconds)
  }

  /// Returns the options for opening stores. A script waits for a lock for a limited time, a user
  /// until they cancel.
  func keeping(hasPerson: Bool) -> KeepingOptions {
    var keeping = KeepingOptions()
    keeping.takesLock = takesLock
    keeping.dropsDamagedSave = dropsDamagedSave
    keeping.isLenient = isLenient
    keeping.lockTimeout = lockTimeout ?? (hasPerson ? nil : .seconds(30))
    return keeping
  }

  /// Whether the command line has its own statements.
  package var isScript: Bool { !statements.isEmpty || !scripts.isEmpty }

  /// Opens the store, and runs the statements of the command line, a user or standard input.
  package func run(_ services: SystemServices, _ conversation: Conversation?) -> ExitStatus {
    (language ?? services.systemLanguage()).speaks { open(services, conversation) }
  }

  private func open(_ services: SystemServices, _ conversation: Conversation?) -> ExitStatus {
    var services = services
    services.style.isJSON = messages == .json
    do throws(Failure) {
      let session = try Session(self, services)
      session.typing.isFirstTime = conversation != nil && !isSafe && services.isFirstTime()
      if isScript || conversation == nil { session.warnOfRecovered() }
      if isScript { return session.run(self) }
      guard let conversation else { return session.runPipe() }
      if let initFile, !isSafe { session.runInitFile(initFile) }
      return session.converse(conversation)
    } catch {
      services.report(error.rendered(in: nil, style: services.styleNow) + "\n")
      return error.status
    }
  }
}

/// The version of the shell.
package enum Version {
  package static let current = "0.1.0"
}

extension Launch {
  /// Begins a conversation in a lesson: `kura lesson`, `kura lesson 6`, `kura lesson mine.md`.
  mutating func takeLesson() throws(Failure) {
    guard store == .file("lesson"), !creates else { return }
    guard statements.count <= 1, scripts.isEmpty else { throw Failure(LessonLaunchProblem.tooMuch) }
    let name = statements.first ?? ""
    let isNumber = name.allSatisfy { $0.isNumber || $0 == "." }
    opening =
      name.isEmpty ? "" : isNumber ? "lesson \(name)" : "lesson \(StatementText.string(name))"
    (store, statements) = (nil, [])
  }
}

/// A problem with the arguments of `kura lesson`.
private enum LessonLaunchProblem: DiagnosticFacts {
  case tooMuch

  var sentence: String {
    localized("kura lesson accepts only one lesson: its number or its file")
  }
  var help: String? { localized("kura lesson check and kura lesson grade take several files") }
}
