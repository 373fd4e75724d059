import Foundation
import KuraDiagnostics
import KuraSentences
package import KuraStore

extension LiveFiles {
  /// Where columns are cached, unless the environment says `KURA_CACHE=off`.
  package static var cache: CacheSettings? {
    if getenv("KURA_CACHE").map({ String(cString: $0).lowercased() }) == "off" { return nil }
    var cache = CacheSettings(
      folder: cacheFolder, program: CacheSettings.program(version: Version.current))
    cache.lost = { path in
      StandardStreams.refuse(
        Diagnostic(CacheFacts.lost(path)).rendered(style: .plain), ExitStatus.storeFailed.rawValue)
    }
    return cache
  }

  private static var cacheFolder: String {
    let folder = getenv("XDG_CACHE_HOME").map { String(cString: $0) } ?? ""
    return (folder.hasPrefix("/") ? folder : home(".cache")) + "/kura"
  }
}

/// Why a process ends that was answering from a cache.
private enum CacheFacts: DiagnosticFacts {
  /// Its path.
  case lost(String)

  var sentence: String {
    switch self {
    case .lost(let path):
      localized(
        "the columns that were kept of \"\(path)\" are damaged, and the document was changed since it was opened"
      )
    }
  }

  var help: String? { localized("nothing is lost: open it once more") }
}
