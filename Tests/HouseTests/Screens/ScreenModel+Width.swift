import KuraDiagnostics
import TestSupport

extension ScreenModel {
  /// Creates a window in which characters have the widths that the program assumes.
  init(columns: Int, rows: Int) {
    let width = DisplayWidth()
    self.init(columns: columns, rows: rows) { width.cells(String($0)) }
  }
}
