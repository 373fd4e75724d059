import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let read = Setting(
    name: "read", synopsis: ".read FILE", summary: "runs the statements of a file",
    details: """
      Kura reads a pipe while it is written. The first error stops the script; its message names the
      file, the line and the column.
      """,
    arguments: 1...1, effect: .changes, accessesOutside: true, runsStatements: true
  ) { session, call in
    let file = call.word
    try session.checkSafe(.reading, at: file.span)
    let input: ScriptInput
    do throws(Failure) {
      input = try session.services.openScript(file.text)
    } catch {
      throw Failure(error.diagnostics.map { Failure.placed($0, at: file.span) })
    }
    guard session.depth < Session.deepestScript else {
      throw Failure(ScriptProblem.readTooDeep(limit: Session.deepestScript), at: file.span)
    }
    session.depth += 1
    defer { session.depth -= 1 }
    let succeeded = session.run(input)
    if !succeeded { throw Failure.reported(session.status) }
  }

  static let quit = Setting(
    name: "quit", synopsis: ".quit", summary: "leaves Kura",
    details: """
      If there are unsaved changes, Kura asks at a terminal; in a script they are an error with exit
      status 3.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    session.isLeaving = true
  }
}

extension Session {
  /// The greatest depth of nested scripts.
  static let deepestScript = 50
}

extension Setting {
  static let transcript = Setting(
    name: "transcript", synopsis: ".transcript [FILE.md|off]",
    summary: "writes statements and their results to a notebook",
    details: """
      Kura writes statements and results as blocks of Markdown while you work. A line that is only a
      comment, -- like this, becomes text between the blocks. kura notebook FILE.md runs such a file
      again and marks the differences.
      """,
    arguments: 0...1, accessesOutside: true, value: { $0.transcript.path ?? "off" }
  ) { session, call in
    let file = call.word
    if file.text.lowercased() == "off" { return try session.transcript.end() }
    try session.checkSafe(.writing, at: file.span)
    guard file.text.hasSuffix(".md") else {
      throw Failure(NotebookProblem.notMarkdown(file.text), at: file.span)
    }
    guard try session.services.readOwnFileIfThere(file.text) == nil else {
      throw Failure(NotebookProblem.isThere(file.text), at: file.span)
    }
    let stream = try session.services.openOutput(.file(file.text))
    try session.transcript.begin(stream, path: file.text, store: session.store.source)
  }
}

extension SystemServices {
  /// Returns the bytes of a file; nil if it does not exist.
  fileprivate func readOwnFileIfThere(_ path: String) throws(Failure) -> [UInt8]? {
    listFiles(path).contains { $0.path == path } ? try readFile(path) : nil
  }
}

/// A problem with a notebook.
enum NotebookProblem: DiagnosticFacts {
  /// `.transcript notes.txt`
  case notMarkdown(String)
  /// `.transcript notes.md` if that file exists
  case isThere(String)
  /// A code fence that is not closed
  case openFence
  /// `store=nothing.json`
  case noStore(String)
  /// A file without a line `kura> …`
  case noStatement(String)

  var sentence: String {
    switch self {
    case .notMarkdown(let name):
      localized("a transcript is a Markdown file, but \"\(name)\" does not end with .md")
    case .isThere(let name): localized("\"\(name)\" already exists")
    case .openFence: localized("this block is not closed")
    case .noStatement(let name): localized("\"\(name)\" contains no statement to run")
    case .noStore(let name): localized("the store \"\(name)\" of this block cannot be opened")
    }
  }

  var help: String? {
    switch self {
    case .notMarkdown(let name):
      localized("write .transcript \(name.split(separator: ".").first ?? "notes").md")
    case .isThere: localized("choose another name, or update the file with kura notebook --write")
    case .openFence: localized("end it with a line of the same number of backticks")
    case .noStatement: localized("a block begins with ```kura, and a statement in it with kura>")
    case .noStore:
      localized("its path is relative to the current folder or to the notebook's folder")
    }
  }
}
