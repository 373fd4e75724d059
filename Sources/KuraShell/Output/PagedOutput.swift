import KuraDiagnostics
import KuraRendering
import KuraValues

/// The size of a terminal's window.
struct Screen {
  var columns: Int
  var rows: Int
  var width: DisplayWidth
}

extension Screen {
  /// Returns whether text fits on the screen together with the prompt.
  func fits(_ text: [UInt8]) -> Bool {
    var lines = 0
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      lines += 1
      guard lines <= rows, line.count > columns else { continue }
      let cells = width.cells(TerminalSequences.removed(from: line) { _ in true })
      lines += max(0, cells - 1) / max(1, columns)
    }
    return lines <= rows
  }
}

/// Output for a terminal, which goes through a pager once it is longer than the screen.
final class PagedOutput {
  private let screen: Screen
  private let open: () throws -> ResultStream
  private var pending: [UInt8] = []
  private var pager: ResultStream?

  /// The number of bytes that are collected before they are passed on: about a screen.
  static let piece = 8_192

  init(_ screen: Screen, open: @escaping () throws -> ResultStream) {
    self.screen = screen
    self.open = open
  }
}

extension PagedOutput {
  var isPaged: Bool { pager != nil }

  /// Appends complete lines; throws `ClosedOutput` after the user has left the pager.
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    pending.append(contentsOf: bytes)
    if pager == nil {
      if screen.fits(pending) { return }
      pager = try open()
    }
    try handOn()
  }

  private func handOn() throws {
    let bytes = TerminalSequences.removed(from: pending[...]) { $0 != UInt8(ascii: "m") }
    pending.removeAll(keepingCapacity: true)
    try bytes.withUnsafeBytes { try pager?.append(drawn: $0) }
    try pager?.flush()
  }

  /// Shows a short text, or waits until the user leaves the pager; throws its failure.
  func close(onto target: ResultStream) throws {
    if let pager { return try pager.close() }
    try pending.withUnsafeBytes { try target.append(drawn: $0) }
  }
}

/// Escape sequences such as `ESC [ 31 m` in drawn text.
enum TerminalSequences {
  /// Returns the text without the sequences whose last letter is selected; a pager supports only
  /// colors.
  static func removed(
    from text: ArraySlice<UInt8>, where isRemoved: (_ last: UInt8) -> Bool
  ) -> [UInt8] {
    guard text.contains(0x1B) else { return Array(text) }
    var result: [UInt8] = []
    var rest = text
    while let escape = rest.firstIndex(of: 0x1B) {
      result += rest[..<escape]
      guard let last = rest[escape...].dropFirst(2).firstIndex(where: { $0 >= 0x40 }) else {
        return result
      }
      if !isRemoved(rest[last]) { result += rest[escape...last] }
      rest = rest[(last + 1)...]
    }
    return result + rest
  }
}

/// A short result that must not be cut: a tree, with values for its nodes.
///
/// If a drawn table is too wide, its rows become lines.
struct FittingTree: Sendable {
  let columns: [GridColumn]
  let rows: [Row]
  var note: String?
  var remarks: [String] = []

  /// The cells of a row, and the row as a line of text.
  typealias Row = (cells: [Value], line: String)
}

extension FittingTree {
  /// Returns the table if it fits, otherwise the lines.
  fileprivate func grid(_ format: OutputFormat, width: Int?, _ measure: DisplayWidth) -> Grid {
    var grid = Grid(columns: columns, rows: rows.map(\.cells))
    (grid.note, grid.remarks) = (note, remarks)
    guard format.name == OutputFormat.usual.name, let width, drawnWidth(measure) > width else {
      return grid
    }
    var lines = Grid(columns: [], rowCount: 0) { _, _ in .null }
    let wrapped = WrappedText(width: width)
    lines.remarks =
      ([columns[0].name].filter(\.isHeading) + rows.map(\.line)).flatMap { line in
        wrapped.text(line).split(separator: "\n").map(String.init)
      } + remarks
    return lines
  }

  /// Returns the width of the drawn table in cells, including its frame.
  private func drawnWidth(_ measure: DisplayWidth) -> Int {
    columns.indices.reduce(1) { total, column in
      let texts = [columns[column].name] + rows.map { $0.cells[column].shown }
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
    _ tree: @autoclosure @escaping () -> FittingTree,
    nested: @autoclosure @escaping () -> ValueDictionary
  ) throws {
    let (width, style) = (resultWidth, services.style)
    try write { format in
      let measure = DisplayWidth(ambiguousIsWide: style.ambiguousIsWide)
      return format.isNested ? Grid(nested: nested()) : tree().grid(format, width: width, measure)
    }
  }
}

extension Grid {
  /// Creates a single nested value.
  init(nested value: ValueDictionary) {
    self.init(columns: value.keys.map { GridColumn($0) }, rows: [value.values])
  }
}
