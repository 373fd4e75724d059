import KuraDiagnostics
import KuraLessons
import KuraRendering
import KuraSentences

/// Writes a session to a Markdown file: statements and answers as blocks, and typed comments as
/// prose between them.
final class TranscriptWriter {
  private var stream: ResultStream?
  /// The path of the file; nil for none.
  private(set) var path: String?
  private var isInBlock = false
  /// The first line of the next block, which may name its store.
  private var blockStart = "```kura"

  var isOn: Bool { stream != nil }
}

extension TranscriptWriter {
  func begin(_ stream: ResultStream, path: String, store: String?) throws {
    try end()
    (self.stream, self.path) = (stream, path)
    blockStart = "```kura store=\(store ?? "none")"
  }

  func end() throws {
    guard let stream else { return }
    closeBlock()
    self.stream = nil
    path = nil
    try stream.close()
  }

  /// Writes a statement, or a text that was meant as one.
  func typed(_ text: String) {
    guard isOn else { return }
    openBlock()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      write((index == 0 ? "kura> " : " ...> ") + line + "\n")
    }
  }

  /// Writes the output of a statement.
  func said(_ text: String) {
    guard isOn, !text.isEmpty else { return }
    openBlock()
    write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a comment, without its marks.
  func prose(_ text: String) {
    guard isOn else { return }
    closeBlock()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = line.drop { $0 == " " }.dropFirst(2)
      return String(words.first == " " ? words.dropFirst() : words)
    }
    write(lines.joined(separator: "\n") + "\n")
  }

  private func openBlock() {
    guard !isInBlock else { return }
    isInBlock = true
    write("\n" + blockStart + "\n")
    // The following blocks continue its session.
    blockStart = "```kura"
  }

  private func closeBlock() {
    guard isInBlock else { return }
    isInBlock = false
    write("```\n\n")
  }

  /// Writes immediately, so that nothing is lost if the session ends.
  private func write(_ text: String) {
    do {
      try stream?.append(text)
      try stream?.flush()
    } catch {
      stream = nil
    }
  }
}

extension Session {
  /// Returns whether a text consists of comments.
  static func isComment(_ text: String) -> Bool {
    let lines = text.split(separator: "\n").map(\.trimmed).filter { !$0.isEmpty }
    return !lines.isEmpty && lines.allSatisfy { $0.hasPrefix("--") }
  }

  /// Writes a result without colors or a width, because a transcript is not a terminal.
  func transcribe(_ result: ShownResult, as format: OutputFormat) throws {
    guard transcript.isOn, targets.isStandard else { return }
    switch result {
    case .text(let text): transcript.said(text)
    case .grid(let make):
      let options = plainOptions
      let grid = try format.language.speaks { try make(format).text(as: format, options) }
      transcript.said(grid)
    }
  }
}
