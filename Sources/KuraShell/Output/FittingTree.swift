import KuraDiagnostics
import KuraRendering
import KuraValues

/// A short result that must not be cut: a tree, with values for its nodes.
///
/// If a drawn table is too wide, its rows become lines.
struct FittingTree: Sendable {
  let columns: [GridColumn]
  let rows: [[Value]]
  /// Returns a row as a line of text.
  let line: @Sendable ([Value]) -> String
  var note: String?
  var remarks: [String] = []
}

extension FittingTree {
  /// Returns the table if it fits, otherwise the lines.
  fileprivate func grid(_ format: OutputFormat, width: Int?, _ measure: DisplayWidth) -> Grid {
    var grid = Grid(columns: columns, rows: rows)
    (grid.note, grid.remarks) = (note, remarks)
    guard format.name == OutputFormat.usual.name, let width, drawnWidth(measure) > width else {
      return grid
    }
    var lines = Grid(columns: [], rowCount: 0) { _, _ in .null }
    let wrapped = WrappedText(width: width)
    lines.remarks =
      ([columns[0].name].filter(\.isHeading) + rows.map(line)).flatMap { line in
        wrapped.text(line).split(separator: "\n").map(String.init)
      } + remarks
    return lines
  }

  /// Returns the width of the drawn table in cells, including its frame.
  private func drawnWidth(_ measure: DisplayWidth) -> Int {
    columns.indices.reduce(1) { total, column in
      let texts = [columns[column].name] + rows.map { $0[column].shown }
      return total + 3 + (texts.map { measure.cells(VisibleText.of($0)) }.max() ?? 0)
    }
  }
}

extension String {
  /// Whether it names the subject of the rows, instead of a column.
  fileprivate var isHeading: Bool { contains("/") }
}

extension Value {
  fileprivate var shown: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    default: ""
    }
  }
}

extension Session {
  /// Writes a tree; `nested` is the form for formats with nested values.
  func write(
    _ tree: @autoclosure @escaping () -> FittingTree, nested: @autoclosure @escaping () -> Grid
  ) throws {
    let (width, style) = (resultWidth, services.style)
    try write { format in
      let measure = DisplayWidth(ambiguousIsWide: style.ambiguousIsWide)
      return format.isNested ? nested() : tree().grid(format, width: width, measure)
    }
  }
}
