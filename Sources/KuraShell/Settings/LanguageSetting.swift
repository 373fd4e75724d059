import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let language = Setting(
    name: "language",
    synopsis: ".language [\(Language.allCases.map(\.rawValue).joined(separator: "|"))]",
    summary: "the language of messages, help and lessons",
    details: """
      A session starts in the language of the first of KURA_LANGUAGE, LC_ALL, LC_MESSAGES and LANG that
      is set, or in English if Kura does not have that language. --language overrides it. Statements and
      results in csv, tsv, json, jsonl and plain are the same in every language.
      """,
    arguments: 0...1, value: \.settings.language.rawValue,
    choices: { _, _ in Language.allCases.map { Choice($0.rawValue, meaning: $0.name) } }
  ) { session, call in
    session.settings.language = try Language(named: call.word.text, at: call.word.span)
  }
}

extension Language {
  /// Finds the language of a name; throws if there is none.
  init(named name: String, at span: SourceSpan? = nil) throws(Failure) {
    guard let language = Language(locale: name) else {
      throw Failure(UnknownLanguage(name: name), at: span)
    }
    self = language
  }

  fileprivate var name: String {
    switch self {
    case .english: "English"
    case .japanese: "日本語"
    }
  }
}

/// `.language fr`
private struct UnknownLanguage: DiagnosticFacts {
  let name: String

  var sentence: String { localized("there is no language \"\(name)\"") }
  var help: String? { localized("use one of: \(Language.list)") }
}
