import KuraDiagnostics
import KuraModel
import KuraRendering
import KuraScript
import KuraSentences
import KuraStore

extension Setting {
  static let mode = Setting(
    name: "mode", synopsis: ".mode [FORMAT]", summary: "the format of results",
    details: "Formats: \(OutputFormat.all.map(\.name).joined(separator: ", ")).", arguments: 0...1,
    value: \.settings.format.name
  ) { session, call in
    session.settings.format = try OutputFormat(named: call.word.text, at: call.word.span)
  }

  static let null = Setting(
    name: "null", synopsis: ".null [TEXT]",
    summary: "the text for null in table, list and markdown", arguments: 0...1,
    value: { StatementText.string($0.settings.nullText) }
  ) { session, call in session.settings.nullText = call.word.text
  }

  static let booleans = Setting(
    name: "booleans", synopsis: ".booleans [yesno|boxes]",
    summary: "how table and list show a boolean: YES and NO, or ☑ and ☒", arguments: 0...1,
    value: \.settings.booleans.rawValue
  ) { session, call in session.settings.booleans = try call.choice()
  }

  private static let onceSynopsis = ".once FILE | '|' COMMAND"

  static let output = Setting(
    name: "output", synopsis: ".output [FILE | '|' COMMAND]",
    summary: "sends all following results to a file or a command",
    details: """
      An existing file is replaced. Its name sets the format, as in report.csv, unless .mode has set a
      format other than table. Without an argument, results go to standard output again. A command
      that fails is an error when it ends. A command that reads the keyboard gets it when .output ends,
      or as soon as the command stops reading results; then results go to standard output again.
        .output report.csv
        .output | gzip > report.gz
      """,
    arguments: nil, effect: .changes, accessesOutside: true
  ) { session, call in
    let stream = try call.outputPlace.map { try session.openOutput($0, at: call.name.span) }
    session.tell(of: try session.targets.redirect(to: stream))
  }

  static let once = Setting(
    name: "once", synopsis: onceSynopsis,
    summary: "sends the next statement's results to a file or a command", arguments: nil,
    effect: .changes, accessesOutside: true
  ) { session, call in
    guard let place = try call.outputPlace else {
      throw Failure(SettingProblem.wrongArguments(synopsis: onceSynopsis), at: call.name.span)
    }
    try session.targets.redirectNext(to: session.openOutput(place.once, at: call.name.span))
  }
}

extension SettingCall {
  /// A file, or the rest of the line as a shell command; nil if there is nothing.
  fileprivate var outputPlace: OutputPlace? {
    get throws(Failure) {
      guard let first = arguments.first, let last = arguments.last else { return nil }
      let line = source.text(first.span.joined(last.span))
      // Users of a shell in which `|` must be quoted may quote it here, too.
      let text = arguments.count == 1 ? first.text : line
      if line.hasPrefix("|") || text.hasPrefix("|") {
        let words = line.hasPrefix("|") ? line : text
        let command = words.dropFirst().drop { $0 == " " || $0 == "\t" }
        if !command.isEmpty { return .command(String(command)) }
      } else if arguments.count == 1 {
        return .file(first.text)
      }
      let synopsis = ".\(name.text) FILE | '|' COMMAND"
      throw Failure(SettingProblem.wrongArguments(synopsis: synopsis), at: last.span)
    }
  }
}

extension Session {
  /// Opens a destination of results, which must not be the open store; in a dry run results are
  /// dropped.
  fileprivate func openOutput(_ place: OutputPlace, at span: SourceSpan) throws -> ResultStream {
    try checkSafe(place.reach, at: span)
    if case .file(let path) = place,
      store.sources.contains(where: { StorePlace.isFile(path, ofStoreAt: $0) })
    {
      throw Failure(OutputProblem.outputOverInput(path), at: span)
    }
    if case .file(let path) = place, StorePlace.isStore(path) {
      throw Failure(OutputProblem.outputOverStore(path), at: span)
    }
    guard launch.isDryRun else {
      let stream = try services.openOutput(place)
      if case .file(let path) = place {
        (stream.format, stream.written) = (OutputFormat.ofFile(path), WrittenFile(path))
      }
      return stream
    }
    report(Report.wouldWrite(place))
    return ResultStream { _ in }
  }
}

extension OutputFormat {
  /// `table, list, …`
  static var listOfNames: String { all.map(\.name).list }

  /// Finds the format of a name, in any case.
  init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let format = OutputFormat.named(name) else {
      throw Failure(OutputProblem.unknownFormat(name), at: span)
    }
    self = format
  }
}

/// A problem with the format or the destination of results.
enum OutputProblem: DiagnosticFacts {
  /// `.mode xml`, `--format xml`
  case unknownFormat(String)
  /// `.output` to the open store
  case outputOverInput(String)
  /// `.output` to another store
  case outputOverStore(String)

  var sentence: String {
    switch self {
    case .unknownFormat(let name): localized("there is no format \"\(name)\"")
    case .outputOverInput(let path): localized("\"\(path)\" is the open store or one of its files")
    case .outputOverStore(let path): localized("\"\(path)\" is a store, which would be overwritten")
    }
  }

  var help: String? {
    switch self {
    case .unknownFormat(let name):
      didYouMean(nearNames(to: name, among: OutputFormat.all.map(\.name)))
        ?? localized("available: \(OutputFormat.listOfNames)")
    case .outputOverInput, .outputOverStore: localized("write the results to another file")
    }
  }
}

extension Report {
  static func wouldWrite(_ place: OutputPlace) -> String {
    switch place {
    case .file(let path):
      localized("dry run: results would be written to \(path); they are discarded")
    case .command(let command), .commandOnce(let command), .pager(let command):
      localized("dry run: \(command) would read the results; they are discarded")
    }
  }
}
