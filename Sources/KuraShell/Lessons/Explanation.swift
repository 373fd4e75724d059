import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraLearning
import KuraLessons
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// The reasons why an attempt is wrong, according to the first store on which it differs.
struct Explanation {
  /// The lesson's comment on this result.
  var comment: String?
  /// Remarks about the attempt itself.
  var notes: [LessonMessage] = []
  var place: World.Place
  var difference: Difference
  /// The store with the objects that differ.
  var graph: Graph
  var zone: ZoneRules
  var keys: [String]
  /// The reason why the first of the objects is in the result of the attempt or not, if one part
  /// decides it.
  var reason: Reason?
}

extension Explanation {
  /// The part of an attempt's predicate that decides whether an object is found.
  struct Reason {
    var object: ObjectID
    var isIn: Bool
    var decision: Witness.Decision
  }
}

extension Grader {
  /// Returns the reason why the first differing object is in the attempt's result or not.
  func reason(
    for difference: Difference, of attempt: Attempt, in world: World
  ) -> Explanation.Reason? {
    guard case .objects(let missing, let extra) = difference, let object = (missing + extra).first,
      let decision = attempt.decision(for: object, in: world.trial)
    else { return nil }
    // If the predicate disagrees with the result, a limit or another object is the reason.
    let isIn = missing.isEmpty
    guard (decision.answer == .yes) == isIn else { return nil }
    return Explanation.Reason(object: object, isIn: isIn, decision: decision)
  }
}

extension Attempt {
  /// Returns the part of the last fetch's predicate that decides whether an object is found.
  func decision(for object: ObjectID, in trial: TrialStore) -> Witness.Decision? {
    guard let session = try? run(in: trial).session, let last = statements.last,
      let fetch = last.statement.tree as? FetchTree
    else { return nil }
    var decision: Witness.Decision?
    try? AnalyzedFetch.fetch(fetch).look(in: session, last.source) { look in
      let request = try look.bound()
      decision = try request.row(of: object).flatMap { try request.decision(atRow: $0, look.texts) }
    }
    return decision
  }
}

extension Explanation {
  /// The number of objects that are named; more are only counted.
  private static let most = 3

  /// Returns the explanation as lines.
  func lines(in language: Language) -> [String] {
    let say = { (message: LessonMessage) in message.text(in: language) }
    var lines: [String] = []
    if let comment { lines.append(comment.replacing("`", with: "")) }
    lines += notes.map { say($0) }
    if place != .own { lines.append(say(.rightHereOnly(place))) }
    return lines + (sayings + reasons).map { say($0) }.map { "  " + $0 }
  }

  /// The reasons; a lesson's comment on a mistake is more useful and replaces them.
  private var reasons: [LessonMessage] {
    guard comment == nil, notes.isEmpty, let reason else { return [] }
    let decision = reason.decision
    return [
      .because(
        object: reason.object.description, isIn: reason.isIn, part: decision.text,
        answer: decision.answer.words, values: decision.values)
    ]
  }

  private var sayings: [LessonMessage] {
    switch difference {
    case .kind(let wanted, let found): [.kind(wanted: wanted, found: found)]
    case .objects(let missing, let extra):
      named(missing) { .missing($0, more: $1) } + named(extra) { .extra($0, more: $1) }
    case .order(let place, let wanted, let found):
      [.order(place: place, wanted: wanted, found: found)]
    case .headings: [.headings]
    case .columns(let wanted, let found): [columns(wanted, found)]
    case .rows(let missing, let extra):
      rows(missing) { .missing($0, more: $1) } + rows(extra) { .extra($0, more: $1) }
    case .values(let wanted, let found):
      [.value(wanted: RowText.text(wanted, zone), found: RowText.text(found, zone))]
    case .graph(let difference): sayings(of: difference)
    case .failure(let sentence): [.failure(sentence)]
    }
  }

  private func columns(_ wanted: [String], _ found: [String]) -> LessonMessage {
    if wanted.count == found.count { return .columnOrder(wanted) }
    return .columns(
      wanted: wanted.count, found: found.count, extra: found.filter { !wanted.contains($0) },
      missing: wanted.filter { !found.contains($0) })
  }

  private func named(
    _ ids: [ObjectID], _ message: ([String], Int) -> LessonMessage
  ) -> [LessonMessage] {
    if ids.isEmpty { return [] }
    let names = ids.prefix(Self.most).map { RowText.text($0, in: graph, keys: keys, zone) }
    return [message(names, ids.count - names.count)]
  }

  private func rows(
    _ rows: [[Value]], _ message: ([String], Int) -> LessonMessage
  ) -> [LessonMessage] {
    if rows.isEmpty { return [] }
    let texts = rows.prefix(Self.most).map { "(\(RowText.text($0, zone)))" }
    return [message(texts, rows.count - texts.count)]
  }

  private func sayings(of difference: GraphDifference) -> [LessonMessage] {
    let changed = difference.changed.prefix(Self.most).map {
      LessonMessage.changed(
        id: $0.id.description, key: $0.key, wanted: $0.wanted, found: $0.found)
    }
    let notDeleted = difference.notDeleted.map(\.description)
    let deleted = difference.deleted.map(\.description)
    return (notDeleted.isEmpty ? [] : [.notDeleted(notDeleted)])
      + (deleted.isEmpty ? [] : [.deleted(deleted)]) + changed
      + difference.missing.sorted { $0.key < $1.key }.map { .missingNew(entity: $0, count: $1) }
      + difference.extra.sorted { $0.key < $1.key }.map { .extraNew(entity: $0, count: $1) }
  }
}

extension Verdict {
  /// Returns the verdict as lines.
  func lines(in language: Language) -> [String] {
    let say = { (message: LessonMessage) in message.text(in: language) }
    switch self {
    case .right(let extent): return [say(.right(extent))]
    case .lacks(let rule): return [say(.lacks(words: rule.words))]
    case .hasForbidden(let rule): return [say(.hasForbidden(words: rule.words))]
    case .wrong(let explanation):
      let lines = explanation.lines(in: language)
      guard explanation.comment != nil || !explanation.notes.isEmpty, let first = lines.first else {
        return [say(.notYet)] + lines
      }
      let gap = language == .japanese ? "" : " "
      return [say(.notYet) + gap + first] + lines.dropFirst()
    }
  }
}
