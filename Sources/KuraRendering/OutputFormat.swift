import KuraBytes
import KuraValues

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
