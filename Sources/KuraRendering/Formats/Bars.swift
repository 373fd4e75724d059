import Foundation
import KuraBytes
import KuraDiagnostics
import KuraSentences
import KuraValues

extension OutputFormat {
  /// Numbers of groups as bars, or the frequencies of the values of one column.
  static let bars = OutputFormat(
    name: "bars", help: "A bar chart of one number per row, or of how often each value occurs.",
    example: #"""
      父の誕生日  1935-06-11     91  █████████████████████████████████████████████████
      Bob "B" Hope, actor  NULL 2.5  █▍
      (2 rows)

      """#, isForPeople: true
  ) { grid, options, out in
    guard grid.rowCount > 0, !grid.columns.isEmpty else {
      return try Footer(grid).write(options, to: &out)
    }
    let picture = GridPicture(grid, options)
    if grid.columns.count == 1 { return try picture.writeCounts(to: &out) }
    if try picture.writeBars(to: &out) { return }
    try OutputFormat.table.write(grid, options, &out)
    let hint =
      localized(
        "(bars needs a numeric column, or a single column: select done, count(SELF) as n group by done)"
      )
    for line in CellWrapping(picture.measure).lines(of: hint, to: options.width) {
      out.append(line)
      try out.endLine()
    }
  }
}

/// Draws a grid as bars.
private struct GridPicture {
  let measure: DisplayWidth
  private let grid: Grid
  private let options: RenderingOptions
  private let cells: CellText

  init(_ grid: Grid, _ options: RenderingOptions) {
    measure = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    (self.grid, self.options) = (grid, options)
    cells = CellText(for: .peopleUnambiguously, options)
  }

  private func text(_ value: Value, _ column: Int = 0) -> String {
    var bytes: [UInt8] = []
    cells.append(value, in: grid.columns[column], to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

// A number for each row
extension GridPicture {
  /// Writes the first column of numbers as bars, the others as lines below them; returns false if
  /// there is none.
  func writeBars(to out: inout OutputBuffer) throws -> Bool {
    let numbers = grid.columns.indices.filter { grid.columns[$0].isNumeric }
    let others = grid.columns.indices.filter { !grid.columns[$0].isNumeric }
    let labels = try labels(others, numbers)
    let drawn = others.isEmpty ? Array(numbers.dropFirst()) : numbers
    guard let first = drawn.first else { return false }
    var bars: [Bar] = []
    var lines: [[Double]] = drawn.dropFirst().map { _ in [] }
    for row in 0..<grid.rowCount {
      try options.cancel.check()
      let label = try labels.map { text(try grid.cell(row, $0), $0) }.joined(separator: "  ")
      let value = try grid.cell(row, first)
      bars.append(Bar(label: label, amount: value.amount, text: text(value, first)))
      for (i, column) in drawn.dropFirst().enumerated() {
        if let amount = try grid.cell(row, column).amount { lines[i].append(amount) }
      }
    }
    try BarChart(options).write(bars, to: &out)
    try write(lines, names: drawn.dropFirst().map { grid.columns[$0].name }, to: &out)
    try Footer(grid).write(options, to: &out)
    return true
  }

  /// Returns the columns that label the numbers: texts rather than objects; if all columns are
  /// numbers, the first.
  private func labels(_ others: [Int], _ numbers: [Int]) throws -> [Int] {
    if others.isEmpty { return Array(numbers.prefix(1)) }
    let texts = try others.filter { column in
      if case .object = try grid.cell(0, column) { false } else { true }
    }
    return texts.isEmpty ? others : texts
  }

  /// Writes `estimate  ▁▃▇█`.
  private func write(_ lines: [[Double]], names: [String], to out: inout OutputBuffer) throws {
    guard !options.ambiguousIsWide else { return }
    let names = names.map { VisibleText.of($0) }
    let width = options.width ?? 80
    let longest = min(names.map(measure.cells).max() ?? 0, max(1, width * 2 / 5))
    for (name, line) in zip(names, lines) where line.count > 1 {
      let head = measure.padded(measure.truncated(name, to: longest), to: longest)
      let drawn = Sparkline.text(line, cells: width - longest - 2)
      out.append(drawn.isEmpty ? measure.truncated(head, to: width) : head + "  ")
      out.bytes.append(drawn.utf8, painted: options.palette?.number)
      try out.endLine()
    }
  }
}

// Frequencies of values
extension GridPicture {
  func writeCounts(to out: inout OutputBuffer) throws {
    var counts = ValueCounts()
    for row in 0..<grid.rowCount { counts.take(try grid.cell(row, 0)) }
    var bars = (counts.histogram(in: options.zone) ?? counts.tally { text($0) }).map(bar)
    if counts.nulls > 0 { bars.append(bar((text(.null), counts.nulls))) }
    try BarChart(options).write(bars, to: &out)
    try Footer(grid).write(options, to: &out)
  }

  private func bar(_ part: (label: String, count: Int)) -> Bar {
    Bar(label: part.label, amount: Double(part.count), text: part.count.grouped)
  }
}

/// The values of one column.
private struct ValueCounts {
  private var numbers: [Double] = []
  private var dates: [Timestamp] = []
  private var others: [Value: Int] = [:]
  private var order: [Value] = []
  private(set) var nulls = 0

  mutating func take(_ value: Value) {
    if value.isNull { return nulls += 1 }
    if case .date(let date) = value { dates.append(date) }
    if let amount = value.amount { numbers.append(amount) }
    if others[value] == nil { order.append(value) }
    others[value, default: 0] += 1
  }

  private var count: Int { others.values.reduce(0, +) }

  /// Returns the ranges with their counts; nil if the values are neither all numbers nor all dates.
  func histogram(in zone: ZoneRules) -> [(label: String, count: Int)]? {
    if numbers.count == count { return Histogram(numbers: numbers)?.bars }
    return dates.count == count ? Histogram(dates: dates, in: zone)?.bars : nil
  }

  /// Returns each value with its frequency, the most frequent first.
  func tally(_ text: (Value) -> String) -> [(label: String, count: Int)] {
    let ordered = order.enumerated().sorted { a, b in
      let (more, less) = (others[a.element, default: 0], others[b.element, default: 0])
      return more != less ? more > less : a.offset < b.offset
    }
    return ordered.map { (text($0.element), others[$0.element, default: 0]) }
  }
}

extension Value {
  /// The number to draw.
  fileprivate var amount: Double? {
    let amount: Double? =
      switch self {
      case .integer(let x): Double(x)
      case .double(let x): x
      case .decimal(let x): Double(x.description)
      case .null, .boolean, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
        nil
      }
    return amount.flatMap { $0.isFinite ? $0 : nil }
  }
}
