import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let hints = onOff(
    "hints", \.hints,
    summary: "shows a pale hint after the text that you type",
    details: """
      The suggestion comes from an earlier statement, or else from the grammar. Right or End accepts
      it, Alt-Right accepts one word.
      """)

  static let highlight = onOff(
    "highlight", \.highlights,
    summary: "colours what you type, and marks mistakes",
    details: """
      A key that the entity does not have is underlined, and the reason appears below while the cursor
      is on it. NO_COLOR and --color never turn all colours off.
      """)

  static let completion = onOff(
    "completion", \.completes,
    summary: "lets Tab show completions; with off, Tab inserts a tab character")

  static let prompt = Setting(
    name: "prompt", synopsis: ".prompt [TEXT|default]", summary: "the text of the prompt",
    details: PromptPattern.letters,
    arguments: 0...1,
    value: { "\"\($0.settings.prompt.text)\"" }
  ) { session, call in
    let text = call.word.text
    session.settings.prompt = text == "default" ? .standard : PromptPattern(text: text)
  }

  static let edit = Setting(
    name: "edit", synopsis: ".edit [TEXT]",
    summary: "opens the last input, or a text, in $VISUAL or $EDITOR",
    details: """
      The edited text appears on the prompt, where Enter runs it. Control-X Control-E does the same
      with what you are typing.
      """,
    accessesOutside: true
  ) { session, call in
    try session.checkSafe(.running, at: call.name.span)
    guard let edit = session.services.edit else {
      throw Failure(EditProblem.noTerminal, at: call.name.span)
    }
    let text = call.arguments.map(\.text).joined(separator: " ")
    session.typing.draft = try edit(text.isEmpty ? session.typing.last : text)
  }

  static let fix = Setting(
    name: "fix", synopsis: ".fix",
    summary: "puts the last failed statement on the prompt, with its fix",
    details: "You can read it there before Enter runs it. F2 does the same.",
    arguments: 0...0
  ) { session, call in
    guard let corrected = session.typing.corrected else {
      throw Failure(EditProblem.noFix, at: call.name.span)
    }
    session.typing.draft = corrected
  }
}

/// `.edit` in a script
enum EditProblem: DiagnosticFacts {
  case noTerminal
  case noFix
  case failed(String, status: Int32)
  case unreadable(String)

  var sentence: String {
    switch self {
    case .noTerminal: localized(".edit needs a terminal")
    case .noFix: localized("there is no fix for the previous statement")
    case .failed(let editor, let status): localized("\(editor) exited with status \(status)")
    case .unreadable(let reason): localized("the text cannot be passed to an editor: \(reason)")
    }
  }

  var help: String? {
    if case .failed = self { localized("to use another editor, set VISUAL or EDITOR") } else { nil }
  }
}
