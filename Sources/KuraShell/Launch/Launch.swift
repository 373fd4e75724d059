package import Foundation
package import KuraRendering
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
  /// `--lock-timeout SECONDS`
  package var lockTimeout: Duration?
  package var keepsGoing = false
  /// `--timeout SECONDS`
  package var timeout: Duration?
  package var format: OutputFormat
  /// `--arg NAME VALUE`
  package var arguments: [String: String] = [:]
  package var zone: ZoneRules?
  package var locale: Locale?
  /// `-f FILE`
  package var scripts: [String] = []
  package var statements: [String] = []
  /// A person's own settings, for a conversation; nil: none.
  package var initFile: String?

  /// An empty graph in memory.
  package init() { format = OutputFormat.all[0] }
}

extension Launch {
  /// `table`, `list`, …
  package static let formatNames = OutputFormat.all.map(\.name)

  /// `table, list, …`
  package static var formatList: String { formatNames.joined(separator: ", ") }

  /// Reads the name of a format.
  package static func format(named name: String) throws(Failure) -> OutputFormat {
    guard let format = OutputFormat.named(name) else {
      throw Failure(ShellFacts.unknownFormat(name))
    }
    return format
  }

  /// Reads the name of a time zone.
  package static func zone(named name: String) throws(Failure) -> ZoneRules {
    try ZoneRules(named: name)
  }

  /// Reads the name of a locale.
  package static func locale(named name: String) throws(Failure) -> Locale {
    try Locale(named: name)
  }
}

extension Launch {
  /// The ways to start, for `--help`.
  package static let overview = """
    kura todo.json                       a conversation
    kura todo.json 'fetch Item limit 3'  statements as arguments
    kura todo.json -f report.kura        a script
    echo 'count Item' | kura todo.json   a pipe
    curl … | kura - 'count input'        plain JSON from a pipe
    kura --create todo.json              an empty store
    kura check CASES.tsv                 tests of predicates

    .help in the shell explains the language.
    """
}
