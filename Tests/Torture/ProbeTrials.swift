import Foundation
import TestSupport

extension Trial {
  /// Trials that crash, hang or find something, for the tests of the supervisor; they are only run
  /// by name.
  package static let probes: [Trial] = [
    Trial("probe-crash", "every round ends the process", rounds: 0) { _, _ in
      let none: [Int] = []
      _ = none[ProcessInfo.processInfo.arguments.count]
    },
    Trial("probe-hang", "every round hangs", rounds: 0) { _, _ in
      while true { pause(microseconds: 100_000) }
    },
    Trial("probe-finding", "every third round finds something", rounds: 0) { numbers, ground in
      try ground.write("x", to: "x")
      if numbers.oneIn(3) { throw Finding("something\nof two lines") }
    },
  ]

  /// Returns the trial of a name.
  package static func named(_ name: some StringProtocol) -> Trial? {
    (all + probes).first { $0.name == name }
  }
}
