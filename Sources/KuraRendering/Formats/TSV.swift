extension OutputFormat {
  /// As CSV, with a TAB in place of the comma: a field that contains one is quoted.
  static let tsv = OutputFormat(
    name: "tsv", help: "As csv, with tabs between the values.",
    example: """
      title\tdate\tage
      父の誕生日\t1935-06-11\t91
      "Bob ""B"" Hope, actor"\t\t2.5

      """
  ) { grid, options, out in
    try SeparatedValues(options, separator: UInt8(ascii: "\t")).write(grid, to: &out)
  }
}
