package import KuraBytes
package import KuraValues

/// A form in which results are written: `--format NAME`, `.mode NAME`.
package struct OutputFormat: Sendable {
  package var name: String
  /// What it is for, in a line of help.
  package var help: String
  /// What it makes of `Grid.sample`.
  package var example: String
  /// Whether values in values are written as such: then a tree is one value.
  package var isNested = false
  let write: @Sendable (Grid, RenderingOptions, inout OutputBuffer) throws -> Void
}

extension OutputFormat {
  /// All formats in the order of the help; the first is the one used unless another is set.
  package static let all: [OutputFormat] = [table, list, json, jsonl, csv, tsv, markdown]

  /// The format of a name, in any case.
  package static func named(_ name: String) -> OutputFormat? {
    all.first { $0.name == name.lowercased() }
  }
}

extension Grid {
  /// Writes the grid, and hands on all of it.
  ///
  /// Throws what a cell throws, what the buffer's function throws, and `Stopped`.
  package consuming func write(
    as format: OutputFormat, _ options: RenderingOptions, to out: inout OutputBuffer
  ) throws {
    if !columns.isEmpty { cell = Grid.stopping(cell, at: options.cancel) }
    try format.write(self, options, &out)
    try out.flush()
  }

  /// Looks at the flag before each row, in every format that reads cells and each time it does.
  private static func stopping(
    _ cell: @escaping @Sendable (Int, Int) throws -> Value, at cancel: CancelFlag
  ) -> @Sendable (Int, Int) throws -> Value {
    { row, column in
      if column == 0 { try cancel.check() }
      return try cell(row, column)
    }
  }

  /// The grid as one text; for small ones.
  package func text(
    as format: OutputFormat, _ options: RenderingOptions = RenderingOptions()
  ) throws -> String {
    var out = OutputBuffer()
    try write(as: format, options, to: &out)
    return String(decoding: out.bytes, as: UTF8.self)
  }
}

/// What a format needs to know of the session.
package struct RenderingOptions: Sendable {
  /// Dates are written in it.
  package var zone: ZoneRules
  /// What stands for null in table, list and markdown.
  package var nullText: String
  /// In whose custom people see dates and numbers; nil: as they are.
  package var style: ValueStyle?
  /// The width of the terminal in cells; nil off a terminal, where nothing is cut.
  package var width: Int?
  /// Whether characters of ambiguous width take two cells; boxes are then drawn in ASCII.
  package var ambiguousIsWide: Bool
  /// Whether a person sees it, to whom controls are shown and not sent.
  package var isTerminal: Bool
  /// Who asks for it ends the writing.
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
