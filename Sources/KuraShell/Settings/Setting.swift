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
  /// Whether it may reach past the store, which it must ask for then: `--safe` refuses that.
  let reachesOut: Bool
  /// Whether it runs statements, which have their time each.
  let runsStatements: Bool
  /// Does it.
  let run: @Sendable (Session, SettingCall) throws -> Void

  init(
    _ name: String, synopsis: String, summary: String, details: String = "",
    arguments: ClosedRange<Int>?, effect: Effect = .sets, reachesOut: Bool = false,
    runsStatements: Bool = false, run: @escaping @Sendable (Session, SettingCall) throws -> Void
  ) {
    self.name = name
    self.synopsis = synopsis
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.effect = effect
    self.reachesOut = reachesOut
    self.runsStatements = runsStatements
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

/// `.mode json`
extension SettingStatement: Command {
  var effect: Effect { Setting.named(name)?.effect ?? .sets }
  var isTimed: Bool { false }
  var isLimited: Bool { Setting.named(name)?.runsStatements != true }

  func perform(in session: Session, _ source: SourceText) throws {
    guard let setting = Setting.named(name) else {
      let facts = SettingFacts.unknownSetting(
        name.text.lowercased(), known: Setting.all.map(\.name))
      throw Failure(facts, at: name.span)
    }
    if let wanted = setting.arguments, !wanted.contains(arguments.count) {
      let place = arguments.dropFirst(wanted.upperBound).first ?? name
      throw Failure(SettingFacts.wrongArguments(synopsis: setting.synopsis), at: place.span)
    }
    try setting.run(session, SettingCall(name: name, arguments: arguments, source: source))
  }
}

/// What is wrong with what is written behind a dot.
enum SettingFacts: DiagnosticFacts {
  /// `.mod json`
  case unknownSetting(String, known: [String])
  /// `.mode json csv`
  case wrongArguments(synopsis: String)
  /// `.timer maybe`
  case notOnOrOff(String)

  var sentence: String {
    switch self {
    case .unknownSetting(let name, _): "there is no setting \".\(name)\""
    case .wrongArguments(let synopsis): "this setting is written \(synopsis)"
    case .notOnOrOff(let word): "expected on or off, found \"\(word)\""
    }
  }

  var help: String? {
    switch self {
    case .unknownSetting(let name, let known):
      didYouMean(nearNames(to: name, among: known).map { "." + $0 }) ?? ".help lists them"
    case .wrongArguments, .notOnOrOff: nil
    }
  }
}

extension Report {
  static func setting(_ name: String, _ value: String) -> String { ".\(name) \(value)" }
}
