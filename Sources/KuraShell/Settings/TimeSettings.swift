import KuraBytes
import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let timer = Setting(
    name: "timer", synopsis: ".timer [on|off]",
    summary: "says after each statement how long it took",
    details: """
      The time is the statement's own, from its text to its written result, without waiting for
      input: time: 0.000412345 s
      """,
    arguments: 0...1, value: { $0.settings.isTimed ? "on" : "off" }
  ) { session, call in session.settings.isTimed = try call.isOn
  }

  static let timeout = Setting(
    name: "timeout", synopsis: ".timeout [SECONDS|off]",
    summary: "ends each statement that takes longer",
    details: """
      A fraction is fine: .timeout 0.5. What is ended has changed nothing, and fails as others do.
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
    localized("under --safe no statement takes longer than --timeout \(longest.secondsText)")
  }
  var help: String? { localized("whoever trusts the script runs it without --safe") }
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
      ? localized("\(word) seconds are too many")
      : localized("no statement is done in \(word) seconds")
  }
  var help: String? {
    localized("as in 0.5; .timeout off lets statements take as long as they like")
  }
}
