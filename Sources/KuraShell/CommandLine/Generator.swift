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
      let failure = Failure(GenerateProblem(found: arguments), status: .wrongCommandLine)
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
private struct GenerateProblem: DiagnosticFacts {
  let found: [String]

  var sentence: String {
    found.isEmpty
      ? localized("say what to generate: man, bash, zsh or fish")
      : localized("\"\(found.joined(separator: " "))\" cannot be generated")
  }

  var help: String? {
    localized("write kura generate man for the manual, or bash, zsh or fish for completions")
  }
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
    \(entries(StatementCatalog.all.map { ($0.synopsis, $0.summary) })).SH \(localized("SETTINGS"))
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
      "Settings and statements that run before an interactive session, unless --no-init is given. Kura ignores the file if other users can write to it."
    ),
    ("~/.kura_history", "The lines typed in all interactive sessions."),
    ("STORE.journal", "The saves since the document was last written."),
    ("STORE.unsaved", "Unsaved changes of an interrupted session; .recover restores them."),
    (
      "$XDG_STATE_HOME/kura",
      "Unsaved changes of a session without a store. If the variable is not set: ~/.local/state/kura."
    ), ("$XDG_STATE_HOME/kura/lessons.json", "The progress of a learner in the lessons."),
  ]

  static let environment = [
    ("NO_COLOR", "If it is not empty, messages have no colours."),
    ("TERM", "If it is dumb, Kura leaves line editing to the system."),
    (
      "KURA_LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
      "The language of messages, from the first variable that is set: en or ja."
    ),
    ("EDITRC", "The file with the settings of the line editor, instead of ~/.editrc."),
  ]

  static let statuses = [
    ("0", "Every statement succeeded."),
    (
      "1",
      "A statement failed. With --exit-status also: the last exists printed false, or the last fetch or count found nothing."
    ),
    ("2", "The store could not be opened, read or written."),
    ("3", "There were unsaved changes at the end."), ("64", "The command line was wrong."),
  ]
}
