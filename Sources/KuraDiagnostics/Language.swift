/// A language in which a person is spoken to.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"
}

extension Language {
  /// The language of a name such as `ja`, `ja_JP.UTF-8` or `en-GB`; nil of any other.
  package init?(locale name: String) {
    let code = name.lowercased().prefix { $0.isLetter }
    self.init(rawValue: String(code))
  }

  /// `en, ja`
  package static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
