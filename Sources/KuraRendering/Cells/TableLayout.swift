import KuraDiagnostics
import KuraSentences
import KuraValues

/// The widths of the columns of a table, and how many of them fit.
///
/// Long text is cut first, the longest most; then columns on the right are left out. Objects of one
/// entity are shown as numbers if other columns gain space.
struct TableLayout {
  /// The widths of the visible columns, from the left.
  let widths: [Int]
  /// Whether objects in the first column are shown as numbers.
  let showsNumbers: Bool
  /// Whether most columns do not fit, so that a list is better.
  let isList: Bool

  /// Creates the layout. Without `room`, every column has its full width; a heading over all
  /// columns can widen the last one.
  init(_ measures: [ColumnMeasure], room: Int?, heading: Int = 0) {
    let whole = measures.map(\.cells)
    guard let room = room.map({ max(0, $0) }) else {
      (widths, showsNumbers, isList) = (Self.widened(whole, to: heading), false, false)
      return
    }
    let plain = Self.isFitting(whole, room) ? whole : Self.fitted(measures, to: room)
    let numbered = plain == whole ? nil : Self.numbered(measures).map { Self.fitted($0, to: room) }
    showsNumbers = numbered.map { Self.shows($0, more: plain) } ?? false
    let fitted = showsNumbers ? numbered ?? plain : plain
    widths = Self.widened(fitted, to: min(heading, max(4, room) - 4))
    isList = widths.count * 2 < measures.count && room >= Self.leastList
  }
}

extension TableLayout {
  /// The minimum width of a text column.
  private static let least = 8
  /// The minimum useful width of a list.
  private static let leastList = 20

  private static func isFitting(_ widths: [Int], _ room: Int) -> Bool {
    widths.reduce(1) { $0 + $1 + 3 } <= room
  }

  /// Returns the measures with numbers instead of objects; nil if that gains nothing.
  private static func numbered(_ measures: [ColumnMeasure]) -> [ColumnMeasure]? {
    guard let numbers = measures.first?.numbers, numbers.cells < measures[0].cells else {
      return nil
    }
    var measures = measures
    measures[0].cells = numbers.cells
    return measures
  }

  /// Returns whether some widths cut less than others, except in the first column.
  private static func shows(_ widths: [Int], more others: [Int]) -> Bool {
    if widths.count != others.count { return widths.count > others.count }
    return zip(widths, others).dropFirst().contains { $0 > $1 }
  }

  private static func widened(_ widths: [Int], to heading: Int) -> [Int] {
    var widths = widths
    let inside = widths.reduce(0) { $0 + $1 + 3 } - 3
    if let last = widths.indices.last, inside < heading { widths[last] += heading - inside }
    return widths
  }

  private static func fitted(_ measures: [ColumnMeasure], to room: Int) -> [Int] {
    for count in stride(from: measures.count, to: 0, by: -1) {
      if let widths = shrunk(measures.prefix(count), to: room - 3 * count - 1) { return widths }
    }
    return measures.prefix(1).map { min($0.cells, max(1, room - 4)) }
  }

  /// Returns widths with text cut to a common width, the largest possible; nil if they do not fit.
  private static func shrunk(_ measures: ArraySlice<ColumnMeasure>, to room: Int) -> [Int]? {
    guard total(measures, least) <= room else { return nil }
    guard total(measures, room) > room else { return measures.map { width($0, room) } }
    var (low, high) = (least, max(least, room))
    while low < high {
      let middle = (low + high + 1) / 2
      if total(measures, middle) <= room { low = middle } else { high = middle - 1 }
    }
    return spread(room - total(measures, low), over: measures, low)
  }

  /// Distributes the remaining cells to the first columns that were cut.
  private static func spread(
    _ rest: Int, over measures: ArraySlice<ColumnMeasure>, _ level: Int
  ) -> [Int] {
    var rest = rest
    return measures.map { measure in
      let width = self.width(measure, level)
      guard width < measure.cells, rest > 0 else { return width }
      rest -= 1
      return width + 1
    }
  }

  private static func width(_ measure: ColumnMeasure, _ level: Int) -> Int {
    measure.isText ? min(measure.cells, level) : measure.cells
  }

  private static func total(_ measures: ArraySlice<ColumnMeasure>, _ level: Int) -> Int {
    measures.reduce(0) { $0 + width($1, level) }
  }
}

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

/// The line below a table: the number of rows, the limits, and the columns that are not shown.
///
///     (5 of 1,204 rows; limit 5; not shown: date, notifiable; .mode list shows all)
struct Footer {
  private var parts: [String]
  private let remarks: [String]

  init(_ grid: Grid) {
    remarks = grid.remarks.map { VisibleText.of($0) }
    parts = remarks.isEmpty ? [Self.count(grid.rowCount, grid.extent)] : []
    let isCutOff = grid.extent.total.map { $0 > grid.rowCount } ?? true
    let (offset, limit) = (grid.extent.offset, grid.extent.limit)
    var counts = offset > 0 && isCutOff ? ["offset \(offset)"] : []
    if let limit, isCutOff, grid.rowCount >= limit { counts.append("limit \(limit)") }
    let keys = grid.extent.limitKeys
    if let last = counts.popLast() {
      counts.append(keys.isEmpty ? last : "\(last) per \(keys.joined(separator: ", "))")
    }
    parts += counts
    if let note = grid.note { parts.append(note) }
  }
}

extension Footer {
  /// Returns `17 rows` or `5 of 1,204 rows`.
  private static func count(_ count: Int, _ extent: GridExtent) -> String {
    guard let total = extent.total, total > count else { return rows(count) }
    return localized("\(count.grouped) of \(rows(total))")
  }

  /// Returns `1 row` or `1,204 rows`.
  static func rows(_ count: Int) -> String {
    count == 1 ? localized("1 row") : localized("\(count.grouped) rows")
  }

  /// Explains how a number is written as an object, if only numbers of one entity are shown.
  mutating func explainNumbers(of column: String, as example: String) {
    let number = example.drop { $0 != "/" }.dropFirst()
    parts.append(localized("\(column) \(number) is \(example)"))
  }

  mutating func explainHidden(_ names: [String]) {
    guard !names.isEmpty else { return }
    parts.append(localized("not shown: \(names.list)"))
    parts.append(localized(".mode list shows all"))
  }

  mutating func explainList(columns: Int, width: Int) {
    parts.append(
      localized("shown as a list: \(columns) columns do not fit in a table of \(width) characters"))
  }

  /// Writes the footer, wrapped if necessary and not cut, except for a very long name.
  func write(_ options: RenderingOptions, to out: inout OutputBuffer) throws {
    let width = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    let note = parts.isEmpty ? [] : [localized("(\(parts.clauses))")]
    for line in (remarks + note).flatMap({ CellWrapping(width).lines(of: $0, to: options.width) }) {
      out.bytes.append(line.utf8, painted: options.palette?.note)
      try out.endLine()
    }
  }
}

extension Int {
  /// `475,112`
  package var grouped: String {
    var digits = String(magnitude)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return self < 0 ? "-" + digits : digits
  }
}
