package import Foundation
import KuraDiagnostics
import KuraModel
package import KuraRendering
import KuraScript
package import KuraSentences
import KuraStore
package import KuraValues

/// What a command line asks for.
package struct Launch: Sendable {
  /// Nil: the graph is in memory.
  package var store: StoreSource?
  /// `--create`
  package var creates = false
  package var isReadOnly = false
  package var savesAtEnd = false
  /// `--dry-run`
  package var isDryRun = false
  /// `--safe`
  package var isSafe = false
  /// False: `--no-lock`
  package var takesLock = true
  package var dropsDamagedSave = false
  /// False: `--no-cache`
  package var caches = true
  /// `--lock-timeout SECONDS`
  package var lockTimeout: Duration?
  package var keepsGoing = false
  /// Whether the exit status tells what the last question found: `--exit-status`
  package var statusTellsFound = false
  /// How messages are written, `--diagnostics json`; nil: as text, and without the notes that a person at a
  /// prompt gets.
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
  /// `--author`: who saves, for the history; nil: the user.
  package var author: String?
  /// What a conversation begins with, as if it were typed: `lesson 1`
  package var opening: String?
  /// `-f FILE`
  package var scripts: [String] = []
  package var statements: [String] = []
  /// A person's own settings, for a conversation; nil: none.
  package var initFile: String?

  /// An empty graph in memory.
  package init() { format = OutputFormat.all[0] }
}

extension Launch {
  static var formatNames: [String] { OutputFormat.all.map(\.name) }

  /// `table, list, …`
  static var formatList: String { formatNames.joined(separator: ", ") }

  /// The format that nobody has to ask for.
  static var firstFormat: String { OutputFormat.all[0].name }

  /// Reads the name of a format.
  static func format(named name: String) throws(Failure) -> OutputFormat {
    try OutputFormat(named: name)
  }

  /// Reads what stands behind `--timeout`.
  static func timeout(_ text: String) throws(Failure) -> Duration {
    try Duration(timeout: text)
  }

  /// Reads the name of a time zone.
  static func zone(named name: String) throws(Failure) -> ZoneRules {
    try ZoneRules(named: name)
  }

  /// The language in which a command line is answered: what it says itself, else what the environment
  /// does. What is generated is for everybody, and in English.
  package static func language(of arguments: [String]) -> Language {
    // A manual is read by people; completions are read by a shell, and may be made for others.
    if arguments.first == "generate", arguments.dropFirst().first != "man" { return .english }
    let option = arguments.firstIndex(of: "--language").map { arguments.index(after: $0) }
    let name = option.flatMap { $0 < arguments.endIndex ? arguments[$0] : nil }
    return name.flatMap(Language.init(locale:)) ?? LiveFiles.language
  }

  /// Reads the name of a language.
  static func language(named name: String) throws(Failure) -> Language {
    try Language(named: name)
  }

  /// Reads the name of a locale.
  static func locale(named name: String) throws(Failure) -> Locale {
    try Locale(named: name)
  }
}

extension Launch {
  /// The ways to start, for `--help`.
  static var overview: String {
    localized(
      """
      kura todo.json                       a conversation
      kura todo.json 'fetch Item limit 3'  statements as arguments
      kura todo.json -f report.kura        a script
      echo 'count Item' | kura todo.json   a pipe
      curl … | kura - 'count input'        plain JSON from a pipe
      kura --create todo.json              an empty store
      kura check CASES.tsv                 tests of predicates
      kura lesson                          learning predicates, from the start
      kura lesson check LESSON.md          whether a lesson is right
      kura lesson grade LESSON.md ANSWERS  the grades of a class
      kura notebook NOTES.md               the blocks of a notebook, run again
      kura generate man|bash|zsh|fish      a manual page, or completions for a shell

      .help in the shell explains the language.
      """)
  }
}

extension Launch {
  /// Lets a name be a string: `who`, `O'Brien`, or as one text `who=O'Brien`.
  mutating func addArgument(_ values: [String]) throws(Failure) {
    let parts =
      values.count == 2
      ? values
      : values[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw Failure(LaunchFacts.argumentWithoutValue(values.joined(separator: "=")))
    }
    arguments[parts[0]] = parts[1]
  }

  /// Reads the seconds that a save waits for the lock.
  static func lockTimeout(_ seconds: Double) throws(Failure) -> Duration {
    guard seconds >= 0, seconds <= 1e9 else { throw Failure(LaunchFacts.badLockTimeout) }
    return .seconds(seconds)
  }

  /// How stores are kept. A script does not wait for ever for others; a person says when it is enough.
  func keeping(hasPerson: Bool) -> KeepingOptions {
    var keeping = KeepingOptions()
    keeping.takesLock = takesLock
    keeping.dropsDamagedSave = dropsDamagedSave
    keeping.lockTimeout = lockTimeout ?? (hasPerson ? nil : .seconds(30))
    return keeping
  }
}

extension Launch {
  /// Whether it brings its own statements.
  package var isScript: Bool { !statements.isEmpty || !scripts.isEmpty }

  /// Opens what it names, and runs its statements, those of a person, or those of standard input.
  package func run(_ surroundings: Surroundings, _ conversation: Conversation?) -> ExitStatus {
    (language ?? surroundings.systemLanguage()).speaks { open(surroundings, conversation) }
  }

  private func open(_ surroundings: Surroundings, _ conversation: Conversation?) -> ExitStatus {
    var surroundings = surroundings
    surroundings.style.isJSON = messages == .json
    do throws(Failure) {
      let session = try Session(self, surroundings)
      session.isFirstTime = conversation != nil && !isSafe && surroundings.isFirstTime()
      if isScript || conversation == nil { session.warnOfRecovered() }
      if isScript { return session.run(self) }
      guard let conversation else { return session.runPipe() }
      if let initFile, !isSafe { session.runInitFile(initFile) }
      return session.converse(conversation)
    } catch {
      surroundings.report(error.rendered(in: nil, style: surroundings.styleNow) + "\n")
      return error.status
    }
  }
}

/// The version of the shell.
package enum Version {
  package static let current = "0.1.0"
}

extension Launch {
  /// `kura lesson`, `kura lesson 6`, `kura lesson mine.md`: a conversation that begins in a lesson.
  mutating func takeLesson() throws(Failure) {
    guard store == .file("lesson"), !creates else { return }
    guard statements.count <= 1, scripts.isEmpty else { throw Failure(LessonLaunchFacts.tooMuch) }
    let name = statements.first ?? ""
    let isNumber = name.allSatisfy { $0.isNumber || $0 == "." }
    opening =
      name.isEmpty ? "" : isNumber ? "lesson \(name)" : "lesson \(StatementText.string(name))"
    (store, statements) = (nil, [])
  }
}

/// What is wrong behind `kura lesson`.
private enum LessonLaunchFacts: DiagnosticFacts {
  case tooMuch

  var sentence: String {
    localized("behind kura lesson stands the number or the file of one lesson")
  }
  var help: String? { localized("kura lesson check and kura lesson grade take several files") }
}
