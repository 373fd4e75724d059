import KuraBytes
import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let timer = onOff(
    "timer", \.isTimed,
    summary: "prints the time that each statement took",
    details: """
      The time runs from reading the statement to writing its result, without waiting for input:
      time: 0.000412345 s
      """)

  static let timeout = Setting(
    name: "timeout", synopsis: ".timeout [SECONDS|off]",
    summary: "the time limit of a statement, in seconds",
    details: """
      A fraction is allowed, as in .timeout 0.5. A statement that takes longer fails and changes
      nothing.
      """,
    arguments: 0...1, setsLimit: true,
    value: { $0.settings.timeout.map { "\($0.secondsText) s" } ?? "off" }
  ) { session, call in
    let word = call.word
    let timeout =
      word.text.lowercased() == "off" ? nil : try Duration(timeout: word.text, at: word.span)
    try session.checkSafe(timeout, at: word.span)
    session.settings.timeout = timeout
  }
}

extension Session {
  /// Throws under `--safe` if a script requests more time than `--timeout` allows.
  fileprivate func checkSafe(_ timeout: Duration?, at span: SourceSpan) throws(Failure) {
    guard launch.isSafe, let longest = launch.timeout else { return }
    if timeout.map({ $0 > longest }) ?? true {
      throw Failure(BeyondTimeout(longest: longest), at: span)
    }
  }
}

/// `.timeout off` under `--safe --timeout 5`
private struct BeyondTimeout: DiagnosticFacts {
  let longest: Duration

  var sentence: String {
    localized("--safe does not allow a longer limit than --timeout \(longest.secondsText)")
  }
  var help: String? { localized("if you trust the script, run it without --safe") }
}

extension Duration {
  /// Reads a positive number of seconds.
  init(timeout text: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let seconds = Double(text), seconds > 0, seconds < 1e9 else {
      throw Failure(BadTimeout(word: text), at: span)
    }
    self = .seconds(seconds)
  }
}

/// `.timeout soon`, `--timeout 0`
private struct BadTimeout: DiagnosticFacts {
  let word: String

  var sentence: String {
    guard let seconds = Double(word) else {
      return localized("expected a number of seconds, found \"\(word)\"")
    }
    return seconds > 0
      ? localized("\(word) seconds is too long")
      : localized("expected more than 0 seconds, found \(word)")
  }
  var help: String? {
    localized("as in 0.5; .timeout off removes the limit")
  }
}
