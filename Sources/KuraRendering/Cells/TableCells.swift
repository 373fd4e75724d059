import KuraDiagnostics
import KuraValues

/// The cells of a grid in the form of a table, one at a time.
struct TableCells {
  let width: DisplayWidth
  private let grid: Grid
  private let cells: CellText
  private let escape: (inout [UInt8]) -> Void
  /// Whether objects in the first column are shown as numbers.
  var showsNumbers = false
  /// The cell that was read last.
  private(set) var text: [UInt8] = []

  init(
    _ grid: Grid, _ options: RenderingOptions, for reader: CellText.Reader = .people,
    escape: @escaping (inout [UInt8]) -> Void = { _ in }
  ) {
    self.grid = grid
    self.escape = escape
    cells = CellText(for: reader, options)
    width = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
  }
}

/// A line of a table.
enum TableLine {
  case heading
  case row(Int)
}

/// The width that a column needs.
struct ColumnMeasure {
  /// The cells of its widest text.
  var cells: Int
  /// Whether it contains text, which can be cut; a number with fewer digits would be a different
  /// number.
  var isText: Bool
  /// For a column of objects of one entity: the first object, and the cells of the widest number.
  var numbers: (example: String, cells: Int)?
}

extension TableCells {
  /// Reads a cell into `text`, and returns its value; null for a heading.
  @discardableResult
  mutating func read(_ line: TableLine, _ column: Int) throws -> Value {
    text.removeAll(keepingCapacity: true)
    defer { escape(&text) }
    switch line {
    case .heading:
      cells.append(grid.columns[column].name, to: &text)
      return .null
    case .row(let row):
      let value = try grid.cell(row, column)
      if showsNumbers, column == 0, case .object(let object) = value, let id = object.id {
        text.append(contentsOf: String(id.number).utf8)
      } else {
        cells.append(value, in: grid.columns[column], to: &text)
      }
      return value
    }
  }

  /// Reads a section's heading into `text`.
  mutating func read(_ section: GridSection) {
    text.removeAll(keepingCapacity: true)
    defer { escape(&text) }
    cells.append(section, to: &text)
  }

  /// Returns the cells of the widest heading.
  mutating func widestHeading(of sections: [GridSection]) -> Int {
    var widest = 0
    for section in sections {
      read(section)
      widest = max(widest, width.cells(text))
    }
    return widest
  }

  /// Cuts the text to a width, and returns the cells of the result.
  mutating func fit(_ room: Int) -> Int { width.truncate(&text, to: room) }

  /// Returns the width that each column needs; reads the cells of the rows once.
  mutating func measure(_ rows: some Sequence<Int>) throws -> [ColumnMeasure] {
    var measures: [ColumnMeasure] = []
    for column in grid.columns.indices {
      try read(.heading, column)
      measures.append(ColumnMeasure(cells: width.cells(text), isText: false))
    }
    var numbers = ObjectNumbers(measures.first?.cells ?? 0)
    for row in rows {
      for column in grid.columns.indices {
        let value = try read(.row(row), column)
        measures[column].cells = max(measures[column].cells, width.cells(text))
        measures[column].isText = measures[column].isText || value.isCuttable
        if column == 0 { numbers.take(value) }
      }
    }
    if !measures.isEmpty { measures[0].numbers = numbers.found }
    return measures
  }
}

/// Determines whether all values of a column are objects of one entity, and the width of their
/// numbers.
private struct ObjectNumbers {
  private var example: ObjectID?
  private var cells: Int
  private var isBroken = false

  init(_ heading: Int) { cells = heading }

  mutating func take(_ value: Value) {
    guard !isBroken, case .object(let object) = value, let id = object.id,
      example.map({ $0.entity == id.entity }) ?? true
    else { return isBroken = true }
    example = example ?? id
    cells = max(cells, String(id.number).utf8.count)
  }

  var found: (example: String, cells: Int)? {
    isBroken ? nil : example.map { ($0.description, cells) }
  }
}

extension Value {
  /// Whether the beginning of its text is useful alone.
  fileprivate var isCuttable: Bool {
    switch self {
    case .string, .uri, .binary, .list, .set, .dictionary: true
    case .null, .boolean, .integer, .double, .decimal, .date, .uuid, .object: false
    }
  }
}

/// Breaks text into lines of a width in cells, between words, or within a word that is too long.
struct CellWrapping {
  private let width: DisplayWidth

  init(_ width: DisplayWidth) { self.width = width }
}

extension CellWrapping {
  /// Returns the lines; a single one without a width.
  func lines(of text: String, to room: Int?) -> [String] {
    guard let room, room > 0, width.cells(text) > room else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if width.cells(longer) <= room {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = broken(word, to: room, into: &lines)
    }
    return lines + [line]
  }

  /// Adds the lines that a word fills, and returns its rest; a character is never split.
  private func broken(_ word: Substring, to room: Int, into lines: inout [String]) -> String {
    var line = ""
    var used = 0
    for character in word {
      let cells = width.cells(character)
      if used + cells > room, !line.isEmpty {
        lines.append(line)
        (line, used) = ("", 0)
      }
      // A character that is wider than the line becomes an ellipsis.
      line.append(cells <= room ? character : "…")
      used += cells <= room ? cells : 1
    }
    return line
  }
}
