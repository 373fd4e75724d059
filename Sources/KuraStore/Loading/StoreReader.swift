import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraGraph
import KuraJSON
import KuraSentences

/// The content of a file or pipe that was read.
package struct StoreContents: Sendable {
  package var graph: Graph
  /// Whether it is a store's document; `save` alone does not write plain JSON.
  package var isStore: Bool
  /// The identifier of the zone, `Asia/Tokyo`; nil is UTC.
  package var timeZoneID: String?
  /// The JSON text of the document's own `userInfo`.
  package var userInfo: String?
  /// The faults that do not prevent reading, such as a key that an object of plain JSON has twice.
  package var warnings: [Diagnostic] = []
  /// The changes of other processes since the last save, if known; nil if everything was read.
  package var news: [ChangeSet]?

  package init(
    graph: Graph, isStore: Bool, timeZoneID: String? = nil, userInfo: String? = nil
  ) {
    self.graph = graph
    self.isStore = isStore
    self.timeZoneID = timeZoneID
    self.userInfo = userInfo
  }
}

/// All problems of an input.
package struct StoreProblems: Error, Sendable {
  package var diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

/// Reads a JSON file: a store's document, or plain JSON.
package struct StoreReader {
  /// The file's path as the user gave it; nil for standard input.
  private(set) var path: String?
  /// The descriptor of an open file, which stays open.
  private(set) var file: Int32?
  /// The entity name of plain JSON's rows: the file's name without its extension, or `input`.
  private(set) var entityName = "input"
  /// The input if there is no path.
  private(set) var pipe = InputWindow(descriptor: -1, step: 1)
  /// How many bytes are read at once.
  private var step = 1 << 20
  private var parallelReading = ParallelReading.none
  /// Repairs damaged plain JSON; nil for a strict reading.
  private(set) var lenient: LenientReading?
  /// Whether another reader only tries this reading, and needs no explanation of an error.
  private var isTrial = false
  let progress: WorkProgress
  let cancel: CancelFlag

  /// Creates a reader of a file.
  ///
  /// With `file`, the path is only a name: the open file is read.
  package init(
    path: String, file: Int32? = nil, step: Int = 1 << 20,
    parallelReading: ParallelReading = .standard, isLenient: Bool = false,
    progress: WorkProgress = .none, cancel: CancelFlag = CancelFlag()
  ) {
    (self.path, self.file, self.step) = (path, file, step)
    (self.parallelReading, self.progress, self.cancel) = (parallelReading, progress, cancel)
    lenient = isLenient ? LenientReading() : nil
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    if !name.isEmpty { entityName = name }
  }

  /// Creates a reader of standard input, or of another pipe.
  package init(
    descriptor: Int32 = 0, step: Int = 1 << 20, isLenient: Bool = false,
    progress: WorkProgress = .none, cancel: CancelFlag = CancelFlag()
  ) {
    let repaired = isLenient ? RepairedInput(descriptor: descriptor, name: nil) : nil
    self.init(
      InputWindow(descriptor: descriptor, step: step, repaired: repaired), progress, cancel)
  }

  /// Creates a reader of bytes in memory; `name` is the entity name of plain JSON.
  package init(_ bytes: [UInt8], name: String = "input") {
    self.init(InputWindow(bytes))
    entityName = name
  }

  private init(
    _ pipe: InputWindow, _ progress: WorkProgress = .none, _ cancel: CancelFlag = CancelFlag()
  ) {
    (self.pipe, self.progress, self.cancel) = (pipe, progress, cancel)
    lenient = pipe.repaired.map { _ in LenientReading() }
    lenient?.window = pipe
  }

  /// Reads the whole input.
  ///
  /// Throws `StoreProblems` with all problems, each with its place in the input.
  package func read() throws(StoreProblems) -> StoreContents {
    defer { progress.end() }
    if let contents = whole { return contents }
    do throws(LoadFailure) {
      let contents = try readFormat()
      return lenient?.noting(name, contents) ?? contents
    } catch {
      throw problems(error)
    }
  }
}

extension StoreReader {
  /// The plain JSON of a file that needs no repair, although it may be repaired; nil for any other input.
  private var whole: StoreContents? {
    guard lenient != nil, !isTrial, let path, isRegularFile(path) else { return nil }
    var strict = StoreReader(
      path: path, step: step, parallelReading: parallelReading, cancel: cancel)
    strict.isTrial = true
    guard let contents = try? strict.read(), !contents.isStore else { return nil }
    return contents
  }

  /// Determines the format from the first value, and reads the input as that.
  private func readFormat() throws(LoadFailure) -> StoreContents {
    var loader = try open()
    guard try loader.skipToValue() else {
      let isDamaged = lenient?.report.isEmpty == false
      throw .problem(isDamaged ? .nothingToRepair : .empty)
    }
    switch loader.scanner.p.pointee {
    case 0x5B:
      if let plain = try loader.plainArray(name: entityName) { return StoreContents(plain: plain) }
      return try readLinesAgain(loader)
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
    if lenient != nil { throw .problem(.lenientStore(path: path)) }
    var reader = StoreDocumentReader()
    defer { reader.assembly?.free() }
    try reader.read(&loader)
    if reader.hasSkippedObjects {
      guard reader.header.model != nil else { throw .problem(.noModel) }
      reader = StoreDocumentReader(known: reader.header)
      var again = try reopen(loader, else: .isStore)
      try reader.read(&again)
    }
    return try reader.opened { finder in located(finder, loader) }
  }

  /// Returns the problems with their places, or without if the input cannot be read again.
  private func located(_ finder: RowFinder, _ loader: Loader) -> [RowProblem] {
    guard finder.isNeeded else { return finder.problems }
    var finder = finder
    do {
      var again = try reopen(loader, else: .isStore)
      try finder.read(&again)
    } catch {
      // The problems are known, and more important than why their places are not.
    }
    return finder.problems
  }

  /// Reads an object of arrays, or one object, or a store in which the format is not the first key.
  private func readPlainObject(_ loader: inout Loader) throws(LoadFailure) -> StoreContents {
    var plain: PlainJSON?
    do {
      plain = try loader.plainObject(name: entityName)
    } catch .isStore {
      var again = try reopen(loader, else: .isStore)
      return try readStore(&again)
    }
    if try !loader.skipToValue(), let plain { return StoreContents(plain: plain) }
    return try readLinesAgain(loader)
  }

  /// Reads the input again as JSON Lines, each value a row.
  private func readLinesAgain(_ loader: Loader) throws(LoadFailure) -> StoreContents {
    var again = try reopen(loader, else: .syntax(loader.trailing))
    return StoreContents(plain: try again.plainLines(name: entityName))
  }

  /// Returns a loader at the start of the same input; for a pipe only while all of it is in the window.
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

  /// Opens the input; reports a directory or a missing file as such.
  func open() throws(LoadFailure) -> Loader {
    guard let path else {
      pipe.cancel = cancel
      pipe.progress = watch(name, of: nil)
      let loader = try Loader(pipe)
      try checkEncoding(loader)
      return loader
    }
    let descriptor =
      file.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .problem(.notOpened(path, errno)) }
    let status = try? FileOperations.live.status(descriptor)
    if status?.kind == .folder {
      close(descriptor)
      throw .problem(.isDirectory(path: path))
    }
    let isSeekable = lenient == nil && status?.isRegular == true
    let name = URL(fileURLWithPath: path).lastPathComponent
    let window = InputWindow(
      descriptor: descriptor, closesAtEnd: true, step: step,
      fileSize: isSeekable ? status.map { Int($0.size) } : nil,
      repaired: lenient.map { _ in RepairedInput(descriptor: descriptor, name: name) })
    lenient?.window = window
    window.cancel = cancel
    window.progress = watch(name, of: window.fileSize)
    let loader = try Loader(window, parallelReading: parallelReading)
    try checkEncoding(loader)
    return loader
  }

  /// The path, or the name of standard input.
  var name: String { path ?? localized("standard input") }

  /// Returns a function that reports how many bytes have been read.
  private func watch(_ name: String, of total: Int?) -> @Sendable (Int) -> Void {
    let report = progress.report
    return { done in report(WorkProgress.Moment(.loading(name), done: done, of: total)) }
  }

  /// Throws if the first bytes show UTF-16, UTF-32 or another encoding.
  private func checkEncoding(_ loader: Loader) throws(LoadFailure) {
    let count = loader.scanner.end - loader.scanner.p
    guard count >= 2 else { return }
    if count >= 4 {
      let four = (0..<4).map { loader.scanner.p[$0] }
      if [[0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0]].contains(four) || four[..<3] == [0, 0, 0]
        || four[1...] == [0, 0, 0]
      {
        throw .problem(.notUTF8(encoding: "UTF-32"))
      }
    }
    switch (loader.scanner.p[0], loader.scanner.p[1]) {
    case (0, 1...), (1..., 0), (0xFF, 0xFE), (0xFE, 0xFF):
      throw .problem(.notUTF8(encoding: "UTF-16"))
    case (0x1F, 0x8B): throw .problem(.notUTF8(encoding: "gzip"))
    default: return
    }
  }

  /// Returns all problems, each with the lines of the input around its place.
  func problems(_ failure: LoadFailure) -> StoreProblems {
    switch failure {
    case .input(let error):
      return StoreProblems([
        Diagnostic(StoreProblem.cannotRead(path: name, errorNumber: error.number))
      ])
    case .syntax(let error):
      return StoreProblems([located(almostJSON(error) ?? Diagnostic(syntax: error))])
    case .diagnostics(let diagnostics): return StoreProblems(diagnostics.map(located))
    case .isStore: return StoreProblems([Diagnostic(StoreProblem.modelAfterObjects)])
    }
  }

  /// Adds the input's name to the sentence of a diagnostic of the whole input, unless it contains the name.
  private func named(_ diagnostic: Diagnostic) -> Diagnostic {
    var result = diagnostic
    switch diagnostic.facts {
    case StoreProblem.empty, StoreProblem.notUTF8, StoreProblem.nothingToRepair:
      result.source = SourceText("", name: name)
    default: break
    }
    return result
  }

  /// Adds the part of the file around the span to a diagnostic.
  private func located(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let span = diagnostic.span else { return named(diagnostic) }
    let excerpt =
      if let path, lenient == nil {
        InputExcerpt(path: path, span: span)
      } else {
        InputExcerpt(lenient?.window ?? pipe, name: path, span: span)
      }
    guard let excerpt else { return diagnostic }
    var result = diagnostic
    result.source = excerpt.source
    result.span = excerpt.span
    result.fixIts = diagnostic.fixIts.map { $0.mapSpans(excerpt.shifted) }
    return result
  }
}

extension StoreContents {
  init(plain: PlainJSON) {
    self.init(graph: plain.graph, isStore: false)
    if var first = plain.repeated.first.first {
      first.kind = .repeatedKey(others: plain.repeated.count - 1)
      warnings = [Diagnostic(StoreProblem.row(first), severity: .warning)]
    }
  }
}

/// A reading that repairs damaged plain JSON.
final class LenientReading {
  /// The window of the repaired bytes; the last one, if the input was opened twice.
  var window: InputWindow?

  var report: RepairReport { window?.repaired?.report ?? RepairReport() }

  /// Returns contents with a warning that lists the repairs, if there are any.
  func noting(_ name: String, _ contents: StoreContents) -> StoreContents {
    guard !report.isEmpty else { return contents }
    var contents = contents
    contents.warnings.insert(
      Diagnostic(RepairedInputFacts(name: name, report: report), severity: .warning), at: 0)
    return contents
  }
}

extension StoreReader {
  /// Returns a diagnostic that names what is not JSON, and offers `--lenient` if that can read the
  /// input; nil if nothing more than the error is known.
  ///
  /// Linear in the input, which it reads once more.
  private func almostJSON(_ error: JSONSyntaxError) -> Diagnostic? {
    guard lenient == nil, !isTrial, let trial = lenientTrial else { return nil }
    let isReadable = (try? trial.read()) != nil
    guard !cancel.isRequested, let first = trial.lenient?.report.first,
      first.range.lowerBound <= error.offset || first.kind == .cutOff
    else { return nil }
    let isAnotherLine = first.kind == .line && error.offset >= first.range.upperBound
    let syntax =
      isAnotherLine
      ? JSONSyntaxError(.unexpectedEnd(expected: .value), at: first.range.upperBound) : error
    let isNamed = first.kind.sentence("") != nil
    return Diagnostic(
      StoreProblem.almostJSON(syntax, first, lenientPath: isReadable ? path ?? "-" : nil),
      at: isNamed
        ? SourceSpan(first.range.lowerBound, first.range.upperBound)
        : SourceSpan(syntax.offset, syntax.offset + 1))
  }

  /// A lenient reader of the same input; nil if the input cannot be read again.
  private var lenientTrial: StoreReader? {
    if let path {
      guard file != nil || isRegularFile(path) else { return nil }
      var trial = StoreReader(path: path, isLenient: true, cancel: cancel)
      trial.isTrial = true
      return trial
    }
    guard pipe.descriptor >= 0, pipe.baseOffset == 0, pipe.isAtEnd else { return nil }
    let count = pipe.end - pipe.start - 1
    let bytes = Array(UnsafeBufferPointer(start: pipe.start, count: count))
    let repaired = InputWindow(descriptor: -1, step: count + 1, repaired: RepairedInput(bytes))
    return StoreReader(repaired, .none, cancel)
  }
}

extension Diagnostic {
  fileprivate init(syntax error: JSONSyntaxError) {
    self.init(StoreProblem.syntax(error), at: SourceSpan(error.offset, error.offset + 1))
  }
}
