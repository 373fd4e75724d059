import KuraDiagnostics
import KuraLessons
import KuraSentences
import KuraStore

/// `kura notebook FILE.md …`: runs the blocks again, and shows the differences.
package struct NotebookCheck {
  private let files: [String]
  /// Whether the files are updated.
  private let writes: Bool
  private let services: SystemServices

  package init(_ files: [String], writes: Bool, _ services: SystemServices) {
    self.files = files
    self.writes = writes
    self.services = services
  }

  package static var overview: String {
    localized(
      """
      Runs the blocks of a Markdown file that begin with ```kura as if they were
      typed, and compares the results with the text in the file. The first block
      opens a session, and later blocks continue it. ```kura store=todo.json opens
      a new session on a copy of that store. A block ```kura norun is not run.
      """)
  }

  package func run() -> ExitStatus {
    var status = ExitStatus.done
    for file in files {
      do {
        if try check(file), status == .done { status = .statementFailed }
      } catch is ClosedOutput {
        return status
      } catch {
        let failure = Failure(error)
        services.report(failure.rendered(in: nil, style: services.styleNow) + "\n")
        status = failure.status == .storeFailed ? .storeFailed : .statementFailed
      }
    }
    services.results.flushQuietly()
    return status
  }

  /// Returns whether there are differences that are not written.
  private func check(_ file: String) throws -> Bool {
    let notebook = Notebook(try services.readFile(file), path: file)
    let language = Language(ofDocument: file) ?? .current
    let blocks = try language.speaks {
      try notebook.run { store throws(Failure) in try open(store, for: file) }
    }
    guard blocks.contains(where: \.hasStatements) else {
      throw Failure(NotebookProblem.noStatement(file))
    }
    let differing = blocks.filter(\.differs)
    guard writes else {
      for block in differing { try show(block, file) }
      try say(NotebookReport.checked(file, blocks: blocks.count, differing: differing.count))
      return !differing.isEmpty
    }
    if !differing.isEmpty {
      try services.replaceFile(file, Array(notebook.text(with: blocks).utf8))
    }
    try say(NotebookReport.written(file, blocks: blocks.count, differing: differing.count))
    return false
  }

  private func open(_ store: String?, for file: String) throws(Failure) -> NotebookSession {
    guard let store else { return NotebookSession(nil, now: services.now) }
    if let path = try NamedStore(store, namedIn: file).path() {
      let bytes = try services.readFile(path)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      do throws(StoreProblems) {
        let contents = try StoreReader(
          bytes, name: name.split(separator: ".").first.map(String.init) ?? name
        ).read()
        return NotebookSession(contents, now: services.now)
      } catch { throw Failure(error) }
    }
    throw Failure([Diagnostic(NotebookProblem.noStore(store))], status: .storeFailed)
  }

  private func say(_ text: String) throws { try services.results.append(text + "\n") }

  /// Shows the removed lines and the added ones.
  private func show(_ block: Notebook.Block, _ file: String) throws {
    let difference = LineDifference(from: block.lines, to: block.now)
    try say(localized("\(file):\(block.firstLine + difference.firstLine): the block differs"))
    for change in difference.changes {
      switch change {
      case .removed(let line): try say("  - \(line)")
      case .added(let line): try say("  + \(line)")
      }
    }
  }
}

enum NotebookReport {
  static func checked(_ file: String, blocks: Int, differing: Int) -> String {
    let state =
      switch differing {
      case 0: localized("no differences")
      case 1: localized("1 differs; --write updates it")
      default: localized("\(differing) differ; --write updates them")
      }
    return "\(file): " + [counted(blocks, "block", "blocks"), state].list
  }

  static func written(_ file: String, blocks: Int, differing: Int) -> String {
    let state =
      differing == 0
      ? localized("nothing to update") : localized("\(differing) updated")
    return "\(file): " + [counted(blocks, "block", "blocks"), state].list
  }
}
