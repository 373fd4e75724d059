import KuraDiagnostics
import KuraSentences

/// A language whose texts are recognized.
package enum ForeignLanguage: String, Sendable, Hashable, CaseIterable {
  // Languages that Kura translates
  case sql = "SQL"
  case swift = "Swift"
  case objectiveC = "Objective-C"

  // Languages that Kura only recognizes, with advice on an equivalent in Kura
  case jq
  case javaScript = "JavaScript"
  case python = "Python"
  case mongoDB = "MongoDB"
  case linq = "C# with LINQ"
  case graphQL = "GraphQL"
  case dplyr = "R with dplyr"
  case ruby = "Ruby"
  case kotlin = "Kotlin"
  case java = "Java"
  case php = "PHP"
  case spreadsheet = "a spreadsheet formula"
  case shell = "a shell command"

  case words = "plain words"
  /// A statement of Kura that contains words of another language.
  case kura = "Kura"
}

extension ForeignLanguage {
  /// Returns Swift or Objective-C, according to the signs in a program.
  static func ofProgram(_ text: String) -> ForeignLanguage {
    let hasString = text.replacing("%@", with: "").contains("@\"")
    return hasString || text.contains("@[") || text.sendsMessage ? .objectiveC : .swift
  }
}

extension String {
  /// Whether it contains a message to a class, as in `[NSPredicate predicateWithFormat:…]`.
  fileprivate var sendsMessage: Bool {
    components(of: "[NS").dropFirst().contains { rest in
      rest.drop { $0.isLetter }.first == " "
    }
  }
}

/// The readings of signs that differ between languages.
enum Dialect: Sendable {
  /// `||` joins texts, `''` is a quotation mark in a text, `"x"` may be a name.
  case sql
  /// Swift and Objective-C: methods, closures, `||` for or.
  case code
  /// A statement of Kura that contains words of another language.
  case kura
}

/// The reason why a text of another language is not translated.
struct ForeignProblem: Error {
  /// The construct that Kura lacks; nil if the text is not of this language, or cannot be read.
  var construct: UnsupportedConstruct?
  var span: SourceSpan
}

extension SourceSpan {
  /// The problem that the text is unreadable from this place on.
  var unreadable: ForeignProblem { ForeignProblem(construct: nil, span: self) }

  /// Returns the problem that Kura lacks a construct, or the one that a sentence describes.
  func missing(
    _ construct: String, sentence: String? = nil, _ instead: String? = nil
  ) -> ForeignProblem {
    let missing = UnsupportedConstruct(construct: construct, sentence: sentence, instead: instead)
    return ForeignProblem(construct: missing, span: self)
  }

  /// Returns the problem of `year = NULL`.
  func comparisonWithNull(_ sign: String) -> ForeignProblem {
    missing(
      "\(sign) NULL", sentence: localized("in SQL, a comparison with NULL is never true"),
      localized("use IS NULL or IS NOT NULL"))
  }

  /// Returns the problem that a placeholder has no value.
  func missingValue(of sign: String) -> ForeignProblem {
    missing(
      sign, sentence: localized("\(sign) needs a value"),
      localized("write the value, or use a variable: let $x = …, then $x here"))
  }
}

/// A construct that Kura lacks, and its alternative in Kura.
package struct UnsupportedConstruct: Sendable, Hashable {
  /// `ON CONFLICT`
  package var construct: String
  /// The message; nil for the default message.
  package var sentence: String?
  /// The alternative: `let $x = fetch …, then fetch $x`
  package var instead: String?
}
