import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// The parts that a fix removes from a statement, and those that it adds.
struct FixDifference {
  private let typed: [FixUnit]
  private let after: [FixUnit]
  private let corrected: String
  private var lost: [FixUnit]
  private var gained: [FixUnit]
  private let kind: ChangeKind?
  private let names: KnownNames
  private let evaluation: EvaluationContext

  /// Compares a statement with its corrected form; `kind` is nil for a statement that changes no data.
  init(_ text: String, _ corrected: String, _ context: CheckContext, changes kind: ChangeKind?) {
    self.kind = kind
    names = KnownNames(context.model)
    evaluation = context.evaluation
    typed = FixUnit.all(of: text, names)
    after = FixUnit.all(of: corrected, names)
    self.corrected = corrected.lowercased().filter { !$0.isWhitespace }
    lost = typed.without(after)
    gained = after.without(typed)
  }

  /// Whether every part with a meaning is preserved.
  var isEquivalent: Bool {
    guard kind == nil || changesSameEntity else { return false }
    var rest = self
    if quotesFragment || joinsQuestion || dropsName { return false }
    rest.matchRuns()
    let unpaired = rest.gained
    rest.matchPairs()
    if rest.asksInsteadOfWord { return false }
    // A word that replaces another one cannot also replace a call: `Item` replaces `Itme`, not
    // `foo(`.
    let unshared = gained.without(unpaired.without(rest.gained))
    return rest.lost.allSatisfy {
      rest.mayBeLost($0, inExchangeFor: $0.isCall ? unshared : gained)
    }
      && rest.gained.allSatisfy(rest.mayBeGained)
  }
}

extension FixDifference {
  /// Removes a part together with the several parts that it replaces, or the reverse: `New York`
  /// and `"New York"`, `due date` and `dueDate`, `1,000` and `1000`, `Jan 1, 1970` and
  /// `"1970-01-01"`, `Item3` and `Item/3`.
  private mutating func matchRuns() {
    guard lost.count * gained.count <= Self.mostPairs else { return }
    for unit in gained where unit.isWhole {
      let mayBeDate = unit.mayBeDate
      let run = lost.firstRun { unit.isMade(of: $0) || mayBeDate && isDate(unit, of: $0) }
      guard let run else { continue }
      lost.removeSubrange(run)
      gained.removeFirst(unit)
    }
    for unit in lost where unit.isWhole && !unit.isSign {
      guard let run = gained.firstRun(where: { unit.isMade(of: $0) }) else { continue }
      gained.removeSubrange(run)
      lost.removeFirst(unit)
    }
  }

  /// The maximum number of pairs that are compared; a larger difference is not a fix.
  private static let mostPairs = 4_000

  /// Returns whether the parts denote a day, a year or a month: `"1970-05-20"` for `昭和45年5月20日`.
  private func isDate(_ unit: FixUnit, of run: ArraySlice<FixUnit>) -> Bool {
    let spellings = [" ", ""].map { run.map(\.written).joined(separator: $0) }
    switch unit {
    case .text(let day) where day.beginsAsDay:
      return spellings.contains {
        kind == nil && FreeFormPeriod($0)?.start != nil
          || DateMeaning.texts(of: $0, in: evaluation.zone, now: evaluation.now).contains(day)
      }
    case .number(let number):
      return spellings.contains {
        switch FreeFormPeriod($0) {
        case .year(let value)?, .monthOfYear(let value)?: String(value) == number
        default: false
        }
      }
    default: return false
    }
  }

  /// Removes pairs of parts with the same meaning.
  private mutating func matchPairs() {
    var rest: [FixUnit] = []
    // A part without an equivalent also has no equivalent later.
    var alone: Set<FixUnit> = []
    for unit in lost {
      guard !alone.contains(unit), let i = gained.firstIndex(where: { isEquivalent(unit, $0) })
      else {
        alone.insert(unit)
        rest.append(unit)
        continue
      }
      // One `NOT` may replace several negating words.
      if !gained[i].isSharable { gained.remove(at: i) }
    }
    lost = rest
  }

  private func isEquivalent(_ unit: FixUnit, _ other: FixUnit) -> Bool {
    if unit.isEquivalent(to: other) { return true }
    // A change with another comparison would affect other objects.
    let pair = [unit.written, other.written]
    return kind == nil && pair.allSatisfy(FixWords.comparisons.contains)
  }

  private func mayBeLost(_ unit: FixUnit, inExchangeFor gained: [FixUnit]) -> Bool {
    switch unit {
    case .mark(let mark): return kind == nil || mark != "."
    case .word(let word) where FixWords.empty.contains(word): return true
    case .word(let word) where kind != nil:
      let isLimited = word == "all" && typed.contains(.word("where"))
      return isLimited || word.isFiller || kind == .insert && word == "set"
    case .sign("=") where kind == .insert: return true
    case _ where kind != nil: return false
    case .word(let word):
      if isKept(word) || word.isFiller || FixWords.language.contains(word) { return true }
      let isNeeded = names.contains(word) || FixWords.turning.contains(word)
      return !isNeeded && gained.contains { !$0.isMark }
    case .call(let name): return names.contains(name) || gained.contains(where: \.says)
    case .text(let text) where text.contains("%"):
      return text.replacing(#/%[@A-Za-z]/#, with: "").allSatisfy { !$0.isLetter }
    case .text(let text):
      if isKept(text) || FreeFormPeriod(text) != nil { return true }
      return gained.contains { $0.isCall || $0.isNumber || $0.isTruth }
    case .number: return false
    case .sign(let sign):
      guard let order = FixWords.order(of: sign) else { return true }
      // `> "2000年"` and `>= "2001-01-01"`: the first day after the period.
      return gained.contains { FixWords.order(of: $0.written) == order }
        && gained.contains(where: \.isText)
    }
  }

  private func isKept(_ text: String) -> Bool {
    !text.isEmpty && corrected.contains(text.lowercased().filter { !$0.isWhitespace })
  }

  /// Returns whether a text contains a typed text and additional words: `"is \"Ana Silva\""`.
  private func extendsText(_ unit: FixUnit) -> Bool {
    guard case .text(let text) = unit else { return false }
    return typed.contains { part in
      guard case .text(let old) = part, !old.isEmpty, let range = text.firstRange(of: old) else {
        return false
      }
      return text[..<range.lowerBound].contains(where: \.isLetter)
        || text[range.upperBound...].contains(where: \.isLetter)
    }
  }

  /// Whether a part has become a connective only because a sign follows it: `title AND +1` for
  /// `title.+1`. In `@sum.self > 3`, the word ends a path.
  private func joinsSign(_ unit: FixUnit) -> Bool {
    guard case .word(let word) = unit, unit.isOfLanguage, word != "self", !names.contains(word)
    else { return false }
    return zip(after, after.dropFirst()).contains {
      $0 == unit && $1.isSign || $1 == .mark("+") && $0 == unit
    }
  }

  /// Whether a word next to a dot becomes a text, and the dot is lost: `"r"` for `r.`.
  private var quotesFragment: Bool {
    lost.contains(.mark("."))
      && gained.contains { unit in
        if case .text(let text) = unit { lost.contains(.word(text.lowercased())) } else { false }
      }
  }

  /// Whether a test for a value replaces an unknown word: `!= NULL` for `未設定`.
  private var asksInsteadOfWord: Bool {
    let isUnknown = lost.contains { unit in
      if case .word(let word) = unit {
        !FixWords.language.contains(word) && !FixWords.empty.contains(word) && !word.isFiller
          && !word.hasSuffix("ない")
      } else {
        false
      }
    }
    return isUnknown && gained.contains(.sign("!="))
      && gained.allSatisfy {
        $0 == .sign("!=") || $0 == .word("null") || $0.isNumber || $0 == .text("")
      }
  }

  /// Whether a fix only removes parts, including a name of the model that was not typed twice.
  private var dropsName: Bool {
    let doubled = zip(typed, typed.dropFirst()).filter { $0 == $1 }.map(\.0)
    return gained.isEmpty
      && lost.contains { unit in
        if case .word(let word) = unit {
          names.contains(word) && !doubled.contains(unit)
        } else {
          false
        }
      }
  }

  /// Whether a part becomes a condition that only tests whether it has a value: `AND priority != 0`
  /// for `> 3 priority`.
  private var joinsQuestion: Bool {
    gained.contains(.word("and")) && gained.contains(.sign("!="))
      && !typed.contains(where: FixWords.turns)
  }

  /// Whether a change still concerns the entity that was typed: `insert Item "x"` must not insert a
  /// Category.
  private var changesSameEntity: Bool {
    guard typed.count > 1, after.count > 1, case .word(let entity) = typed[1],
      case .word(let other) = after[1], names.isEntity(entity)
    else { return true }
    return entity == other
  }

  /// Whether a fix may add a part. To a change it may only add what connects the typed parts.
  private func mayBeGained(_ unit: FixUnit) -> Bool {
    guard let kind else { return !extendsText(unit) && !joinsSign(unit) }
    if kind == .insert { return unit != .word("as") }
    return switch unit {
    case .mark: true
    case .sign(let sign): ["=", "==", "/"].contains(sign)
    case .word(let word):
      // A key that was typed is not repeated: `parentCategory = parentCategory.name`.
      FixWords.structure.contains(word) || word == "yes" || names.isEntity(word)
        || names.contains(word) != typed.contains(.word(word))
    case .number, .text, .call: typed.contains(unit)
    }
  }
}

/// The names of a model in lowercase.
struct KnownNames {
  /// The keys of each entity.
  private let keys: [String: Set<String>]
  private let all: Set<String>

  init(_ model: Model) {
    keys = Dictionary(
      model.entities.map { entity in
        let keys =
          model.allAttributes(of: entity.name).map(\.name)
          + model.allRelationships(of: entity.name).map(\.name)
        return (entity.name.lowercased(), Set(keys.map { $0.lowercased() }))
      }, uniquingKeysWith: { first, _ in first })
    all = keys.values.reduce(into: Set(keys.keys)) { $0.formUnion($1) }
  }

  func contains(_ word: String) -> Bool { all.contains(word) }
  func isEntity(_ word: String) -> Bool { keys[word] != nil }

  /// Returns whether a word before a dot only repeats the entity of the fetch: `t.priority`,
  /// `tasks.priority` in `fetch Task`.
  func isQualifier(_ word: String, of entity: String) -> Bool {
    guard all.contains(word) else { return true }
    return [entity, entity + "s"].contains(word) && keys[entity]?.contains(word) == false
  }
}
