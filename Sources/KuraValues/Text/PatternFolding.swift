import Foundation

/// What does not count for a regular expression under `[c]` and `[d]`: width, and marks under `[d]`.
///
/// Case is left to the engine, for folding it in a pattern would turn `\S` into `\s`.
package struct PatternFolding: Sendable {
  package let fold: TextFold

  /// Nil if everything counts.
  package init?(_ options: TextOptions) {
    guard options.folds else { return nil }
    fold = options.contains(.diacriticInsensitive) ? .d : .width
  }
}

extension PatternFolding {
  /// A pattern folded and composed, in which a wide （ is still no bracket.
  package func folded(pattern: String) -> String {
    var narrowing = Narrowing(rest: Array(pattern.unicodeScalars)[...])
    while let scalar = narrowing.rest.popFirst() { narrowing.take(scalar) }
    return fold.key(String(narrowing.result))
  }

  /// A pattern on the way to one without wide forms of ASCII.
  private struct Narrowing {
    var rest: ArraySlice<Unicode.Scalar>
    var result = String.UnicodeScalarView()
    /// Whether this is between `\Q` and `\E`.
    var isQuoted = false

    mutating func take(_ scalar: Unicode.Scalar) {
      if scalar == "\\", let next = rest.first {
        takeEscape(next)
      } else if let narrow = scalar.narrowASCII {
        if !isQuoted, !narrow.isASCIILetterOrDigit { result.append("\\") }
        result.append(narrow)
      } else {
        result.append(scalar)
      }
    }

    private mutating func takeEscape(_ next: Unicode.Scalar) {
      let endsQuote = isQuoted && next == "E"
      guard !isQuoted || endsQuote else { return result.append("\\") }
      rest.removeFirst()
      isQuoted = next == "Q"
      // `\ｄ` is a letter and no class.
      guard let narrow = next.narrowASCII, narrow.isASCIILetterOrDigit else {
        return result.append(contentsOf: ["\\", next.narrowASCII ?? next])
      }
      result.append(narrow)
    }
  }
}

extension Unicode.Scalar {
  /// `(` of `（`; nil for what is no wide form of ASCII.
  fileprivate var narrowASCII: Unicode.Scalar? {
    (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(value - 0xFEE0) : nil
  }

  fileprivate var isASCIILetterOrDigit: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
  }
}
