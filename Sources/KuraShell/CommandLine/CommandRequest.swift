import KuraDiagnostics
import KuraSentences

/// The request of a command line.
package struct CommandRequest: Sendable {
  package enum Command: Sendable {
    /// `kura [STORE] [STATEMENT …]`
    case session
    /// `kura check CASES.tsv`
    case check
    /// `kura lesson check LESSON.md`
    case lessonCheck
    /// `kura lesson grade LESSON.md ANSWERS`
    case lessonGrade
    /// `kura notebook NOTES.md`
    case notebook
    /// `kura generate man|bash|zsh|fish`
    case generate
  }

  package let command: Command
  /// The arguments that are not options or commands.
  package var operands: [String] = []
  /// The store, the statements and the options of a session; other commands use its format and
  /// language.
  package var launch = Launch()
  /// `--write`
  package var writes = false
  /// `--explain`
  package var explains = false
  /// The text to print for `--help` or `--version`.
  package var answer: String?

  init(command: Command) {
    self.command = command
    launch.initFile = LiveFiles.home(".kurarc")
  }

  /// Reads the command line of the process, each argument as the system passes it.
  package init(cStrings: [UnsafePointer<CChar>]) throws(CommandLineProblem) {
    let arguments = cStrings.map { String(cString: $0) }
    for (bytes, text) in zip(cStrings, arguments) where String(validatingCString: bytes) == nil {
      throw CommandLineProblem(
        form: CommandForm.named(by: arguments).0,
        failure: Failure(CommandLineProblemKind.notUTF8(text)))
    }
    try self.init(arguments)
  }

  /// Reads a command line.
  package init(_ arguments: [String]) throws(CommandLineProblem) {
    let (form, rest) = CommandForm.named(by: arguments)
    do {
      self = try form.read(rest)
    } catch {
      throw CommandLineProblem(form: form, failure: error)
    }
  }
}

extension CommandRequest {
  /// Interprets the operands, and throws if they contradict the options.
  mutating func finish() throws(Failure) {
    guard command == .session else { return }
    if let store = operands.first, !store.isEmpty {
      launch.store = store == "-" ? .standardInput : .file(store)
    }
    let others =
      launch.store == nil ? [] : operands.dropFirst().prefix(while: LiveFiles.isPlainFile)
    launch.statements = Array(operands.dropFirst(1 + others.count))
    try launch.takeFiles(others.map(StoreSource.file))
    try launch.takeLesson()
    try launch.check()
  }

  /// Performs the command, except a session, which needs a terminal.
  package func run(_ services: SystemServices) -> ExitStatus {
    switch command {
    case .session: launch.run(services, nil)
    case .check: CaseTables(operands, services).check()
    case .lessonCheck: LessonCheck(operands, services).run()
    case .lessonGrade: LessonGrades(self, services).run()
    case .notebook: NotebookCheck(operands, writes: writes, services).run()
    case .generate: Generator().run(operands)
    }
  }
}
