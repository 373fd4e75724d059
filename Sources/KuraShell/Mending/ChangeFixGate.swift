import Foundation
import KuraDiagnostics
import KuraModel
import KuraScript

/// Decides whether a fix of a statement that changes data keeps every word that has a meaning.
///
///     delete dueDate from Task/6     // never becomes `delete Task/6`
///
/// A word may be replaced by one that means the same: one that is spelled almost so, the same number or date in
/// another form, the word of another language for it. Nothing may be added that widens what is changed.
struct ChangeFixGate {
  private let text: String
  private let bytes: [UInt8]
  private let model: Model

  init(_ text: String, _ model: Model) {
    (self.text, self.model) = (text, model)
    bytes = Array(text.utf8)
  }

  /// True for every fix of a statement that changes nothing.
  func permits(_ fix: FixIt) -> Bool {
    guard !fix.edits.isEmpty, let kind = kind(of: statement(at: fix.span.start)) else {
      return true
    }
    let mended = fix.applied(to: text)
    // `set mode = csv` is a setting.
    if mended.dropFirst(fix.span.start).hasPrefix(".") { return true }
    guard let after = statementKind(in: mended, at: fix), after == kind else { return false }
    if kind == .save { return keepsName(fix) }
    return Words(text).becomes(Words(mended), in: kind, model)
  }

  /// Whether a statement that changes data is at a place.
  func isChange(at place: Int) -> Bool { kind(of: statement(at: place)) != nil }

  /// Where the statement at a place begins: after a semicolon or at a line that begins with a word of one.
  private func statement(at place: Int) -> Substring {
    let start = bytes[..<min(max(0, place), bytes.count)].lastIndex { $0 == 10 || $0 == 59 }
    var before = start
    while let end = before {
      let line = Self.rest(of: bytes, from: end + 1)
      if kind(of: line) != nil || line.beginsStatement { return line }
      before = bytes[..<end].lastIndex { $0 == 10 || $0 == 59 }
    }
    return Self.rest(of: bytes, from: 0)
  }

  private static func rest(of bytes: [UInt8], from place: Int) -> Substring {
    String(decoding: bytes[place...], as: UTF8.self).drop { $0.isWhitespace }
  }

  private func statementKind(in mended: String, at fix: FixIt) -> Kind? {
    let gate = ChangeFixGate(mended, model)
    return gate.kind(of: gate.statement(at: fix.span.start))
  }

  private func kind(of statement: Substring) -> Kind? { Kind(statement.firstWord) }

  /// `save changes` is not `save "changes"`: it would write a file that the user did not name.
  private func keepsName(_ fix: FixIt) -> Bool {
    fix.edits.allSatisfy { edit in
      if edit.replacement.isEmpty { return ChangeGuesses(text).fixes.contains(fix) }
      let name = edit.replacement.trimmingQuotes
      guard let name else { return true }
      return name.contains(".") || name.contains("/")
    }
  }
}

extension ChangeFixGate {
  /// What a statement does to data, by its first word.
  private enum Kind {
    case delete, update, insert, drop, alter, save

    init?(_ word: String) {
      switch word.lowercased() {
      case "delete", "remove", "erase", "del", "rm", "削除": self = .delete
      case "update", "set", "modify", "change", "edit", "更新", "変更": self = .update
      case "insert", "add", "create", "new", "追加", "挿入", "作成": self = .insert
      case "drop": self = .drop
      case "alter": self = .alter
      case "save", "write", "store", "persist", "保存": self = .save
      default: return nil
      }
    }
  }

  /// The words, numbers and signs of a text, each as often as it occurs.
  private struct Words {
    private var all: [String] = []

    init(_ text: String) {
      var word = ""
      var sign = ""
      var quote: Character?
      func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_$#@".contains(character)
      }
      let characters = Array(text.precomposedStringWithCompatibilityMapping)
      for (i, character) in characters.enumerated() {
        let next = i + 1 < characters.count ? characters[i + 1] : " "
        let joinsDigits = "-/:.".contains(character) && word.last?.isNumber == true && next.isNumber
        if isPart(character) || joinsDigits {
          word.append(character)
        } else {
          add(&word)
        }
        if quote == nil, "+*/%-!<>&|".contains(character), !joinsDigits {
          sign.append(character)
        } else {
          add(&sign)
        }
        if character == quote {
          quote = nil
        } else if quote == nil, "\"'".contains(character) {
          quote = character
        }
      }
      add(&word)
      add(&sign)
    }

    private mutating func add(_ word: inout String) {
      if !word.isEmpty { all.append(word.lowercased()) }
      word = ""
    }

    private func without(_ other: Words) -> [String] {
      var rest = other.all
      return all.filter { word in
        guard let i = rest.firstIndex(of: word) else { return true }
        rest.remove(at: i)
        return false
      }
    }

    func becomes(_ mended: Words, in kind: Kind, _ model: Model) -> Bool {
      var lost = without(mended)
      var gained = mended.without(self)
      let words = gained.filter { $0.contains { $0.isLetter || $0.isNumber } }
      if !lost.isEmpty, lost.joined() == words.joined() { return true }
      lost.removeAll { word in
        guard let i = gained.firstIndex(where: { word.isEquivalent(to: $0) }) else { return false }
        gained.remove(at: i)
        return true
      }
      let isLimited = all.contains("where")
      guard
        lost.allSatisfy({
          Self.empty.contains($0) || isLimited && $0 == "all" || kind == .insert && $0 == "set"
        })
      else {
        return false
      }
      let names = Words(model.names.joined(separator: " ")).all
      return kind == .insert
        || gained.allSatisfy {
          Self.structure.contains($0) || all.contains($0) || names.contains($0)
        }
    }

    private static let empty: Set = [
      "the", "a", "an", "please", "record", "records", "row", "rows", "object", "objects", "from",
      "into", "of", "to", "and", "with", "values", "me", "my", "that", "を", "は", "の", "に", "が", "で",
    ]
    /// Words that a fix may add to a change: they hold what was typed together.
    private static let structure: Set = ["where", "set", "self", "in", "fetch", "update", "/", "="]
  }
}

extension String {
  fileprivate func isEquivalent(to other: String) -> Bool {
    if contains(where: \.isNumber), other.contains(where: \.isNumber) {
      return filter(\.isNumber).count <= other.filter(\.isNumber).count
    }
    if ForeignVocabulary.words(for: self).contains(where: { $0.lowercased() == other }) {
      return true
    }
    if Self.constants.contains([self, other]) { return true }
    return !nearNames(to: self, among: [other]).isEmpty
  }

  private static let constants: Set<[String]> = [
    ["true", "yes"], ["false", "no"], ["yes", "true"], ["no", "false"], ["はい", "yes"],
    ["いいえ", "no"], ["null", "nil"], ["none", "nil"], ["none", "null"],
    ["add", "+"], ["remove", "-"], ["||", "concat"], ["current_date", "today"],
    ["current_timestamp", "now"], ["&&", "and"], ["||", "or"], ["!", "not"], ["<>", "!"],
    ["on", "yes"], ["off", "no"],
  ]

  /// What is between the quotes of a text that is nothing else.
  fileprivate var trimmingQuotes: String? {
    guard count > 1, let first, first == last, "\"'".contains(first) else { return nil }
    return String(dropFirst().dropLast())
  }
}

extension Model {
  /// The names of all entities and their keys.
  fileprivate var names: [String] {
    entities.flatMap { entity in
      [entity.name] + allAttributes(of: entity.name).map(\.name)
        + allRelationships(of: entity.name).map(\.name)
    }
  }
}

extension Substring {
  /// Whether the first word begins a statement; `as` continues one, too.
  fileprivate var beginsStatement: Bool {
    let word = firstWord.lowercased()
    return word != "as" && StatementCatalogue.syntax(beginning: word) != nil
  }

  fileprivate var firstWord: String { String(prefix { $0.isLetter }) }
}
