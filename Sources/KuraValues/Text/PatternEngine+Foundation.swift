#if !canImport(_FoundationICU)
  import Foundation
  import KuraBytes

  /// A regular expression of Foundation, for platforms without direct access to ICU.
  ///
  /// Foundation does not report the reason of an error, and only the time limit is enforced.
  final class PatternEngine: Sendable {
    private let pattern: NSRegularExpression
    private let limit: MatchLimit

    private init(pattern: NSRegularExpression, _ limit: MatchLimit) {
      self.pattern = pattern
      self.limit = limit
    }
  }

  extension PatternEngine {
    /// Compiles a pattern.
    convenience init(
      _ pattern: String, ignoresCase: Bool, _ limit: MatchLimit
    ) throws(PatternRefusal) {
      // `.` matches line ends, and `^` and `$` match at each line, as in Cocoa.
      var options: NSRegularExpression.Options = [.dotMatchesLineSeparators, .anchorsMatchLines]
      if ignoresCase { options.insert(.caseInsensitive) }
      // The pattern is compiled on its own first, because the wrapping would make `a)(b` valid.
      guard (try? NSRegularExpression(pattern: pattern, options: options)) != nil,
        let whole = try? NSRegularExpression(pattern: Self.whole(pattern), options: options)
      else { throw PatternRefusal(kind: nil, place: nil) }
      self.init(pattern: whole, limit)
    }

    /// Returns the pattern anchored at the end of the text, so that `a|ab` finds `ab` in "ab".
    private static func whole(_ pattern: String) -> String {
      // `\Q` without `\E` would quote the bracket, and a comment of (?x) would hide it.
      let quoteEnd = isQuoting(pattern) ? "\\E" : ""
      let commentEnd = hasComments(pattern) ? "\n" : ""
      return "(?:\(pattern)\(quoteEnd)\(commentEnd))\\z"
    }

    private static func isQuoting(_ pattern: String) -> Bool {
      guard let open = pattern.range(of: "\\Q", options: .backwards) else { return false }
      return pattern.range(of: "\\E", range: open.upperBound..<pattern.endIndex) == nil
    }

    private static func hasComments(_ pattern: String) -> Bool {
      pattern.range(of: "\\(\\?[a-wyz]*x", options: .regularExpression) != nil
    }

    /// Returns the engine itself, because Foundation's expressions are safe for concurrent use.
    func copy() -> PatternEngine? { self }

    /// Returns whether the whole text matches, or `ValueError.matchLimit`.
    func matches(
      _ text: UnsafeBufferPointer<UInt16>, _ cancel: CancelFlag
    ) -> Result<Bool, ValueError> {
      let text = String(decoding: text, as: UTF16.self)
      let deadline = ContinuousClock.now + .seconds(limit.seconds)
      var isMatch = false
      var isLate = false
      pattern.enumerateMatches(
        in: text, options: [.anchored, .reportProgress],
        range: NSRange(location: 0, length: text.utf16.count)
      ) { result, _, stop in
        isMatch = result != nil
        isLate = !isMatch && (cancel.isRequested || ContinuousClock.now > deadline)
        if isMatch || isLate { stop.pointee = true }
      }
      if !isLate { return .success(isMatch) }
      return .failure(.matchLimit(cancel.isRequested ? .stopped : .seconds(limit.seconds)))
    }
  }
#endif
