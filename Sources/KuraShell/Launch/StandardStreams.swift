import Foundation
import KuraDiagnostics

/// Standard input, output and error of the process.
package enum StandardStreams {
  /// Makes them safe to use: to be called before any file is opened.
  package static func prepare() {
    // A reader that is gone is an error of the write, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    openMissing()
  }

  /// Ends the process with a message, in which what an argument hides is shown.
  package static func refuse(_ message: String, _ status: Int32) -> Never {
    var shown: [UInt8] = []
    Array(message.utf8).withUnsafeBytes { VisibleText.append(lines: $0, to: &shown) }
    LiveFiles.report(String(decoding: shown, as: UTF8.self) + "\n")
    exit(status)
  }

  /// Puts something that fails in the place of a stream that is closed.
  ///
  /// Else the store, which is opened next, would get its number, and results would be written
  /// into it.
  private static func openMissing() {
    for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)]
    where fcntl(file, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }
}
