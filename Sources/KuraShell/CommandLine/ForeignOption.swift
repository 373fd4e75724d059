import KuraSentences

/// Options of other programs, with advice on what Kura offers instead.
enum ForeignOption {
  /// Returns what to write instead of an option; nil for an unknown option.
  static func advice(for name: String) -> String? {
    let word = String(name.drop { $0 == "-" }).lowercased()
    let found = all.first { $0.names.contains(name.hasPrefix("--") ? word : name) }
    return found.map { $0.advice() }
  }

  /// Long options without their dashes, short ones with one.
  private static let all: [(names: Set<String>, advice: @Sendable () -> String)] = [
    (
      ["output", "out", "outfile", "output-file", "export", "-o", "-O"],
      { localized("write a statement before the fetch: '.once FILE', or '.output FILE' for all") }
    ),
    (
      ["json", "csv", "tsv", "jsonl", "yaml", "xml", "html", "markdown", "table", "pretty", "raw"],
      { localized("write --format \(Launch.formatList)") }
    ),
    (
      [
        "query", "command", "execute", "eval", "exec", "sql", "expression", "statement", "run",
        "where", "filter", "-e", "-c", "-q",
      ],
      { localized("write the statement without an option: kura STORE 'fetch …'") }
    ),
    (
      ["file", "store", "database", "db", "input", "data", "open", "-i", "-d"],
      { localized("write the store first, without an option: kura STORE 'fetch …'") }
    ),
    (["script", "source", "read"], { localized("write -f FILE") }),
    (
      ["var", "variable", "param", "parameter", "set", "define", "argjson", "-D", "-v", "-p"],
      { localized("write --arg NAME VALUE, and $NAME in the statement") }
    ),
    (
      ["limit", "sort", "select", "top", "head", "offset", "group", "-n"],
      { localized("write it in the statement: kura STORE 'fetch … sort … limit 3'") }
    ),
    (["tz", "zone"], { localized("write --timezone Asia/Tokyo") }),
    (["lang"], { localized("write --language en or ja") }),
    (["save", "write", "in-place"], { localized("write --autosave, or the statement 'save'") }),
    (["no-color", "nocolor", "plain"], { localized("write --color never") }),
    (["-V"], { localized("write --version") }),
  ]
}
