import KuraBytes
import KuraValues

/// A form in which results are written: `--format NAME`, `.mode NAME`.
package struct OutputFormat: Sendable {
  package var name: String
  /// What it is for, in a line of help.
  package var help: String
  /// What it makes of `Grid.sample`.
  package var example: String
  /// Whether values in values are written as such: then a tree is one value.
  package var isNested = false
  /// Whether people read it: what it says beside values is in their language, and else in English.
  package var isForPeople = false
  let write: @Sendable (Grid, RenderingOptions, inout OutputBuffer) throws -> Void
}

extension OutputFormat {
  /// All formats in the order of the help; the first is the one used unless another is set.
  package static let all: [OutputFormat] = [
    table, list, plain, bars, json, jsonl, csv, tsv, markdown,
  ]

  /// The one used unless another is set.
  package static var usual: OutputFormat { all[0] }

  /// The format that a file's name asks for: `report.csv`; nil: none.
  package static func ofFile(_ path: String) -> OutputFormat? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return named(ending == "md" ? "markdown" : ending)
  }

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
