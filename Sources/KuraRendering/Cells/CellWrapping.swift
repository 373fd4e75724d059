import KuraDiagnostics

/// Breaks text into lines of a width in cells, between words, or within a word that is too long.
struct CellWrapping {
  private let width: DisplayWidth

  init(_ width: DisplayWidth) { self.width = width }
}

extension CellWrapping {
  /// Returns the lines; a single one without a width.
  func lines(of text: String, to room: Int?) -> [String] {
    guard let room, room > 0, width.cells(text) > room else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if width.cells(longer) <= room {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = broken(word, to: room, into: &lines)
    }
    return lines + [line]
  }

  /// Adds the lines that a word fills, and returns its rest; a character is never split.
  private func broken(_ word: Substring, to room: Int, into lines: inout [String]) -> String {
    var line = ""
    var used = 0
    for character in word {
      let cells = width.cells(character)
      if used + cells > room, !line.isEmpty {
        lines.append(line)
        (line, used) = ("", 0)
      }
      // A character that is wider than the line becomes an ellipsis.
      line.append(cells <= room ? character : "…")
      used += cells <= room ? cells : 1
    }
    return line
  }
}
