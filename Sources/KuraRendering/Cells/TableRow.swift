import KuraDiagnostics
import KuraValues

/// Writes lines of aligned cells.
struct TableRow {
  private let widths: [Int]
  private let sides: [Alignment]
  private let left: [UInt8]
  private let between: [UInt8]
  private let right: [UInt8]
  private let palette: Palette?
  /// Whether the border after an emoji of several characters is placed with an escape sequence.
  private let places: Bool

  /// Creates a row with a column for each width.
  init(
    _ widths: [Int], _ columns: [GridColumn], _ options: RenderingOptions = RenderingOptions(),
    left: String, between: String, right: String
  ) {
    self.widths = widths
    sides = columns.map { $0.isNumeric ? .right : .left }
    self.left = Array(left.utf8)
    self.between = Array(between.utf8)
    self.right = Array(right.utf8)
    palette = options.palette
    places = options.canPlace
  }
}

extension TableRow {
  func write(_ cells: inout TableCells, _ line: TableLine, to out: inout OutputBuffer) throws {
    let start = out.bytes.count
    var isPlaced = false
    var end = 0
    for i in widths.indices {
      out.bytes.append(contentsOf: i == 0 ? left : between)
      let code = color(of: try cells.read(line, i), line)
      append(cells.fit(widths[i]), of: cells, i, code, to: &out.bytes)
      end += widths[i] + (i == 0 ? 2 : 3)
      guard places, DoubtfulWidth.mayBe(in: cells.text) else { continue }
      out.append(DoubtfulWidth.column(end + 1))
      isPlaced = true
    }
    out.bytes.append(contentsOf: right)
    if isPlaced { DoubtfulWidth.hold(&out.bytes, from: start) }
    try out.endLine()
  }

  private func color(of value: Value, _ line: TableLine) -> String? {
    if case .heading = line { palette?.heading } else { palette?.code(of: value) }
  }

  private func append(
    _ used: Int, of cells: TableCells, _ i: Int, _ code: String?, to bytes: inout [UInt8]
  ) {
    let blanks = repeatElement(UInt8(ascii: " "), count: max(0, widths[i] - used))
    switch sides[i] {
    case .left:
      bytes.append(cells.text, painted: code)
      bytes.append(contentsOf: blanks)
    case .right:
      bytes.append(contentsOf: blanks)
      bytes.append(cells.text, painted: code)
    }
  }
}

/// Emoji of several characters, which not every terminal draws in two cells.
///
/// The text after one is placed by an escape sequence, and its line never wraps.
enum DoubtfulWidth {
  /// Returns whether a text has a character outside the Basic Multilingual Plane, a joiner, or a
  /// variation selector.
  static func mayBe(in text: [UInt8]) -> Bool {
    for (i, byte) in text.enumerated() where byte >= 0xE2 {
      switch byte {
      case 0xF0: return true
      case 0xE2 where i + 2 < text.count && text[i + 1] == 0x80 && text[i + 2] == 0x8D: return true
      case 0xEF where i + 1 < text.count && text[i + 1] == 0xB8: return true
      default: continue
      }
    }
    return false
  }

  /// Returns the sequence that moves to a column, counted from 1.
  static func column(_ column: Int) -> String { "\u{1B}[\(column)G" }

  /// Prevents the line that was written since a place from wrapping.
  static func hold(_ bytes: inout [UInt8], from start: Int) {
    bytes.insert(contentsOf: "\u{1B}[?7l".utf8, at: start)
    bytes.append(contentsOf: "\u{1B}[?7h".utf8)
  }
}
