import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraModel
import KuraScript
import KuraSentences
import KuraValues

/// A question of a quiz.
enum QuizQuestion {
  /// Write a fetch for a description.
  case write(QuizPredicate)
  case count(QuizPredicate, answer: Int)
  /// Find the object that does not pass.
  case whichFails(QuizPredicate, objects: [ObjectID], answer: ObjectID)
  /// Decide whether two predicates are equivalent; if not, a seed of a store on which they differ.
  case same(QuizPredicate, QuizPredicate, differsAt: UInt64?)
}

extension QuizQuestion {
  enum Kind: String, CaseIterable { case write, count, whichFails, same }

  /// The predicates that it is about.
  var subject: String {
    switch self {
    case .write(let predicate), .count(let predicate, _), .whichFails(let predicate, _, _),
      .same(let predicate, _, _):
      predicate.text
    }
  }

  /// The text of the right answer.
  var answer: String {
    switch self {
    case .write(let predicate): predicate.text
    case .count(_, let count): "\(count)"
    case .whichFails(_, _, let id): id.description
    case .same(_, _, let seed): seed == nil ? "yes" : "no"
    }
  }

  /// Returns whether words are the right answer; nil if they are not an answer.
  func isRight(_ words: String) -> Bool? {
    let words = words.trimmed.lowercased()
    switch self {
    case .write: return nil
    case .count(_, let answer): return Int(words).map { $0 == answer }
    case .whichFails(_, let objects, let answer):
      let named = objects.first { $0.description.lowercased() == words || "\($0.number)" == words }
      return named.map { $0 == answer }
    case .same(_, _, let seed):
      if ["yes", "y", "はい", "同じ"].contains(words) { return seed == nil }
      return ["no", "n", "いいえ", "違う"].contains(words) ? seed != nil : nil
    }
  }
}

extension QuizMaker {
  /// Returns a question of a level; nil if the store does not allow one of that kind.
  func question(
    _ kind: QuizQuestion.Kind, level: Int, _ random: inout SeededNumbers
  ) -> QuizQuestion? {
    if kind == .same { return same(level, &random) }
    guard let predicate = predicate(level: level, &random) else { return nil }
    switch kind {
    case .write: return .write(predicate)
    case .count: return count(predicate)
    case .whichFails, .same: return whichFails(predicate, &random)
    }
  }

  private func count(_ predicate: QuizPredicate) -> QuizQuestion? {
    guard store.graph.objectCount(of: entity) <= 40,
      case .values(let values)? = outcome("count \(name) where \(predicate.text)"),
      case .integer(let count)? = values.first
    else { return nil }
    return .count(predicate, answer: Int(count))
  }

  private func whichFails(
    _ predicate: QuizPredicate, _ random: inout SeededNumbers
  ) -> QuizQuestion? {
    guard
      case .objects(let passing, _)? = outcome("fetch \(name) where \(predicate.text) limit 50"),
      case .objects(let failing, _)? = outcome(
        "fetch \(name) where NOT (\(predicate.text)) limit 50"),
      let answer = random.pick(failing), passing.count >= 2
    else { return nil }
    let others = passing.shuffled(using: &random).prefix(3)
    return .whichFails(
      predicate, objects: (others + [answer]).shuffled(using: &random), answer: answer)
  }
}

// Questions about equivalence
extension QuizMaker {
  private func same(_ level: Int, _ random: inout SeededNumbers) -> QuizQuestion? {
    for _ in 0..<30 {
      guard let (a, b, isEqual) = pair(level, &random), a.text != b.text else { continue }
      let seed = differingSeed(a, b)
      // A pair is not asked if generated stores and rules do not agree about it.
      if isEqual == (seed == nil) { return .same(a, b, differsAt: seed) }
    }
    return nil
  }

  private typealias Pair = (QuizPredicate, QuizPredicate, isEqual: Bool)

  /// Returns two predicates, and whether a rule makes them equivalent.
  private func pair(_ level: Int, _ random: inout SeededNumbers) -> Pair? {
    guard let comparison = comparison(of: entity, &random) else { return nil }
    let plain = comparison.predicate
    if level > 1, random.chance(60), let other = self.comparison(of: entity, &random),
      other.key != comparison.key
    {
      return deMorgan(comparison, other, isRight: random.chance(50))
    }
    var turned = comparison
    switch comparison.operation {
    case .less:
      turned.operation = .atLeast
      let isOptional =
        store.graph.model.allAttributes(of: entity)
        .first { StatementText.name($0.name) == comparison.key }?.isOptional == true
      return (plain, turned.predicate.negated, !isOptional)
    case .equal:
      turned.operation = .notEqual
      return (plain, turned.predicate.negated, true)
    case .begins:
      turned.operation = .contains
      return (plain, turned.predicate, false)
    case .isNotNil:
      turned.operation = .isNil
      return (plain, turned.predicate.negated, true)
    default: return nil
    }
  }

  private func deMorgan(_ a: QuizComparison, _ b: QuizComparison, isRight: Bool) -> Pair {
    let (left, right) = (a.predicate, b.predicate)
    let apart = { (word: String) in
      QuizPredicate(
        text: "NOT \(left.text) \(word) NOT \(right.text)", english: "", japanese: "")
    }
    return (QuizPredicate.or(left, right).negated, apart(isRight ? "AND" : "OR"), isRight)
  }

  func script(_ statement: String) -> LessonScript {
    LessonScript(text: statement, file: "", firstLine: 1)
  }

  private func differingSeed(_ a: QuizPredicate, _ b: QuizPredicate) -> UInt64? {
    let task = LessonTask(
      number: 1, answers: [script("fetch \(name) where \(a.text)")], line: 1)
    let grader = Grader(task, on: store, seed: 1)
    let other = Attempt(Array("fetch \(name) where \(b.text)".utf8))
    for world in grader.worlds where grader.difference(of: other, in: world) != nil {
      if case .generated(let seed) = world.place { return seed }
      return 0
    }
    return nil
  }
}

/// A predicate of a quiz, in Kura's language and in words.
struct QuizPredicate: Equatable {
  var text: String
  var english: String
  var japanese: String

  func words(in language: Language) -> String {
    switch language {
    case .english: english
    case .japanese: japanese
    }
  }
}

extension QuizPredicate {
  static func and(_ a: QuizPredicate, _ b: QuizPredicate) -> QuizPredicate {
    QuizPredicate(
      text: "\(a.text) AND \(b.text)", english: "\(a.english), and \(b.english)",
      japanese: "\(a.japanese)、かつ\(b.japanese)")
  }

  static func or(_ a: QuizPredicate, _ b: QuizPredicate) -> QuizPredicate {
    QuizPredicate(
      text: "\(a.text) OR \(b.text)", english: "\(a.english), or \(b.english)",
      japanese: "\(a.japanese)、または\(b.japanese)")
  }

  var negated: QuizPredicate {
    QuizPredicate(
      text: "NOT (\(text))", english: "it is not true that \(english)",
      japanese: "「\(japanese)」ではない")
  }
}

/// One key compared with one value.
struct QuizComparison {
  enum Operator: CaseIterable {
    case equal, notEqual, less, atLeast, begins, contains, isNil, isNotNil
  }

  var key: String
  var operation: Operator
  var value: String = ""

  var predicate: QuizPredicate {
    switch operation {
    case .equal: said("\(key) == \(value)", "\(key) is \(value)", "\(key)が\(value)である")
    case .notEqual:
      said("\(key) != \(value)", "\(key) is not \(value)", "\(key)が\(value)ではない")
    case .less:
      said("\(key) < \(value)", "\(key) is less than \(value)", "\(key)が\(value)より小さい")
    case .atLeast:
      said("\(key) >= \(value)", "\(key) is at least \(value)", "\(key)が\(value)以上である")
    case .begins:
      said(
        "\(key) BEGINSWITH \(value)", "\(key) begins with \(value)", "\(key)が\(value)で始まる")
    case .contains:
      said("\(key) CONTAINS \(value)", "\(key) contains \(value)", "\(key)が\(value)を含む")
    case .isNil: said("\(key) == nil", "\(key) has no value", "\(key)がない")
    case .isNotNil: said("\(key) != nil", "\(key) has a value", "\(key)がある")
    }
  }

  private func said(_ text: String, _ english: String, _ japanese: String) -> QuizPredicate {
    QuizPredicate(text: text, english: english, japanese: japanese)
  }

  /// Returns the predicate about the elements of a collection, with the key of the elements.
  func predicate(of relationship: String, _ modifier: Modifier) -> QuizPredicate {
    var inner = self
    inner.key = "\(relationship).\(key)"
    let (own, text) = (predicate, inner.predicate.text)
    return switch modifier {
    case .any:
      said(
        "ANY \(text)", "for at least one of \(relationship), \(own.english)",
        "\(relationship)の中に「\(own.japanese)」ものが少なくとも一つある")
    case .none:
      said(
        "NONE \(text)", "for none of \(relationship), \(own.english)",
        "\(relationship)の中に「\(own.japanese)」ものが一つもない")
    case .all:
      said(
        "ALL \(text)", "for all of \(relationship), \(own.english)",
        "\(relationship)のすべてが「\(own.japanese)」")
    }
  }

  enum Modifier: CaseIterable { case any, none, all }
}
