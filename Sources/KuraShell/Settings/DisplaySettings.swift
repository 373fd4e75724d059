import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraRendering
import KuraScript
import KuraSentences

/// `.theme auto|light|dark|off`
enum Theme: String, CaseIterable, Sendable {
  case auto, light, dark, off
}

/// `.pager auto|off|COMMAND`
enum PagerChoice: Equatable, Sendable {
  case auto, off
  case command(String)
}

extension PagerChoice {
  var text: String {
    switch self {
    case .auto: "auto"
    case .off: "off"
    case .command(let command): command
    }
  }
}

extension Setting {
  static let theme = Setting(
    name: "theme", synopsis: ".theme [auto|light|dark|off]",
    summary: "the colours of table and list at a terminal",
    details: """
      auto uses the background colour that the terminal reports in COLORFGBG, if there is one;
      otherwise it uses colours that are readable on light and dark. NO_COLOR, --color never and dumb
      terminals turn colours off.
      """,
    arguments: 0...1, value: \.settings.theme.rawValue
  ) { session, call in session.settings.theme = try call.choice()
  }

  static let pager = Setting(
    name: "pager", synopsis: ".pager [auto|off|COMMAND]",
    summary: "the program that shows a result longer than the screen",
    details: """
      auto uses KURA_PAGER, PAGER or less, in this order, and only in a session at a terminal. Kura
      produces rows as the pager reads them, and stops when you leave the pager.
        .pager less -i
      """,
    arguments: nil, accessesOutside: true, value: \.settings.pager.text
  ) { session, call in
    switch call.rest.lowercased() {
    case "auto": session.settings.pager = .auto
    case "off": session.settings.pager = .off
    default:
      try session.checkSafe(.running, at: call.word.span)
      session.settings.pager = .command(call.rest)
    }
  }

  static let again = Setting(
    name: "again", synopsis: ".again [FORMAT]", summary: "shows the last result again",
    details: """
      Uses the current format or the one that you name, as in .again csv. The result is the same even
      if objects have changed since. .once and .output set where it goes.
      """,
    arguments: 0...1, effect: .reads, showsResults: true
  ) { session, call in
    let format = try call.argument.map { name throws(Failure) in
      try OutputFormat(named: name.text, at: name.span)
    }
    guard let result = session.lastResult else { throw Failure(NothingShown(), at: call.name.span) }
    try session.show(result, as: format ?? session.format)
  }
}

extension SettingCall {
  /// The text after the name as written; the content of a single quoted word.
  fileprivate var rest: String {
    guard let first = arguments.first, let last = arguments.last else { return "" }
    return arguments.count == 1 ? first.text : source.text(first.span.joined(last.span))
  }

  /// Returns one of several choices.
  func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(Failure) -> Choice {
    if let choice = Choice(rawValue: word.text.lowercased()) { return choice }
    throw Failure(
      NoChoice(word: word.text, known: Choice.allCases.map(\.rawValue)), at: word.span)
  }
}

/// `.theme bright`
private struct NoChoice: DiagnosticFacts {
  let word: String
  let known: [String]

  var sentence: String {
    localized(
      "expected \(known.dropLast().joined(separator: ", ")) or \(known.last ?? ""), found \"\(word)\""
    )
  }
  var help: String? { didYouMean(nearNames(to: word, among: known)) }
}

/// `.again` at the start
private struct NothingShown: DiagnosticFacts {
  var sentence: String { localized("there is no result to show again") }
  var help: String? { localized("run fetch, count or print first") }
}

extension Setting {
  static let language = Setting(
    name: "language",
    synopsis: ".language [\(Language.allCases.map(\.rawValue).joined(separator: "|"))]",
    summary: "the language of messages, help and lessons",
    details: """
      A session starts in the language of the first of KURA_LANGUAGE, LC_ALL, LC_MESSAGES and LANG that
      is set, or in English if Kura does not have that language. --language overrides it. Statements and
      results in csv, tsv, json, jsonl and plain are the same in every language.
      """,
    arguments: 0...1, value: \.settings.language.rawValue,
    choices: { _, _ in Language.allCases.map { Choice($0.rawValue, meaning: $0.name) } }
  ) { session, call in
    session.settings.language = try Language(named: call.word.text, at: call.word.span)
  }
}

extension Language {
  /// Finds the language of a name; throws if there is none.
  init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let language = Language(locale: name) else {
      throw Failure(UnknownLanguage(name: name), at: span)
    }
    self = language
  }

  fileprivate var name: String {
    switch self {
    case .english: "English"
    case .japanese: "日本語"
    }
  }
}

/// `.language fr`
private struct UnknownLanguage: DiagnosticFacts {
  let name: String

  var sentence: String { localized("there is no language \"\(name)\"") }
  var help: String? { localized("use one of: \(Language.list)") }
}

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
    let more = localized(
      "lesson \(lesson.place) shows the task again; reset undoes all your changes. help fetch explains fetch; help all lists all topics."
    )
    try pageWrapped("\n\(LessonRun.howTo)\n\(more)\n")
  }
}

/// `.help fetsh`
private struct UnknownTopic: DiagnosticFacts {
  let name: String
  let entities: [String]

  var sentence: String { localized("there is no help on \"\(name)\"") }

  var help: String? {
    let stems = HelpTopic.names.filter { $0.count > 3 && name.lowercased().hasPrefix($0) }
    let near = nearNames(to: name, among: HelpTopic.names + entities)
    return didYouMean(stems + near.filter { !stems.contains($0) })
      ?? localized(".help lists all topics")
  }
}
