import Testing
import Torture

/// The first minute of what `Scripts/torture` does for an hour.
@Suite("Torture")
struct TrialTests {
  @Test("finds nothing", arguments: Trial.all)
  func findsNothing(_ trial: Trial) throws {
    for seed in 1...UInt64(trial.rounds) { try trial.run(seed: seed) }
  }

  @Test("has trials with distinct names")
  func names() {
    #expect(!Trial.all.isEmpty)
    #expect(Set(Trial.all.map(\.name)).count == Trial.all.count)
  }
}

extension Trial: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { name }
}
