import KuraDiagnostics
import KuraScript
import KuraStore

private let onceSynopsis = ".once FILE | '|' COMMAND"

extension Setting {
  static let output = Setting(
    "output", synopsis: ".output [FILE | '|' COMMAND]",
    summary: "writes results into a file or a command, from here on",
    details: """
      A file that is there is replaced. Alone, results go to standard output again. A command that
      fails is an error when it ends.
        .output report.csv
        .output | less
      """,
    arguments: nil, effect: .changes
  ) { session, call in
    let stream = try call.outputPlace.map { try session.openOutput($0, at: call.name.span) }
    try session.targets.redirect(to: stream)
  }

  static let once = Setting(
    "once", synopsis: onceSynopsis,
    summary: "writes the next statement's results into a file or a command", arguments: nil,
    effect: .changes
  ) { session, call in
    guard let place = try call.outputPlace else {
      throw Failure(ShellFacts.wrongArguments(synopsis: onceSynopsis), at: call.name.span)
    }
    try session.targets.redirectNext(to: session.openOutput(place, at: call.name.span))
  }
}

extension SettingCall {
  /// A file, or the rest of the line as a command of the system's shell; nil if there is nothing.
  fileprivate var outputPlace: OutputPlace? {
    get throws(Failure) {
      guard let first = arguments.first, let last = arguments.last else { return nil }
      let line = source.text(first.span.joined(last.span))
      if line.hasPrefix("|") {
        let command = line.dropFirst().drop { $0 == " " || $0 == "\t" }
        if !command.isEmpty { return .command(String(command)) }
      } else if arguments.count == 1 {
        return .file(first.text)
      }
      let synopsis = ".\(name.text) FILE | '|' COMMAND"
      throw Failure(ShellFacts.wrongArguments(synopsis: synopsis), at: last.span)
    }
  }
}

extension Session {
  /// Opens where results go, which must not be what is open here; in a dry run they are dropped.
  fileprivate func openOutput(_ place: OutputPlace, at span: SourceSpan) throws -> ResultStream {
    try checkSafe(place.reach, at: span)
    if case .file(let path) = place, let store = state.store.source,
      StorePlace.isFile(path, ofStoreAt: store)
    {
      throw Failure(ShellFacts.outputOverInput(path), at: span)
    }
    guard state.isDryRun else { return try surroundings.openOutput(place) }
    report(Report.wouldWrite(place))
    return ResultStream { _ in }
  }
}
