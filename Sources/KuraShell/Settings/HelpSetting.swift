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
      A topic is a statement, a setting, a clause, an operator, a function, a type, a format, a word
      of the field, an entity or a key of the open model, or one of
      \(HelpTopic.lists.map(\.name).joined(separator: ", ")). help and ? do the same.
      """,
    effect: .asks
  ) { session, call in
    guard let first = call.argument, let last = call.arguments.last else {
      // In a lesson its own words come first: the rest is longer than a screen.
      let own = session.lesson == nil ? "" : session.say(.howTo) + "\n\n"
      return try session.pageWrapped(own + HelpTopic.overview)
    }
    let topic = call.arguments.map(\.text).joined(separator: " ")
    guard let text = session.help(for: topic) else {
      let entities = session.context.graph.model.entities.map(\.name)
      throw Failure(
        UnknownTopic(name: topic, entities: entities), at: first.span.joined(last.span))
    }
    try session.pageWrapped(text)
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
