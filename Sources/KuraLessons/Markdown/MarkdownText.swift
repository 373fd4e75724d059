import KuraDiagnostics

/// Markdown as text for a terminal: each paragraph on one line, blocks unchanged, no marks.
package enum MarkdownText {
  /// Returns the text of some pieces as in the file.
  static func joined(_ pieces: [MarkdownDocument.Piece]) -> String {
    let lines = pieces.flatMap { piece in
      switch piece {
      case .line(let line): [line.text]
      case .block(let block): ["```" + block.language] + block.lines + ["```"]
      }
    }
    return lines.joined(separator: "\n").trimmed
  }

  /// Joins the lines of a paragraph, without a space after a Japanese letter.
  static func flowed(_ lines: [String]) -> String {
    lines.reduce("") { text, line in
      let (left, right) = (text.last, line.first)
      guard let left, let right else { return text + line }
      let isJapanese = left.isWide || left == "`" && right.isWide
      return text + (isJapanese ? "" : " ") + line
    }
  }

  /// Returns a text for a terminal, which wraps its lines.
  package static func plain(_ markdown: String) -> String {
    var result: [String] = []
    var paragraph: [String] = []
    var table: [[String]] = []
    func flush() {
      if !paragraph.isEmpty { result.append(flowed(paragraph)) }
      result += aligned(table)
      (paragraph, table) = ([], [])
    }
    for piece in MarkdownDocument(markdown).pieces {
      guard case .line(let line) = piece else {
        flush()
        if case .block(let block) = piece { result += block.lines.map { "    " + $0 } }
        continue
      }
      let text = line.text.trimmed
      if text.isEmpty || text.startsItem || text.hasPrefix("|") == table.isEmpty { flush() }
      if text.isEmpty {
        if result.last?.isEmpty == false { result.append("") }
      } else if text.hasPrefix("#") {
        flush()
        result.append(shown(String(text.drop { $0 == "#" }).trimmed))
      } else if text.hasPrefix("|") {
        table.append(cells(text))
      } else {
        paragraph.append(shown(text))
      }
    }
    flush()
    return result.joined(separator: "\n").trimmedLines
  }

  /// Returns the cells of a row of a table; empty for the row that separates the head.
  private static func cells(_ row: String) -> [String] {
    if row.allSatisfy({ "|-: ".contains($0) }) { return [] }
    return row.split(separator: "|").map { withoutMarks(shown($0.trimmed)) }
  }

  /// Returns a cell without the marks of code if the whole cell is code, because its column shows
  /// that.
  private static func withoutMarks(_ cell: String) -> String {
    let isCode = cell.count > 2 && cell.first == "`" && cell.last == "`"
    return isCode ? cell.replacing("`", with: "") : cell
  }

  /// Returns rows with aligned cells.
  private static func aligned(_ table: [[String]]) -> [String] {
    let width = DisplayWidth()
    let rows = table.filter { !$0.isEmpty }
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { $0.count > column ? width.cells($0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : width.padded(cell, to: widths[column])
      }
      return "    " + cells.joined(separator: "  ")
    }
  }

  nonisolated(unsafe) private static let link = /\[([^\]]*)\]\([^)]*\)/

  /// Returns a text without the marks of emphasis; links become their text.
  private static func shown(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
      place % 2 == 1
        ? String(part)
        : String(part.replacing("**", with: "").replacing(link) { $0.output.1 })
    }.joined(separator: "`")
  }
}

extension Character {
  /// Whether it belongs to a script without spaces between words.
  fileprivate var isWide: Bool { unicodeScalars.contains { (0x3000...0xFFEF).contains($0.value) } }
}

extension String {
  fileprivate var startsItem: Bool {
    hasPrefix("- ") || hasPrefix("* ") || prefixMatch(of: #/[0-9]+\. /#) != nil
  }

  fileprivate var trimmedLines: String {
    var text = Substring(self)
    while text.last == "\n" { text = text.dropLast() }
    return String(text.drop { $0 == "\n" })
  }
}
