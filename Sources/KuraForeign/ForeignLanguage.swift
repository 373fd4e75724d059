/// A language that people bring along.
package enum ForeignLanguage: String, Sendable, Hashable, CaseIterable {
  case sql = "SQL"
  case swift = "Swift"
  case objectiveC = "Objective-C"
  case python = "Python"
  case javaScript = "JavaScript"
  case cSharp = "C#"
  case mongoDB = "MongoDB"
  case jq
  /// A programming language, of which is not told which.
  case code = "another language"
  case shell = "a shell"
  case words = "plain words"
  /// Kura's own, with something of another language in it.
  case kura = "Kura"
}

extension ForeignLanguage {
  /// The language that words of a program give away.
  static func ofProgram(_ text: String) -> ForeignLanguage {
    let marks: [(ForeignLanguage, [String])] = [
      (.objectiveC, ["[NS", "@\"", "@["]),
      (.mongoDB, ["db."]),
      (
        .cSharp,
        [".Where(", ".Select(", ".OrderBy", ".ToList(", ".Any(", ".All(", ".First", ".Take("]
      ),
      (
        .javaScript, ["=>", "===", "!==", "const ", "console.", ".length", ".includes(", ".slice("]
      ),
      (
        .python,
        ["lambda ", ".objects.", "len(", "[:", "_by(", ".query(", "==True", " None", "df["]
      ),
      (
        .swift,
        ["NS", "$0", "context.", "try ", ".fetchRequest", "let ", "\\.", "@Query", "Descriptor"]
      ),
    ]
    let found = marks.filter { _, words in words.contains { text.contains($0) } }.map(\.0)
    let hasString = text.replacing("%@", with: "").contains("@\"")
    if found.first == .objectiveC, !hasString, !text.hasMessage {
      return found.dropFirst().first ?? .swift
    }
    return found.first ?? .code
  }
}

extension String {
  /// Whether a message is sent to a class, as in `[NSPredicate predicateWithFormat:…]`.
  fileprivate var hasMessage: Bool {
    components(of: "[NS").dropFirst().contains { rest in
      rest.drop { $0.isLetter }.first == " "
    } || contains("@[")
  }
}

/// How the letters and signs of a text are read, where languages differ.
enum Dialect: Sendable {
  /// `||` joins texts, `''` is a quote in a text, `"x"` may be a name.
  case sql
  /// Swift, Objective-C, JavaScript, C#, Python: methods, closures, `||` for or.
  case code
  /// `|` leads on, `.x` is a key of what comes in.
  case jq
  /// A statement of Kura, in which something else is met.
  case kura
}
