import KuraDiagnostics
import KuraScript
import KuraSentences

extension Setting {
  static let transcript = Setting(
    name: "transcript", synopsis: ".transcript [FILE.md|off]",
    summary: "writes what is typed and what comes of it into a notebook",
    details: """
      Statements and answers are written as they come, as blocks of Markdown; a line that is typed as a
      comment, -- like this, is the prose between them. kura notebook FILE.md runs such a file again and
      marks what differs.
      """,
    arguments: 0...1, reachesOut: true, value: { $0.transcript.path ?? "off" }
  ) { session, call in
    let file = call.word
    if file.text.lowercased() == "off" { return try session.transcript.end() }
    try session.checkSafe(.writing, at: file.span)
    guard file.text.hasSuffix(".md") else {
      throw Failure(NotebookFacts.notMarkdown(file.text), at: file.span)
    }
    guard try session.surroundings.readOwnFileIfThere(file.text) == nil else {
      throw Failure(NotebookFacts.isThere(file.text), at: file.span)
    }
    let stream = try session.surroundings.openOutput(.file(file.text))
    try session.transcript.begin(stream, path: file.text, store: session.store.source)
  }
}

extension Surroundings {
  /// Returns the bytes of a file; nil if it does not exist.
  fileprivate func readOwnFileIfThere(_ path: String) throws(Failure) -> [UInt8]? {
    listFiles(path).contains { $0.path == path } ? try readFile(path) : nil
  }
}

/// A problem with a notebook.
enum NotebookFacts: DiagnosticFacts {
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
      localized("a transcript is Markdown, and \"\(name)\" does not end with .md")
    case .isThere(let name): localized("\"\(name)\" is there already")
    case .openFence: localized("nothing closes this block")
    case .noStatement(let name): localized("\"\(name)\" contains no statement to run")
    case .noStore(let name): localized("the store \"\(name)\" of this block cannot be opened")
    }
  }

  var help: String? {
    switch self {
    case .notMarkdown(let name):
      localized("write .transcript \(name.split(separator: ".").first ?? "notes").md")
    case .isThere: localized("choose another name; kura notebook --write brings a file up to date")
    case .openFence: localized("end it with a line of as many back quotes")
    case .noStatement: localized("a block begins with ```kura, and a statement in it with kura>")
    case .noStore: localized("its path is looked for from here, and from the notebook's folder")
    }
  }
}
