import Foundation
import Torture

/// What a person reads.
enum Report {
  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Every trial with its promise.
  static func list() {
    for trial in Trial.all { say("\(trial.name): \(trial.promise)") }
  }

  /// The counts, as a table that a document can take.
  static func table(_ counts: [Tally.Count]) {
    say("| trial | rounds | seconds | found | what is held |\n| --- | ---: | ---: | ---: | --- |")
    for count in counts {
      say(
        "| `\(count.trial.name)` | \(count.rounds) | \(Int(count.seconds.rounded())) "
          + "| \(count.found) | \(count.trial.promise) |")
    }
    let found = counts.reduce(0) { $0 + $1.found }
    let rounds = counts.reduce(0) { $0 + $1.rounds }
    say(found == 0 ? "nothing found in \(rounds) rounds" : "\(found) found in \(rounds) rounds")
  }
}
