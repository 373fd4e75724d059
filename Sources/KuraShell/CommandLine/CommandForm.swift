import Foundation
import KuraDiagnostics
import KuraRendering
import KuraSentences
import KuraValues

/// One command of the program: `kura`, `kura lesson grade`.
struct CommandForm: Sendable {
  let command: CommandRequest.Command
  /// The words that follow `kura` in its name.
  let words: [String]
  let abstract: @Sendable () -> String
  let overview: @Sendable () -> String
  let operands: [CommandOperand]
  let options: [CommandOption]

  init(
    _ command: CommandRequest.Command, _ words: [String],
    _ abstract: @escaping @autoclosure @Sendable () -> String,
    overview: @escaping @autoclosure @Sendable () -> String,
    operands: [CommandOperand], options: [CommandOption] = []
  ) {
    self.command = command
    self.words = words
    self.abstract = abstract
    self.overview = overview
    self.operands = operands
    self.options = options + [.help(words)]
  }

  /// `kura lesson grade`
  var name: String { (["kura"] + words).joined(separator: " ") }

  /// `kura [<options>] [<store>] [<statements> ...]`
  var usage: String {
    ([name, "[<options>]"] + operands.map(\.usage)).joined(separator: " ")
  }

  func option(named name: String) -> CommandOption? {
    options.first { $0.names.contains(name) }
  }

  /// Finds the command that the first arguments name, and returns it with the remaining arguments.
  static func named(
    by arguments: [String]
  ) -> (form: CommandForm, rest: ArraySlice<String>) {
    let form = all.first { arguments.starts(with: $0.words) } ?? .session
    return (form, arguments.dropFirst(form.words.count))
  }

  /// All commands, longer names first: `kura` alone begins all of them.
  static let all: [CommandForm] = [
    .lessonCheck, .lessonGrade, .check, .notebook, .generate, .session,
  ]
}

extension CommandForm {
  /// Reads the arguments after the command's name.
  func read(_ arguments: ArraySlice<String>) throws(Failure) -> CommandRequest {
    var request = CommandRequest(command: command)
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        request.operands += rest
        break
      }
      if argument.hasPrefix("-"), argument != "-" {
        try take(argument, &rest, &request)
        if request.answer != nil { return request }
      } else {
        request.operands.append(argument)
      }
    }
    try check(request.operands)
    try request.finish()
    return request
  }

  /// Reads an option, `--name`, `--name VALUE` or `--name=VALUE`, with its values.
  private func take(
    _ argument: String, _ rest: inout ArraySlice<String>, _ request: inout CommandRequest
  ) throws(Failure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = option(named: name) else { throw Failure(unknown(name)) }
    if parts.count == 2 {
      let value = String(parts[1])
      guard !option.values.isEmpty else {
        throw Failure(CommandLineProblemKind.valueOfFlag(name, value: value))
      }
      return try option.apply([value], to: &request)
    }
    try option.apply(values(of: option, name, &rest), to: &request)
  }

  /// Returns the values of an option. A single value must not look like an option, which suggests a
  /// forgotten value; the two values of `--arg` can be anything.
  private func values(
    of option: CommandOption, _ name: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> [String] {
    let values = Array(rest.prefix(option.values.count))
    let isOption = values.count == 1 && values[0].hasPrefix("-") && values[0] != "-"
    guard option.values.isEmpty || !values.isEmpty && !(isOption && option.values.count == 1) else {
      throw Failure(CommandLineProblemKind.missingValue(name, value: option.values[0]))
    }
    rest = rest.dropFirst(values.count)
    return values
  }

  private func unknown(_ name: String) -> CommandLineProblemKind {
    let other = command == .session ? ForeignOption.advice(for: name) : nil
    if let other { return .foreignOption(name, advice: other) }
    return .unknownOption(name, near: nearNames(to: name, among: options.flatMap(\.names)))
  }

  private func check(_ found: [String]) throws(Failure) {
    let required = operands.count(where: \.isRequired)
    if found.count < required {
      throw Failure(CommandLineProblemKind.missingOperand(operands[found.count].name))
    }
    if found.count > operands.count, operands.last?.repeats != true {
      throw Failure(CommandLineProblemKind.tooManyOperands(Array(found[operands.count...])))
    }
  }
}

// The commands of the program, with their options.
extension CommandForm {
  static let session = CommandForm(
    .session, [], localized("A shell for object graphs, with Cocoa's predicates."),
    overview: Launch.overview,
    operands: [
      CommandOperand(
        "store", isRequired: false,
        localized(
          "A store, plain JSON, or - for standard input. Without it, everything is in memory.")),
      CommandOperand(
        "statements", isRequired: false, repeats: true,
        localized("Statements to run, after more files of plain JSON if there are several.")),
    ],
    options: CommandOption.ofSessions)

  static let check = CommandForm(
    .check, ["check"], localized("Runs tables of test cases for predicates."),
    overview: CaseTables.overview,
    operands: [CommandOperand("files", repeats: true, localized("The tables."))])

  static let lessonCheck = CommandForm(
    .lessonCheck, ["lesson", "check"], localized("Checks that lessons are correct."),
    overview: LessonOverview.check,
    operands: [CommandOperand("files", repeats: true, localized("The lessons."))])

  static let lessonGrade = CommandForm(
    .lessonGrade, ["lesson", "grade"], localized("Grades the answers of a class."),
    overview: LessonOverview.grade,
    operands: [
      CommandOperand("lesson", localized("The lesson.")),
      CommandOperand(
        "answers", repeats: true, localized("The answers, one file per learner.")),
    ],
    options: [
      .format(localized("Format of the grades: \(OutputFormat.listOfNames).")),
      CommandOption(["--explain"], localized("Show a row per answer, with its feedback.")) {
        request, _ in request.explains = true
      },
      .language(localized("Language of the feedback: en or ja.")),
    ])

  static let notebook = CommandForm(
    .notebook, ["notebook"], localized("Runs the statements in Markdown files again."),
    overview: NotebookCheck.overview,
    operands: [CommandOperand("files", repeats: true, localized("The files."))],
    options: [
      CommandOption(["--write"], localized("Update the results in the files.")) { request, _ in
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
      ["--format"], values: ["format"], fallback: OutputFormat.usual.name, summary()
    ) { $0.launch.format = try OutputFormat(named: $1[0]) }
  }

  static func language(
    _ summary: @escaping @autoclosure @Sendable () -> String
  ) -> CommandOption {
    CommandOption(["--language"], values: ["id"], summary()) {
      $0.launch.language = try Language(named: $1[0])
    }
  }

  static let ofSessions: [CommandOption] =
    ofResults + ofStores + ofStatements + [
      CommandOption(["--version"], localized("Show the version.")) { request, _ in
        request.answer = "kura \(Version.current)"
      }
    ]

  private static let ofStores = [
    CommandOption(["--create"], localized("Create STORE as an empty store, and open it.")) {
      request, _ in
      request.launch.creates = true
    },
    CommandOption(
      ["--lenient"],
      localized("Read damaged plain JSON: repair or skip what is not JSON, and list it.")
    ) { request, _ in request.launch.isLenient = true },
    CommandOption(
      ["--union"],
      localized("Read all files as one entity, input; its key file has the names of the files.")
    ) { request, _ in request.launch.isUnion = true },
    CommandOption(["--read-only"], localized("Refuse to save.")) { request, _ in
      request.launch.isReadOnly = true
    },
    CommandOption(
      ["--safe"],
      localized("For other people's scripts: use only STORE, no other files and no commands.")
    ) { request, _ in request.launch.isSafe = true },
    CommandOption(["--autosave"], localized("Save at the end.")) { request, _ in
      request.launch.savesAtEnd = true
    },
    CommandOption(
      ["--dry-run"], localized("Show what a save would write, but write nothing.")
    ) { request, _ in request.launch.isDryRun = true },
    CommandOption(
      ["--author"], values: ["author"], localized("Author of the saves, for the store's history.")
    ) { $0.launch.author = $1[0] },
    CommandOption(
      ["--lock-timeout"], values: ["seconds"],
      localized("Wait up to this many seconds while other sessions save.")
    ) { request, values in
      guard let seconds = Double(values[0]) else {
        throw Failure(CommandLineProblemKind.noNumber(values[0], option: "--lock-timeout"))
      }
      request.launch.lockTimeout = try Launch.lockTimeout(seconds)
    },
    CommandOption(
      ["--no-lock"], localized("Do not lock the store, for file systems without locks.")
    ) { request, _ in request.launch.takesLock = false },
    CommandOption(
      ["--no-cache"], localized("Do not use the column cache in ~/.cache/kura.")
    ) { request, _ in request.launch.caches = false },
    CommandOption(
      ["--drop-damaged-save"], localized("Discard the last save if it is damaged.")
    ) { request, _ in request.launch.dropsDamagedSave = true },
  ]

  private static let ofStatements = [
    CommandOption(["-f"], values: ["file"], localized("Run a script.")) {
      $0.launch.scripts.append($1[0])
    },
    CommandOption(["--arg"], values: ["name", "value"], localized("Set $NAME to a string.")) {
      try $0.launch.addArgument($1)
    },
    CommandOption(["--keep-going"], localized("Continue after an error.")) { request, _ in
      request.launch.continuesAfterErrors = true
    },
    CommandOption(
      ["--exit-status"],
      localized(
        "Exit with 1 if the last exists printed false, or the last fetch or count found nothing.")
    ) { request, _ in request.launch.statusTellsFound = true },
    CommandOption(
      ["--timeout"], values: ["seconds"],
      localized("Stop each statement after this many seconds.")
    ) { $0.launch.timeout = try Duration(timeout: $1[0]) },
    CommandOption(["--no-init"], localized("Do not read ~/.kurarc.")) { request, _ in
      request.launch.initFile = nil
    },
    CommandOption(
      ["--timezone"], values: ["id"], localized("Read and write dates in this zone.")
    ) { $0.launch.zone = try ZoneRules(named: $1[0]) },
    CommandOption(
      ["--locale"], values: ["id"],
      localized("Use this locale to show values and to sort with [l].")
    ) { $0.launch.locale = try Locale(named: $1[0]) },
    language(localized("Language of messages and help: en or ja.")),
  ]

  private static let ofResults = [
    format(localized("Format of the results: \(OutputFormat.listOfNames).")),
    CommandOption(
      ["--color"], values: ["when"], choices: ColorChoice.allCases.map(\.rawValue),
      fallback: ColorChoice.automatic.rawValue,
      localized("Color messages: auto, always or never.")
    ) { $0.launch.color = ColorChoice(rawValue: $1[0]) ?? .automatic },
    CommandOption(
      ["--diagnostics"], values: ["form"], choices: MessageForm.allCases.map(\.rawValue),
      fallback: MessageForm.text.rawValue,
      localized(
        "Write messages as text, or as json with an object per line, including the notes of a prompt."
      )
    ) { $0.launch.messages = MessageForm(rawValue: $1[0]) },
  ]
}

extension CommandForm {
  /// Returns the text of `--help`, in lines of at most `columns` cells.
  func help(columns: Int) -> String {
    """
    \(localized("OVERVIEW: "))\(abstract())

    \(overview())

    \(localized("USAGE: "))\(usage)

    \(entries(columns: columns))
    """
  }

  /// Returns the operands and the options with their summaries.
  func entries(columns: Int) -> String {
    let lines =
      [localized("ARGUMENTS:")] + operands.map { Self.entry("<\($0.name)>", $0.summary()) }
      + ["", localized("OPTIONS:")] + options.map { Self.entry($0.usage, $0.details) }
    return WrappedText(width: columns).text(lines.joined(separator: "\n"))
  }

  private static let widthOfNames = 26

  /// Returns an entry of the list; a long name has a line of its own.
  private static func entry(_ name: String, _ text: String) -> String {
    let missing = widthOfNames - 2 - DisplayWidth().cells(name)
    guard missing < 2 else { return "  \(name)\(String(repeating: " ", count: missing))\(text)" }
    return "  \(name)\n\(String(repeating: " ", count: widthOfNames))\(text)"
  }
}

extension CommandOption {
  /// The summary, and the default value.
  fileprivate var details: String {
    guard let fallback else { return summary() }
    return "\(summary()) \(localized("(default: \(fallback))"))"
  }
}

/// An option of a command line: its names, its text in `--help`, and what it sets.
///
/// Help, completions, the manual page and the parser all read this value.
struct CommandOption: Sendable {
  /// `["--format"]`, or `["-h", "--help"]`
  let names: [String]
  /// The names of the values that follow it; empty for a flag.
  var values: [String] = []
  let summary: @Sendable () -> String
  /// The possible values; empty if any value is possible.
  var choices: [String] = []
  /// The default value.
  var fallback: String?
  let set: @Sendable (inout CommandRequest, [String]) throws -> Void

  init(
    _ names: [String], values: [String] = [], choices: [String] = [], fallback: String? = nil,
    _ summary: @escaping @autoclosure @Sendable () -> String,
    set: @escaping @Sendable (inout CommandRequest, [String]) throws -> Void
  ) {
    self.names = names
    self.values = values
    self.choices = choices
    self.fallback = fallback
    self.summary = summary
    self.set = set
  }
}

extension CommandOption {
  /// `-h, --help`, `--arg <name> <value>`
  var usage: String {
    ([names.joined(separator: ", ")] + values.map { "<\($0)>" }).joined(separator: " ")
  }

  /// Sets the option; called once with `values.count` values.
  func apply(_ found: [String], to request: inout CommandRequest) throws(Failure) {
    if !choices.isEmpty, let word = found.first, !choices.contains(word) {
      throw Failure(CommandLineProblemKind.notAChoice(word, option: names[0], choices: choices))
    }
    do { try set(&request, found) } catch { throw Failure(error) }
  }
}

/// An argument that is not an option: `STORE`, `FILE …`.
struct CommandOperand: Sendable {
  let name: String
  var isRequired = true
  var repeats = false
  let summary: @Sendable () -> String

  init(
    _ name: String, isRequired: Bool = true, repeats: Bool = false,
    _ summary: @escaping @autoclosure @Sendable () -> String
  ) {
    self.name = name
    self.isRequired = isRequired
    self.repeats = repeats
    self.summary = summary
  }

  /// `<store>`, `[<statements> ...]`
  var usage: String {
    let usage = repeats ? "<\(name)> ..." : "<\(name)>"
    return isRequired ? usage : "[\(usage)]"
  }
}
