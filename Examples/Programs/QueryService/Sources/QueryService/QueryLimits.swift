import Kura

/// The limits for queries from untrusted callers.
///
/// A predicate is data, not a program: it can only read and compute. It could still read secret
/// keys or take very long. `PredicateLimits`, the maximum number of objects, the time limit and the
/// number of concurrent queries prevent that.
public struct QueryLimits: Sendable {
  /// The allowed key paths and functions, and the maximum length, depth and size of a predicate.
  public var predicate: PredicateLimits
  /// The maximum number of objects in a response.
  public var objects = 100
  /// The maximum number of concurrent queries.
  public var callers = 8
  /// The time limit of a query.
  public var time = Duration.milliseconds(200)

  /// The maximum length of all parameters in bytes, percent-encoded.
  static let longestForm = 10_000

  /// Creates limits that allow the given key paths. `category.name` does not allow `category`.
  public init(keyPaths: Set<String>, functions: Set<String> = ["lowercase:", "length:"]) {
    predicate = PredicateLimits(
      keyPaths: keyPaths, functions: functions, length: 1_000, depth: 12, size: 60,
      allowsMatches: false)
  }
}

/// The error for a query that is not allowed.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// The reason, for the caller.
  public let description: String

  init(_ description: String) { self.description = description }
}
