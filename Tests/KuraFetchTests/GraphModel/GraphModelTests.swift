import Foundation
import TestSupport
import Testing

/// Random edits, compared with a model of the graph in dictionaries and sets.
///
/// About 20,000 edits in the suite; ten million in the long form. KURA_SEED sets the first
/// seed, KURA_STEPS the number of edits.
@Suite("The graph against a plain model of it")
struct GraphModelTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let walks = 8
  static let firstSeed = environment["KURA_SEED"].flatMap { UInt64($0) } ?? 1
  static let steps =
    environment["KURA_STEPS"].flatMap { Int($0) }
    ?? TestLength.count(20_000, long: 10_000_000)
  /// The number of edits with one model.
  static let stepsOfModel = 500

  @Test("stays equal to it after any change", arguments: 0..<UInt64(walks))
  func staysEqual(part: UInt64) throws {
    let models = GraphModelTests.steps / GraphModelTests.walks / GraphModelTests.stepsOfModel
    for i in 0..<UInt64(max(1, models)) {
      let seed = GraphModelTests.firstSeed &+ i &* UInt64(GraphModelTests.walks) &+ part
      guard let report = try GraphModelTests.fault(seed) else { continue }
      Issue.record("KURA_SEED=\(seed) KURA_STEPS=1: \(report)")
      return
    }
  }

  /// Returns the fault with a seed, and the last edits before it: a second walk checks each edit.
  private static func fault(_ seed: UInt64) throws -> String? {
    var walk = try GraphWalk(seed: seed)
    walk.walk(steps: stepsOfModel)
    guard let fault = walk.fault else { return nil }
    var close = try GraphWalk(seed: seed)
    close.interval = 1
    close.walk(steps: stepsOfModel)
    let ends = close.world.ends.map {
      "\($0.entity).\($0.name): \($0.destination) \($0.isToMany ? "many" : "one")"
        + "\($0.isOrdered ? " ordered" : "") inverse \($0.inverse ?? "-") \($0.rule)"
    }
    return (["after \(close.steps) edits", close.fault ?? fault] + close.log + ends)
      .joined(separator: "\n  ")
  }
}
