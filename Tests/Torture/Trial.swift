package import TestSupport

/// Something that is tried again and again, with other random numbers each time.
///
///     Trial("values", "what a statement accepts is the same after a save", rounds: 200) { numbers, ground in
///       …
///     }
package struct Trial: Sendable {
  /// A word, by which it can be asked for alone.
  package var name: String
  /// What is held.
  package var promise: String
  /// How many rounds of it are in the suite.
  package var rounds: Int
  /// One round; throws a `Finding`, or whatever else must not happen.
  package var round: @Sendable (inout SeededNumbers, Ground) throws -> Void

  package init(
    _ name: String, _ promise: String, rounds: Int,
    _ round: @escaping @Sendable (inout SeededNumbers, Ground) throws -> Void
  ) {
    (self.name, self.promise, self.rounds, self.round) = (name, promise, rounds, round)
  }
}

extension Trial {
  /// Every trial, in the order in which they are run.
  package static let all: [Trial] = [
    .processes, .systemCalls, .merges, .statements, .files, .values, .alterations, .streams,
    .readers, .journals, .stacks, .interruptions, .reverts, .decimals, .histories, .recoveries,
  ]

  /// Runs a round by its seed: the same seed gives the same round.
  package func run(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let ground = try Ground(name)
    do { try round(&numbers, ground) } catch {
      ground.isKept = true
      throw Finding("\(name), seed \(seed), files in \(ground.path): \(error)")
    }
  }
}

/// What must not be, found.
package struct Finding: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Throws a finding where something does not hold.
package func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !condition { throw Finding(otherwise()) }
}
