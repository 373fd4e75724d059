import ArgumentParser
import KuraDiagnostics
import KuraShell

/// `kura [OPTIONS] [STORE] [STATEMENT …]`
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura", abstract: "A shell for object graphs, with Cocoa's predicates.",
    discussion: """
      kura todo.json                       a conversation
      kura todo.json 'fetch Item limit 3'  statements as arguments
      kura todo.json -f report.kura        a script
      echo 'count Item' | kura todo.json   a pipe
      curl … | kura - 'count input'        plain JSON from a pipe
      kura --create todo.json              an empty store
      kura check CASES.tsv                 tests of predicates

      .help in the shell explains the language.
      """,
    version: "kura \(Version.current)")

  @Argument(help: "A store, plain JSON, or - for standard input; without it all is in memory.")
  var store: String?

  @Argument(help: "Statements to run.") var statements: [String] = []

  @Option(name: .customShort("f"), help: ArgumentHelp("Run a script.", valueName: "file"))
  var scripts: [String] = []

  @Option(help: ArgumentHelp("How results are written: \(formats).", valueName: "format"))
  var format = "table"

  @Option(
    name: .customLong("arg"),
    help: ArgumentHelp("Let $NAME be a string.", valueName: "name> <value"))
  var pairs: [ArgumentPair] = []

  @Flag(help: "Make STORE, an empty store, and open it.") var create = false
  @Flag(help: "Refuse to save.") var readOnly = false
  @Flag(help: "Save at the end.") var autosave = false
  @Flag(help: "Go on after an error.") var keepGoing = false

  @Option(help: ArgumentHelp("Read and write dates in this zone.", valueName: "id"))
  var timezone: String?

  @Option(help: ArgumentHelp("Order by this locale under [l].", valueName: "id"))
  var locale: String?

  @Flag(name: .customLong("no-init"), help: "Leave ~/.kurarc unread.") var skipsInitFile = false

  @Option(help: "Colour messages: auto, always or never.") var color = ColorChoice.automatic

  private static var formats: String { Launch.formatNames.joined(separator: ", ") }
}

/// `--arg who "O'Brien"`
struct ArgumentPair: ExpressibleByArgument {
  var name: String
  var value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      return nil
    }
    name = String(argument[..<equals])
    value = String(argument[equals...].dropFirst())
  }
}

extension ShellCommand {
  /// The arguments with each `--arg NAME VALUE` as one, which the parser can take.
  static func joiningPairs(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return joined + [argument] + rest }
      if argument == "--arg", let name = rest.first, let value = rest.dropFirst().first {
        joined.append("--arg=\(name)=\(value)")
        rest = rest.dropFirst(2)
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  mutating func validate() throws {
    if create, store == nil || store == "-" {
      throw ValidationError("--create wants the file that is to be made")
    }
    if create, readOnly { throw ValidationError("--create and --read-only exclude each other") }
    if store == "-", statements.isEmpty, scripts.isEmpty {
      throw ValidationError("with - the statements come as arguments or from -f")
    }
    if store == "-", scripts.contains("-") {
      throw ValidationError("the store and the script cannot both be standard input")
    }
    do { _ = try launch } catch { throw ValidationError(error.message) }
  }

  /// What the arguments ask for.
  var launch: Launch {
    get throws(Failure) {
      var launch = Launch()
      if let store, !store.isEmpty { launch.store = store == "-" ? .standardInput : .file(store) }
      launch.creates = create
      launch.isReadOnly = readOnly
      launch.savesAtEnd = autosave
      launch.keepsGoing = keepGoing
      launch.format = try Launch.format(named: format)
      for pair in pairs { launch.arguments[pair.name] = pair.value }
      launch.zone = try timezone.map(Launch.zone)
      launch.locale = try locale.map(Launch.locale)
      launch.scripts = scripts
      launch.statements = statements
      return launch
    }
  }

  func run() throws -> ExitStatus {
    let launch = try self.launch
    return Wiring(color: color, skipsInitFile: skipsInitFile).run(launch)
  }
}
