import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

extension Setting {
  static let timezone = Setting(
    name: "timezone", synopsis: ".timezone [ID]",
    summary: "the time zone in which this session reads and writes dates",
    details:
      "The store keeps its own time zone. A session starts in that zone, or in UTC if there is none.",
    arguments: 0...1, value: \.zone.identifier
  ) { session, call in
    session.settings.chosenZone = try ZoneRules(named: call.word.text, at: call.word.span)
  }

  static let locale = Setting(
    name: "locale", synopsis: ".locale [ID [short|medium|long|full]|off]",
    summary: "how dates and numbers are shown, and which order [l] uses",
    details: """
      For instance ja_JP, de_DE or ja_JP@calendar=japanese. table, list and markdown show dates and
      numbers in the form that is usual in this locale, as does format() without a locale argument.
      json, jsonl, csv and tsv never change. .locale off, the default, shows values as they are.
      """,
    arguments: 0...2, value: { $0.settings.localeText }
  ) { session, call in
    if call.word.text.lowercased() == "off", call.arguments.count == 1 {
      session.settings.chosenLocale = nil
    } else {
      let length = try call.arguments.dropFirst().first.map(DateStyle.Length.init(word:))
      session.settings.chosenLocale = try Locale(named: call.word.text, at: call.word.span)
      session.settings.dateLength = length ?? .long
    }
  }
}

extension ZoneRules {
  /// Finds the zone of a name, `Asia/Tokyo`.
  convenience init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let zone = TimeZone(identifier: name) else {
      let known = TimeZone.knownTimeZoneIdentifiers
      throw Failure(PlaceProblem.unknownTimeZone(name, known: known), at: span)
    }
    self.init(zone)
  }
}

extension Locale {
  /// Finds the locale of a name, `ja_JP` or `ja-JP`.
  init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    do { self = try LocaleName.locale(name) } catch {
      throw Failure(PlaceProblem.badLocale(error), at: span)
    }
  }
}

extension SessionSettings {
  /// `off`, `ja_JP`, `de_DE short`
  fileprivate var localeText: String {
    guard let locale = chosenLocale else { return "off" }
    return dateLength == .long
      ? locale.identifier : "\(locale.identifier) \(dateLength.rawValue)"
  }
}

extension DateStyle.Length {
  fileprivate init(word: Name) throws(Failure) {
    guard let length = DateStyle.Length(rawValue: word.text.lowercased()) else {
      throw Failure(PlaceProblem.unknownLength(word.text), at: word.span)
    }
    self = length
  }
}

/// An unknown name of a zone or locale.
enum PlaceProblem: DiagnosticFacts {
  /// `.timezone Asia/Tokio`
  case unknownTimeZone(String, known: [String])
  /// `.locale xx_YY`
  case badLocale(FormatProblem)
  /// `.locale ja_JP lang`
  case unknownLength(String)

  var sentence: String {
    switch self {
    case .unknownTimeZone(let name, _): localized("there is no time zone \"\(name)\"")
    case .badLocale(let problem): problem.sentence
    case .unknownLength(let word): localized("there is no date length \"\(word)\"")
    }
  }

  var help: String? {
    switch self {
    case .unknownTimeZone(let name, let known):
      didYouMean(nearNames(to: name, among: known)) ?? localized("write its name, as in Asia/Tokyo")
    case .badLocale(let problem): problem.nearNames ?? problem.help
    case .unknownLength(let word):
      didYouMean(nearNames(to: word, among: Self.lengths)) ?? Self.lengths.list
    }
  }

  private static let lengths = DateStyle.Length.allCases.map(\.rawValue)
}
