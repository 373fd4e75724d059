/// An option of a command line: its names, its text in `--help`, and what it sets.
///
/// Help, completions, the manual page and the parser all read this value.
struct CommandOption: Sendable {
  /// `["--format"]`, or `["-h", "--help"]`
  let names: [String]
  /// The names of the values that follow it; empty for a flag.
  var values: [String] = []
  let summary: @Sendable () -> String
  /// The possible values; empty if any value is possible.
  var choices: [String] = []
  /// The default value.
  var fallback: String?
  let set: @Sendable (inout CommandRequest, [String]) throws -> Void

  init(
    _ names: [String], values: [String] = [], choices: [String] = [], fallback: String? = nil,
    _ summary: @escaping @autoclosure @Sendable () -> String,
    set: @escaping @Sendable (inout CommandRequest, [String]) throws -> Void
  ) {
    self.names = names
    self.values = values
    self.choices = choices
    self.fallback = fallback
    self.summary = summary
    self.set = set
  }
}

extension CommandOption {
  /// `-h, --help`, `--arg <name> <value>`
  var usage: String {
    ([names.joined(separator: ", ")] + values.map { "<\($0)>" }).joined(separator: " ")
  }

  /// Sets the option; called once with `values.count` values.
  func apply(_ found: [String], to request: inout CommandRequest) throws(Failure) {
    if !choices.isEmpty, let word = found.first, !choices.contains(word) {
      throw Failure(CommandLineProblemKind.notAChoice(word, option: names[0], choices: choices))
    }
    do { try set(&request, found) } catch { throw Failure(error) }
  }
}

/// An argument that is not an option: `STORE`, `FILE …`.
struct CommandOperand: Sendable {
  let name: String
  var isRequired = true
  var repeats = false
  let summary: @Sendable () -> String

  init(
    _ name: String, isRequired: Bool = true, repeats: Bool = false,
    _ summary: @escaping @autoclosure @Sendable () -> String
  ) {
    self.name = name
    self.isRequired = isRequired
    self.repeats = repeats
    self.summary = summary
  }

  /// `<store>`, `[<statements> ...]`
  var usage: String {
    let usage = repeats ? "<\(name)> ..." : "<\(name)>"
    return isRequired ? usage : "[\(usage)]"
  }
}
