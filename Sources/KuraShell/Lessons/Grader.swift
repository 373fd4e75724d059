import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraStore
import KuraValues

/// The result of grading an attempt.
enum Verdict {
  case right(Extent)
  /// The result is right, but a required word is missing.
  case lacks(WordRule)
  case hasForbidden(WordRule)
  case wrong(Explanation)

  /// The stores on which an attempt was tried.
  struct Extent {
    var variations: Int
    var generated: Int
    var seed: UInt64
  }

  var isRight: Bool { if case .right = self { true } else { false } }

  /// Whether its result has another kind, such as columns instead of objects, and the lesson has no
  /// comment on it: the learner is probably exploring.
  var isOfAnotherKind: Bool { kindWanted != nil }

  /// The required kind of result; nil if the kind is right.
  var kindWanted: Outcome.Kind? {
    guard case .wrong(let explanation) = self, case .kind(let wanted, _) = explanation.difference
    else { return nil }
    return explanation.comment == nil ? wanted : nil
  }
}

/// A store on which attempts are tried.
struct World {
  enum Place: Hashable {
    case own
    /// A variation, counted from 1.
    case variation(Int)
    case generated(seed: UInt64)
  }

  var place: Place
  var trial: TrialStore
  var wanted: Outcome
}

/// Grades attempts at a task by their results: on its store, on the variations of that store, and
/// on generated stores of its model.
final class Grader {
  let task: LessonTask
  let start: TrialStore
  let seed: UInt64
  private let cancel: () -> Bool
  private(set) lazy var worlds = makeWorlds()
  private lazy var wrongTries = known()

  /// The number of generated stores.
  static let generatedCount: UInt64 = 20
  /// The number of additional stores with values near those of an attempt that is right on all
  /// others.
  static let aroundCount: UInt64 = 8

  init(
    _ task: LessonTask, on start: TrialStore, seed: UInt64, cancel: @escaping () -> Bool = { false }
  ) {
    self.task = task
    self.start = start
    self.seed = seed
    self.cancel = cancel
  }

  /// The first answer, which the others are compared with.
  var answer: Attempt {
    Attempt(task.answers.first ?? LessonScript(text: "", file: "", firstLine: 1))
  }

  private func makeWorlds() -> [World] {
    var worlds = [world(.own, start)].compactMap(\.self)
    for (index, script) in task.variations.enumerated() {
      guard let graph = try? Attempt(script).graph(in: start) else { continue }
      worlds += [world(.variation(index + 1), trial(on: graph))].compactMap(\.self)
    }
    return worlds + generated(seed..<seed + Self.generatedCount, constants)
  }

  /// Returns stores with the values that an attempt compares with, and with neighboring ones: one
  /// of them has what `title != "x"` excludes.
  private func worldsAround(_ attempt: Attempt) -> [World] {
    let seeds = seed + Self.generatedCount..<seed + Self.generatedCount + Self.aroundCount
    let others = attempt.constants
    return others.isEmpty ? [] : generated(seeds, others)
  }

  private func generated(_ seeds: Range<UInt64>, _ constants: [Constant]) -> [World] {
    let maker = GeneratedGraphs(
      like: start.graph, constants: constants,
      in: EvaluationContext(now: start.now, zone: start.zone))
    return seeds.compactMap { seed in
      guard !cancel(), let graph = maker.graph(seed: seed) else { return nil }
      // If the answer itself fails, nothing can be compared.
      return world(.generated(seed: seed), trial(on: graph))
    }
  }

  private var constants: [Constant] {
    answer.constants + task.wrongTries.flatMap { Attempt($0.script).constants }
  }

  private func trial(on graph: Graph) -> TrialStore {
    TrialStore(graph: graph, zone: start.zone, now: start.now)
  }

  private func world(_ place: World.Place, _ trial: TrialStore) -> World? {
    (try? outcome(of: answer, trial)).map { World(place: place, trial: trial, wanted: $0) }
  }

  func outcome(of attempt: Attempt, _ trial: TrialStore) throws(Attempt.Failed) -> Outcome {
    try attempt.outcome(in: trial, comparesStore: task.grading.comparesStore)
  }
}

// A statement that is being tried
extension Grader {
  /// Returns the verdict on a statement, and the attempt that it is about: the first one that is
  /// right.
  func verdict(on tried: Try) -> (Verdict, Attempt) {
    let verdicts = tried.map { (verdict(on: $0), $0) }
    return verdicts.first(where: \.0.isRight) ?? verdicts.first
      ?? (verdict(on: Attempt([])), Attempt([]))
  }

  /// Returns whether the statement alone can be run on the store at the task's start.
  func canRun(_ tried: Try) -> Bool {
    tried.first.map { (try? outcome(of: $0, start)) != nil } ?? false
  }

  func verdict(on attempt: Attempt) -> Verdict {
    if let (world, difference) = firstDifference(of: attempt, in: worlds)
      ?? firstDifference(of: attempt, in: worldsAround(attempt))
    {
      let comment = comment(on: attempt)
      let notes = TryNotes(attempt: attempt, answer: answer, difference: difference, start: start)
      return .wrong(
        Explanation(
          comment: comment,
          notes: comment == nil ? notes.all : [],
          place: world.place, difference: difference,
          graph: world.trial.graph, zone: start.zone,
          keys: attempt.keys + answer.keys.filter { !attempt.keys.contains($0) },
          reason: reason(for: difference, of: attempt, in: world)))
    }
    for rule in task.must where !attempt.has(rule) { return .lacks(rule) }
    for rule in task.mustNot where attempt.has(rule) { return .hasForbidden(rule) }
    return .right(extent)
  }

  private func firstDifference(
    of attempt: Attempt, in worlds: [World]
  ) -> (World, Difference)? {
    for world in worlds {
      if let difference = difference(of: attempt, in: world) { return (world, difference) }
    }
    return nil
  }

  private var extent: Verdict.Extent {
    let places = worlds.map(\.place)
    let variations = places.count { if case .variation = $0 { true } else { false } }
    let generated = places.count { if case .generated = $0 { true } else { false } }
    return Verdict.Extent(variations: variations, generated: generated, seed: seed)
  }

  func difference(of attempt: Attempt, in world: World) -> Difference? {
    do throws(Attempt.Failed) {
      return try outcome(of: attempt, world.trial).difference(to: world.wanted, task.grading)
    } catch { return .failure(error.diagnostic.facts.sentence) }
  }

  /// Returns the comment on a wrong try with the same results everywhere; otherwise on one with the
  /// same results on the lesson's own stores, if those show the mistake. Of several the most
  /// similar try is chosen.
  private func comment(on attempt: Attempt) -> String? {
    let found = results(of: attempt)
    let own = worlds.indices.filter {
      if case .generated = worlds[$0].place { false } else { true }
    }
    let shown = wrongTries.filter { wrong in own.contains { !isRight(wrong.results[$0], $0) } }
    return best(wrongTries, found, worlds.indices.map(\.self), attempt)
      ?? best(shown, found, own, attempt)
  }

  private typealias Known = (comment: String, attempt: Attempt, results: [TrialResult])

  /// Returns the comment of the most similar wrong try with the same results in some worlds.
  private func best(
    _ tries: [Known], _ found: [TrialResult], _ places: [Int], _ attempt: Attempt
  ) -> String? {
    guard !places.isEmpty else { return nil }
    let same = tries.filter { wrong in
      places.allSatisfy { isSame(found[$0], wrong.results[$0]) }
        && CommentWords(wrong.comment).fit(attempt, as: wrong.attempt, answer)
    }
    // Many attempts find nothing: then only the words and the keys identify a mistake.
    let findsNothing = places.allSatisfy { found[$0].isOfNothing }
    let least = findsNothing ? Self.leastLikeness : 0
    return same.filter { !findsNothing || Set($0.attempt.keys) == Set(attempt.keys) }.map {
      ($0.comment, $0.attempt.likeness(to: attempt))
    }
    .filter { $0.1 >= least }.max { $0.1 < $1.1 }?.0
  }

  private static let leastLikeness = 0.5

  fileprivate typealias TrialResult = Result<Outcome, Attempt.Failed>

  private func results(of attempt: Attempt) -> [TrialResult] {
    worlds.map { world in
      do throws(Attempt.Failed) {
        return .success(try outcome(of: attempt, world.trial))
      } catch { return .failure(error) }
    }
  }

  private func known() -> [Known] {
    task.wrongTries.map { wrong in
      let attempt = Attempt(wrong.script)
      return (wrong.comment, attempt, results(of: attempt))
    }
  }

  private func isRight(_ result: TrialResult, _ place: Int) -> Bool {
    guard case .success(let outcome) = result else { return false }
    return outcome.difference(to: worlds[place].wanted, task.grading) == nil
  }

  private func isSame(_ a: TrialResult, _ b: TrialResult) -> Bool {
    switch (a, b) {
    case (.success(let found), .success(let known)):
      found.difference(to: known, task.grading) == nil
    case (.failure(let found), .failure(let known)):
      found.diagnostic.facts.sentence == known.diagnostic.facts.sentence
    default: false
    }
  }
}

extension Result<Outcome, Attempt.Failed> {
  /// Whether the result is no object, no row, or zero.
  fileprivate var isOfNothing: Bool {
    guard case .success(let outcome) = self else { return false }
    switch outcome {
    case .objects(let objects, _): return objects.isEmpty
    case .rows(let rows, _): return rows.isEmpty
    case .values(let values): return values.allSatisfy { $0 == .integer(0) || $0.isNull }
    case .graph: return false
    }
  }
}
