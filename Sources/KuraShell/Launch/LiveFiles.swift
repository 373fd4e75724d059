import Foundation
import KuraBytes

/// The calls of the system that a session's surroundings make.
package enum LiveFiles {
  /// Reads a script whole; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    if path == "-" {
      var bytes: [UInt8] = []
      while let more = try readInput() { bytes += more }
      return bytes
    }
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw Failure(ShellFacts.cannotRead(path: path, reason: reason(of: error, path)))
    }
  }

  private static func reason(of error: any Error, _ path: String) -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return "it is a folder"
    }
    return reason(of: error)
  }

  private static func reason(of error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else {
      return (error as? CocoaError)?.posixReason ?? error.localizedDescription
    }
    return reason(Int32(truncatingIfNeeded: underlying.code))
  }

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }

  /// What standard input has now; waits if that is nothing.
  static func readInput() throws(Failure) -> [UInt8]? {
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      repeat {
        length = Foundation.read(0, buffer.baseAddress, buffer.count)
      } while length < 0 && errno == EINTR
      count = max(0, length)
    }
    if length < 0 {
      throw Failure(ShellFacts.cannotRead(path: "standard input", reason: reason(errno)))
    }
    return length == 0 ? nil : bytes
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
  /// A stream to an open file, with the name that messages give it.
  static func stream(
    to file: Int32, _ name: String, finish: @escaping () throws -> Void = {}
  ) -> ResultStream {
    ResultStream(write: { try write($0, to: file, name) }, finish: finish)
  }

  /// Writes everything; a reader that is gone is `ClosedOutput`, and Control-C ends a wait.
  private static func write(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String
  ) throws {
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

  /// A command that is no longer reading is no error: a pager was left.
  private static func openCommand(_ command: String) throws(Failure) -> ResultStream {
    guard let process = popen(command, "w") else {
      throw Failure(ShellFacts.cannotRun(command: command, reason: reason(errno)))
    }
    let file = fileno(process)
    return ResultStream(
      write: { bytes in
        do { try write(bytes, to: file, "the command") } catch is ClosedOutput {}
      }, finish: { pclose(process) })
  }
}

extension LiveFiles {
  /// The path of a file in the person's own folder.
  package static func home(_ name: String) -> String {
    let home = ProcessInfo.processInfo.environment["HOME"].map { URL(filePath: $0) }
    return (home ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: name).path
  }
}

extension CocoaError {
  fileprivate var posixReason: String? {
    switch code {
    case .fileReadNoSuchFile, .fileNoSuchFile: LiveFiles.reason(ENOENT)
    case .fileReadNoPermission: LiveFiles.reason(EACCES)
    default: nil
    }
  }
}
