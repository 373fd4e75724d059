import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraStore
import KuraValues

/// A Markdown file whose `kura` blocks are run: the first block opens a session, which the
/// following blocks continue unless they name a store of their own.
struct Notebook {
  let path: String
  let text: String
  private let document: MarkdownDocument

  init(_ bytes: [UInt8], path: String) {
    self.path = path
    text = String(decoding: bytes, as: UTF8.self)
    document = MarkdownDocument(text)
  }

  /// A block, and its lines after running it now.
  struct Block {
    var firstLine: Int
    var lines: [String]
    var now: [String]

    var differs: Bool { lines != now }

    var hasStatements: Bool { lines.contains { Transcript.typed($0) != nil } }
  }

  /// Opens the session of a block.
  typealias Open = (_ store: String?) throws(Failure) -> NotebookSession

  /// Runs all blocks; `open` creates the session for a store.
  func run(_ open: Open) throws(Failure) -> [Block] {
    if let line = document.openFence {
      let source = SourceText("```", name: path, firstLine: line)
      throw Failure([Diagnostic(NotebookProblem.openFence, at: SourceSpan(0, 3), in: source)])
    }
    var blocks: [Block] = []
    var session: NotebookSession?
    for block in document.blocks where block.language == "kura" && block.attributes["norun"] == nil
    {
      let store = block.attributes["store"]
      if let running = session, store == nil {
        session = running
      } else {
        session = try open(store == "none" ? nil : store)
      }
      let now = session?.lines(of: block) ?? block.lines
      blocks.append(Block(firstLine: block.firstLine, lines: block.lines, now: now))
    }
    return blocks
  }

  /// Returns the file with the current lines of its blocks.
  func text(with blocks: [Block]) -> String {
    let written = text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    var lines: [String] = []
    var next = 0
    for block in blocks where block.differs {
      lines += written[next..<block.firstLine - 1].map(String.init) + block.now
      next = block.firstLine - 1 + block.lines.count
    }
    lines += written[next...].map(String.init)
    return lines.joined(separator: text.contains("\r\n") ? "\r\n" : "\n")
  }
}

/// A session that runs the statements of a notebook as if they were typed.
struct NotebookSession {
  private let trial: CapturedSession

  /// Uses a copy of a store, so that nothing is written to it.
  init(_ contents: StoreContents?, now: @escaping () -> Timestamp) {
    trial = CapturedSession(
      on: contents?.graph ?? Graph(), zone: contents?.zone ?? .utc, timeout: .seconds(60), now: now)
  }

  /// Returns the lines of a block, with the current output after each statement.
  func lines(of block: MarkdownDocument.Block) -> [String] {
    var result: [String] = []
    var statement: [String] = []
    for line in block.lines {
      guard let typed = Transcript.typed(line) else {
        // Lines before the first statement are not an answer.
        if statement.isEmpty { result.append(line) }
        continue
      }
      if line.hasPrefix("kura"), !statement.isEmpty {
        result += answer(to: statement)
        statement = []
      }
      statement.append(typed)
      result.append(line)
    }
    return statement.isEmpty ? result : result + answer(to: statement)
  }

  private func answer(to lines: [String]) -> [String] {
    let output = trial.run(lines.joined(separator: "\n")).output
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
