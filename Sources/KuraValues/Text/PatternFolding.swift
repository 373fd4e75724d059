import Foundation

/// The folding for a regular expression under `[c]` and `[d]`: width, and marks under `[d]`.
///
/// The engine handles case, because folding it in a pattern would turn `\S` into `\s`.
package struct PatternFolding: Sendable {
  package let fold: TextFold

  /// Creates the folding; nil if nothing is folded.
  package init?(_ options: TextOptions) {
    guard options.folds else { return nil }
    fold = options.contains(.diacriticInsensitive) ? .d : .width
  }
}

extension PatternFolding {
  /// Returns a pattern folded and composed, in which a full-width （ remains a literal character.
  package func folded(pattern: String) -> String {
    var narrowing = Narrowing(rest: Array(pattern.unicodeScalars)[...])
    while let scalar = narrowing.rest.popFirst() { narrowing.take(scalar) }
    return fold.key(String(narrowing.result))
  }

  /// A pattern whose full-width ASCII is being replaced.
  private struct Narrowing {
    var rest: ArraySlice<Unicode.Scalar>
    var result = String.UnicodeScalarView()
    /// Whether the position is between `\Q` and `\E`.
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
      // `\ｄ` is a letter and not a class.
      guard let narrow = next.narrowASCII, narrow.isASCIILetterOrDigit else {
        return result.append(contentsOf: ["\\", next.narrowASCII ?? next])
      }
      result.append(narrow)
    }
  }
}

extension Unicode.Scalar {
  /// The ASCII character, such as `(` for `（`; nil if it is not full-width ASCII.
  fileprivate var narrowASCII: Unicode.Scalar? {
    (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(value - 0xFEE0) : nil
  }

  fileprivate var isASCIILetterOrDigit: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
  }
}
