extension OutputFormat {
  /// RFC 4180, but lines end in LF alone, as in sqlite3 and DuckDB.
  static let csv = OutputFormat(
    name: "csv", help: "Comma-separated values with a header; null is empty, \"\" an empty text.",
    example: #"""
      title,date,age
      父の誕生日,1935-06-11,91
      "Bob ""B"" Hope, actor",,2.5

      """#
  ) { grid, options, out in
    try SeparatedValues(options, separator: UInt8(ascii: ",")).write(grid, to: &out)
  }
}
