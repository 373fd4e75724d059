import Foundation
import KuraBytes
import KuraSentences

extension LiveFiles {
  /// Reads a file whole; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    if isStandardInput(path) { return try whole(of: 0, path) }
    let file = try OpenScript(path)
    return try file.whole()
  }

  /// All bytes of an open file, which may be a pipe or a device without an end.
  fileprivate static func whole(of file: Int32, _ path: String) throws(Failure) -> [UInt8] {
    var status = stat()
    let isPlain = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = isPlain ? Int64(status.st_size) : nil
    let read = try FileLimit.text.read(size: size, .current) { (window, _) throws(Failure) in
      try fill(window, from: file, path)
    }
    switch read {
    case .whole(let bytes): return bytes
    case .tooLarge:
      throw Failure(
        FileFacts.cannotRead(
          path: path, reason: localized("it is larger than \(FileLimit.text.megabytes) MB")))
    case .stopped: throw Failure(StopFacts.stopped)
    }
  }

  /// Waits for the next bytes of an open file; 0 at its end. Control-C ends the wait.
  private static func fill(
    _ window: UnsafeMutableRawBufferPointer, from file: Int32, _ path: String
  ) throws(Failure) -> Int {
    while true {
      let count = Foundation.read(file, window.baseAddress, window.count)
      if count >= 0 { return count }
      try checkWait(errno, path)
    }
  }

  /// A file, which gives all its lines without a pause, or a pipe, which gives what it has.
  static func script(_ path: String) throws(Failure) -> ScriptInput {
    if isStandardInput(path) {
      var script = ScriptInput(name: path, read: readInput)
      script.hasMore = inputHasMore
      return script
    }
    let file = try OpenScript(path)
    var script = ScriptInput(name: path) { () throws(Failure) in try file.next() }
    script.isWhole = file.isPlain
    if !file.isPlain { script.hasMore = { hasMore(file.file) } }
    return script
  }

  /// `-`, and what a system may not let a process open a second time.
  static func isStandardInput(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0"].contains(path)
  }

  /// What standard input has now; waits if that is nothing.
  static func readInput() throws(Failure) -> [UInt8]? {
    try bytes(of: 0, path: "standard input", atMost: 65_536)
  }

  static func inputHasMore() -> Bool { hasMore(0) }

  /// Whether a file has something, or its end, soon: a program that writes line by line needs a moment
  /// between two lines of one statement.
  private static func hasMore(_ file: Int32) -> Bool {
    var files = [pollfd(fd: file, events: Int16(POLLIN), revents: 0)]
    return poll(&files, 1, 250) != 0
  }

  /// The next bytes of an open file; nil at its end. Control-C ends a wait.
  fileprivate static func bytes(
    of file: Int32, path: String, atMost limit: Int
  ) throws(Failure) -> [UInt8]? {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(Failure) {
        count = try fill(UnsafeMutableRawBufferPointer(buffer), from: file, path)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes.isEmpty ? nil : bytes
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
  let file: Int32
  /// Whether it is a file on a disk, and no pipe.
  let isPlain: Bool
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
    isPlain = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    limit = isPlain ? min(max(4096, Int(status.st_size) + 1), 1 << 20) : 65_536
  }

  deinit { close(file) }

  func next() throws(Failure) -> [UInt8]? {
    if CancelFlag.current.isRequested { throw Failure(StopFacts.stopped) }
    return try LiveFiles.bytes(of: file, path: path, atMost: limit)
  }

  func whole() throws(Failure) -> [UInt8] { try LiveFiles.whole(of: file, path) }
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
    return try whole(of: file, path)
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
