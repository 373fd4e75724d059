import KuraDiagnostics
import KuraSentences

/// One command of the program: `kura`, `kura lesson grade`.
struct CommandForm: Sendable {
  let command: CommandRequest.Command
  /// The words after `kura` that name it.
  let words: [String]
  let abstract: @Sendable () -> String
  let overview: @Sendable () -> String
  let operands: [CommandOperand]
  let options: [CommandOption]

  init(
    _ command: CommandRequest.Command, _ words: [String],
    _ abstract: @escaping @autoclosure @Sendable () -> String,
    overview: @escaping @autoclosure @Sendable () -> String,
    operands: [CommandOperand], options: [CommandOption] = []
  ) {
    self.command = command
    self.words = words
    self.abstract = abstract
    self.overview = overview
    self.operands = operands
    self.options = options + [.help(words)]
  }

  /// `kura lesson grade`
  var name: String { (["kura"] + words).joined(separator: " ") }

  /// `kura [<options>] [<store>] [<statements> ...]`
  var usage: String {
    ([name, "[<options>]"] + operands.map(\.usage)).joined(separator: " ")
  }

  func option(named name: String) -> CommandOption? {
    options.first { $0.names.contains(name) }
  }

  /// The command that the first arguments name, and the arguments after its name.
  static func named(
    by arguments: [String]
  ) -> (form: CommandForm, rest: ArraySlice<String>) {
    let form = all.first { arguments.starts(with: $0.words) } ?? .session
    return (form, arguments.dropFirst(form.words.count))
  }

  /// The longer names first: `kura` alone begins all of them.
  static let all: [CommandForm] = [
    .lessonCheck, .lessonGrade, .check, .notebook, .generate, .session,
  ]
}

extension CommandForm {
  /// Reads the arguments after the command's name.
  func read(_ arguments: ArraySlice<String>) throws(Failure) -> CommandRequest {
    var request = CommandRequest(command: command)
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        request.operands += rest
        break
      }
      if argument.hasPrefix("-"), argument != "-" {
        try take(argument, &rest, &request)
        if request.answer != nil { return request }
      } else {
        request.operands.append(argument)
      }
    }
    try check(request.operands)
    try request.finish()
    return request
  }

  /// Takes an option, `--name`, `--name VALUE` or `--name=VALUE`, with its values.
  private func take(
    _ argument: String, _ rest: inout ArraySlice<String>, _ request: inout CommandRequest
  ) throws(Failure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = option(named: name) else { throw Failure(unknown(name)) }
    if parts.count == 2 {
      let value = String(parts[1])
      guard !option.values.isEmpty else {
        throw Failure(CommandLineFacts.valueOfFlag(name, value: value))
      }
      return try option.apply([value], to: &request)
    }
    try option.apply(values(of: option, name, &rest), to: &request)
  }

  /// One value must not look like an option, which is a value that was forgotten. The two of `--arg` can
  /// be anything.
  private func values(
    of option: CommandOption, _ name: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> [String] {
    let values = Array(rest.prefix(option.values.count))
    let isOption = values.count == 1 && values[0].hasPrefix("-") && values[0] != "-"
    guard option.values.isEmpty || !values.isEmpty && !(isOption && option.values.count == 1) else {
      throw Failure(CommandLineFacts.missingValue(name, value: option.values[0]))
    }
    rest = rest.dropFirst(values.count)
    return values
  }

  private func unknown(_ name: String) -> CommandLineFacts {
    .unknownOption(name, near: nearNames(to: name, among: options.flatMap(\.names)))
  }

  private func check(_ found: [String]) throws(Failure) {
    let required = operands.count(where: \.isRequired)
    if found.count < required {
      throw Failure(CommandLineFacts.missingOperand(operands[found.count].name))
    }
    if found.count > operands.count, operands.last?.repeats != true {
      throw Failure(CommandLineFacts.tooManyOperands(Array(found[operands.count...])))
    }
  }
}
