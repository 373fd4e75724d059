import CThreads

/// A language in which a person is spoken to.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"

  /// What is spoken on this thread, and on those that do its work: a session sets it around whatever it
  /// does.
  package static var current: Language {
    let note = Int(kura_thread_note())
    return note < allCases.count ? allCases[note] : .english
  }
}

extension Language {
  /// The language of a name such as `ja`, `ja_JP.UTF-8` or `en-GB`; nil of any other.
  package init?(locale name: String) {
    let code = name.lowercased().prefix { $0.isLetter }
    self.init(rawValue: String(code))
  }

  /// The language that a document's name says, `README.ja.md`; nil where it says none.
  package init?(ofDocument path: String) {
    let parts = path.split(separator: ".")
    guard parts.count > 2, let language = Language(rawValue: String(parts[parts.count - 2])) else {
      return nil
    }
    self = language
  }

  /// `en, ja`
  package static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The language of the first variable that has a value, else English; a variable that names a
  /// language of which nothing is known asks for English, too.
  package init(environment: (String) -> String?) {
    let names = Self.variables.lazy.compactMap(environment)
    self = names.first { !$0.isEmpty }.flatMap(Language.init(locale:)) ?? .english
  }

  /// The variables that say a language, the first of them Kura's own.
  package static let variables = ["KURA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]
}

extension Language {
  /// Does something in a language.
  package func speaks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = kura_thread_note()
    kura_set_thread_note(UInt8(Self.allCases.firstIndex(of: self) ?? 0))
    defer { kura_set_thread_note(before) }
    return try body()
  }
}
