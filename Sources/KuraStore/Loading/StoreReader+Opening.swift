import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraSentences

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
