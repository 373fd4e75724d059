import KuraDiagnostics
import TestSupport

extension ScreenModel {
  /// A window in which characters are as wide as the program takes them to be.
  init(columns: Int, rows: Int) {
    let width = DisplayWidth()
    self.init(columns: columns, rows: rows) { width.cells(String($0)) }
  }
}
