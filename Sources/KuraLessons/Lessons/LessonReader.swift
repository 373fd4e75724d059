package import KuraDiagnostics
import KuraSentences

/// Reads a lesson's file: front matter, text, and a task for each `##` section with an answer.
package struct LessonReader {
  let source: SourceText
  let document: MarkdownDocument
  private(set) var lesson = Lesson()
  private var problems: [Diagnostic] = []
  private let lineStarts: [Int]

  package init(_ text: String, file: String) {
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    source = SourceText(text, name: file)
    document = MarkdownDocument(text)
    let bytes = source.bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    lesson.file = file
  }

  /// Throws `LessonProblems` with all problems, each with its place.
  package static func read(_ text: String, file: String) throws(LessonProblems) -> Lesson {
    var reader = LessonReader(text, file: file)
    reader.readAll()
    guard reader.problems.isEmpty else { throw LessonProblems(diagnostics: reader.problems) }
    return reader.lesson
  }

  private mutating func readAll() {
    if let line = document.openFence { note(.openFence, at: line) }
    readSections(after: readFrontMatter())
    if lesson.tasks.isEmpty, problems.isEmpty { note(.noTasks, at: 1) }
  }

  mutating func note(_ facts: LessonFileProblem, at line: Int, word: String = "") {
    problems.append(Diagnostic(facts, at: span(of: word, in: line), in: source))
  }

  /// Returns the span of a word in a line; that of the line if it does not contain the word.
  private func span(of word: String, in line: Int) -> SourceSpan {
    let start = lineStarts[min(max(0, line - 1), lineStarts.count - 1)]
    let rest = source.bytes[start...]
    let bytes = rest[..<(rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex)]
    let place = bytes.indices.first { !word.isEmpty && bytes[$0...].starts(with: word.utf8) }
    guard let place else { return SourceSpan(start, max(start + 1, bytes.endIndex)) }
    return SourceSpan(place, place + word.utf8.count)
  }
}

// The front matter
extension LessonReader {
  /// Reads the front matter; returns the number of the line after it.
  private mutating func readFrontMatter() -> Int {
    let lines = document.prose
    guard lines.first?.number == 1, lines.first?.text == "---",
      let end = lines.dropFirst().first(where: { $0.text == "---" })
    else {
      note(.noFrontMatter, at: 1)
      return 1
    }
    var found: Set<String> = []
    for line in lines where line.number > 1 && line.number < end.number {
      let parts = line.text.split(separator: ":", maxSplits: 1)
      guard let name = parts.first.map({ $0.trimmed }), !name.isEmpty else { continue }
      found.insert(name)
      set(name, to: parts.count > 1 ? parts[1].trimmed : "", line.number)
    }
    for name in ["lesson", "title", "store"] where !found.contains(name) {
      note(.missingField(name), at: 1)
    }
    return end.number + 1
  }

  private mutating func set(_ name: String, to value: String, _ line: Int) {
    switch name {
    case "lesson": lesson.number = number(value, name, line)
    case "title": lesson.title = value
    case "store": lesson.store = value
    case "minutes": lesson.minutes = number(value, name, line)
    default: note(.unknownField(name), at: line, word: name)
    }
  }

  private mutating func number(_ text: String, _ field: String, _ line: Int) -> Int {
    if let number = Int(text), number > 0 { return number }
    note(.notANumber(field: field, found: text), at: line, word: text)
    return 1
  }
}

// The sections
extension LessonReader {
  /// A heading with everything up to the next one.
  private struct Section {
    var line = 1
    var pieces: [MarkdownDocument.Piece] = []
  }

  private mutating func readSections(after line: Int) {
    var sections = [Section()]
    for piece in document.pieces {
      if case .line(let prose) = piece {
        if prose.number < line { continue }
        if prose.text.hasPrefix("## ") { sections.append(Section(line: prose.number)) }
      }
      sections[sections.count - 1].pieces.append(piece)
    }
    var lead = readOpening(sections[0].pieces)
    for section in sections.dropFirst() { read(section, &lead) }
    if !lead.isEmpty, let last = lesson.tasks.indices.last {
      lesson.tasks[last].discussion = [lesson.tasks[last].discussion, lead]
        .filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
  }

  private mutating func readOpening(_ pieces: [MarkdownDocument.Piece]) -> String {
    for case .block(let block) in pieces where LessonFileProblem.blocks.contains(block.language) {
      note(.blockOutsideTask(block.language), at: block.firstLine - 1, word: block.language)
    }
    lesson.opening = MarkdownText.joined(pieces)
    return ""
  }

  /// Reads a section without blocks of a lesson. It becomes the text before the next task.
  private mutating func read(_ section: Section, _ lead: inout String) {
    let blocks = section.pieces.compactMap { piece -> MarkdownDocument.Block? in
      if case .block(let block) = piece { block } else { nil }
    }
    guard blocks.contains(where: { LessonFileProblem.blocks.contains($0.language) }) else {
      lead = [lead, MarkdownText.joined(section.pieces)].filter { !$0.isEmpty }
        .joined(separator: "\n\n")
      return
    }
    let number = lesson.tasks.count + 1
    var reading = TaskReading(LessonTask(number: number, lead: lead, line: section.line))
    reading.read(section.pieces, &self)
    lesson.tasks.append(reading.task)
    lead = ""
  }
}

extension StringProtocol {
  /// The text without whitespace at its ends.
  package var trimmed: String {
    let text = drop(while: \.isWhitespace)
    return String(
      text[..<(text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex)])
  }
}

/// A problem with a lesson's file.
package enum LessonFileProblem: DiagnosticFacts {
  /// The file does not begin with `---`, or its front matter is not closed.
  case noFrontMatter
  /// `minuts: 8`
  case unknownField(String)
  /// `minutes: many`
  case notANumber(field: String, found: String)
  case missingField(String)
  /// A code fence that is not closed
  case openFence
  /// `hint` before the first `##`
  case blockOutsideTask(String)
  /// `answr`, similar to a word of a lesson
  case unknownBlock(String, near: [String])
  /// `answer orderd`
  case unknownGrading(String)
  /// A block without statements
  case emptyBlock(String)
  case noTasks
  /// A heading with hints, but without an answer
  case taskWithoutAnswer
  /// `wrong` without `-- why`
  case wrongWithoutComment
  /// `must:` without words
  case emptyRule
}

extension LessonFileProblem {
  package static let fields = ["lesson", "title", "store", "minutes"]
  package static let blocks = ["answer", "hint", "wrong", "vary"]
  package static let gradings = ["ordered", "columns", "store"]

  package var sentence: String {
    switch self {
    case .noFrontMatter:
      localized("a lesson starts with a line ---, its fields, and another line ---")
    case .unknownField(let name): localized("unknown field \"\(name)\"")
    case .notANumber(let field, let found): localized("\(field) must be a number, not \"\(found)\"")
    case .missingField(let name): localized("the field \(name) is missing")
    case .openFence: localized("this block is not closed")
    case .blockOutsideTask(let word): localized("this \(word) is before the first task")
    case .unknownBlock(let word, _): localized("unknown block \"\(word)\"")
    case .unknownGrading(let word): localized("an answer block has no option \"\(word)\"")
    case .emptyBlock(let word): localized("this \(word) is empty")
    case .noTasks: localized("the lesson has no task")
    case .taskWithoutAnswer: localized("this task has no answer")
    case .wrongWithoutComment: localized("this wrong answer has no explanation")
    case .emptyRule: localized("this rule contains no words")
    }
  }

  package var help: String? {
    switch self {
    case .noFrontMatter: localized("for example lesson: 1, title: Objects, store: MemoDates.json")
    case .unknownField(let name):
      didYouMean(nearNames(to: name, among: Self.fields))
        ?? localized("use one of: \(Self.fields.list)")
    case .notANumber: nil
    case .missingField(let name): localized("write \(name): … between the lines ---")
    case .openFence: localized("end it with a line of the same number of backticks")
    case .blockOutsideTask: localized("a task starts with a ## heading")
    case .unknownBlock(_, let near): didYouMean(near)
    case .unknownGrading(let word):
      didYouMean(nearNames(to: word, among: Self.gradings))
        ?? localized("use one of: \(Self.gradings.list)")
    case .emptyBlock: localized("write a statement between the fences")
    case .noTasks: localized("write a ## heading and an ```answer block below it")
    case .taskWithoutAnswer: localized("write an ```answer block with the statement that solves it")
    case .wrongWithoutComment: localized("write one as the last line: -- why it is wrong")
    case .emptyRule: localized("for example must: NOT or OR")
    }
  }
}

/// All problems of a lesson's file.
package struct LessonProblems: Error {
  package let diagnostics: [Diagnostic]
}
