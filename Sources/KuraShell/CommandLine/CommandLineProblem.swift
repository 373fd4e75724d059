import KuraDiagnostics
import KuraRendering
import KuraSentences

/// A problem with the form of a command line.
enum CommandLineProblemKind: DiagnosticFacts {
  /// `--foramt`
  case unknownOption(String, near: [String])
  /// `--output`, which other programs have
  case foreignOption(String, advice: String)
  /// `--format` at the end, or before another option
  case missingValue(String, value: String)
  /// `--create=yes`
  case valueOfFlag(String, value: String)
  /// `--color blue`
  case notAChoice(String, option: String, choices: [String])
  /// `--lock-timeout soon`
  case noNumber(String, option: String)
  /// `kura check`
  case missingOperand(String)
  /// `kura generate man bash`
  case tooManyOperands([String])
  /// An argument that is not UTF-8, which would be stored as U+FFFD
  case notUTF8(String)

  var sentence: String {
    switch self {
    case .unknownOption(let name, _), .foreignOption(let name, _):
      localized("unknown option \"\(name)\"")
    case .missingValue(let name, _): localized("\(name) needs a value")
    case .valueOfFlag(let name, let value): localized("\(name) takes no value, found \"\(value)\"")
    case .notAChoice(let word, let option, _): localized("\(option) cannot be \"\(word)\"")
    case .noNumber(let text, let option):
      localized("\(option) needs a number, found \"\(text)\"")
    case .missingOperand(let name): localized("the argument <\(name)> is missing")
    case .tooManyOperands(let words):
      localized("too many arguments: \(words.map(quoted).list)")
    case .notUTF8(let text): localized("the argument \(quoted(text)) is not UTF-8")
    }
  }

  var help: String? {
    switch self {
    case .unknownOption(_, let near): didYouMean(near)
    case .foreignOption(_, let advice): advice
    case .missingValue(let name, let value): localized("write \(name) \(value.uppercased())")
    case .valueOfFlag(let name, _): localized("write \(name)")
    case .notAChoice(_, let option, let choices):
      localized("write \(option) \(choices.joined(separator: "|"))")
    case .noNumber(_, let option): localized("write \(option) 30")
    case .missingOperand, .tooManyOperands, .notUTF8: nil
    }
  }
}

/// A command line that cannot be read, and the command that it was meant for.
package struct CommandLineProblem: Error {
  let form: CommandForm
  package let failure: Failure

  /// The problem, the usage, and how to list the options.
  package var message: String {
    """
    \(failure.rendered(in: nil, style: .plain))
    \(localized("usage: \(form.usage)"))
      \(localized("\(form.name) --help lists the options"))
    """
  }
}

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
      { localized("write --format \(OutputFormat.listOfNames)") }
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
      ["var", "variable", "param", "parameter", "set", "define", "argjson", "-D", "-p"],
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
    (["-V", "-v"], { localized("write --version") }),
  ]
}
