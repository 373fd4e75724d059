import KuraDiagnostics

/// Lines that are broken between words, where a terminal would break them anywhere.
struct WrappedText {
  /// The cells of a line; nil: lines are as long as they are.
  let width: Int?

  init(width: Int?) { self.width = width }

  func text(_ text: String) -> String {
    guard let width, width >= 20 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { wrapped(String($0), to: width) }.joined(separator: "\n")
  }

  /// The lines of a question: the last keeps the blank before what is typed.
  func lines(of question: String) -> [String] {
    let end = question.hasSuffix(" ") ? " " : ""
    let lines = text(String(question.dropLast(end.count)))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.dropLast() + [(lines.last ?? "") + end]
  }

  /// One line; what goes on stands under the text behind its first gap of two blanks.
  private func wrapped(_ line: String, to width: Int) -> String {
    guard cells(line) > width else { return line }
    if line.isOfTable { return clipped(line, to: width) }
    let head = head(of: line, width)
    let blanks = String(repeating: " ", count: cells(head))
    var lines: [String] = []
    var current = head
    var isBegun = false
    for (word, gap) in Self.words(line.dropFirst(head.count)) {
      let longer = isBegun ? current + gap + word : current + word
      if !isBegun || cells(longer) <= width {
        current = longer
      } else {
        lines.append(current)
        current = blanks + word
      }
      isBegun = true
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// A line of a table, which would be none if it went on below.
  private func clipped(_ line: String, to width: Int) -> String {
    var (shown, count) = ("", 0)
    for character in line {
      let next = cells(String(character))
      guard count + next < width else { break }
      shown.append(character)
      count += next
    }
    return shown + "…"
  }

  /// What may stand on a line of its own, and what stands before it on the same line. Japanese is broken
  /// between its letters, but not before a full stop or a closing bracket, nor behind an opening one.
  private static func words(_ text: Substring) -> [(word: String, gap: String)] {
    text.split(separator: " ", omittingEmptySubsequences: false).flatMap { word in
      guard word.utf8.count != word.unicodeScalars.count else { return [(String(word), " ")] }
      var parts: [String] = []
      for character in word {
        if let last = parts.last?.last, !last.mayEndLine(before: character) {
          parts[parts.count - 1].append(character)
        } else {
          parts.append(String(character))
        }
      }
      return parts.enumerated().map { ($0.element, $0.offset == 0 ? " " : "") }
    }
  }

  /// Colours take no cells.
  private func cells(_ text: String) -> Int {
    let isColored = text.contains("\u{1B}")
    return DisplayWidth().cells(
      isColored ? text.replacing(/\u{1B}\[[0-9;]*m/, with: "") : text)
  }

  /// What stands before the summaries of a list, with the gap; else the blanks of the indentation.
  private func head(of line: String, _ width: Int) -> String {
    let lead = line.prefix { $0 == " " }
    let rest = line.dropFirst(lead.count)
    guard let gap = rest.firstRange(of: "  ") else { return String(lead) }
    let head = lead + rest[..<gap.lowerBound] + rest[gap.lowerBound...].prefix { $0 == " " }
    return cells(String(head)) < width / 2 ? String(head) : String(lead)
  }
}

extension String {
  /// Whether it begins with a line of a frame.
  fileprivate var isOfTable: Bool { "┌├│└".contains(drop { $0 == " " }.first ?? " ") }
}

extension Character {
  /// Whether a line may end behind it, where another one follows.
  fileprivate func mayEndLine(before next: Character) -> Bool {
    guard isWide || next.isWide else { return false }
    return !"、。，．・：；？！）」』】〕ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々,.:;?!)]}…".contains(next)
      && !"（「『【〔([{".contains(self)
  }

  /// Of a script without blanks between words.
  private var isWide: Bool {
    unicodeScalars.first.map { (0x3000...0xFFEF).contains($0.value) } ?? false
  }
}
