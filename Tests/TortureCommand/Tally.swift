import Torture

/// The results of the trials so far.
struct Tally {
  struct Count {
    var trial: Trial
    var slices = 0
    var rounds = 0
    var found = 0
    var seconds = 0.0
    var isUnderWay = false
  }

  private(set) var counts: [Count]
  private static let shownFindings = 20

  init(_ trials: [Trial]) { counts = trials.map { Count(trial: $0) } }

  var found: Int { counts.reduce(0) { $0 + $1.found } }

  /// Returns the index of the next trial.
  ///
  /// The first turns are given regardless of the time, so that each trial is tried.
  func next(limit: Int?, isOver: Bool) -> Int? {
    counts.indices.filter { place in
      let count = counts[place]
      if count.isUnderWay { return false }
      if let limit { return count.rounds < limit && (!isOver || count.slices == 0) }
      return !isOver || count.slices == 0
    }.min { counts[$0].seconds < counts[$1].seconds }
  }

  mutating func begin(_ place: Int) {
    counts[place].slices += 1
    counts[place].isUnderWay = true
  }

  mutating func add(_ outcome: SliceProcess.Outcome, to place: Int, seconds: Double) {
    let name = counts[place].trial.name
    for (seed, what) in outcome.findings {
      counts[place].found += 1
      guard counts[place].found <= Self.shownFindings else { continue }
      Report.say("FOUND by \(name): \(what)\n  again: Scripts/torture 60 \(name) \(seed) 1")
    }
    counts[place].isUnderWay = false
    counts[place].rounds += max(1, outcome.rounds)
    counts[place].seconds += seconds
  }

  func report() { Report.table(counts) }
}
