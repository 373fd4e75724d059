import Foundation
import KuraDiagnostics
import KuraScript
import KuraValues

extension Setting {
  static let timezone = Setting(
    "timezone", synopsis: ".timezone [ID]",
    summary: "the zone in which dates are read and written here",
    details: "The store keeps its own. A session begins in the store's zone, without one in UTC.",
    arguments: 0...1
  ) { session, call in
    guard let name = call.argument else {
      return session.report(Report.setting("timezone", session.state.zone.identifier))
    }
    session.state.chosenZone = try ZoneRules(named: name.text, at: name.span)
  }
}

extension ZoneRules {
  /// The zone of a name, `Asia/Tokyo`.
  convenience init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let zone = TimeZone(identifier: name) else {
      let known = TimeZone.knownTimeZoneIdentifiers
      throw Failure(ShellFacts.unknownTimeZone(name, known: known), at: span)
    }
    self.init(zone)
  }
}
