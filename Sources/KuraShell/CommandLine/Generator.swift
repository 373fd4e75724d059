import KuraDiagnostics
import KuraRendering
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

/// A script that completes command lines of `kura`, for one shell.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.forBash
    case .zsh: Self.forZsh
    case .fish: Self.forFish
    }
  }
}

extension CompletionScript {
  private static let options = CommandForm.session.options

  /// The words that can follow `kura`.
  private static let commands = CommandForm.all.compactMap(\.words.first).reduce(into: [String]()) {
    if !$0.contains($1) { $0.append($1) }
  }

  /// The words that can follow a command: `check` and `grade` after `lesson`.
  private static let subcommands =
    ["lesson": CommandForm.all.filter { $0.words.first == "lesson" }.compactMap { $0.words.last }]
    .merging(["generate": Generator.names]) { first, _ in first }

  private static var forBash: String {
    let values = options.filter { !$0.values.isEmpty }.map { option in
      let found = option.takesFile ? "-f" : "-W '\(option.words.joined(separator: " "))'"
      let names = option.names.joined(separator: "|")
      return "    \(names)) COMPREPLY=($(compgen \(found) -- \"$word\")); return ;;"
    }
    let words = subcommands.sorted { $0.key < $1.key }.map { name, words in
      "    \(name)) COMPREPLY=($(compgen -f -W '\(words.joined(separator: " "))' -- \"$word\")); return ;;"
    }
    let names = options.flatMap(\.names).joined(separator: " ")
    return """
      _kura() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        case $before in
      \((values + words).joined(separator: "\n"))
        esac
        if [[ $word == -* ]]; then
          COMPREPLY=($(compgen -W '\(names)' -- "$word"))
        elif [ "$COMP_CWORD" = 1 ]; then
          COMPREPLY=($(compgen -f -W '\(commands.joined(separator: " "))' -- "$word"))
        else
          COMPREPLY=($(compgen -f -- "$word"))
        fi
      }
      complete -o filenames -F _kura kura

      """
  }

  private static var forZsh: String {
    let lines = options.flatMap { option in
      option.names.map { "'\($0)[\(zshText(option.summary()))]\(zshValues(option))'" }
    }
    return """
      #compdef kura
      _kura_first() {
        if [ "$CURRENT" = 2 ]; then compadd \(commands.joined(separator: " ")); fi
        _files
      }
      _kura() {
        if [ "$CURRENT" = 3 ]; then
          case ${words[2]} in
      \(subcommands.sorted { $0.key < $1.key }.map {
        "      \($0.key)) compadd \($0.value.joined(separator: " ")) ;;"
      }.joined(separator: "\n"))
          esac
        fi
        _arguments \\
          \(lines.joined(separator: " \\\n    ")) \\
          '*:store or statement:_kura_first'
      }
      if [ "${funcstack[1]}" = _kura ]; then _kura "$@"; else compdef _kura kura; fi

      """
  }

  private static func zshValues(_ option: CommandOption) -> String {
    option.values.map { name in
      ":\(name):" + (option.takesFile ? "_files" : "(\(option.words.joined(separator: " ")))")
    }.joined()
  }

  /// Escapes a summary for brackets within quotes.
  private static func zshText(_ text: String) -> String {
    text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  private static var forFish: String {
    let first = commands.map {
      "complete -c kura -n '__fish_is_first_arg' -a '\($0)'"
    }
    let next = subcommands.sorted { $0.key < $1.key }.map {
      "complete -c kura -n '__fish_seen_subcommand_from \($0.key)' -a '\($0.value.joined(separator: " "))'"
    }
    let lines = options.map { option in
      let names = option.names.map { name in
        name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
      }
      let values =
        option.values.isEmpty
        ? "" : option.takesFile ? " -r" : " -x -a '\(option.words.joined(separator: " "))'"
      let summary = option.summary().replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      return "complete -c kura \(names.joined(separator: " "))\(values) -d '\(summary)'"
    }
    return (first + next + lines).joined(separator: "\n") + "\n"
  }
}

extension CommandOption {
  /// Whether the value is the name of a file.
  fileprivate var takesFile: Bool { values == ["file"] }

  /// The words that a shell can offer for the value.
  fileprivate var words: [String] {
    names == ["--format"] ? OutputFormat.all.map(\.name) : choices
  }
}
