package import KuraBytes
import Synchronization

/// A pattern of MATCHES: a regular expression of ICU, for whole strings.
///
///     try RegularExpression.cached("t.*t[0-9]", []).matches("test1")   // true
///
/// `.` takes the end of a line too, `^` and `$` stand at the ends of each line, as in Cocoa.
///
/// A match ends after 20 million steps, 64 MB of places to go back to, or five seconds of
/// computing. Several threads may match at once.
package final class RegularExpression: Sendable {
  /// Nil for the empty pattern, which ICU does not take; it matches nothing, as an empty needle does.
  private let engine: PatternEngine?
  /// Copies that are not at work.
  private let idle = Mutex<[PatternEngine]>([])
  private let folding: PatternFolding?
  private let limit: MatchLimit

  /// Compiles a pattern; throws `ValueError.badPattern`.
  ///
  /// Under `[c]` and `[d]` width does not count in pattern and text, under `[d]` marks neither.
  package convenience init(_ pattern: String, _ options: TextOptions) throws(ValueError) {
    try self.init(pattern, options, .standard)
  }

  init(_ pattern: String, _ options: TextOptions, _ limit: MatchLimit) throws(ValueError) {
    self.limit = limit
    folding = PatternFolding(options)
    guard !pattern.isEmpty else {
      engine = nil
      return
    }
    let ignoresCase = options.folds && options.contains(.caseInsensitive)
    let folded = folding?.folded(pattern: pattern) ?? pattern
    do {
      engine = try PatternEngine(folded, ignoresCase: ignoresCase, limit)
    } catch {
      // The place is of use in the pattern that was written; nearly always that is as wrong.
      throw Self.refusal(of: pattern, limit)?.error(in: pattern)
        ?? PatternRefusal(kind: error.kind, place: nil).error(in: folded)
    }
  }

  private static func refusal(of pattern: String, _ limit: MatchLimit) -> PatternRefusal? {
    do {
      _ = try PatternEngine(pattern, ignoresCase: false, limit)
      return nil
    } catch {
      return error
    }
  }
}

extension RegularExpression {
  /// Whether the whole text is of the pattern; throws `ValueError.matchLimit`.
  ///
  /// What is not ASCII costs more under `[c]` and `[d]`, and most where marks are letters of their
  /// own.
  package func matches(
    _ text: String, cancel: CancelFlag = .current
  ) throws(ValueError) -> Bool {
    var text = text
    return try text.withUTF8 { utf8 in
      guard let folding else { return matched(utf8, cancel) }
      return folding.fold.withKey(utf8) { bytes, _ in matched(bytes, cancel) }
    }.get()
  }

  private func matched(
    _ utf8: UnsafeBufferPointer<UInt8>, _ cancel: CancelFlag
  ) -> Result<Bool, ValueError> {
    // The empty pattern.
    guard let engine else { return .success(false) }
    guard let engine = idle.withLock({ $0.popLast() }) ?? engine.copy() else {
      return .failure(.matchLimit(.bytes(limit.bytes)))
    }
    let result = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: utf8.count) { units in
      let count = UTF16Units.write(utf8, to: units)
      return engine.matches(UnsafeBufferPointer(rebasing: units[..<count]), cancel)
    }
    // An engine keeps the memory that a long text took.
    if utf8.count <= Self.idleTextLimit { giveBack(engine) }
    return result
  }

  private func giveBack(_ engine: PatternEngine) {
    idle.withLock { if $0.count < Self.idleLimit { $0.append(engine) } }
  }

  private static let idleLimit = 16
  private static let idleTextLimit = 16_384
}

extension RegularExpression {
  private struct Key: Hashable {
    /// Its bytes: canonically equal patterns are not one.
    var pattern: [UInt8]
    var options: TextOptions
  }

  private static let cache = Mutex<[Key: RegularExpression]>([:])
  private static let cacheLimit = 64

  /// The compiled pattern, from the last ones used if it is among them.
  package static func cached(
    _ pattern: String, _ options: TextOptions
  ) throws(ValueError) -> RegularExpression {
    let key = Key(pattern: Array(pattern.utf8), options: options)
    if let known = cache.withLock({ $0[key] }) { return known }
    let made = try RegularExpression(pattern, options)
    cache.withLock {
      if $0.count >= cacheLimit { $0.removeAll(keepingCapacity: true) }
      $0[key] = made
    }
    return made
  }
}

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
