import CThreads

/// A language for messages to people.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"

  /// The language of this thread and of the threads that work for it. A session sets it for all its
  /// work.
  package static var current: Language {
    let note = Int(kura_thread_note())
    return note < allCases.count ? allCases[note] : .english
  }
}

extension Language {
  /// Creates the language of a locale name such as `ja`, `ja_JP.UTF-8` or `en-GB`; nil for any
  /// other.
  package init?(locale name: String) {
    let code = name.lowercased().prefix { $0.isLetter }
    self.init(rawValue: String(code))
  }

  /// Creates the language in the name of a document, such as `README.ja.md`; nil if it contains
  /// none.
  package init?(ofDocument path: String) {
    let parts = path.split(separator: ".")
    guard parts.count > 2, let language = Language(rawValue: String(parts[parts.count - 2])) else {
      return nil
    }
    self = language
  }

  /// The codes of all languages: `en, ja`.
  package static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Creates the language of the first variable that has a value. The default is English, also for
  /// an unsupported language.
  package init(environment: (String) -> String?) {
    let names = Self.variables.lazy.compactMap(environment)
    self = names.first { !$0.isEmpty }.flatMap(Language.init(locale:)) ?? .english
  }

  /// The environment variables for the language; Kura's own comes first.
  package static let variables = ["KURA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]

  /// Calls a closure with this language as the current one.
  package func speaks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = kura_thread_note()
    kura_set_thread_note(UInt8(Self.allCases.firstIndex(of: self) ?? 0))
    defer { kura_set_thread_note(before) }
    return try body()
  }
}
