import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraStore
import KuraValues

/// What is said of an attempt.
enum Verdict {
  case right(Extent)
  /// The result is right, and a word that is wanted, or unwanted, is missing or there.
  case lacks(WordRule)
  case hasForbidden(WordRule)
  case wrong(Explanation)

  /// On how much it was tried.
  struct Extent {
    var variations: Int
    var madeUp: Int
    var seed: UInt64
  }

  var isRight: Bool { if case .right = self { true } else { false } }
}

/// Why an attempt is not right, by the first store on which it differs.
struct Explanation {
  /// What the lesson says of this very result.
  var comment: String?
  var place: World.Place
  var difference: Difference
  /// The store in which the objects are that differ.
  var graph: Graph
  var zone: ZoneRules
  var keys: [String]
}

/// A store on which attempts are tried.
struct World {
  enum Place: Hashable {
    case own
    /// Counted from 1.
    case variation(Int)
    case madeUp(seed: UInt64)
  }

  var place: Place
  var trial: TrialStore
  var wanted: Outcome
}

/// Grades attempts at a task by their results: on its store, on the variations of that, and on made-up
/// stores of its model.
final class Grader {
  let task: LessonTask
  let start: TrialStore
  let seed: UInt64
  private let cancel: () -> Bool
  private(set) lazy var worlds = makeWorlds()

  /// So many stores are made up.
  static let madeUpCount: UInt64 = 20

  init(
    _ task: LessonTask, on start: TrialStore, seed: UInt64, cancel: @escaping () -> Bool = { false }
  ) {
    self.task = task
    self.start = start
    self.seed = seed
    self.cancel = cancel
  }

  /// The first answer, which is the measure.
  var answer: Attempt {
    Attempt(task.answers.first ?? LessonScript(text: "", file: "", firstLine: 1))
  }

  private func makeWorlds() -> [World] {
    var worlds = [world(.own, start)].compactMap(\.self)
    for (index, script) in task.variations.enumerated() {
      guard let graph = try? Attempt(script).graph(in: start) else { continue }
      worlds += [world(.variation(index + 1), trial(on: graph))].compactMap(\.self)
    }
    let maker = MadeUpGraphs(
      like: start.graph, constants: constants,
      in: EvaluationContext(now: start.now, zone: start.zone))
    for seed in seed..<seed + Self.madeUpCount where !cancel() {
      guard let graph = maker.graph(seed: seed) else { continue }
      // Where the answer itself cannot be asked nothing is known.
      worlds += [world(.madeUp(seed: seed), trial(on: graph))].compactMap(\.self)
    }
    return worlds
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

extension Grader {
  func verdict(on attempt: Attempt) -> Verdict {
    for world in worlds {
      guard let difference = difference(of: attempt, in: world) else { continue }
      return .wrong(
        Explanation(
          comment: comment(on: attempt), place: world.place, difference: difference,
          graph: shown(attempt, world), zone: start.zone, keys: attempt.keys + answer.keys))
    }
    for rule in task.must where !attempt.has(rule) { return .lacks(rule) }
    for rule in task.mustNot where attempt.has(rule) { return .hasForbidden(rule) }
    return .right(extent)
  }

  private var extent: Verdict.Extent {
    let places = worlds.map(\.place)
    let variations = places.count { if case .variation = $0 { true } else { false } }
    let madeUp = places.count { if case .madeUp = $0 { true } else { false } }
    return Verdict.Extent(variations: variations, madeUp: madeUp, seed: seed)
  }

  func difference(of attempt: Attempt, in world: World) -> Difference? {
    do throws(Attempt.Failed) {
      return try outcome(of: attempt, world.trial).difference(to: world.wanted, task.grading)
    } catch { return .failure(error.diagnostic.facts.sentence) }
  }

  /// Where objects were changed, those that are there now are shown.
  private func shown(_ attempt: Attempt, _ world: World) -> Graph { world.trial.graph }

  /// What the lesson says of a wrong try that comes to the same everywhere; else of one that does so
  /// where the lesson's own stores show the mistake.
  private func comment(on attempt: Attempt) -> String? {
    let known = worlds.filter { if case .madeUp = $0.place { false } else { true } }
    return task.wrongTries.first { isSame(attempt, as: $0, in: worlds) }?.comment
      ?? task.wrongTries.first { isSame(attempt, as: $0, in: known) && isWrong($0, in: known) }?
      .comment
  }

  private func isWrong(_ wrong: WrongTry, in worlds: [World]) -> Bool {
    let attempt = Attempt(wrong.script)
    return worlds.contains { difference(of: attempt, in: $0) != nil }
  }

  private func isSame(_ attempt: Attempt, as wrong: WrongTry, in worlds: [World]) -> Bool {
    let other = Attempt(wrong.script)
    return !worlds.isEmpty
      && worlds.allSatisfy { world in
        switch (
          Result { try outcome(of: attempt, world.trial) },
          Result { try outcome(of: other, world.trial) }
        ) {
        case (.success(let found), .success(let known)):
          found.difference(to: known, task.grading) == nil
        case (.failure(let found as Attempt.Failed), .failure(let known as Attempt.Failed)):
          found.diagnostic.facts.sentence == known.diagnostic.facts.sentence
        default: false
        }
      }
  }
}
