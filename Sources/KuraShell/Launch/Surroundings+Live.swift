import Foundation
import KuraBytes
package import KuraDiagnostics
import KuraStore
import KuraValues

extension Surroundings {
  /// The files, the clock and the streams of this process; nobody to ask, and no terminal.
  package static func live(style: DiagnosticStyle) -> Surroundings {
    Surroundings(
      openStore: { source, progress throws(StoreProblems) in try source.read(progress) },
      writeStore: { store, target throws(StoreProblems) in
        try StoreWriter(path: target.path).write(
          store, replacing: target.replaces, expected: target.expected)
        return FileStamp(path: target.path)
      },
      readFile: { path throws(Failure) in try LiveFiles.read(path) },
      readInput: { () throws(Failure) in try LiveFiles.readInput() },
      openOutput: { place throws(Failure) in try LiveFiles.open(place) },
      results: LiveFiles.stream(to: 1, "standard output"),
      report: { LiveFiles.report($0) }, ask: nil,
      now: { .now }, uptime: { LiveFiles.uptime() },
      systemTimeZone: { TimeZone.current.identifier }, systemLocale: { Locale.current },
      terminalWidth: { nil }, style: style, cancel: .current)
  }
}

extension StoreSource {
  func read(_ progress: WorkProgress) throws(StoreProblems) -> OpenedStore {
    switch self {
    case .file(let path): try StoreReader(path: path, progress: progress).read()
    case .standardInput: try StoreReader(progress: progress).read()
    }
  }
}
