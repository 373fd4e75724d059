import Foundation

/// The length of tests with generated cases.
///
/// The suite runs a small number of cases. With `KURA_LONG_TESTS=1`, which `Scripts/test-long
/// generated` sets, each test runs many more.
public enum TestLength {
  /// Whether the long form runs.
  public static let isLong = ProcessInfo.processInfo.environment["KURA_LONG_TESTS"] != nil

  /// Returns the number of cases, steps or rounds.
  public static func count(_ usual: Int, long: Int) -> Int { isLong ? long : usual }
}
