import Foundation

/// A pattern of LIKE: `*` is any run of scalars, `?` exactly one, `\*` and `\?` are themselves.
///
///     LikePattern("hel*o").matches("helllo")   // true
///
/// A scalar is a character of ICU's, whose `.` Foundation takes for `?`. What stands between two
/// stars is looked for from left to right and found once, so that a text is read once, or once for
/// every 64 characters of such a part if there are question marks within.
package struct LikePattern: Sendable {
  /// Up to the first star; all of it if there is none.
  private let head: LikeSegment
  /// Between the stars.
  private let middle: [LikeSearch]
  /// Behind the last star.
  private let tail: LikeSegment?
  /// The longest run of bytes that every text of the pattern has, once it is folded.
  package let longestLiteral: [UInt8]?
  private let options: TextOptions
  private let fold: TextFold?

  /// Prepares a pattern; what stands between the wildcards is folded under the options.
  package init(_ pattern: String, _ options: TextOptions = []) {
    self.options = options
    fold = TextFold.of(options)
    var segments = LikeSegment.segments(of: pattern, options)
    longestLiteral = segments.flatMap(\.literals).max { $0.count < $1.count }
    head = segments.removeFirst()
    tail = segments.popLast()
    middle = segments.filter { !$0.steps.isEmpty }.map(LikeSearch.init)
  }
}

extension LikePattern {
  /// Whether the whole text is of the pattern.
  package func matches(_ text: String) -> Bool {
    var steps = 0
    return matches(text, &steps)
  }

  /// The same, counting how many bytes or scalars were looked at.
  func matches(_ text: String, _ steps: inout Int) -> Bool {
    var text = text
    if let fold {
      let answer = text.withUTF8 { utf8 in
        fold.withFolded(utf8) { bytes, _ in matches(bytes, &steps) }
      }
      if let answer { return answer }
      text = options.canonical(text)
    }
    return text.withUTF8 { matches($0, &steps) }
  }

  /// Whether bytes are of the pattern that have been folded under its options.
  package func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool {
    var steps = 0
    return matches(text, &steps)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, _ steps: inout Int) -> Bool {
    guard var place = head.end(in: text, &steps) else { return false }
    guard let tail else { return place == text.count }
    guard let end = tail.start(in: text, &steps), place <= end else { return false }
    let text = UnsafeBufferPointer(rebasing: text[..<end])
    for search in middle {
      guard let next = search.end(in: text, from: place, &steps) else { return false }
      place = next
    }
    return true
  }
}
