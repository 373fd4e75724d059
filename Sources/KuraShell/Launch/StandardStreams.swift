import Foundation

/// Standard input, output and error of the process.
package enum StandardStreams {
  /// Puts something that fails in the place of a stream that is closed.
  ///
  /// Else the store, which is opened next, would get its number, and results would be written
  /// into it.
  package static func openMissing() {
    for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)]
    where fcntl(file, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }
}
