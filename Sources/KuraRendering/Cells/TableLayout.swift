import KuraDiagnostics

/// How wide the columns of a table are, and how many of them there is room for.
///
/// Long text gives way first, the longest first; then columns at the right are left out.
struct TableLayout {
  /// The widths of the columns that are shown, from the left.
  let widths: [Int]

  /// Without a room everything has its full width; a heading over all columns widens the last.
  init(_ measures: [ColumnMeasure], room: Int?, heading: Int = 0) {
    let fitted = room.map { Self.fitted(measures, to: max(0, $0)) } ?? measures.map(\.cells)
    widths = Self.widened(fitted, to: min(heading, room.map { max(4, $0) - 4 } ?? heading))
  }
}

extension TableLayout {
  /// A text column of fewer cells says too little.
  private static let least = 8

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

  /// Widths with text cut to one level, as high as possible; nil if they do not fit.
  private static func shrunk(_ measures: ArraySlice<ColumnMeasure>, to room: Int) -> [Int]? {
    guard total(measures, room) > room else { return measures.map(\.cells) }
    var (low, high) = (least, max(least, room))
    while low < high {
      let middle = (low + high + 1) / 2
      if total(measures, middle) <= room { low = middle } else { high = middle - 1 }
    }
    guard total(measures, low) <= room else { return nil }
    return spread(room - total(measures, low), over: measures, low)
  }

  /// The cells that were too few for another level go to the first columns that were cut.
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

/// Writes lines of cells that stand under each other.
struct TableRow {
  private let widths: [Int]
  private let sides: [Alignment]
  private let left: [UInt8]
  private let between: [UInt8]
  private let right: [UInt8]

  /// A row of as many columns as there are widths.
  init(_ widths: [Int], _ columns: [GridColumn], left: String, between: String, right: String) {
    self.widths = widths
    sides = columns.map { $0.isNumeric ? .right : .left }
    self.left = Array(left.utf8)
    self.between = Array(between.utf8)
    self.right = Array(right.utf8)
  }
}

extension TableRow {
  func write(_ cells: inout TableCells, _ line: TableLine, to out: inout OutputBuffer) throws {
    for i in widths.indices {
      out.bytes.append(contentsOf: i == 0 ? left : between)
      try cells.read(line, i)
      append(cells.fit(widths[i]), of: cells, i, to: &out.bytes)
    }
    out.bytes.append(contentsOf: right)
    try out.endLine()
  }

  private func append(_ used: Int, of cells: TableCells, _ i: Int, to bytes: inout [UInt8]) {
    let blanks = repeatElement(UInt8(ascii: " "), count: max(0, widths[i] - used))
    switch sides[i] {
    case .left:
      bytes.append(contentsOf: cells.text)
      bytes.append(contentsOf: blanks)
    case .right:
      bytes.append(contentsOf: blanks)
      bytes.append(contentsOf: cells.text)
    }
  }
}
