/// A Markdown file as prose and fenced blocks, each with its place.
package struct MarkdownDocument: Sendable {
  /// A fenced block.
  package struct Block: Equatable, Sendable {
    /// The word after the fence: `console`
    package var language = ""
    /// The attributes after it: `store=Examples/MemoDates/MemoDates.json`
    package var attributes: [String: String] = [:]
    package var lines: [String] = []
    /// The number of its first line in the file.
    package var firstLine = 1

    package init(
      language: String = "", attributes: [String: String] = [:], lines: [String] = [],
      firstLine: Int = 1
    ) {
      self.language = language
      self.attributes = attributes
      self.lines = lines
      self.firstLine = firstLine
    }
  }

  /// A line outside blocks.
  package struct Line: Equatable, Sendable {
    package let number: Int
    package let text: String
  }

  package enum Piece: Equatable, Sendable {
    case line(Line)
    case block(Block)
  }

  /// The pieces in the order of the file.
  package private(set) var pieces: [Piece] = []
  /// The line of a fence that is not closed.
  package private(set) var openFence: Int?

  package init(_ text: String) {
    var open: (block: Block, fence: String)?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
      .enumerated()
    {
      let content = line.drop { $0 == " " }
      // Without copying the block: otherwise each line would copy all previous ones.
      if let fence = open?.fence {
        if content.hasPrefix(fence) {
          if let block = open?.block { pieces.append(.block(block)) }
          open = nil
        } else {
          open?.block.lines.append(String(line))
        }
      } else if let fence = Self.fence(content) {
        open = (Self.block(info: content.dropFirst(fence.count), line: index + 2), fence)
      } else {
        pieces.append(.line(Line(number: index + 1, text: String(line))))
      }
    }
    openFence = open.map { $0.block.firstLine - 1 }
  }

  private static func fence(_ line: Substring) -> String? {
    let backquotes = line.prefix { $0 == "`" }
    return backquotes.count >= 3 ? String(backquotes) : nil
  }

  private static func block(info: Substring, line: Int) -> Block {
    let words = info.split(separator: " ")
    var block = Block(language: words.first.map(String.init) ?? "", firstLine: line)
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      block.attributes[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    return block
  }
}

extension Character {
  /// Whether it is LF or CRLF, which is one character.
  package var endsLine: Bool { self == "\n" || self == "\r\n" }
}

extension MarkdownDocument {
  package var blocks: [Block] {
    pieces.compactMap { if case .block(let block) = $0 { block } else { nil } }
  }

  package var prose: [Line] {
    pieces.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }
}

extension MarkdownDocument.Block {
  package var text: String { lines.joined(separator: "\n") }
}
