import KuraDiagnostics
import KuraSentences

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
    return localized("\(grouped(count)) of \(rows(total))")
  }

  /// Returns `1 row` or `1,204 rows`.
  static func rows(_ count: Int) -> String {
    count == 1 ? localized("1 row") : localized("\(grouped(count)) rows")
  }

  /// Returns a number with thousands separators: `1,204`
  static func grouped(_ count: Int) -> String {
    var digits = String(count)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return digits
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
}

extension Footer {
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
