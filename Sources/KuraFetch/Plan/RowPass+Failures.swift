import KuraDiagnostics
import KuraGraph
import Synchronization

extension RowPass {
  /// The same without the rows for which the question fails.
  func sureChunks() throws(Diagnostic) -> [Bitmap] {
    var pass = self
    let failures = FailedRows()
    pass.failures = failures
    var result = try pass.chunks()
    for row in failures.all { result[row >> ColumnChunk.shift][row & ColumnChunk.mask] = false }
    return result
  }
}

/// Rows for which a question fails, from any thread.
final class FailedRows: Sendable {
  private let rows = Mutex<[Int]>([])

  func note(_ row: Int) { rows.withLock { $0.append(row) } }

  /// All that were noted.
  var all: [Int] { rows.withLock { $0 } }
}
