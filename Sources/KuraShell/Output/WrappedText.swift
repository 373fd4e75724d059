import KuraDiagnostics

/// Wraps lines between words; a terminal would break them anywhere.
struct WrappedText {
  /// The cells of a line; nil for no wrapping.
  let width: Int?

  init(width: Int?) { self.width = width }

  func text(_ text: String) -> String {
    guard let width, width >= 20 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { wrapped(String($0), to: width) }.joined(separator: "\n")
  }

  /// Returns the lines of a question; the last keeps the space before the input.
  func lines(of question: String) -> [String] {
    let end = question.hasSuffix(" ") ? " " : ""
    let lines = text(String(question.dropLast(end.count)))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.dropLast() + [(lines.last ?? "") + end]
  }

  /// Wraps one line; continuation lines are aligned with the text after its first gap of two
  /// spaces.
  private func wrapped(_ line: String, to width: Int) -> String {
    guard cells(line) > width else { return line }
    let branch = line.branch
    if branch == nil, line.isOfTable { return clipped(line, to: width) }
    let head = branch ?? head(of: line, width)
    let blanks = branch?.continued ?? String(repeating: " ", count: cells(head))
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

  /// Clips a line of a table, which must not be wrapped.
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

  /// Splits text into the parts between which a line may break, each with the gap before it.
  /// Japanese is broken between letters, but not before a full stop or a closing bracket, nor after
  /// an opening one.
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

  /// Returns the width in cells, without colors.
  private func cells(_ text: String) -> Int {
    let isColored = text.contains("\u{1B}")
    return DisplayWidth().cells(
      isColored ? text.replacing(/\u{1B}\[[0-9;]*m/, with: "") : text)
  }

  /// Returns the first column of a list with its gap; otherwise the indentation.
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

  /// `│  └─ `: the lines of a tree before the text of a node; nil for another line.
  fileprivate var branch: String? {
    guard last != "│", let end = firstRange(of: "├─ ") ?? firstRange(of: "└─ "),
      self[..<end.lowerBound].allSatisfy({ $0 == " " || $0 == "│" })
    else { return nil }
    return String(self[..<end.upperBound])
  }

  /// `│     `: a branch beside the further lines of a node.
  fileprivate var continued: String {
    replacing("├─", with: "│ ").replacing("└─", with: "  ")
  }
}

extension Character {
  /// Returns whether a line may end between this character and the next.
  fileprivate func mayEndLine(before next: Character) -> Bool {
    guard isWide || next.isWide else { return false }
    return !"、。，．・：；？！）」』】〕ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々,.:;?!)]}…".contains(next)
      && !"（「『【〔([{".contains(self)
  }

  /// Whether it belongs to a script without spaces between words.
  private var isWide: Bool {
    unicodeScalars.first.map { (0x3000...0xFFEF).contains($0.value) } ?? false
  }
}
