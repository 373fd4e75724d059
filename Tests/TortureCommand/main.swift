import Foundation
import TestSupport
import Torture

// Runs trials for some time, each for its share: torture SECONDS [TRIAL [SEED [ROUNDS]]]
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

let arguments = CommandLine.arguments
let seconds = arguments.count > 1 ? Double(arguments[1]) ?? 60 : 60
let trials = Trial.all.filter { arguments.count < 3 || $0.name == arguments[2] }
var seed = arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : UInt64.random(in: 1..<1_000_000_000)
let limit = arguments.count > 4 ? Int(arguments[4]) ?? .max : .max
var findings = 0
let start = Date()
for (place, trial) in trials.enumerated() {
  let end = start.addingTimeInterval(seconds * Double(place + 1) / Double(trials.count))
  var rounds = 0
  var found = 0
  while rounds < limit, Date() < end {
    do { try trial.run(seed: seed &+ UInt64(rounds)) } catch {
      found += 1
      say("FOUND \(error)")
    }
    rounds += 1
  }
  say("\(trial.name): \(rounds) rounds from seed \(seed), \(found) found: \(trial.promise)")
  findings += found
}
say(findings == 0 ? "nothing found" : "\(findings) found")
exit(findings == 0 ? 0 : 1)
