import Foundation
import KuraBytes

extension LiveFiles {
  /// A stream to an open file, with the name that messages give it.
  static func stream(
    to file: Int32, _ name: String, finish: @escaping () throws -> Void = {}
  ) -> ResultStream {
    ResultStream(
      isTerminal: isatty(file) == 1, write: { try write($0, to: file, name) }, finish: finish)
  }

  /// Writes everything; a reader that is gone is `ClosedOutput`, and Control-C ends a wait.
  static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw ClosedOutput()
      } else if errno == EINTR {
        try CancelFlag.current.check()
      } else {
        throw Failure(ShellFacts.cannotWriteResults(to: name, reason: reason(errno)))
      }
    }
  }

  static func open(_ place: OutputPlace) throws(Failure) -> ResultStream {
    switch place {
    case .file(let path): try openFile(path)
    case .command(let command): try openCommand(command)
    }
  }

  private static func openFile(_ path: String) throws(Failure) -> ResultStream {
    let file = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw Failure(ShellFacts.cannotWrite(path: path, reason: reason(errno)))
    }
    let name = "\"\(path)\""
    return stream(to: file, name) {
      // What a full or a remote disk could not take is said here at the latest.
      guard close(file) != 0, errno != EINTR else { return }
      throw Failure(ShellFacts.cannotWriteResults(to: name, reason: reason(errno)))
    }
  }

  private static func openCommand(_ command: String) throws(Failure) -> ResultStream {
    let process = try CommandProcess(command)
    return ResultStream(
      write: { try write($0, to: process.input, "the command") }, finish: { try process.end() })
  }
}
