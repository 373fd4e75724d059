import KuraScript

extension Setting {
  static let timeout = Setting(
    "timeout", synopsis: ".timeout [SECONDS|off]",
    summary: "ends each statement that takes longer",
    details: """
      A fraction is fine: .timeout 0.5. What is ended has changed nothing, and fails as others do.
      """,
    arguments: 0...1
  ) { session, call in
    guard let word = call.argument else {
      let text = session.state.timeout.map { "\($0.secondsText) s" } ?? "off"
      return session.report(Report.setting("timeout", text))
    }
    guard word.text.lowercased() != "off" else {
      session.state.timeout = nil
      return
    }
    guard let timeout = Launch.seconds(word.text) else {
      throw Failure(ShellFacts.badTimeout(word.text), at: word.span)
    }
    session.state.timeout = timeout
  }
}

extension Launch {
  /// Reads what stands behind `--timeout`.
  package static func timeout(_ text: String) throws(Failure) -> Duration {
    guard let timeout = seconds(text) else { throw Failure(ShellFacts.badTimeout(text)) }
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
