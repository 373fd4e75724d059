import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura [OPTIONS] [STORE] [STATEMENT …]`
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura", abstract: LaunchHelp.abstract,
    discussion: Launch.overview, version: "kura \(Version.current)")

  @Argument(help: .init(LaunchHelp.store)) var store: String?
  @Argument(help: .init(LaunchHelp.statements)) var statements: [String] = []
  @Option(help: .init(LaunchHelp.author)) var author: String?

  @Option(name: .customShort("f"), help: .init(LaunchHelp.script, valueName: "file"))
  var scripts: [String] = []

  @Option(help: .init(LaunchHelp.format, valueName: "format")) var format = Launch.firstFormat

  @Option(name: .customLong("arg"), help: .init(LaunchHelp.argument, valueName: "name> <value"))
  var pairs: [String] = []

  @Flag(help: .init(LaunchHelp.create)) var create = false
  @Flag(help: .init(LaunchHelp.readOnly)) var readOnly = false
  @Flag(help: .init(LaunchHelp.safe)) var safe = false
  @Flag(help: .init(LaunchHelp.autosave)) var autosave = false
  @Flag(help: .init(LaunchHelp.dryRun)) var dryRun = false
  @Flag(help: .init(LaunchHelp.keepGoing)) var keepGoing = false
  @Option(help: .init(LaunchHelp.timeout)) var timeout: String?
  @Flag(help: .init(LaunchHelp.noLock)) var noLock = false
  @Flag(help: .init(LaunchHelp.dropDamagedSave)) var dropDamagedSave = false
  @Flag(help: .init(LaunchHelp.noCache)) var noCache = false
  @Option(help: .init(LaunchHelp.zone, valueName: "id")) var timezone: String?

  @Option(help: .init(LaunchHelp.lockTimeout, valueName: "seconds"))
  var lockTimeout: Double?

  @Option(help: .init(LaunchHelp.locale, valueName: "id")) var locale: String?
  @Option(help: .init(LaunchHelp.language, valueName: "id")) var language: String?
  @Flag(name: .customLong("no-init"), help: .init(LaunchHelp.noInit)) var skipsInitFile = false
  @Option(help: .init(LaunchHelp.color)) var color = ColorChoice.automatic
  @Option(help: .init(LaunchHelp.diagnostics)) var diagnostics = MessageForm.text
}

extension ColorChoice: ExpressibleByArgument {}
extension MessageForm: ExpressibleByArgument {}

extension ShellCommand {
  mutating func validate() throws {
    do { try launch.check() } catch { throw ValidationError(error.message) }
  }

  /// What the parser of options makes of a command line.
  static func launch(parsing arguments: [String]) throws -> Launch {
    try parse(Launch.joiningPairs(arguments)).launch
  }

  /// What the arguments ask for.
  private var launch: Launch {
    get throws(Failure) {
      var launch = Launch()
      if let store, !store.isEmpty { launch.store = store == "-" ? .standardInput : .file(store) }
      (launch.creates, launch.isReadOnly, launch.savesAtEnd) = (create, readOnly, autosave)
      (launch.isDryRun, launch.keepsGoing, launch.isSafe) = (dryRun, keepGoing, safe)
      (launch.takesLock, launch.dropsDamagedSave, launch.caches) = (
        !noLock, dropDamagedSave, !noCache
      )
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
