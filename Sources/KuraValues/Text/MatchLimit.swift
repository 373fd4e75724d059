/// What a single match of a regular expression may use up.
///
/// A pattern such as `(a+)+$` tries exponentially many ways to part a run of a. The steps are
/// counted by ICU, and are the same on every machine; the seconds are there for patterns whose
/// single steps are long.
struct MatchLimit: Sendable, Hashable {
  /// Places to which the engine may go back.
  var steps: Int
  /// The memory in which it keeps them.
  var bytes: Int
  /// Time of computing; by the clock where ICU cannot be had itself.
  var seconds: Int

  /// 20 million steps, about two seconds; 64 MB; five seconds.
  ///
  /// A text of 100 KB passes where each of its characters is looked at 200 times.
  static let standard = MatchLimit(steps: 20_000_000, bytes: 64 << 20, seconds: 5)

  /// ICU counts in ticks of so many steps.
  static let stepsPerTick = 10_000
}

/// Which limit a match has hit.
package enum MatchExcess: Sendable, Hashable {
  case steps(Int)
  case bytes(Int)
  case seconds(Int)
  /// Somebody asked for it.
  case stopped
}
