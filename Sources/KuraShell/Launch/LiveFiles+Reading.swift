import Foundation
import KuraBytes
import KuraSentences

extension LiveFiles {
  /// Reads a file whole; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let next = try pieces(path)
    var bytes: [UInt8] = []
    while let more = try next() {
      bytes += more
      // A device has no end.
      guard bytes.count <= Session.longestStatement else {
        throw Failure(
          FileFacts.cannotRead(
            path: path, reason: localized("it is larger than \(Session.longestStatement >> 20) MB"))
        )
      }
    }
    return bytes
  }

  static func script(_ path: String) throws(Failure) -> ScriptInput {
    ScriptInput(name: path, read: try pieces(path))
  }

  /// The pieces of a file, nil behind the last: a plain file is one, a pipe comes as it comes.
  private static func pieces(_ path: String) throws(Failure) -> Pieces {
    if isStandardInput(path) { return readInput }
    let file = try OpenScript(path)
    return { () throws(Failure) in try file.next() }
  }

  private typealias Pieces = () throws(Failure) -> [UInt8]?

  /// `-`, and what a system may not let a process open a second time.
  static func isStandardInput(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0"].contains(path)
  }

  /// What standard input has now; waits if that is nothing.
  static func readInput() throws(Failure) -> [UInt8]? {
    try bytes(of: 0, path: "standard input", atMost: 65_536)
  }

  /// The next bytes of an open file; nil at its end. Control-C ends a wait.
  fileprivate static func bytes(
    of file: Int32, path: String, atMost limit: Int
  ) throws(Failure) -> [UInt8]? {
    while true {
      var length = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        length = Foundation.read(file, buffer.baseAddress, buffer.count)
        count = max(0, length)
      }
      if length >= 0 { return length == 0 ? nil : bytes }
      try checkWait(errno, path)
    }
  }

  /// Throws unless a call of the system is to be made again.
  fileprivate static func checkWait(_ code: Int32, _ path: String) throws(Failure) {
    guard code == EINTR else {
      throw Failure(FileFacts.cannotRead(path: path, reason: reason(code)))
    }
    if CancelFlag.current.isRequested { throw Failure(StopFacts.stopped) }
  }
}

/// A script that is open.
private final class OpenScript {
  private let path: String
  private let file: Int32
  private let limit: Int

  init(_ path: String) throws(Failure) {
    self.path = path
    while true {
      let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
      if file >= 0 {
        self.file = file
        break
      }
      try LiveFiles.checkWait(errno, path)
    }
    var status = stat()
    let isPlain = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    limit = isPlain ? max(4096, Int(status.st_size) + 1) : 65_536
  }

  deinit { close(file) }

  func next() throws(Failure) -> [UInt8]? {
    try LiveFiles.bytes(of: file, path: path, atMost: limit)
  }
}

extension LiveFiles {
  /// A person's own settings; nil where there are none.
  ///
  /// What somebody else could have written is not read, for it may run commands.
  static func readOwn(_ path: String) throws(Failure) -> [UInt8]? {
    // A pipe would be waited for.
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard file >= 0 else {
      throw Failure(FileFacts.cannotRead(path: path, reason: reason(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw Failure(FileFacts.cannotRead(path: path, reason: reason(errno)))
    }
    if let fault = OwnFileFault(status) { throw Failure(FileFacts.ownFileOfOthers(path, fault)) }
    var bytes: [UInt8] = []
    while let more = try self.bytes(of: file, path: path, atMost: 65_536) { bytes += more }
    return bytes
  }
}

extension OwnFileFault {
  init?(_ status: stat) {
    if status.st_mode & S_IFMT != S_IFREG {
      self = .isNoFile
    } else if status.st_uid != geteuid(), status.st_uid != 0 {
      self = .isOthers
    } else if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      self = .isWritable
    } else {
      return nil
    }
  }
}
