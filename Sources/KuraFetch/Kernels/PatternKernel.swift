import KuraGraph
import KuraValues

/// Texts that are LIKE a pattern, which is made ready once.
struct PatternKernel: ChunkKernel {
  let column: Int
  let pattern: LikePattern

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    for row in 0..<text.count where pattern.matches(text.string(row)) { result[row] = true }
    return result.settingNulls(chunk.nulls, to: false)
  }
}

/// Texts that a regular expression MATCHES: no `ChunkKernel`, for a match may hit its limit.
struct ExpressionKernel: Sendable {
  let column: Int
  let expression: RegularExpression

  /// The rows among `candidates` that pass; nil if a match was given up, which the reference
  /// evaluator reports with the object's name.
  func matches(_ chunk: ColumnChunk, among candidates: Bitmap) -> Bitmap? {
    guard case .text(let text) = chunk.values else { return Bitmap(count: chunk.count) }
    var result = Bitmap(count: chunk.count)
    var isGivenUp = false
    candidates.settingNulls(chunk.nulls, to: false).forEachSet { row in
      guard !isGivenUp else { return }
      do throws(ValueError) {
        if try expression.matches(text.string(row)) { result[row] = true }
      } catch {
        isGivenUp = true
      }
    }
    return isGivenUp ? nil : result
  }
}
