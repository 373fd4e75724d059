import Foundation
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// A completion that can be inserted at the cursor.
package struct Choice: Sendable, Equatable {
  package var text: String
  package var label: String
  /// A short description.
  package var meaning: String
  /// Whether more follows it; a space is then also inserted.
  var endsWord = false
  var isFunction = false

  init(_ text: String, label: String? = nil, meaning: String = "", endsWord: Bool = false) {
    self.text = text
    self.label = label ?? text
    self.meaning = meaning
    self.endsWord = endsWord
  }
}

/// The completions for a word that is being typed.
package struct Choices: Sendable, Equatable {
  /// The byte at which the word begins.
  package var start: Int
  package var all: [Choice]
}

extension Choices {
  /// Returns the choices that begin with the typed text; otherwise those that contain it or are
  /// similar.
  func fitting(_ typed: String) -> Choices {
    guard !typed.isEmpty else { return self }
    if typed.first == "\"" || typed.first == "'" { return quoted(typed) }
    let wanted = Self.folded(typed)
    let labels = all.map { Self.folded($0.label) }
    let found = Self.fitting(wanted, zip(all, labels))
    return Choices(start: start, all: found.isEmpty ? near(typed) : found)
  }

  /// Returns the quoted texts that contain the typed text.
  private func quoted(_ typed: String) -> Choices {
    let wanted = Self.folded(typed)
    let texts = all.filter { $0.text.hasPrefix("\"") }.map { ($0, Self.folded($0.label)) }
    return Choices(start: start, all: Self.fitting(wanted, texts))
  }

  private static func fitting(
    _ wanted: String, _ all: some Sequence<(Choice, String)>
  ) -> [Choice] {
    let begun = all.filter { $1.hasPrefix(wanted) }
    if begun.isEmpty { return all.filter { $1.contains(wanted) }.map(\.0) }
    // Functions are left out if the typed text begins exactly one other word.
    let words = begun.filter { !$0.0.isFunction }
    let isOneMeant = words.count == 1 && wanted.count > 1 && words[0].1 != wanted
    return (isOneMeant ? words : begun).map(\.0)
  }

  private func near(_ typed: String) -> [Choice] {
    nearNames(to: typed, among: all.map(\.label)).compactMap { name in
      all.first { $0.label == name }
    }
  }

  /// Removes differences in case, diacritics and width, and a quote at the start.
  private static func folded(_ text: String) -> String {
    TextFold.cd.key(String(text.drop { $0 == "\"" || $0 == "'" }))
  }
}

extension TypingAid {
  /// Returns what may be inserted at a byte of a text, the likeliest first.
  package func choices(_ text: String, at cursor: Int) -> Choices {
    choices(text, at: cursor, withValues: true)
  }

  func choices(_ text: String, at cursor: Int, withValues: Bool) -> Choices {
    if let setting = settingPlace(text, cursor) { return setting }
    let place = CursorPlace(text, at: cursor)
    let context = checkContext
    let candidates = context.candidates(for: place.expectations)
    let values = withValues ? frequentValues(at: place, context) : []
    let isLiteralKnown = !values.isEmpty
    let others = candidates.filter { $0.kind != .literal || withValues && !isLiteralKnown }
      .flatMap(choices)
    let all = place.statements + values + jsonKeys(at: place, context) + others
    var found = Choices(start: place.start, all: all).fitting(place.prefix)
    found.all = found.all.map { $0.spaced(before: text.utf8.dropFirst(cursor).first) }
    return found
  }

  private func choices(for candidate: Candidate) -> [Choice] {
    let model = session.context.graph.model
    switch candidate.kind {
    case .entity: return [entityChoice(candidate)]
    case .key, .collectionOperator, .variable:
      let meaning = candidate.type.map { $0.words(in: model) } ?? ""
      return [Choice(candidate.text, meaning: meaning)]
    case .type: return [Choice(candidate.text, meaning: typeSummary(candidate.text))]
    case .request: return [Choice(candidate.text, meaning: localized("a saved request"))]
    case .comparison: return candidate.comparisons
    case .function: return [candidate.function]
    case .literal:
      return [Choice(candidate.text, meaning: candidate.type.map { $0.words(in: model) } ?? "")]
    case .word:
      let summary = WordSummaries.summary(of: candidate.text)
      let isOpen = candidate.text.hasSuffix("(") || candidate.text.hasSuffix("]")
      return [Choice(candidate.text, meaning: summary, endsWord: !isOpen)]
    }
  }

  /// Returns the keys of JSON after a dot, as found in its first values.
  private func jsonKeys(at place: CursorPlace, _ context: CheckContext) -> [Choice] {
    guard let entity = context.entity(at: place.expectations) else { return [] }
    let found = place.expectations.flatMap { expectation -> [String] in
      guard case .key(let base) = expectation.wanted else { return [] }
      return session.context.graph.jsonKeys(after: base, of: entity, inside: expectation.open)
    }
    return found.map { Choice($0.writtenName, meaning: localized("a key in this JSON")) }
  }

  private func entityChoice(_ candidate: Candidate) -> Choice {
    let text = candidate.text
    if text == "_" {
      return Choice(text, meaning: localized("the objects of the last fetch"), endsWord: true)
    }
    let count = session.context.graph.objectCount(of: candidate.type?.entity ?? text)
    return Choice(text, meaning: counted(count, "object", "objects"), endsWord: true)
  }

  private func typeSummary(_ name: String) -> String {
    AttributeType(rawValue: name)?.summary ?? localized("a relationship to this entity")
  }
}

extension CursorPlace {
  /// The statements, if one may begin here.
  fileprivate var statements: [Choice] {
    let mayBegin = expectations.contains { if case .statement = $0.wanted { true } else { false } }
    return mayBegin
      ? StatementCatalog.all.map {
        Choice($0.name, meaning: $0.summary.localized, endsWord: true)
      } : []
  }
}

extension Choice {
  /// Returns the choice with the space that follows the word, if it is at the end of a line.
  fileprivate func spaced(before next: UInt8?) -> Choice {
    guard endsWord, next == nil || next == UInt8.newline else { return self }
    var choice = self
    choice.text += " "
    return choice
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
}

extension Candidate {
  /// The operator and, if it compares texts, its form that ignores case and diacritics.
  fileprivate var comparisons: [Choice] {
    let summary = WordSummaries.summary(of: text)
    let plain = Choice(text, meaning: summary, endsWord: true)
    guard Self.textual.contains(text) else { return [plain] }
    let folded = Choice(
      text + "[cd]", meaning: summary + localized(", ignoring case and accents"), endsWord: true)
    return [plain, folded]
  }

  private static let textual = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"]

  fileprivate var function: Choice {
    let known = FunctionCatalogue.signature(called: String(text.dropLast()))
    var choice = Choice(text, label: text + ")", meaning: known?.summary.localized ?? "")
    choice.isFunction = true
    return choice
  }
}

/// Short descriptions of words of the language, from the help.
enum WordSummaries {
  static func summary(of words: String) -> String {
    let word = words.split { $0 == " " || $0 == "(" }.first.map(String.init) ?? words
    let known =
      others[words] ?? OperatorHelp.all.first { $0.names.contains(word) }?.summary
      ?? ClauseHelp.all.first { $0.name == word }?.summary
      ?? StatementCatalog.syntax(beginning: word)?.summary ?? ""
    return String(known.localized.prefix { !";。".contains($0) })
  }

  /// Words that follow others, and have no help of their own, and operators that share a help
  /// topic.
  private static let others = [
    "==": "equal", "!=": "not equal", "<": "less than", "<=": "less than or equal",
    ">": "greater than", ">=": "greater than or equal",
    "by": "followed by a key", "as": "gives it a name", "asc": "smallest first",
    "desc": "largest first", "nulls first": "missing values first",
    "nulls last": "missing values last", "natural": "numbers in strings in numeric order",
    "all": "every object", "set": "sets the values of keys",
  ]
}

extension CheckedType {
  /// Returns `string`, `[Item]`, `Category`, as in an entity's definition.
  func words(in model: Model) -> String {
    switch self {
    case .attribute(let type): type.rawValue
    case .object(let entity): entity
    case .objectID: localized("the number of the object")
    case .collection(let element): "[\(element.words(in: model))]"
    case .entity: localized("an entity")
    case .literal, .any: localized("any value")
    case .number: "number"
    case .string: "string"
    case .date: "date"
    case .boolean: "boolean"
    }
  }
}

extension TypingAid {
  /// Returns the completions after a setting's dot or name; nil if no setting is being typed.
  func settingPlace(_ text: String, _ cursor: Int) -> Choices? {
    let before = text.utf8.prefix(cursor)
    let lineStart = before.lastIndex(of: 10).map { before.index(after: $0) } ?? before.startIndex
    let line = before.suffix(from: lineStart)
    guard let typed = String(line), let dot = typed.firstIndex(where: { !$0.isWhitespace }),
      typed[dot] == ".", !isInsideStatement(String(before.dropLast(line.count)) ?? "")
    else { return nil }
    let words = typed[dot...].split(separator: " ", omittingEmptySubsequences: false)
    let last = String(words.last ?? "")
    let start = cursor - last.utf8.count
    guard words.count > 1 else { return Choices(start: start, all: settingNames).fitting(last) }
    let name = Name(String(words[0].dropFirst()))
    let all = Setting.named(name).map { choices(for: $0, last) } ?? []
    return Choices(start: start, all: all).fitting(last)
  }

  private func isInsideStatement(_ text: String) -> Bool {
    guard text.contains(where: { !$0.isWhitespace }) else { return false }
    if case .failure? = TypedStatements(text).all.last { return true }
    return false
  }

  private var settingNames: [Choice] {
    Setting.all.map {
      let text = "." + $0.name
      return Choice(
        $0.arguments == 0...0 ? text : text + " ", label: text, meaning: $0.summary.localized)
    }
  }

  /// Returns the arguments of a setting: from the setting itself, or from its synopsis, in which
  /// lowercase words are literal.
  private func choices(for setting: Setting, _ typed: String) -> [Choice] {
    if let choices = setting.choices { return choices(session, typed) }
    let words = setting.synopsis.split { !$0.isLetter && $0 != "-" }.dropFirst()
    return words.flatMap { word -> [Choice] in
      switch word {
      case "FILE": session.services.listFiles(typed).map { Choice($0) }
      case "FORMAT": OutputFormat.all.map { Choice($0.name, meaning: $0.help.localized) }
      case "TOPIC": HelpTopic.all.map { Choice($0.name, meaning: $0.summary.localized) }
      default: word.contains(where: \.isUppercase) ? [] : [Choice(String(word))]
      }
    }
  }
}

extension Choice {
  /// Creates a choice for a file or folder, which a setting reads as one word.
  init(_ file: ListedFile) {
    let isPlain = !file.path.contains { $0.isWhitespace || $0 == "\"" }
    let path = file.isFolder ? file.path + "/" : file.path
    self.init(
      isPlain ? path : "\"" + path + (file.isFolder ? "" : "\""), label: path,
      meaning: file.isFolder ? localized("folder") : "")
  }
}
