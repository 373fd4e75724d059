import KuraBytes
import KuraGraph
import KuraValues

/// `title MATCHES "(a|b)\\1"`: ICU's answer for each row, where no automaton has it.
///
/// A match that goes beyond its limits is left to the reference evaluator, which reports it.
struct ExpressionKernel: ColumnKernel {
  let column: Int
  let key: String
  let expression: RegularExpression
  let cancel: CancelFlag

  var method: String { "regular expression over \(key)" }
  var cost: Double { 300 }
  var isSure: Bool { false }

  func matches(_ rows: ChunkRows) -> Bitmap { answer(rows).passing }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let chunk = rows.chunk(column)
    var answer = KernelAnswer(passing: Bitmap(count: chunk.count))
    guard case .text(let text) = chunk.values else { return answer }
    rows.candidates.eachRow { row in
      guard !cancel.isRequested, !chunk.isNull(row) else { return }
      do throws(ValueError) {
        answer.passing[row] = try expression.matches(text.string(row), cancel: cancel)
      } catch {
        answer.leave(row)
      }
    }
    return answer
  }
}

extension KernelAnswer {
  /// Leaves a row to the reference evaluator.
  fileprivate mutating func leave(_ row: Int) {
    if unsure == nil { unsure = Bitmap(count: passing.count) }
    unsure?[row] = true
  }
}
