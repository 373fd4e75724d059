import KuraDiagnostics
import KuraScript

extension Setting {
  static let timer = Setting(
    "timer", synopsis: ".timer [on|off]",
    summary: "says after each statement how long it took",
    details: """
      The time is the statement's own, from its text to its written result, without waiting for
      input: time: 0.000412345 s
      """,
    arguments: 0...1
  ) { session, call in
    guard let word = call.argument else {
      return session.report(Report.setting("timer", session.settings.isTimed ? "on" : "off"))
    }
    switch word.text.lowercased() {
    case "on": session.settings.isTimed = true
    case "off": session.settings.isTimed = false
    default: throw Failure(SettingFacts.notOnOrOff(word.text), at: word.span)
    }
  }

  static let timeout = Setting(
    "timeout", synopsis: ".timeout [SECONDS|off]",
    summary: "ends each statement that takes longer",
    details: """
      A fraction is fine: .timeout 0.5. What is ended has changed nothing, and fails as others do.
      """,
    arguments: 0...1
  ) { session, call in
    guard let word = call.argument else {
      let text = session.settings.timeout.map { "\($0.secondsText) s" } ?? "off"
      return session.report(Report.setting("timeout", text))
    }
    guard word.text.lowercased() != "off" else {
      session.settings.timeout = nil
      return
    }
    guard let timeout = Launch.seconds(word.text) else {
      throw Failure(BadTimeout(word: word.text), at: word.span)
    }
    session.settings.timeout = timeout
  }
}

extension Launch {
  /// Reads what stands behind `--timeout`.
  package static func timeout(_ text: String) throws(Failure) -> Duration {
    guard let timeout = seconds(text) else { throw Failure(BadTimeout(word: text)) }
    return timeout
  }

  fileprivate static func seconds(_ text: String) -> Duration? {
    guard let seconds = Double(text), seconds > 0, seconds < 1e9 else { return nil }
    return .seconds(seconds)
  }
}

extension Duration {
  /// `0.5`, `5`
  var secondsText: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return seconds == seconds.rounded() ? "\(components.seconds)" : "\(seconds)"
  }
}

/// `.timeout soon`, `--timeout 0`
private struct BadTimeout: DiagnosticFacts {
  let word: String

  var sentence: String { "expected a number of seconds, found \"\(word)\"" }
  var help: String? { "as in 0.5; .timeout off lets statements take as long as they like" }
}
