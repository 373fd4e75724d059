#if canImport(_FoundationICU)
  import KuraBytes
  import _FoundationICU

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// A regular expression compiled by ICU, for one match at a time.
  ///
  /// It is unchecked because a pool lends it to one user at a time. It can be copied meanwhile,
  /// because ICU then reads only immutable data. The C functions have the prefix of the ICU copy in
  /// Foundation.
  final class PatternEngine: @unchecked Sendable {
    private let handle: OpaquePointer
    private let limit: MatchLimit
    private let watch: UnsafeMutablePointer<Watch>

    private init(handle: OpaquePointer, _ limit: MatchLimit) {
      self.handle = handle
      self.limit = limit
      watch = .allocate(capacity: 1)
      watch.initialize(to: Watch(limit: .seconds(limit.seconds)))
      setLimits()
    }

    deinit {
      swift_uregex_close(handle)
      watch.deinitialize(count: 1)
      watch.deallocate()
    }
  }

  extension PatternEngine {
    /// Compiles a pattern; throws ICU's reason for an error.
    convenience init(
      _ pattern: String, ignoresCase: Bool, _ limit: MatchLimit
    ) throws(PatternRefusal) {
      let units = Array(pattern.utf16)
      let flags = Self.lineFlags | (ignoresCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0)
      var place = UParseError()
      var status = U_ZERO_ERROR
      guard let length = Int32(exactly: units.count),
        let handle = swift_uregex_open(units, length, flags, &place, &status),
        status.isSuccess
      else { throw PatternRefusal(status, place) }
      self.init(handle: handle, limit)
    }

    /// `.` matches line ends, and `^` and `$` match at each line, as in Cocoa.
    private static let lineFlags = UInt32(UREGEX_DOTALL.rawValue | UREGEX_MULTILINE.rawValue)

    /// Returns an engine with the same pattern, even while this one is in use; nil without memory.
    func copy() -> PatternEngine? {
      var status = U_ZERO_ERROR
      return swift_uregex_clone(handle, &status).map { PatternEngine(handle: $0, limit) }
    }

    private func setLimits() {
      var status = U_ZERO_ERROR
      let ticks = max(1, limit.steps / MatchLimit.stepsPerTick)
      swift_uregex_setTimeLimit(handle, Int32(clamping: ticks), &status)
      swift_uregex_setStackLimit(handle, Int32(clamping: limit.bytes), &status)
      swift_uregex_setMatchCallback(
        handle, { context, _ in Watch.continues(context) ? 1 : 0 }, watch, &status)
    }

    /// Returns whether the whole text matches, or `ValueError.matchLimit`.
    func matches(
      _ text: UnsafeBufferPointer<UInt16>, _ cancel: CancelFlag
    ) -> Result<Bool, ValueError> {
      search(text, cancel) { swift_uregex_matches(handle, 0, &$0) != 0 }
    }

    /// Returns the range of a group of the first match, in UTF-16 units; 0 is the whole match. Nil
    /// if nothing matches, or the group takes no part. Or `ValueError.matchLimit`.
    func firstMatch(
      _ text: UnsafeBufferPointer<UInt16>, group: Int32, _ cancel: CancelFlag
    ) -> Result<Range<Int>?, ValueError> {
      search(text, cancel) { status in
        guard swift_uregex_find(handle, 0, &status) != 0 else { return nil }
        let start = swift_uregex_start(handle, group, &status)
        let end = swift_uregex_end(handle, group, &status)
        return status.isSuccess && start >= 0 ? Int(start)..<Int(end) : nil
      }
    }

    /// The number of groups in the pattern.
    var groupCount: Int32 {
      var status = U_ZERO_ERROR
      return swift_uregex_groupCount(handle, &status)
    }

    private func search<Found>(
      _ text: UnsafeBufferPointer<UInt16>, _ cancel: CancelFlag,
      _ body: (inout UErrorCode) -> Found
    ) -> Result<Found, ValueError> {
      guard let length = Int32(exactly: text.count) else {
        return .failure(.matchLimit(.bytes(limit.bytes)))
      }
      watch.pointee.deadline = nil
      watch.pointee.cancel = cancel
      var status = U_ZERO_ERROR
      swift_uregex_setText(handle, text.baseAddress, length, &status)
      let found = body(&status)
      if status.isSuccess { return .success(found) }
      return .failure(.matchLimit(excess(status)))
    }

    private func excess(_ status: UErrorCode) -> MatchExcess {
      switch status {
      case U_REGEX_TIME_OUT: .steps(limit.steps)
      case U_REGEX_STOPPED_BY_CALLER:
        watch.pointee.cancel.isRequested ? .stopped : .seconds(limit.seconds)
      default: .bytes(limit.bytes)
      }
    }
  }

  /// The time of the thread, checked every few thousand steps.
  private struct Watch {
    let limit: Duration
    var deadline: Duration?
    /// A flag that ends the match.
    var cancel = CancelFlag.current

    init(limit: Duration) { self.limit = limit }

    static func continues(_ context: UnsafeRawPointer?) -> Bool {
      guard let context else { return true }
      let watch = UnsafeMutablePointer(mutating: context.assumingMemoryBound(to: Watch.self))
      if watch.pointee.cancel.isRequested { return false }
      let now = threadTime
      // Most matches end before their first tick, and never read the time.
      guard let deadline = watch.pointee.deadline else {
        watch.pointee.deadline = now + watch.pointee.limit
        return true
      }
      return now < deadline
    }

    /// The CPU time of the thread, so that load from other processes does not count.
    private static var threadTime: Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
  }

  extension UErrorCode {
    fileprivate var isSuccess: Bool { rawValue <= U_ZERO_ERROR.rawValue }
  }

  extension PatternRefusal {
    fileprivate init(_ status: UErrorCode, _ place: UParseError) {
      self.init(
        kind: Kind(status) ?? .other(String(cString: swift_u_errorName(status))),
        place: place.line > 0 ? (line: Int(place.line), column: Int(place.offset)) : nil)
    }
  }

  extension PatternRefusal.Kind {
    fileprivate init?(_ status: UErrorCode) {
      switch status {
      case U_REGEX_RULE_SYNTAX: self = .syntax
      case U_REGEX_BAD_ESCAPE_SEQUENCE: self = .escape
      case U_REGEX_PROPERTY_SYNTAX: self = .property
      case U_REGEX_UNIMPLEMENTED: self = .unimplemented
      case U_REGEX_MISMATCHED_PAREN: self = .parenthesis
      case U_REGEX_NUMBER_TOO_BIG: self = .number
      case U_REGEX_BAD_INTERVAL: self = .interval
      case U_REGEX_MAX_LT_MIN: self = .intervalOrder
      case U_REGEX_INVALID_BACK_REF: self = .backReference
      case U_REGEX_INVALID_FLAG: self = .flag
      case U_REGEX_LOOK_BEHIND_LIMIT: self = .lookBehind
      case U_REGEX_MISSING_CLOSE_BRACKET: self = .bracket
      case U_REGEX_INVALID_RANGE: self = .range
      case U_REGEX_PATTERN_TOO_BIG: self = .size
      case U_REGEX_INVALID_CAPTURE_GROUP_NAME: self = .groupName
      case U_ILLEGAL_CHAR_FOUND: self = .characterName
      default: return nil
      }
    }
  }
#endif
