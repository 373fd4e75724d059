import Foundation
import Torture

/// The output for people.
enum Report {
  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Lists every trial with its promise.
  static func list() {
    for trial in Trial.all { say("\(trial.name): \(trial.promise)") }
  }

  /// Prints the counts as a Markdown table.
  static func table(_ counts: [Tally.Count]) {
    say("| trial | rounds | seconds | found | promise |\n| --- | ---: | ---: | ---: | --- |")
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
