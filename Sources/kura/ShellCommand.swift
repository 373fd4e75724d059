import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura [OPTIONS] [STORE] [STATEMENT …]`
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura", abstract: "A shell for object graphs, with Cocoa's predicates.",
    discussion: Launch.overview, version: "kura \(Version.current)")

  @Argument(help: "A store, plain JSON, or - for standard input; without it all is in memory.")
  var store: String?

  @Argument(help: "Statements to run.") var statements: [String] = []
  @Option(help: "Who saves, for the history of the store.") var author: String?

  @Option(name: .customShort("f"), help: ArgumentHelp("Run a script.", valueName: "file"))
  var scripts: [String] = []

  @Option(help: ArgumentHelp("How results are written: \(Launch.formatList).", valueName: "format"))
  var format = Launch.firstFormat

  @Option(
    name: .customLong("arg"),
    help: ArgumentHelp("Let $NAME be a string.", valueName: "name> <value"))
  var pairs: [String] = []

  @Flag(help: "Make STORE, an empty store, and open it.") var create = false
  @Flag(help: "Refuse to save.") var readOnly = false
  @Flag(help: "Touch nothing but STORE, for scripts of others: no other files, no commands.")
  var safe = false
  @Flag(help: "Save at the end.") var autosave = false
  @Flag(help: "Say what a save would write, and write nothing.") var dryRun = false
  @Flag(help: "Go on after an error.") var keepGoing = false
  @Option(help: "End each statement that takes longer, in seconds.") var timeout: String?
  @Flag(help: "Take no lock, where a file system has none.") var noLock = false
  @Flag(help: "Give up the last save, where it is damaged.") var dropDamagedSave = false
  @Option(help: ArgumentHelp("Read and write dates in this zone.", valueName: "id"))
  var timezone: String?

  @Option(help: ArgumentHelp("Wait so long for others to save.", valueName: "seconds"))
  var lockTimeout: Double?
  @Option(help: ArgumentHelp("Show values, and order under [l], by this locale.", valueName: "id"))
  var locale: String?

  @Option(help: ArgumentHelp("Lessons in this language: en or ja.", valueName: "id"))
  var language: String?

  @Flag(name: .customLong("no-init"), help: "Leave ~/.kurarc unread.") var skipsInitFile = false
  @Option(help: "Colour messages: auto, always or never.") var color = ColorChoice.automatic
  @Option(help: "Write messages as text, or as json, an object a line.")
  var diagnostics = MessageForm.text
}

extension ColorChoice: ExpressibleByArgument {}
extension MessageForm: ExpressibleByArgument {}

extension ShellCommand {
  mutating func validate() throws {
    do { try launch.check() } catch { throw ValidationError(error.message) }
  }

  /// What the arguments ask for.
  private var launch: Launch {
    get throws(Failure) {
      var launch = Launch()
      if let store, !store.isEmpty { launch.store = store == "-" ? .standardInput : .file(store) }
      (launch.creates, launch.isReadOnly, launch.savesAtEnd) = (create, readOnly, autosave)
      (launch.isDryRun, launch.keepsGoing, launch.isSafe) = (dryRun, keepGoing, safe)
      (launch.takesLock, launch.dropsDamagedSave) = (!noLock, dropDamagedSave)
      launch.lockTimeout = try lockTimeout.map(Launch.lockTimeout)
      launch.timeout = try timeout.map(Launch.timeout)
      launch.format = try Launch.format(named: format)
      for pair in pairs { try launch.addArgument(pair) }
      (launch.zone, launch.locale) = (try timezone.map(Launch.zone), try locale.map(Launch.locale))
      launch.language = try language.map(Launch.language)
      (launch.scripts, launch.statements, launch.author) = (scripts, statements, author)
      launch.reportsJSON = diagnostics == .json
      try launch.takeLesson()
      launch.initFile = skipsInitFile ? nil : LiveFiles.home(".kurarc")
      return launch
    }
  }

  func run() throws -> ExitStatus { Wiring(color: color).run(try launch) }
}
