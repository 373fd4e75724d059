/// A Markdown file, as far as it can be checked: its links, its code, its blocks.
struct MarkdownDocument {
  /// A fenced block.
  struct Block: Equatable, Sendable {
    /// The word after the fence: `console`
    var language = ""
    /// What follows it: `store=Examples/MemoDates/MemoDates.json`
    var attributes: [String: String] = [:]
    var lines: [String] = []
    /// The number of its first line in the file.
    var firstLine = 1
  }

  private(set) var blocks: [Block] = []
  /// Lines outside of blocks, with their numbers.
  private var prose: [(number: Int, text: String)] = []

  init(_ text: String) {
    var open: (block: Block, fence: String)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.drop { $0 == " " }
      if let (block, fence) = open {
        if content.hasPrefix(fence) {
          blocks.append(block)
          open = nil
        } else {
          open?.block.lines.append(String(line))
        }
      } else if let fence = Self.fence(content) {
        open = (Self.block(info: content.dropFirst(fence.count), line: index + 2), fence)
      } else {
        prose.append((index + 1, String(line)))
      }
    }
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

extension MarkdownDocument {
  /// A path that the file mentions.
  struct Mention: Equatable {
    let path: String
    let line: Int
  }

  /// The targets of links within the package: `[the store](MemoDates.json#top)`.
  var links: [Mention] {
    prose.flatMap { number, text in
      Self.targets(of: Self.withoutCode(text)).map { Mention(path: $0, line: number) }
    }
  }

  private static func targets(of text: String) -> [String] {
    text.split(separator: "](", omittingEmptySubsequences: false).dropFirst().compactMap {
      let target = $0.prefix { $0 != ")" && $0 != " " }
      let isElsewhere = target.contains(":") || target.hasPrefix("#") || target.isEmpty
      return isElsewhere ? nil : String(target.prefix { $0 != "#" })
    }
  }

  private static let folders = [
    "Sources/", "Scripts/", "Examples/", "Documentation/", "Tests/", "Benchmarks/", "Fuzzing/",
    ".ci/",
  ]

  /// The paths in code: `Sources/KuraValues`, and the words of commands.
  var paths: [Mention] {
    let spans = prose.flatMap { line in Self.code(in: line.text).map { (line.number, $0) } }
    let commands = blocks.flatMap { block in
      block.lines.enumerated().map { (block.firstLine + $0.offset, $0.element) }
    }
    return (spans + commands).flatMap { number, text in
      Self.words(of: text).filter(Self.isPath).map { Mention(path: $0, line: number) }
    }
  }

  private static func words(of text: String) -> [String] {
    text.split { " \t'\"(),;|<>`".contains($0) }.map(String.init)
  }

  /// A word with `*`, `…` or a placeholder in it stands for many paths.
  private static func isPath(_ word: String) -> Bool {
    folders.contains(where: word.hasPrefix) && !word.contains { "*…{}[]$".contains($0) }
  }

  private static func code(in line: String) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func withoutCode(_ line: String) -> String {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
  }
}
