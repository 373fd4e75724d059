package import KuraBytes
import Synchronization

/// A pattern of MATCHES: an ICU regular expression for whole strings.
///
///     try RegularExpression.cached("t.*t[0-9]", []).matches("test1")   // true
///
/// `.` matches line ends, and `^` and `$` match at each line, as in Cocoa.
///
/// A match is limited to 20 million steps, 64 MB for backtracking, and five seconds of CPU time. It
/// is safe for concurrent use.
package final class RegularExpression: Sendable {
  /// The engine; nil for the empty pattern, which ICU rejects. That pattern matches nothing, like
  /// an empty needle.
  private let engine: PatternEngine?
  /// Copies that are not in use.
  private let idle = Mutex<[PatternEngine]>([])
  private let folding: PatternFolding?
  private let limit: MatchLimit

  /// Compiles a pattern; throws `ValueError.badPattern`.
  ///
  /// Under `[c]` and `[d]`, width is ignored in pattern and text; under `[d]`, so are marks.
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
      // The place must refer to the pattern as written, which nearly always has the same error.
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
  /// Returns whether the whole text matches; throws `ValueError.matchLimit`.
  ///
  /// Under `[c]` and `[d]`, text other than ASCII costs more, especially if marks are separate
  /// letters.
  package func matches(
    _ text: String, cancel: CancelFlag = .current
  ) throws(ValueError) -> Bool {
    var text = text
    return try text.withUTF8 { utf8 in
      guard let folding else { return matched(utf8, cancel) }
      return folding.fold.withKey(utf8) { bytes, _ in matched(bytes, cancel) }
    }.get()
  }

  /// The numbers of the groups; 0 is the whole match.
  package var groups: ClosedRange<Int> { 0...Int(engine?.groupCount ?? 0) }

  /// Returns the text of one of the `groups` of the first match in a text; nil if nothing matches,
  /// or if the group takes no part. Throws `ValueError.matchLimit`.
  ///
  ///     try RegularExpression.cached("([0-9]+)年", []).firstMatch(in: "昭和45年", group: 1)   // "45"
  package func firstMatch(
    in text: String, group: Int, cancel: CancelFlag = .current
  ) throws(ValueError) -> String? {
    let group = Int32(clamping: group)
    var text = text
    return try text.withUTF8 { utf8 in
      search(utf8, none: nil) { engine, units in
        engine.firstMatch(units, group: group, cancel).map {
          $0.map { String(decoding: utf8.bytes(ofUnits: $0), as: UTF8.self) }
        }
      }
    }.get()
  }

  private func matched(
    _ utf8: UnsafeBufferPointer<UInt8>, _ cancel: CancelFlag
  ) -> Result<Bool, ValueError> {
    search(utf8, none: false) { engine, units in engine.matches(units, cancel) }
  }

  /// Calls `body` with an engine and the text's UTF-16 units; returns `none` for the empty pattern.
  private func search<Found>(
    _ utf8: UnsafeBufferPointer<UInt8>, none: Found,
    _ body: (PatternEngine, UnsafeBufferPointer<UInt16>) -> Result<Found, ValueError>
  ) -> Result<Found, ValueError> {
    guard let engine else { return .success(none) }
    guard let engine = idle.withLock({ $0.popLast() }) ?? engine.copy() else {
      return .failure(.matchLimit(.bytes(limit.bytes)))
    }
    let result = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: utf8.count) { units in
      let count = UTF16Units.write(utf8, to: units)
      return body(engine, UnsafeBufferPointer(rebasing: units[..<count]))
    }
    // An engine keeps the memory that a long text needed.
    if utf8.count <= Self.idleTextLimit { giveBack(engine) }
    return result
  }

  private func giveBack(_ engine: PatternEngine) {
    idle.withLock { if $0.count < Self.idleLimit { $0.append(engine) } }
  }

  private static let idleLimit = 16
  private static let idleTextLimit = 16_384
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the bytes of a range of UTF-16 units that does not divide a pair.
  fileprivate func bytes(ofUnits units: Range<Int>) -> Self {
    var (unit, start, end) = (0, count, count)
    for (place, byte) in enumerated() where byte & 0xC0 != 0x80 {
      if unit == units.lowerBound { start = place }
      if unit == units.upperBound {
        end = place
        break
      }
      unit += byte < 0xF0 ? 1 : 2
    }
    return Self(rebasing: self[start..<end])
  }
}

extension RegularExpression {
  private struct Key: Hashable {
    /// The bytes of the pattern, because canonically equivalent patterns differ.
    var pattern: [UInt8]
    var options: TextOptions
  }

  private static let cache = Mutex<[Key: RegularExpression]>([:])
  private static let cacheLimit = 64

  /// Returns the compiled pattern, from the cache of recent ones if possible.
  package static func cached(
    _ pattern: String, _ options: TextOptions
  ) throws(ValueError) -> RegularExpression {
    let key = Key(pattern: Array(pattern.utf8), options: options)
    if let known = cache.withLock({ $0[key] }) { return known }
    let compiled = try RegularExpression(pattern, options)
    cache.withLock {
      if $0.count >= cacheLimit { $0.removeAll(keepingCapacity: true) }
      $0[key] = compiled
    }
    return compiled
  }
}

/// The resources that a single match can use.
///
/// A pattern such as `(a+)+$` tries exponentially many ways to split a run of a. ICU counts the
/// steps, which are the same on every machine; the time limit covers patterns with slow steps.
struct MatchLimit: Sendable, Hashable {
  /// The maximum number of steps of the engine.
  var steps: Int
  /// The memory for backtracking.
  var bytes: Int
  /// The CPU time; without direct access to ICU, the elapsed time.
  var seconds: Int

  /// 20 million steps (about two seconds), 64 MB, and five seconds.
  ///
  /// A text of 100 KB passes if each character is visited at most 200 times.
  static let standard = MatchLimit(steps: 20_000_000, bytes: 64 << 20, seconds: 5)

  /// The number of steps per tick in ICU.
  static let stepsPerTick = 10_000
}

/// The limit that a match exceeded.
package enum MatchExcess: Sendable, Hashable {
  case steps(Int)
  case bytes(Int)
  case seconds(Int)
  /// The match was cancelled.
  case stopped
}
