import KuraDiagnostics
import KuraRendering
import KuraValues

/// A result of few rows, none of which may be cut: a tree with what is said of its nodes.
///
/// Where a drawn table has no room for it, its rows are lines.
struct FittingTree: Sendable {
  let columns: [GridColumn]
  let rows: [[Value]]
  /// The line that says what a row says.
  let line: @Sendable ([Value]) -> String
  var note: String?
  var remarks: [String] = []
}

extension FittingTree {
  /// The table where it fits, else the lines.
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

  /// The cells of a line of the table, with its frame.
  private func drawnWidth(_ measure: DisplayWidth) -> Int {
    columns.indices.reduce(1) { total, column in
      let texts = [columns[column].name] + rows.map { $0[column].shown }
      return total + 3 + (texts.map { measure.cells(VisibleText.of($0)) }.max() ?? 0)
    }
  }
}

extension String {
  /// Whether it names what the rows are about, and not what their cells are.
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
  /// Writes a tree; `nested` is the same for formats that write values in values.
  func write(
    _ tree: @autoclosure @escaping () -> FittingTree, nested: @autoclosure @escaping () -> Grid
  ) throws {
    let (width, style) = (resultWidth, surroundings.style)
    try write { format in
      let measure = DisplayWidth(ambiguousIsWide: style.ambiguousIsWide)
      return format.isNested ? nested() : tree().grid(format, width: width, measure)
    }
  }
}
