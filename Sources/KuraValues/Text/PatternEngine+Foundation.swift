#if !canImport(_FoundationICU)
  import Foundation
  import KuraBytes

  /// A regular expression of Foundation, for platforms without direct access to ICU.
  ///
  /// Foundation does not report the reason of an error, and only the time limit is enforced.
  final class PatternEngine: Sendable {
    /// The pattern, which may match a part of a text.
    private let part: NSRegularExpression
    /// The pattern, which must match the whole text.
    private let whole: NSRegularExpression
    private let limit: MatchLimit

    private init(part: NSRegularExpression, whole: NSRegularExpression, _ limit: MatchLimit) {
      (self.part, self.whole, self.limit) = (part, whole, limit)
    }
  }

  extension PatternEngine {
    convenience init(
      _ pattern: String, ignoresCase: Bool, _ limit: MatchLimit
    ) throws(PatternRefusal) {
      // `.` matches line ends, and `^` and `$` match at each line, as in Cocoa.
      var options: NSRegularExpression.Options = [.dotMatchesLineSeparators, .anchorsMatchLines]
      if ignoresCase { options.insert(.caseInsensitive) }
      // The pattern is compiled on its own first, because the wrapping would make `a)(b` valid.
      guard let part = try? NSRegularExpression(pattern: pattern, options: options),
        let whole = try? NSRegularExpression(pattern: Self.whole(pattern), options: options)
      else { throw PatternRefusal(kind: nil, place: nil) }
      self.init(part: part, whole: whole, limit)
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
      search(text, whole, [.anchored], cancel).map { $0 != nil }
    }

    /// Returns the range of a group of the first match, in UTF-16 units; 0 is the whole match. Nil
    /// if nothing matches, or the group takes no part. Or `ValueError.matchLimit`.
    func firstMatch(
      _ text: UnsafeBufferPointer<UInt16>, group: Int32, _ cancel: CancelFlag
    ) -> Result<Range<Int>?, ValueError> {
      search(text, part, [], cancel).map { $0.flatMap { Range($0.range(at: Int(group))) } }
    }

    /// The number of groups in the pattern.
    var groupCount: Int32 { Int32(part.numberOfCaptureGroups) }

    private func search(
      _ text: UnsafeBufferPointer<UInt16>, _ pattern: NSRegularExpression,
      _ options: NSRegularExpression.MatchingOptions, _ cancel: CancelFlag
    ) -> Result<NSTextCheckingResult?, ValueError> {
      let text = String(decoding: text, as: UTF16.self)
      let deadline = ContinuousClock.now + .seconds(limit.seconds)
      var found: NSTextCheckingResult?
      var isLate = false
      pattern.enumerateMatches(
        in: text, options: options.union(.reportProgress),
        range: NSRange(location: 0, length: text.utf16.count)
      ) { result, _, stop in
        found = result
        isLate = found == nil && (cancel.isRequested || ContinuousClock.now > deadline)
        if found != nil || isLate { stop.pointee = true }
      }
      if !isLate { return .success(found) }
      return .failure(.matchLimit(cancel.isRequested ? .stopped : .seconds(limit.seconds)))
    }
  }
#endif
