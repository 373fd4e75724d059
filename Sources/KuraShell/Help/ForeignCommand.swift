import KuraDiagnostics
import KuraModel
import KuraScript
import KuraSentences

/// A command of another shell, such as `.tables` or `\\d`, and its counterpart in Kura.
struct ForeignCommand: Sendable {
  /// The names, without the dot or the backslash.
  let names: [String]
  /// The counterpart in Kura; `TOPIC` represents the words after the command.
  let ours: String
  /// The counterpart if a word follows; nil if it is the same.
  var oursWithWord: String?
  /// Whether Kura performs it directly, because it changes nothing.
  var isDone = false
}

extension ForeignCommand {
  static let all: [ForeignCommand] = [
    ForeignCommand(
      names: ["tables", "schema", "d", "dt", "databases", "indexes"], ours: "model",
      oursWithWord: "describe TOPIC", isDone: true),
    ForeignCommand(names: ["exit", "q", "bye", "qa"], ours: ".quit", isDone: true),
    ForeignCommand(
      names: ["h", "?", "man"], ours: ".help", oursWithWord: ".help TOPIC", isDone: true),
    ForeignCommand(
      names: ["i", "source", "load"], ours: ".read FILE", oursWithWord: ".read TOPIC"),
    ForeignCommand(names: ["o"], ours: ".output FILE", oursWithWord: ".output TOPIC"),
    ForeignCommand(
      names: ["c", "connect", "use"], ours: ".open FILE", oursWithWord: ".open TOPIC"),
    ForeignCommand(names: ["timing"], ours: ".timer on"),
    ForeignCommand(names: ["x"], ours: ".mode list"),
    ForeignCommand(
      names: ["headers", "header", "width", "separator", "format", "pset"], ours: ".mode FORMAT"),
    ForeignCommand(names: ["nullvalue"], ours: ".null TEXT", oursWithWord: ".null TOPIC"),
    ForeignCommand(names: ["dump", "backup", "clone"], ours: "save \"FILE\""),
    ForeignCommand(names: ["import"], ours: "insert ENTITY [{\"key\": value}, …]"),
    ForeignCommand(names: ["echo", "show"], ours: "print EXPR"),
    ForeignCommand(names: ["begin", "start"], ours: "begin"),
  ]

  /// Returns the command with a name, in any case.
  static func named(_ name: String) -> ForeignCommand? {
    all.first { $0.names.contains(name.lowercased()) }
  }

  /// Returns the counterpart for the words that were typed.
  func ours(for words: [Name]) -> String {
    let topic = words.map(\.text).joined(separator: " ")
    guard !topic.isEmpty, let oursWithWord else { return ours }
    let isEntity = oursWithWord.hasPrefix("describe")
    return oursWithWord.replacing("TOPIC", with: isEntity ? StatementText.name(topic) : topic)
  }
}

extension Session {
  /// Performs the counterpart of another shell's command if that is harmless, and reports how Kura
  /// writes it; otherwise throws a failure that says so.
  func perform(_ foreign: ForeignCommand, _ call: SettingStatement) throws {
    let ours = foreign.ours(for: call.arguments)
    guard foreign.isDone else {
      throw Failure(SettingProblem.foreignSetting(call.name.text, ours: ours), at: call.name.span)
    }
    report(localized("in Kura, write \(ours)"))
    guard run(ours) else { throw Failure.reported(status) }
  }
}
