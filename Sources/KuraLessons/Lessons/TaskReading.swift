import KuraDiagnostics

/// Reads the section of a task.
struct TaskReading {
  private(set) var task: LessonTask
  private var question: [MarkdownDocument.Piece] = []
  private var discussion: [MarkdownDocument.Piece] = []

  init(_ task: LessonTask) { self.task = task }

  /// Reads the pieces below a heading: those before the first block of a lesson are the question,
  /// those after the last are the text after it is solved.
  mutating func read(_ pieces: [MarkdownDocument.Piece], _ reader: inout LessonReader) {
    let isBlock = { (piece: MarkdownDocument.Piece) in
      if case .block(let block) = piece {
        LessonFileProblem.blocks.contains(block.language)
      } else {
        false
      }
    }
    let first = pieces.firstIndex(where: isBlock) ?? pieces.endIndex
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .line(let line) where line.number == task.line:
        task.title = String(line.text.dropFirst(3)).trimmed
      case .line(let line) where Rule.starts(line.text): readRules(line, &reader)
      case .block(let block) where isBlock(piece): read(block, &reader)
      case .line where index < first, .block where index < first: question.append(piece)
      case .line: discussion.append(piece)
      case .block(let block):
        checkName(block, &reader)
        discussion.append(piece)
      }
    }
    task.question = MarkdownText.joined(question)
    task.discussion = MarkdownText.joined(discussion)
    if task.answers.isEmpty { reader.note(.taskWithoutAnswer, at: task.line) }
  }

  /// Reports a block name such as `answr`, which is probably not another language.
  private func checkName(_ block: MarkdownDocument.Block, _ reader: inout LessonReader) {
    let near = nearNames(to: block.language, among: LessonFileProblem.blocks)
    guard !block.language.isEmpty, !near.isEmpty else { return }
    reader.note(
      .unknownBlock(block.language, near: near), at: block.firstLine - 1, word: block.language)
  }
}

// Blocks
extension TaskReading {
  private mutating func read(_ block: MarkdownDocument.Block, _ reader: inout LessonReader) {
    guard block.lines.contains(where: { !$0.trimmed.isEmpty }) else {
      reader.note(.emptyBlock(block.language), at: block.firstLine - 1)
      return
    }
    switch block.language {
    case "answer":
      readGrading(block, &reader)
      task.answers.append(script(block.lines, block, reader))
    case "hint": task.hints.append(block.text.trimmed)
    case "vary": task.variations.append(script(block.lines, block, reader))
    default: readWrong(block, &reader)
    }
  }

  private func script(
    _ lines: [String], _ block: MarkdownDocument.Block, _ reader: LessonReader
  ) -> LessonScript {
    LessonScript(
      text: lines.joined(separator: "\n"), file: reader.lesson.file, firstLine: block.firstLine)
  }

  private mutating func readGrading(
    _ block: MarkdownDocument.Block, _ reader: inout LessonReader
  ) {
    for word in block.attributes.keys.sorted() {
      switch word {
      case "ordered": task.grading.isOrdered = true
      case "columns": task.grading.comparesColumns = true
      case "store": task.grading.comparesStore = true
      default: reader.note(.unknownGrading(word), at: block.firstLine - 1, word: word)
      }
    }
  }

  /// Reads the statements, and after them the lines with `--` that explain the mistake.
  private mutating func readWrong(_ block: MarkdownDocument.Block, _ reader: inout LessonReader) {
    var lines = block.lines
    var comment: [String] = []
    while let last = lines.last, last.trimmed.isEmpty || last.trimmed.hasPrefix("--") {
      let text = String(last.trimmed.drop { $0 == "-" }).trimmed
      if !text.isEmpty { comment.insert(text, at: 0) }
      lines.removeLast()
    }
    guard !comment.isEmpty else {
      return reader.note(.wrongWithoutComment, at: block.firstLine - 1)
    }
    task.wrongTries.append(
      WrongTry(script: script(lines, block, reader), comment: MarkdownText.flowed(comment)))
  }
}

// Rules
extension TaskReading {
  private enum Rule {
    static let must = "must:"
    static let mustNot = "must not:"

    static func starts(_ line: String) -> Bool {
      [must, mustNot].contains { line.trimmed.lowercased().hasPrefix($0) }
    }
  }

  /// Reads `must: NOT or OR    must not: objectID`.
  private mutating func readRules(
    _ line: MarkdownDocument.Line, _ reader: inout LessonReader
  ) {
    let parts = line.text.replacing(Rule.mustNot, with: "\u{0}").split(
      separator: "\u{0}", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let words = part.replacing(Rule.must, with: "").trimmed
      if index == 0, words.isEmpty, parts.count > 1 { continue }
      let rules = words.split(separator: ",").map { Self.rule($0) }.filter { !$0.words.isEmpty }
      if rules.isEmpty { reader.note(.emptyRule, at: line.number) }
      if index == 0 { task.must += rules } else { task.mustNot += rules }
    }
  }

  private static func rule(_ text: Substring) -> WordRule {
    WordRule(words: text.split(separator: " or ").map(\.trimmed).filter { !$0.isEmpty })
  }
}
