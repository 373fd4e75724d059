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
    names == ["--format"] ? Launch.formatNames : choices
  }
}
