import Foundation
import KuraDiagnostics
import KuraScript

extension Setting {
  static let locale = Setting(
    "locale", synopsis: ".locale [ID]",
    summary: "whose order and letters the option [l] goes by", arguments: 0...1
  ) { session, call in
    guard let name = call.argument else {
      return session.report(Report.setting("locale", session.state.locale.identifier))
    }
    session.state.locale = try Locale(named: name.text, at: name.span)
  }
}

extension Locale {
  /// The locale of a name, `ja_JP` or `ja-JP`.
  init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    let identifier = name.replacingOccurrences(of: "-", with: "_")
    let known = Locale.availableIdentifiers
    guard known.contains(identifier) else {
      throw Failure(ShellFacts.unknownLocale(name, known: known), at: span)
    }
    self.init(identifier: identifier)
  }
}
