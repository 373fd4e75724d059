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
  var notes: [String] = []
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

  /// The explanation as lines.
  var lines: [String] {
    var lines: [String] = []
    if let comment { lines.append(comment.replacing("`", with: "")) }
    lines += notes
    switch place {
    case .own: break
    case .variation(let number):
      lines.append(
        localized(
          "It works on this store, but not after a small change (variation \(number)):"))
    case .generated(let seed):
      lines.append(
        localized(
          "It works on this store, but not on one with generated values (seed \(seed)):"))
    }
    return lines + (differences + reasons).map { "  " + $0 }
  }

  /// The reasons; a lesson's comment on a mistake is more useful and replaces them.
  private var reasons: [String] {
    guard comment == nil, notes.isEmpty, let reason else { return [] }
    let (object, part) = (reason.object.description, reason.decision.text)
    let (answer, values) = (reason.decision.answer.words, reason.decision.values)
    let sentence =
      reason.isIn
      ? localized("\(object) is in the result, because \(part) is \(answer) for it")
      : localized("\(object) is not in the result, because \(part) is \(answer) for it")
    return [values.isEmpty ? sentence : localized("\(sentence) (\(values))")]
  }

  private var differences: [String] {
    switch difference {
    case .kind(let wanted, let found): [found.given(insteadOf: wanted)]
    case .objects(let missing, let extra):
      differences(missing, extra) { RowText.text($0, in: graph, keys: keys, zone) }
    case .order(let place, let wanted, let found):
      [
        localized(
          "the right results in the wrong order: \(wanted) should be \(Self.ordinal(place)), not \(found)"
        )
      ]
    case .headings: [localized("the right values, but different headings")]
    case .columns(let wanted, let found): [columns(wanted, found)]
    case .rows(let missing, let extra):
      differences(missing, extra) { "(\(RowText.text($0, zone)))" }
    case .values(let wanted, let found):
      [
        localized(
          "the right value is \(RowText.text(wanted, zone)); this gives \(RowText.text(found, zone))"
        )
      ]
    case .graph(let difference): differences(difference)
    case .failure(let sentence): [localized("the statement fails: \(sentence)")]
    }
  }

  private static func ordinal(_ place: Int) -> String {
    switch place {
    case 1: localized("first")
    case 2: localized("second")
    case 3: localized("third")
    default: localized("at position \(place)")
    }
  }

  private func columns(_ wanted: [String], _ found: [String]) -> String {
    if wanted.count == found.count {
      return localized("the columns should be in this order: \(wanted.list)")
    }
    let (extra, missing) = (
      found.filter { !wanted.contains($0) }, wanted.filter { !found.contains($0) }
    )
    var sentence =
      wanted.count == 1
      ? localized("expected 1 column, found \(found.count)")
      : localized("expected \(wanted.count) columns, found \(found.count)")
    if !extra.isEmpty { sentence = localized("\(sentence); extra: \(extra.list)") }
    return missing.isEmpty ? sentence : localized("\(sentence); missing: \(missing.list)")
  }

  private func differences<Part>(
    _ missing: [Part], _ extra: [Part], _ text: (Part) -> String
  ) -> [String] {
    func list(_ parts: [Part]) -> String {
      let names = parts.prefix(Self.most).map(text).clauses
      let more = parts.count - Self.most
      return more > 0 ? localized("\(names) and \(more) more") : names
    }
    return (missing.isEmpty ? [] : [localized("missing: \(list(missing))")])
      + (extra.isEmpty ? [] : [localized("extra: \(list(extra))")])
  }

  private func differences(_ difference: GraphDifference) -> [String] {
    let (remaining, deleted) = (difference.notDeleted, difference.deleted)
    let byEntity = { (counts: [String: Int]) in counts.sorted { $0.key < $1.key } }
    return
      (remaining.isEmpty
      ? [] : [localized("should be deleted: \(remaining.map(\.description).list)")])
      + (deleted.isEmpty
        ? [] : [localized("should not be deleted: \(deleted.map(\.description).list)")])
      + difference.changed.prefix(Self.most).map {
        localized("\($0.id): \($0.key) is \($0.found), but should be \($0.wanted)")
      }
      + byEntity(difference.missing).map { entity, count in
        count == 1
          ? localized("missing: 1 new \(entity) with the right values")
          : localized("missing: \(count) new \(entity) objects with the right values")
      }
      + byEntity(difference.extra).map { entity, count in
        count == 1
          ? localized("extra: 1 new \(entity) with different values")
          : localized("extra: \(count) new \(entity) objects with different values")
      }
  }
}

extension Outcome.Kind {
  /// The request of a task whose answer has this kind.
  var request: String {
    switch self {
    case .objects: localized("the task asks for whole objects (fetch without select)")
    case .rows: localized("the task asks for columns (select and their keys)")
    case .values:
      localized("the task asks for one value (count, exists or print instead of fetch)")
    case .graph: localized("the task asks for a change to the store")
    }
  }

  fileprivate func given(insteadOf wanted: Outcome.Kind) -> String {
    switch self {
    case .objects: localized("\(wanted.request); this gives objects")
    case .rows: localized("\(wanted.request); this gives columns")
    case .values: localized("\(wanted.request); this gives a value")
    case .graph: localized("\(wanted.request); this gives no result")
    }
  }
}

extension Verdict {
  /// The verdict as lines.
  var lines: [String] {
    switch self {
    case .right(let extent): return [extent.text]
    case .lacks(let rule):
      return [localized("The result is right. Now write it with \(rule.words.alternatives).")]
    case .hasForbidden(let rule):
      return [localized("The result is right. Now write it without \(rule.words.alternatives).")]
    case .wrong(let explanation):
      let (lines, notYet) = (explanation.lines, localized("✗ Not yet."))
      guard explanation.comment != nil || !explanation.notes.isEmpty, let first = lines.first else {
        return [notYet] + lines
      }
      let gap = Language.current == .japanese ? "" : " "
      return [notYet + gap + first] + lines.dropFirst()
    }
  }
}

extension Verdict.Extent {
  fileprivate var text: String {
    let others = variations + generated
    guard others > 0 else { return localized("✓ Right.") }
    let stores = counted(others, "store with other data", "stores with other data")
    return generated > 0
      ? localized("✓ Right, here and on \(stores) (seed \(seed)).")
      : localized("✓ Right, here and on \(stores).")
  }
}
