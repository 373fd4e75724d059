import Foundation
import Torture

/// A part of one trial, in a process of its own: a crash is a finding, and does not end the
/// command.
///
/// It announces each round before it begins, so that the supervisor knows the seed.
struct Slice {
  var trial: Trial
  var seed: UInt64
  var rounds: Int
  var seconds: Double

  static let option = "--slice"

  /// Nil if the arguments are those of a user.
  init?(_ arguments: [String]) throws(WrongOrder) {
    guard arguments.first == Self.option, arguments.count == 5,
      let trial = Trial.named(arguments[1])
    else { return nil }
    self.trial = trial
    (seed, rounds) = (try Order.number(arguments[2]), try Order.number(arguments[3]))
    seconds = try Order.number(arguments[4])
  }

  init(trial: Trial, seed: UInt64, rounds: Int, seconds: Double) {
    (self.trial, self.seed, self.rounds, self.seconds) = (trial, seed, rounds, seconds)
  }

  var arguments: [String] { [Self.option, trial.name, "\(seed)", "\(rounds)", "\(seconds)"] }

  func run() {
    let end = Date(timeIntervalSinceNow: seconds)
    let parent = getppid()
    var done = 0
    repeat {
      let now = seed &+ UInt64(done)
      SliceLine.round(now).write()
      do { try trial.run(seed: now) } catch { SliceLine.found(now, "\(error)").write() }
      done += 1
    } while done < rounds && Date() < end && getppid() == parent
    SliceLine.done.write()
  }
}

/// A line that a slice sends to the supervisor.
enum SliceLine {
  case round(UInt64)
  case found(UInt64, String)
  case done

  func write() {
    let text =
      switch self {
      case .round(let seed): "round \(seed)"
      case .found(let seed, let what):
        "found \(seed) " + Data(what.utf8).base64EncodedString()
      case .done: "done"
      }
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }

  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    switch words.first {
    case "round" where words.count == 2: self = .round(UInt64(words[1]) ?? 0)
    case "found" where words.count == 3:
      let bytes = Data(base64Encoded: String(words[2])) ?? Data()
      self = .found(UInt64(words[1]) ?? 0, String(decoding: bytes, as: UTF8.self))
    case "done": self = .done
    default: return nil
    }
  }
}
