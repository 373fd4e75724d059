extension OutputFormat {
  /// An object a line, and no array around them.
  static let jsonl = OutputFormat(
    name: "jsonl", help: "One JSON object a line.",
    example: #"""
      {"title": "父の誕生日", "date": "1935-06-11", "age": 91}
      {"title": "Bob \"B\" Hope, actor", "date": null, "age": 2.5}

      """#
  ) { grid, options, out in
    let rows = grid.jsonRows(options)
    for row in 0..<grid.rowCount {
      try rows.append(row, to: &out.bytes)
      try out.endLine()
    }
  }
}
