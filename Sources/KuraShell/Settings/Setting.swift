import KuraDiagnostics
import KuraScript
import KuraSentences

/// A setting, with its data for the session and the help.
struct Setting: Sendable {
  /// `mode`
  var name: String
  /// `.mode [FORMAT]`
  var synopsis: String
  /// One line of help.
  var summary: String
  /// Further lines of help.
  var details: Sentence = ""
  /// The number of words that may follow the name; nil for any number.
  var arguments: ClosedRange<Int>?
  /// The lasting effect.
  var effect = Effect.sets
  /// Whether it may access something outside the store, and then calls `checkSafe`: `--safe`
  /// refuses that.
  var accessesOutside = false
  /// Whether it runs statements, which have time limits of their own.
  var runsStatements = false
  /// Whether it shows results, which `.once` redirects.
  var showsResults = false
  /// Whether it sets the time limit of statements, and has none itself. Otherwise a short limit
  /// could not be removed on a busy machine.
  var setsLimit = false
  /// Returns the current value, which is shown if no word follows; nil if the setting is then
  /// performed.
  var value: (@Sendable (Session) -> String)?
  /// Returns the possible continuations after its name, for a typed word; nil if they are unknown.
  var choices: (@Sendable (Session, _ typed: String) -> [Choice])?
  /// Performs the setting.
  var run: @Sendable (Session, SettingCall) throws -> Void
}

/// A call of a setting with its arguments.
struct SettingCall {
  let name: Name
  let arguments: [Name]
  let source: SourceText

  /// The first word, if there is one.
  var argument: Name? { arguments.first }

  /// The first word, for a setting that requires one; the name if there is none.
  var word: Name { arguments.first ?? name }

  /// `on` or `off`
  var isOn: Bool {
    get throws(Failure) {
      switch word.text.lowercased() {
      case "on": true
      case "off": false
      default: throw Failure(SettingProblem.notOnOrOff(word.text), at: word.span)
      }
    }
  }
}

extension Setting {
  /// All settings, in the order of the help.
  static let all: [Setting] = [
    .help, .open, .refresh, .fold, .cache, .merge, .history, .mode, .null, .booleans, .theme,
    .pager,
    .again, .timer,
    .timeout, .read, .output, .once, .transcript, .timezone, .locale, .language, .validate, .undo,
    .recover,
    .prompt,
    .hints,
    .highlight, .completion, .edit, .fix, .quit,
  ]

  /// Creates a setting that is on or off.
  static func onOff(
    _ name: String, _ value: any WritableKeyPath<SessionSettings, Bool> & Sendable,
    summary: String, details: Sentence = ""
  ) -> Setting {
    Setting(
      name: name, synopsis: ".\(name) [on|off]", summary: summary, details: details,
      arguments: 0...1, value: { $0.settings[keyPath: value] ? "on" : "off" }
    ) { session, call in session.settings[keyPath: value] = try call.isOn
    }
  }

  /// Returns the setting of a name, in any case.
  static func named(_ name: Name) -> Setting? {
    all.first { $0.name == name.text.lowercased() }
  }
}

/// `.mode json`
extension SettingStatement: Command {
  var effect: Effect { Setting.named(name)?.effect ?? .sets }
  var isTimed: Bool { Setting.named(name)?.showsResults == true }
  var isLimited: Bool {
    guard let setting = Setting.named(name) else { return true }
    return !setting.runsStatements && !setting.setsLimit
  }

  func perform(in session: Session, _ source: SourceText) throws {
    guard let setting = Setting.named(name) else {
      if let foreign = ForeignCommand.named(name.text) {
        return try session.perform(foreign, self)
      }
      let facts = SettingProblem.unknownSetting(
        name.text.lowercased(), known: Setting.all.map(\.name))
      throw Failure(facts, at: name.span)
    }
    if let wanted = setting.arguments, !wanted.contains(arguments.count) {
      let place = arguments.dropFirst(wanted.upperBound).first ?? name
      throw Failure(SettingProblem.wrongArguments(synopsis: setting.synopsis), at: place.span)
    }
    if arguments.isEmpty, let value = setting.value {
      return session.report(Report.setting(setting.name, value(session)))
    }
    try setting.run(session, SettingCall(name: name, arguments: arguments, source: source))
  }
}

/// A problem with a call of a setting.
enum SettingProblem: DiagnosticFacts {
  /// `.mod json`
  case unknownSetting(String, known: [String])
  /// `.timing on`
  case foreignSetting(String, ours: String)
  /// `.mode json csv`
  case wrongArguments(synopsis: String)
  /// `.timer maybe`
  case notOnOrOff(String)

  var sentence: String {
    switch self {
    case .unknownSetting(let name, _), .foreignSetting(let name, _):
      localized("there is no setting \".\(name)\"")
    case .wrongArguments(let synopsis): localized("this setting is written \(synopsis)")
    case .notOnOrOff(let word): localized("expected on or off, found \"\(word)\"")
    }
  }

  var help: String? {
    switch self {
    case .unknownSetting(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "." + $0 })
        ?? localized(".help lists all settings")
    case .foreignSetting(_, let ours): localized("in Kura, write \(ours)")
    case .wrongArguments, .notOnOrOff: nil
    }
  }
}

extension Report {
  static func setting(_ name: String, _ value: String) -> String { ".\(name) \(value)" }
}
