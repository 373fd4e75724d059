import KuraDiagnostics
import KuraScript

extension Setting {
  static let help = Setting(
    name: "help", synopsis: ".help [TOPIC]",
    summary: "lists statements and settings, or explains one topic",
    details: """
      A topic is a statement, a setting, a function, a format, or one of
      \(HelpTopic.lists.map(\.name).joined(separator: ", ")).
      """,
    arguments: 0...1, effect: .asks
  ) { session, call in
    guard let topic = call.argument else { return try session.writeHelp(HelpTopic.overview) }
    guard let text = HelpTopic.text(on: topic.text) else {
      throw Failure(UnknownTopic(name: topic.text), at: topic.span)
    }
    try session.writeHelp(text)
  }
}

extension Session {
  /// Writes text for a person, broken between words where standard output is a terminal.
  fileprivate func writeHelp(_ text: String) throws {
    let width = targets.isStandard ? surroundings.terminalWidth() : nil
    try page(WrappedText(width: width).text(text))
  }
}

/// `.help fetsh`
private struct UnknownTopic: DiagnosticFacts {
  let name: String

  var sentence: String { "there is no help on \"\(name)\"" }

  var help: String? {
    didYouMean(nearNames(to: name, among: HelpTopic.names)) ?? ".help lists all topics"
  }
}
