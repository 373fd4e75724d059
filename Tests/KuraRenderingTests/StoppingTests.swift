import KuraBytes
import KuraValues
import Synchronization
import Testing

@testable import KuraRendering

@Suite("The writing of rows is cancelled")
struct StoppingTests {
  @Test("before the next row", arguments: OutputFormat.all.map(\.name))
  func beforeTheNextRow(_ name: String) throws {
    let format = try #require(OutputFormat.named(name))
    let flag = CancelFlag()
    let rows = Mutex(0)
    let grid = Grid(columns: [GridColumn("a"), GridColumn("b")], rowCount: 1000) { row, column in
      if row == 3 { flag.request() }
      rows.withLock { $0 = max($0, row) }
      return .integer(Int64(row))
    }
    #expect(throws: Stopped.self) { try grid.text(as: format, RenderingOptions(cancel: flag)) }
    #expect(rows.withLock { $0 } == 3)
  }
}
