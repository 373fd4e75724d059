import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences

extension Setting {
  static let help = Setting(
    name: "help", synopsis: ".help [TOPIC]",
    summary: "lists statements and settings, or explains one topic",
    details: """
      A topic is a statement, a setting, a clause, an operator, a function, a type, a format, a term,
      an entity or a key of the open model, all, or one of
      \(HelpTopic.lists.map(\.name).joined(separator: ", ")). help and ? do the same.
      """,
    effect: .reads
  ) { session, call in
    guard let first = call.argument, let last = call.arguments.last else {
      return try session.showHelp()
    }
    let topic = call.arguments.map(\.text).joined(separator: " ")
    if topic.lowercased() == "all" { return try session.pageWrapped(HelpTopic.overview) }
    guard let text = session.help(for: topic) else {
      let entities = session.context.graph.model.entities.map(\.name)
      throw Failure(
        UnknownTopic(name: topic, entities: entities), at: first.span.joined(last.span))
    }
    try session.pageWrapped(text)
  }
}

extension Session {
  /// Shows the help; in a lesson its task and a short list, because the complete list is longer
  /// than a screen.
  fileprivate func showHelp() throws {
    guard let lesson = learning.lesson else { return try pageWrapped(HelpTopic.overview) }
    try showTask(of: lesson)
    try pageWrapped("\n\(say(.howTo))\n\(say(.moreHelp(place: lesson.place)))\n")
  }
}

/// `.help fetsh`
private struct UnknownTopic: DiagnosticFacts {
  let name: String
  let entities: [String]

  var sentence: String { localized("there is no help on \"\(name)\"") }

  var help: String? {
    didYouMean(nearNames(to: name, among: HelpTopic.names + entities))
      ?? localized(".help lists all topics")
  }
}
