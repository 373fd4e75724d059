import KuraDiagnostics
import KuraScript

/// A setting: what the session and the help need to know of it.
struct Setting: Sendable {
  /// `mode`
  let name: String
  /// `.mode [FORMAT]`
  let synopsis: String
  /// One line of help.
  let summary: String
  /// What else there is to say, in lines.
  let details: String
  /// How many words may follow the name; nil: any number.
  let arguments: ClosedRange<Int>?
  /// What it leaves behind.
  let effect: Effect
  /// Does it.
  let run: @Sendable (inout Session, SettingCall) throws -> Void

  init(
    _ name: String, synopsis: String, summary: String, details: String = "",
    arguments: ClosedRange<Int>?, effect: Effect = .sets,
    run: @escaping @Sendable (inout Session, SettingCall) throws -> Void
  ) {
    self.name = name
    self.synopsis = synopsis
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.effect = effect
    self.run = run
  }
}

/// What was written behind a setting's name.
struct SettingCall {
  let name: Name
  let arguments: [Name]
  let source: SourceText

  /// The first word, if there is one.
  var argument: Name? { arguments.first }
}

extension Setting {
  /// All settings, in the order of the help.
  static let all: [Setting] = [
    .help, .open, .refresh, .fold, .merge, .mode, .null, .timer, .timeout, .read, .output, .once,
    .timezone, .locale, .validate, .undo, .quit,
  ]

  /// The setting of a name, in any case.
  static func named(_ name: Name) -> Setting? {
    all.first { $0.name == name.text.lowercased() }
  }
}

extension Session {
  /// `.mode json`
  mutating func change(_ statement: SettingStatement, in source: SourceText) throws {
    guard let setting = Setting.named(statement.name) else {
      let name = statement.name.text.lowercased()
      let facts = ShellFacts.unknownSetting(name, known: Setting.all.map(\.name))
      throw Failure(facts, at: statement.name.span)
    }
    if let wanted = setting.arguments, !wanted.contains(statement.arguments.count) {
      let place = statement.arguments.dropFirst(wanted.upperBound).first ?? statement.name
      throw Failure(ShellFacts.wrongArguments(synopsis: setting.synopsis), at: place.span)
    }
    let call = SettingCall(
      name: statement.name, arguments: statement.arguments, source: source)
    try setting.run(&self, call)
  }
}
