import KuraGraph
import KuraValues

/// Texts that match a pattern, which is made ready once.
struct PatternKernel: ChunkKernel {
  let column: Int
  let pattern: Pattern

  enum Pattern: Sendable {
    /// `title LIKE "*pass*"`
    case like(LikePattern)
    /// `title MATCHES ".*[0-9]"`
    case expression(RegularExpression)
  }

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    for row in 0..<text.count where matches(text.string(row)) { result[row] = true }
    return result.settingNulls(chunk.nulls, to: false)
  }

  private func matches(_ text: String) -> Bool {
    switch pattern {
    case .like(let pattern): pattern.matches(text)
    case .expression(let expression): expression.matches(text)
    }
  }
}

extension PatternKernel.Pattern {
  /// The pattern of `LIKE` or `MATCHES`; nil for other operators and for a bad pattern, which the
  /// reference evaluator reports.
  init?(_ operation: PatternOperation, _ text: String, _ options: TextOptions) {
    switch operation {
    case .like: self = .like(LikePattern(text, options))
    case .matches:
      guard let expression = try? RegularExpression.cached(text, options) else { return nil }
      self = .expression(expression)
    }
  }
}

/// The operators whose right side is a pattern.
enum PatternOperation {
  case like
  case matches
}
