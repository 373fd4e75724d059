import Kura

/// What somebody may ask who is not trusted: everything else is refused.
///
/// A predicate is data and no program, so it can only read and compute. What it can do is read what
/// is nobody's business, and take long: against that stand the limits of `PredicateLimits`, how many
/// objects an answer has, its time, and how many are answered at once.
public struct QueryLimits: Sendable {
  /// The key paths and functions that may be asked, and how long, deep and large a text may be.
  public var predicate: PredicateLimits
  /// How many objects one answer has.
  public var objects = 100
  /// How many questions are answered at once.
  public var callers = 8
  /// How long it may take.
  public var time = Duration.milliseconds(200)

  /// How many bytes all parameters may have as they come, each character as three.
  static let longestForm = 10_000

  /// Limits within which some paths may be read, each whole: `category.name` is not `category`.
  public init(keyPaths: Set<String>, functions: Set<String> = ["lowercase:", "length:"]) {
    predicate = PredicateLimits(
      keyPaths: keyPaths, functions: functions, length: 1_000, depth: 12, size: 60,
      allowsMatches: false)
  }
}

/// Why a question is not answered.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// A sentence for the caller.
  public let description: String

  init(_ description: String) { self.description = description }
}
