/// Markdown for a terminal: paragraphs in one line each, blocks as they are, no marks.
package enum MarkdownText {
  /// The text of some pieces, as it stands in the file.
  static func joined(_ pieces: [MarkdownDocument.Piece]) -> String {
    let lines = pieces.flatMap { piece in
      switch piece {
      case .line(let line): [line.text]
      case .block(let block): ["```" + block.language] + block.lines + ["```"]
      }
    }
    return lines.joined(separator: "\n").trimmed
  }

  /// Lines of one paragraph as one; no blank comes between Japanese letters.
  static func flowed(_ lines: [String]) -> String {
    lines.reduce("") { text, line in
      let (left, right) = (text.last, line.first)
      guard let left, let right else { return text + line }
      return text + (left.isWide && right.isWide ? "" : " ") + line
    }
  }

  /// A text to be read at a terminal, which breaks its lines.
  package static func plain(_ markdown: String) -> String {
    var result: [String] = []
    var paragraph: [String] = []
    func flush() {
      if !paragraph.isEmpty { result.append(flowed(paragraph)) }
      paragraph = []
    }
    for piece in MarkdownDocument(markdown).pieces {
      guard case .line(let line) = piece else {
        flush()
        if case .block(let block) = piece { result += block.lines.map { "    " + $0 } }
        continue
      }
      let text = line.text.trimmed
      if text.isEmpty || text.startsItem { flush() }
      if text.isEmpty {
        if result.last?.isEmpty == false { result.append("") }
      } else if text.hasPrefix("#") {
        flush()
        result.append(shown(String(text.drop { $0 == "#" }).trimmed))
      } else if text.hasPrefix("|") {
        if !text.allSatisfy({ "|-: ".contains($0) }) { result.append("  " + shown(text)) }
      } else {
        paragraph.append(shown(text))
      }
    }
    flush()
    return result.joined(separator: "\n").trimmedLines
  }

  nonisolated(unsafe) private static let link = /\[([^\]]*)\]\([^)]*\)/

  /// Without the marks of emphasis, and of links only their text.
  private static func shown(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
      place % 2 == 1
        ? String(part)
        : String(part.replacing("**", with: "").replacing(link) { $0.output.1 })
    }.joined(separator: "`")
  }
}

extension Character {
  /// Whether it is of a script that has no blanks between words.
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
