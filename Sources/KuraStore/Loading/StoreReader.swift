import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraGraph
import KuraJSON
import KuraSentences

/// What was read from a file or pipe.
package struct StoreContents: Sendable {
  package var graph: Graph
  /// Whether it is a store's document; plain JSON is not, and `save` alone does not write it.
  package var isStore: Bool
  /// `Asia/Tokyo`; nil is UTC.
  package var timeZoneID: String?
  /// The JSON text of the document's own `userInfo`.
  package var userInfo: String?
  /// Keys at the top of plain JSON that are no arrays of objects.
  package var leftOut: [String] = []
  /// What others have changed since this was saved last, where it is known; nil where all was read.
  package var news: [ChangeSet]?

  package init(
    graph: Graph, isStore: Bool, timeZoneID: String? = nil, userInfo: String? = nil,
    leftOut: [String] = []
  ) {
    self.graph = graph
    self.isStore = isStore
    self.timeZoneID = timeZoneID
    self.userInfo = userInfo
    self.leftOut = leftOut
  }
}

/// Everything that is wrong with an input.
package struct StoreProblems: Error, Sendable {
  package var diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

/// Opens a file of JSON: a store's document, or plain JSON.
package struct StoreReader {
  /// The file's path as the user gave it; nil for standard input.
  let path: String?
  /// The file itself, where it is open already; it stays open.
  let file: Int32?
  /// What plain JSON's rows are called: the file's name without its extension, or `input`.
  let entityName: String
  /// What is read where there is no path.
  let pipe: InputWindow
  /// How many bytes are read at once.
  let step: Int
  let sharing: Sharing
  let progress: WorkProgress
  /// Who asks for it ends the reading.
  let cancel: CancelFlag

  ///
  /// With `file`, the path is but a name: what is open there is read.
  package init(
    path: String, file: Int32? = nil, step: Int = 1 << 20, sharing: Sharing = .standard,
    progress: WorkProgress = .none, cancel: CancelFlag = CancelFlag()
  ) {
    self.path = path
    self.file = file
    self.progress = progress
    self.cancel = cancel
    pipe = InputWindow(descriptor: -1, step: 1)
    self.step = step
    self.sharing = sharing
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    entityName = name.isEmpty ? "input" : name
  }

  /// A reader of standard input, or of another pipe.
  package init(
    descriptor: Int32 = 0, step: Int = 1 << 20, progress: WorkProgress = .none,
    cancel: CancelFlag = CancelFlag()
  ) {
    self.progress = progress
    self.cancel = cancel
    path = nil
    file = nil
    pipe = InputWindow(descriptor: descriptor, step: step)
    self.step = step
    sharing = .none
    entityName = "input"
  }

  /// A reader of what is in memory; plain JSON is called so.
  package init(_ bytes: [UInt8], name: String = "input") {
    progress = .none
    cancel = CancelFlag()
    path = nil
    file = nil
    pipe = InputWindow(bytes)
    step = bytes.count + 1
    sharing = .none
    entityName = name
  }

  /// Reads it whole.
  ///
  /// Throws `StoreProblems` with everything that is wrong, each with its place in the input.
  package func read() throws(StoreProblems) -> StoreContents {
    defer { progress.end() }
    do throws(LoadFailure) {
      return try readFormat()
    } catch {
      throw problems(error)
    }
  }
}

extension StoreReader {
  /// Finds out what it is by its first value, and reads it as that.
  private func readFormat() throws(LoadFailure) -> StoreContents {
    var loader = try open()
    guard try loader.skipToValue() else { throw .diagnostics([Diagnostic(StoreFacts.empty)]) }
    switch loader.scanner.p.pointee {
    case 0x5B: return StoreContents(plain: try loader.plainArray(name: entityName))
    case 0x7B: return try readObject(&loader)
    default: return StoreContents(plain: try loader.plainLines(name: entityName))
    }
  }

  private func readObject(_ loader: inout Loader) throws(LoadFailure) -> StoreContents {
    switch try loader.lookAhead() {
    case .lines: return StoreContents(plain: try loader.plainLines(name: entityName))
    case .store: return try readStore(&loader)
    case .object: return try readPlainObject(&loader)
    }
  }

  private func readStore(_ loader: inout Loader) throws(LoadFailure) -> StoreContents {
    var reader = StoreDocumentReader()
    defer { reader.assembly?.free() }
    try reader.read(&loader)
    if reader.hasSkippedObjects {
      guard reader.header.model != nil else { throw .diagnostics([Diagnostic(StoreFacts.noModel)]) }
      reader = StoreDocumentReader(known: reader.header)
      var again = try reopen(loader, else: .isStore)
      try reader.read(&again)
    }
    return try reader.opened { finder in located(finder, loader) }
  }

  /// The problems with their places; without, where the input cannot be read again.
  private func located(_ finder: RowFinder, _ loader: Loader) -> [RowProblem] {
    guard finder.isNeeded else { return finder.problems }
    var finder = finder
    do {
      var again = try reopen(loader, else: .isStore)
      try finder.read(&again)
    } catch {
      // The problems themselves are known, and are worth more than why their places are not.
    }
    return finder.problems
  }

  /// An object of arrays, or one object; a store whose format is not its first key, too.
  private func readPlainObject(_ loader: inout Loader) throws(LoadFailure) -> StoreContents {
    var plain: PlainJSON?
    do {
      plain = try loader.plainObject()
    } catch .isStore {
      var again = try reopen(loader, else: .isStore)
      return try readStore(&again)
    }
    if try loader.skipToValue() { return try readLinesAgain(loader) }
    if let plain { return StoreContents(plain: plain) }
    var again = try reopen(loader, else: .syntax(loader.trailing))
    return StoreContents(plain: try again.plainLines(name: entityName))
  }

  /// What began as one object larger than the window goes on: it was the first of JSON Lines.
  private func readLinesAgain(_ loader: Loader) throws(LoadFailure) -> StoreContents {
    var again = try reopen(loader, else: .syntax(loader.trailing))
    return StoreContents(plain: try again.plainLines(name: entityName))
  }

  /// The same input from its start; a pipe only while all of it is in the window.
  private func reopen(
    _ loader: Loader, else failure: LoadFailure
  ) throws(LoadFailure) -> Loader {
    if loader.window.baseOffset == 0 { return loader.atStart() }
    // A pipe that has a path (`/dev/fd/63`) cannot be read twice either.
    guard let path, file != nil || isRegularFile(path) else { throw failure }
    var again = try open()
    _ = try again.skipToValue()
    return again
  }
}

extension StoreReader {
  /// Opens the input; a directory, and a file that is not there, are said as such.
  func open() throws(LoadFailure) -> Loader {
    guard let path else {
      pipe.cancel = cancel
      pipe.progress = watch(localized("standard input"), of: nil)
      var loader = try Loader(pipe)
      try checkEncoding(&loader)
      return loader
    }
    let descriptor = file.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? openFile(path)
    guard descriptor >= 0 else {
      throw failure(.notOpened(path, errno))
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw failure(.isDirectory(path: path))
    }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    let window = InputWindow(
      descriptor: descriptor, closesAtEnd: true, step: step,
      fileSize: isRegular ? Int(status.st_size) : nil)
    let name = URL(fileURLWithPath: path).lastPathComponent
    window.cancel = cancel
    window.progress = watch(name, of: window.fileSize)
    var loader = try Loader(window, sharing: sharing)
    try checkEncoding(&loader)
    return loader
  }

  private func openFile(_ path: String) -> Int32 { Foundation.open(path, O_RDONLY | O_CLOEXEC) }

  /// Reports how many bytes have been read.
  private func watch(_ name: String, of total: Int?) -> @Sendable (Int) -> Void {
    let report = progress.report
    return { done in report(WorkProgress.Moment(.loading(name), done: done, of: total)) }
  }

  /// A file in UTF-16 or UTF-32 says so in its first bytes.
  private func checkEncoding(_ loader: inout Loader) throws(LoadFailure) {
    let bytes = (loader.scanner.p[0], loader.scanner.p[1])
    guard scanner(loader, holds: 2) else { return }
    switch bytes {
    case (0, 1...), (1..., 0): throw failure(.notUTF8(encoding: "UTF-16"))
    case (0xFF, 0xFE), (0xFE, 0xFF): throw failure(.notUTF8(encoding: "UTF-16"))
    case (0x1F, 0x8B): throw failure(.notUTF8(encoding: "gzip"))
    default: return
    }
  }

  private func scanner(_ loader: Loader, holds count: Int) -> Bool {
    loader.scanner.end - loader.scanner.p >= count
  }

  private func failure(_ facts: StoreFacts) -> LoadFailure { .diagnostics([Diagnostic(facts)]) }

  /// Everything that is wrong, each with the lines of the input around its place.
  func problems(_ failure: LoadFailure) -> StoreProblems {
    switch failure {
    case .input(let error):
      return StoreProblems([
        Diagnostic(
          StoreFacts.cannotRead(
            path: path ?? localized("standard input"), errorNumber: error.errorNumber))
      ])
    case .syntax(let error):
      let place = SourceSpan(error.offset, error.offset + 1)
      return StoreProblems([located(Diagnostic(StoreFacts.syntax(error), at: place))])
    case .diagnostics(let diagnostics): return StoreProblems(diagnostics.map(located))
    case .isStore: return StoreProblems([Diagnostic(StoreFacts.modelBehindObjects)])
    }
  }

  /// What is said of a whole input says which it is, where its sentence does not.
  private func named(_ diagnostic: Diagnostic) -> Diagnostic {
    var result = diagnostic
    switch diagnostic.facts {
    case StoreFacts.empty, StoreFacts.notUTF8:
      result.source = SourceText("", name: path ?? localized("standard input"))
    default: break
    }
    return result
  }

  /// The diagnostic with the part of the file that its span is in.
  private func located(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let span = diagnostic.span else { return named(diagnostic) }
    guard
      let excerpt = path.map({ InputExcerpt(path: $0, span: span) })
        ?? InputExcerpt(pipe, span: span)
    else { return diagnostic }
    var result = diagnostic
    result.source = excerpt.source
    result.span = excerpt.span
    result.fixIts = diagnostic.fixIts.map { $0.mapSpans(excerpt.shifted) }
    return result
  }
}

extension StoreContents {
  init(plain: PlainJSON) {
    self.init(graph: plain.graph, isStore: false, leftOut: plain.leftOut)
  }
}
