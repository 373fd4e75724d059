import Foundation
import KuraBytes
package import KuraDiagnostics
import KuraStore
import KuraValues

extension Surroundings {
  /// The files, the clock and the streams of this process; nobody to ask, and no terminal.
  package static func live(style: DiagnosticStyle) -> Surroundings {
    Surroundings(
      openStore: { source, options, progress throws(StoreProblems) in
        try source.open(options, progress)
      },
      makeStore: { store, target, options, waits throws(StoreProblems) in
        try StoreKeeper.make(store, path: target.path, replaces: target.replaces, options, waits)
      },
      readFile: { path throws(Failure) in try LiveFiles.read(path) },
      openScript: { path throws(Failure) in try LiveFiles.script(path) },
      readOwnFile: { path throws(Failure) in try LiveFiles.readOwn(path) },
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
  func open(
    _ options: KeepingOptions, _ progress: WorkProgress
  ) throws(StoreProblems) -> StoreOpenResult {
    switch self {
    case .file(let path): try StoreKeeper.open(path: path, options, progress: progress)
    case .standardInput:
      StoreOpenResult(store: try StoreReader(progress: progress).read(), keeper: nil)
    }
  }
}
