import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let hints = Setting(
    name: "hints", synopsis: ".hints [on|off]",
    summary: "shows pale what may follow what is typed",
    details: """
      What a statement of before went on with, else what the language says; Right or End takes it,
      Alt-Right a word of it.
      """,
    arguments: 0...1, value: { $0.settings.hints ? "on" : "off" }
  ) { session, call in
    session.settings.hints = try call.isOn
  }

  static let highlight = Setting(
    name: "highlight", synopsis: ".highlight [on|off]",
    summary: "colours what is typed, and marks what is wrong",
    details: """
      A key that the entity has not is underlined, and the reason stands below while the cursor is
      on it. NO_COLOR and --color never leave all colours out.
      """,
    arguments: 0...1, value: { $0.settings.highlights ? "on" : "off" }
  ) { session, call in
    session.settings.highlights = try call.isOn
  }

  static let completion = Setting(
    name: "completion", synopsis: ".completion [on|off]",
    summary: "lets Tab show what may stand at the cursor; off, it is a character",
    arguments: 0...1, value: { $0.settings.completes ? "on" : "off" }
  ) { session, call in
    session.settings.completes = try call.isOn
  }

  static let prompt = Setting(
    name: "prompt", synopsis: ".prompt [TEXT|default]", summary: "what stands before a line",
    details: PromptPattern.letters,
    arguments: 0...1,
    value: { "\"\($0.settings.prompt.text)\"" }
  ) { session, call in
    let text = call.word.text
    session.settings.prompt = text == "default" ? .standard : PromptPattern(text: text)
  }

  static let edit = Setting(
    name: "edit", synopsis: ".edit [TEXT]",
    summary: "opens what was typed last, or a text, in $VISUAL or $EDITOR",
    details: """
      What is written there stands at the prompt then, to be run with Enter. Control-X Control-E
      does so with what is being typed.
      """,
    reachesOut: true
  ) { session, call in
    try session.checkSafe(.running, at: call.name.span)
    guard let edit = session.surroundings.edit else {
      throw Failure(EditFacts.noTerminal, at: call.name.span)
    }
    let text = call.arguments.map(\.text).joined(separator: " ")
    session.draft = try edit(text.isEmpty ? session.lastTyped : text)
  }
}

extension Setting {
  static let fix = Setting(
    name: "fix", synopsis: ".fix",
    summary: "puts the statement that failed last at the prompt, with the fix that was offered",
    details: "It is read there before Enter runs it. F2 does the same.",
    arguments: 0...0
  ) { session, call in
    guard let mended = session.mended else {
      throw Failure(EditFacts.noFix, at: call.name.span)
    }
    session.draft = mended
  }
}

/// `.edit` in a script
enum EditFacts: DiagnosticFacts {
  case noTerminal
  case noFix
  case failed(String, status: Int32)
  case unreadable(String)

  var sentence: String {
    switch self {
    case .noTerminal: localized("an editor needs a terminal")
    case .noFix: localized("no fix was offered for the statement before")
    case .failed(let editor, let status): localized("\(editor) ended with status \(status)")
    case .unreadable(let reason): localized("the text cannot be handed to an editor: \(reason)")
    }
  }

  var help: String? {
    if case .failed = self { localized("VISUAL or EDITOR names another one") } else { nil }
  }
}
