import Foundation
import KuraBytes

/// The calls of the system that a session's surroundings make.
package enum LiveFiles {
  /// What went wrong, as the system says it.
  static func reason(_ code: Int32) -> String {
    code == EISDIR ? "it is a folder" : String(cString: strerror(code)).lowercased()
  }

  static func report(_ text: String) {
    var text = text
    text.withUTF8 { try? write(UnsafeRawBufferPointer($0), to: 2, "standard error") }
  }

  static func uptime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension LiveFiles {
  /// The path of a file in the person's own folder.
  package static func home(_ name: String) -> String {
    let home = ProcessInfo.processInfo.environment["HOME"].map { URL(filePath: $0) }
    return (home ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: name).path
  }
}
