import KuraDiagnostics
import KuraScript
import KuraSentences

/// `kura generate man|bash|zsh|fish`: generates files for the installation of the command, from the
/// options that the parser reads.
struct Generator {
  /// The names that can be generated.
  static let names = ["man"] + CompletionScript.allCases.map(\.rawValue)

  func run(_ arguments: [String]) -> ExitStatus {
    guard arguments.count == 1, let text = text(arguments[0]) else {
      let failure = Failure(WhatToGenerate(found: arguments), status: .wrongCommandLine)
      LiveFiles.report(failure.rendered(in: nil, style: .plain) + "\n")
      return failure.status
    }
    let output = LiveFiles.stream(to: 1, "standard output")
    do {
      try output.append(text)
      try output.flush()
      return .done
    } catch {
      return .statementFailed
    }
  }

  /// Returns the text to generate; nil for an unknown name.
  func text(_ name: String) -> String? {
    name == "man" ? Manual().page : CompletionScript(rawValue: name)?.text
  }
}

/// `kura generate`, `kura generate html`
private struct WhatToGenerate: DiagnosticFacts {
  let found: [String]

  var sentence: String {
    found.isEmpty
      ? localized("there is something to be named")
      : localized("\"\(found.joined(separator: " "))\" is not made here")
  }

  var help: String? { localized("write kura generate man, or bash, zsh or fish for completions") }
}

/// The manual page, in the macros of man(7).
struct Manual {
  var page: String {
    """
    .TH KURA 1 "" "Kura \(Version.current)" "\(localized("User Commands"))"
    .SH \(localized("NAME"))
    kura \\- \(localized("a shell for object graphs, with Cocoa's predicates"))
    .SH \(localized("SYNOPSIS"))
    .nf
    \(Self.escaped(Launch.overview))
    .fi
    .SH \(localized("OPTIONS"))
    .nf
    \(Self.escaped(CommandForm.session.entries(columns: 76)))
    .fi
    .SH \(localized("STATEMENTS"))
    \(entries(StatementCatalogue.all.map { ($0.synopsis, $0.summary) })).SH \(localized("SETTINGS"))
    \(entries(Setting.all.map { ($0.synopsis, $0.summary) })).SH \(localized("FILES"))
    \(entries(Self.files)).SH \(localized("ENVIRONMENT"))
    \(entries(Self.environment)).SH \(localized("EXIT STATUS"))
    \(entries(Self.statuses))
    """
  }

  private func entries(_ entries: [(String, String)]) -> String {
    entries.map { name, text in
      ".TP\n.nf\n\(Self.escaped(name))\n.fi\n\(Self.escaped(text.localized))\n"
    }.joined()
  }

  /// Escapes a line: a dot at its beginning would start a macro, and a backslash an escape.
  static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let plain = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }.joined(separator: "\n")
  }
}

extension Manual {
  static let files = [
    (
      "~/.kurarc",
      "Settings and statements that run before a conversation, unless --no-init is given; only a file that nobody else can write."
    ),
    ("~/.kura_history", "What was typed in all conversations."),
    ("STORE.journal", "What was saved since the document was written."),
    ("STORE.unsaved", "Unsaved changes of a session that was ended; .recover takes them in."),
    (
      "$XDG_STATE_HOME/kura",
      "The same where there is no store; ~/.local/state/kura unless that is set."
    ), ("$XDG_STATE_HOME/kura/lessons.json", "What a learner has solved of the lessons."),
  ]

  static let environment = [
    ("NO_COLOR", "Messages have no colours if it is not empty."),
    ("TERM", "dumb: lines are edited by the system."),
    (
      "KURA_LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
      "The language that is spoken, the first that is set: en or ja."
    ),
    ("EDITRC", "Keys of the line editor, in place of ~/.editrc."),
  ]

  static let statuses = [
    ("0", "Everything was done."),
    (
      "1",
      "A statement failed; under --exit-status also: the last question found nothing."
    ),
    ("2", "The store could not be opened, read or written."),
    ("3", "There were unsaved changes at the end."), ("64", "The command line was wrong."),
  ]
}
