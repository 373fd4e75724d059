/// The style of each character in turn, from spans of UTF-8 offsets.
struct StyleWalk {
  private let spans: [StyledSpan]
  private var next = 0
  private var offset = 0

  init(spans: [StyledSpan]) { self.spans = spans }

  /// The style at the place reached, before going on by the length of a character.
  mutating func advance(by length: Int) -> String {
    defer { offset += length }
    while next < spans.count, spans[next].range.upperBound <= offset { next += 1 }
    guard next < spans.count, spans[next].range.contains(offset) else { return "" }
    return spans[next].style
  }
}
