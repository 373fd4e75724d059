import KuraSentences

// The commands of the program, with their options.
extension CommandForm {
  static let session = CommandForm(
    .session, [], localized("A shell for object graphs, with Cocoa's predicates."),
    overview: Launch.overview,
    operands: [
      CommandOperand(
        "store", isRequired: false,
        localized("A store, plain JSON, or - for standard input; without it all is in memory.")),
      CommandOperand(
        "statements", isRequired: false, repeats: true, localized("Statements to run.")),
    ],
    options: CommandOption.ofSessions)

  static let check = CommandForm(
    .check, ["check"], localized("Runs tables of cases for predicates."),
    overview: CaseTables.overview,
    operands: [CommandOperand("files", repeats: true, localized("The tables."))])

  static let lessonCheck = CommandForm(
    .lessonCheck, ["lesson", "check"], localized("Proves that lessons are right."),
    overview: LessonOverview.check,
    operands: [CommandOperand("files", repeats: true, localized("The lessons."))])

  static let lessonGrade = CommandForm(
    .lessonGrade, ["lesson", "grade"], localized("Grades the answers of a class."),
    overview: LessonOverview.grade,
    operands: [
      CommandOperand("lesson", localized("The lesson.")),
      CommandOperand(
        "answers", repeats: true, localized("The answers, a file for each learner.")),
    ],
    options: [
      .format(localized("How the grades are written: \(Launch.formatList).")),
      CommandOption(["--explain"], localized("A row for each answer, with what is said of it.")) {
        request, _ in request.explains = true
      },
      .language(localized("In which language that is said: en or ja.")),
    ])

  static let notebook = CommandForm(
    .notebook, ["notebook"], localized("Runs the statements of Markdown files again."),
    overview: NotebookCheck.overview,
    operands: [CommandOperand("files", repeats: true, localized("The files."))],
    options: [
      CommandOption(["--write"], localized("Bring the files up to date.")) { request, _ in
        request.writes = true
      }
    ])

  static let generate = CommandForm(
    .generate, ["generate"],
    localized("Writes a manual page, or completions for a shell."),
    overview: localized("kura generate man|bash|zsh|fish"),
    operands: [
      CommandOperand("name", isRequired: false, repeats: true, localized("What to write."))
    ])
}

// Options of several commands.
extension CommandOption {
  static func help(_ words: [String]) -> CommandOption {
    CommandOption(["-h", "--help"], localized("Show help information.")) { request, _ in
      request.answer = CommandForm.named(by: words).form.help(columns: 80)
    }
  }

  static func format(
    _ summary: @escaping @autoclosure @Sendable () -> String
  ) -> CommandOption {
    CommandOption(
      ["--format"], values: ["format"], fallback: Launch.firstFormat, summary()
    ) { $0.launch.format = try Launch.format(named: $1[0]) }
  }

  static func language(
    _ summary: @escaping @autoclosure @Sendable () -> String
  ) -> CommandOption {
    CommandOption(["--language"], values: ["id"], summary()) {
      $0.launch.language = try Launch.language(named: $1[0])
    }
  }
}

extension CommandOption {
  static let ofSessions: [CommandOption] =
    ofResults + ofStores + ofStatements + [
      CommandOption(["--version"], localized("Show the version.")) { request, _ in
        request.answer = "kura \(Version.current)"
      }
    ]

  private static let ofStores = [
    CommandOption(["--create"], localized("Make STORE, an empty store, and open it.")) {
      request, _ in
      request.launch.creates = true
    },
    CommandOption(["--read-only"], localized("Refuse to save.")) { request, _ in
      request.launch.isReadOnly = true
    },
    CommandOption(
      ["--safe"],
      localized("Touch nothing but STORE, for scripts of others: no other files, no commands.")
    ) { request, _ in request.launch.isSafe = true },
    CommandOption(["--autosave"], localized("Save at the end.")) { request, _ in
      request.launch.savesAtEnd = true
    },
    CommandOption(
      ["--dry-run"], localized("Say what a save would write, and write nothing.")
    ) { request, _ in request.launch.isDryRun = true },
    CommandOption(
      ["--author"], values: ["author"], localized("Who saves, for the history of the store.")
    ) { $0.launch.author = $1[0] },
    CommandOption(
      ["--lock-timeout"], values: ["seconds"], localized("Wait so long for others to save.")
    ) { request, values in
      guard let seconds = Double(values[0]) else {
        throw Failure(CommandLineFacts.noNumber(values[0], option: "--lock-timeout"))
      }
      request.launch.lockTimeout = try Launch.lockTimeout(seconds)
    },
    CommandOption(
      ["--no-lock"], localized("Take no lock, where a file system has none.")
    ) { request, _ in request.launch.takesLock = false },
    CommandOption(
      ["--no-cache"], localized("Keep and use no columns in ~/.cache/kura.")
    ) { request, _ in request.launch.caches = false },
    CommandOption(
      ["--drop-damaged-save"], localized("Give up the last save, where it is damaged.")
    ) { request, _ in request.launch.dropsDamagedSave = true },
  ]

  private static let ofStatements = [
    CommandOption(["-f"], values: ["file"], localized("Run a script.")) {
      $0.launch.scripts.append($1[0])
    },
    CommandOption(["--arg"], values: ["name", "value"], localized("Let $NAME be a string.")) {
      try $0.launch.addArgument($1)
    },
    CommandOption(["--keep-going"], localized("Go on after an error.")) { request, _ in
      request.launch.keepsGoing = true
    },
    CommandOption(
      ["--exit-status"],
      localized(
        "Exit with 1 if the last exists printed false, or the last fetch or count found nothing.")
    ) { request, _ in request.launch.statusTellsFound = true },
    CommandOption(
      ["--timeout"], values: ["seconds"],
      localized("End each statement that takes longer, in seconds.")
    ) { $0.launch.timeout = try Launch.timeout($1[0]) },
    CommandOption(["--no-init"], localized("Leave ~/.kurarc unread.")) { request, _ in
      request.launch.initFile = nil
    },
    CommandOption(
      ["--timezone"], values: ["id"], localized("Read and write dates in this zone.")
    ) { $0.launch.zone = try Launch.zone(named: $1[0]) },
    CommandOption(
      ["--locale"], values: ["id"], localized("Show values, and order under [l], by this locale.")
    ) { $0.launch.locale = try Launch.locale(named: $1[0]) },
    language(localized("Speak this language: en or ja.")),
  ]

  private static let ofResults = [
    format(localized("How results are written: \(Launch.formatList).")),
    CommandOption(
      ["--color"], values: ["when"], choices: ColorChoice.allCases.map(\.rawValue),
      fallback: ColorChoice.automatic.rawValue,
      localized("Color messages: auto, always or never.")
    ) { $0.launch.color = ColorChoice(rawValue: $1[0]) ?? .automatic },
    CommandOption(
      ["--diagnostics"], values: ["form"], choices: MessageForm.allCases.map(\.rawValue),
      fallback: MessageForm.text.rawValue,
      localized(
        "Write messages as text, or as json, an object a line; also give the notes of a prompt.")
    ) { $0.launch.messages = MessageForm(rawValue: $1[0]) },
  ]
}
