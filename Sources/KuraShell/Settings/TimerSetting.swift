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
      return session.report(Report.setting("timer", session.state.isTimed ? "on" : "off"))
    }
    switch word.text.lowercased() {
    case "on": session.state.isTimed = true
    case "off": session.state.isTimed = false
    default: throw Failure(ShellFacts.notOnOrOff(word.text), at: word.span)
    }
  }
}
