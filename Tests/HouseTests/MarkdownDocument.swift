import KuraLessons

/// The parts of a document that can be checked in addition to its blocks: links and paths.
extension MarkdownDocument {
  /// A path that the file mentions.
  struct Mention: Equatable {
    let path: String
    let line: Int
  }

  /// The targets of links within the package: `[the store](MemoDates.json#top)`.
  var links: [Mention] {
    prose.flatMap { line in
      Self.targets(of: Self.withoutCode(line.text)).map { Mention(path: $0, line: line.number) }
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
    text.split { " \t'\"(),;|<>`：".contains($0) }.map(String.init)
  }

  /// Returns whether a word is a path; one with `*`, `…` or a placeholder stands for several paths.
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
