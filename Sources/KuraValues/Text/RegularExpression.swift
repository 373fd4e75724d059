import Foundation
import Synchronization

/// A pattern of MATCHES: a regular expression of ICU, for whole strings.
///
///     try RegularExpression.cached("t.*t[0-9]", []).matches("test1")   // true
///
/// The one place that knows the engine.
package final class RegularExpression: Sendable {
  private let expression: NSRegularExpression
  private let options: TextOptions

  /// Compiles a pattern; throws `ValueError.badPattern`.
  ///
  /// Under `[c]` and `[d]` width does not count in pattern and text, under `[d]` marks neither.
  package init(_ pattern: String, _ options: TextOptions) throws(ValueError) {
    self.options = options
    var folding = options.foundation
    // Folding case in a pattern would turn \S into \s; the engine has its own option.
    folding.remove(.caseInsensitive)
    let pattern = folding.isEmpty ? pattern : Self.folded(pattern, folding)
    let flags: NSRegularExpression.Options =
      options.folds && options.contains(.caseInsensitive) ? .caseInsensitive : []
    // The pattern alone first: the wrapping must not mend `a)(b`.
    guard (try? NSRegularExpression(pattern: pattern, options: flags)) != nil,
      let whole = try? NSRegularExpression(pattern: Self.whole(pattern), options: flags)
    else { throw PatternProblem.error(in: pattern) }
    expression = whole
  }

  /// Whether the whole text is of the pattern.
  package func matches(_ text: String) -> Bool {
    var folding = options.foundation
    folding.remove(.caseInsensitive)
    let text = folding.isEmpty ? text : Self.folded(text, folding)
    let all = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: all) != nil
  }

  private static func folded(_ text: String, _ folding: String.CompareOptions) -> String {
    text.folding(options: folding, locale: nil)
  }

  /// The pattern up to the end of the text, so that `a|ab` finds `ab` in "ab".
  private static func whole(_ pattern: String) -> String {
    // `\Q` without `\E` would quote the bracket, a comment of (?x) would swallow it.
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
}

extension RegularExpression {
  private struct Key: Hashable {
    var pattern: String
    var options: TextOptions
  }

  private static let cache = Mutex<[Key: RegularExpression]>([:])
  private static let cacheLimit = 64

  /// The compiled pattern, from the last ones used if it is among them.
  package static func cached(
    _ pattern: String, _ options: TextOptions
  ) throws(ValueError) -> RegularExpression {
    let key = Key(pattern: pattern, options: options)
    if let known = cache.withLock({ $0[key] }) { return known }
    let made = try RegularExpression(pattern, options)
    cache.withLock {
      if $0.count >= cacheLimit { $0.removeAll(keepingCapacity: true) }
      $0[key] = made
    }
    return made
  }
}
