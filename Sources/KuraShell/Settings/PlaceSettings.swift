import Foundation
import KuraDiagnostics
import KuraScript
import KuraValues

extension Setting {
  static let timezone = Setting(
    name: "timezone", synopsis: ".timezone [ID]",
    summary: "the zone in which dates are read and written here",
    details: "The store keeps its own. A session begins in the store's zone, without one in UTC.",
    arguments: 0...1, value: \.zone.identifier
  ) { session, call in
    session.settings.chosenZone = try ZoneRules(named: call.word.text, at: call.word.span)
  }

  static let locale = Setting(
    name: "locale", synopsis: ".locale [ID]",
    summary: "whose order and letters the option [l] goes by", arguments: 0...1,
    value: \.settings.locale.identifier
  ) { session, call in
    session.settings.locale = try Locale(named: call.word.text, at: call.word.span)
  }
}

extension ZoneRules {
  /// The zone of a name, `Asia/Tokyo`.
  convenience init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let zone = TimeZone(identifier: name) else {
      let known = TimeZone.knownTimeZoneIdentifiers
      throw Failure(PlaceFacts.unknownTimeZone(name, known: known), at: span)
    }
    self.init(zone)
  }
}

extension Locale {
  /// The locale of a name, `ja_JP` or `ja-JP`.
  init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    let identifier = name.replacingOccurrences(of: "-", with: "_")
    let known = Locale.availableIdentifiers
    guard known.contains(identifier) else {
      throw Failure(PlaceFacts.unknownLocale(name, known: known), at: span)
    }
    self.init(identifier: identifier)
  }
}

/// A zone or a locale that is none.
enum PlaceFacts: DiagnosticFacts {
  /// `.timezone Asia/Tokio`
  case unknownTimeZone(String, known: [String])
  /// `.locale xx_YY`
  case unknownLocale(String, known: [String])

  var sentence: String {
    switch self {
    case .unknownTimeZone(let name, _): "\"\(name)\" is no time zone"
    case .unknownLocale(let name, _): "\"\(name)\" is no locale"
    }
  }

  var help: String? {
    switch self {
    case .unknownTimeZone(let name, let known):
      didYouMean(nearNames(to: name, among: known)) ?? "write its name, as in Asia/Tokyo"
    case .unknownLocale(let name, let known):
      didYouMean(nearNames(to: name, among: known)) ?? "write its name, as in ja_JP"
    }
  }
}
