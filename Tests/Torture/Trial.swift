package import TestSupport

/// A check that is repeated with different random numbers.
///
///     Trial("values", "an accepted value is equal after a save", rounds: 200) { numbers, ground in
///       …
///     }
package struct Trial: Sendable {
  /// A word that selects it.
  package var name: String
  /// The promise that it checks.
  package var promise: String
  /// The number of rounds in the suite.
  package var rounds: Int
  /// Runs one round; throws a `Finding`, or any other unexpected error.
  package var round: @Sendable (inout SeededNumbers, TrialFolder) throws -> Void

  package init(
    _ name: String, _ promise: String, rounds: Int,
    _ round: @escaping @Sendable (inout SeededNumbers, TrialFolder) throws -> Void
  ) {
    (self.name, self.promise, self.rounds, self.round) = (name, promise, rounds, round)
  }
}

extension Trial {
  /// Every trial, in the order in which they are run.
  package static let all: [Trial] = [
    .processes, .systemCalls, .merges, .statements, .files, .values, .alterations, .streams,
    .readers, .journals, .stacks, .interruptions, .reverts, .decimals, .histories, .recoveries,
    .repairs,
  ]

  /// Runs a round with a seed: the same seed gives the same round.
  package func run(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let ground = try TrialFolder(name)
    do { try round(&numbers, ground) } catch {
      ground.isKept = true
      throw Finding("\(name), seed \(seed), files in \(ground.path): \(error)")
    }
  }
}

/// A broken promise that was found.
package struct Finding: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Throws a finding unless a condition holds.
package func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !condition { throw Finding(otherwise()) }
}
