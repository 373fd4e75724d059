package import KuraBytes
package import KuraValues

/// A format of results: `--format NAME`, `.mode NAME`.
package struct OutputFormat: Sendable {
  package var name: String
  /// A line of help about its purpose.
  package var help: String
  /// The output for `Grid.sample`.
  package var example: String
  /// Whether it writes nested values: then a tree is one value.
  package var isNested = false
  /// Whether people read it. Its own words are then in the user's language, otherwise in English.
  package var isForPeople = false
  let write: @Sendable (Grid, RenderingOptions, inout OutputBuffer) throws -> Void
}

extension OutputFormat {
  /// All formats in the order of the help; the first is the default.
  package static let all: [OutputFormat] = [
    table, list, plain, bars, json, jsonl, csv, tsv, markdown,
  ]

  /// The default format.
  package static var usual: OutputFormat { all[0] }

  /// Returns the format for a file's extension, `report.csv`; nil if there is none.
  package static func ofFile(_ path: String) -> OutputFormat? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return named(ending == "md" ? "markdown" : ending)
  }

  /// Returns the format of a name, in any case.
  package static func named(_ name: String) -> OutputFormat? {
    all.first { $0.name == name.lowercased() }
  }
}

extension Grid {
  /// Writes the grid, and passes on all of it.
  ///
  /// Throws what a cell throws, what the buffer's function throws, and `Stopped`.
  package consuming func write(
    as format: OutputFormat, _ options: RenderingOptions, to out: inout OutputBuffer
  ) throws {
    if !columns.isEmpty { cell = Grid.stopping(cell, at: options.cancel) }
    try format.write(self, options, &out)
    try out.flush()
  }

  /// Returns a function that checks the cancel flag before each row, in every format that reads
  /// cells.
  private static func stopping(
    _ cell: @escaping @Sendable (Int, Int) throws -> Value, at cancel: CancelFlag
  ) -> @Sendable (Int, Int) throws -> Value {
    { row, column in
      if column == 0 { try cancel.check() }
      return try cell(row, column)
    }
  }

  /// Returns the grid as one text; for small grids.
  package func text(
    as format: OutputFormat, _ options: RenderingOptions = RenderingOptions()
  ) throws -> String {
    var out = OutputBuffer()
    try write(as: format, options, to: &out)
    return String(decoding: out.bytes, as: UTF8.self)
  }
}

/// The settings of the session that a format needs.
package struct RenderingOptions: Sendable {
  /// The zone in which dates are written.
  package var zone: ZoneRules
  /// The text for null in table, list and markdown.
  package var nullText: String
  /// The style of dates and numbers for people; nil for the plain form.
  package var style: ValueStyle?
  /// The width of the terminal in cells; nil for other outputs, which are not cut.
  package var width: Int?
  /// Whether characters of ambiguous width take two cells; boxes are then drawn in ASCII.
  package var ambiguousIsWide: Bool
  /// Whether the output is a terminal: control characters are then escaped.
  package var isTerminal: Bool
  /// Whether the output is written directly to a terminal that supports the usual sequences, and
  /// not through a pager.
  package var canPlace = false
  /// The colors of table and list; nil for none.
  package var palette: Palette?
  /// The form of Booleans in table and list.
  package var booleans = BooleanStyle.yesno
  /// Cancels the writing.
  package var cancel: CancelFlag

  package init(
    zone: ZoneRules = .utc, nullText: String = "NULL", style: ValueStyle? = nil,
    width: Int? = nil,
    ambiguousIsWide: Bool = false, isTerminal: Bool = false, cancel: CancelFlag = .current
  ) {
    self.zone = zone
    self.nullText = nullText
    self.style = style
    self.width = width
    self.ambiguousIsWide = ambiguousIsWide
    self.isTerminal = isTerminal
    self.cancel = cancel
  }
}

/// The form of Booleans in table and list: `.booleans boxes`.
package enum BooleanStyle: String, Sendable, CaseIterable {
  /// `YES` and `NO`, as the language writes them
  case yesno
  /// `☑` and `☒`
  case boxes
}

extension BooleanStyle {
  func word(_ truth: Bool) -> String {
    switch self {
    case .yesno: truth ? "YES" : "NO"
    case .boxes: truth ? "☑" : "☒"
    }
  }
}
