import CLibEdit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// All system calls of this module.
enum System {
  enum ReadResult: Equatable {
    case bytes([UInt8])
    case end
    /// A signal interrupted the read.
    case interrupted
    case failed(code: Int32)
  }

  static func read(_ file: Int32, atMost count: Int = 65_536) -> ReadResult {
    var code: Int32 = 0
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      length = recv(file, buffer, &code)
      initialized = max(0, length)
    }
    if length > 0 { return .bytes(bytes) }
    if length == 0 { return .end }
    return code == EINTR ? .interrupted : .failed(code: code)
  }

  private static func recv(
    _ file: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ code: inout Int32
  ) -> Int {
    #if canImport(Glibc)
      let length = Glibc.read(file, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      let length = Musl.read(file, buffer.baseAddress, buffer.count)
    #else
      let length = Darwin.read(file, buffer.baseAddress, buffer.count)
    #endif
    code = errno
    return length
  }

  /// Writes everything, or gives up if nothing reads any more.
  @discardableResult
  static func write(_ bytes: some Sequence<UInt8>, to file: Int32) -> Bool {
    var rest = ContiguousArray(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(file, $0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  private static func send(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(file, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(file, bytes.baseAddress, bytes.count)
    #endif
  }

  static func isTerminal(_ file: Int32) -> Bool { isatty(file) == 1 }

  static func width(of file: Int32) -> Int? {
    var size = winsize()
    guard isTerminal(file), ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The content of the user's `.editrc`, where libedit looks for it; empty if there is none.
  static var userSettings: String {
    let home = environment("HOME").map { $0 + "/.editrc" }
    guard let path = environment("EDITRC") ?? home, let file = open(path, for: .reading) else {
      return ""
    }
    return String(decoding: read(file, at: 0, count: min(length(of: file), 1 << 20)), as: UTF8.self)
  }

  static func message(for code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension System {
  /// An open file, closed at the end of its lifetime.
  struct File: ~Copyable {
    let descriptor: Int32
    deinit { close(descriptor) }
  }

  /// The ways to open a file.
  enum Access {
    case reading
    /// Created if it does not exist, readable by its owner only; each write appends.
    case appending
  }

  /// Opens a file; nil for anything else: opening a pipe would wait, and a device would accept the
  /// bytes.
  static func open(_ path: String, for access: Access) -> File? {
    let common = O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor =
      switch access {
      case .reading: openFile(path, O_RDONLY | common, 0)
      case .appending: openFile(path, O_RDWR | O_APPEND | O_CREAT | common, 0o600)
      }
    guard descriptor >= 0 else { return nil }
    let file = File(descriptor: descriptor)
    guard isFile(descriptor) else { return nil }
    return file
  }

  /// Opens a terminal once more, so that a read without input fails with `noInput`; nil if that is not possible.
  ///
  /// A flag of the given file would apply to the other programs at the terminal, too. The caller closes the result.
  static func openAgain(_ terminal: Int32) -> Int32? {
    let descriptor = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { name in
      guard let path = name.baseAddress, ttyname_r(terminal, path, name.count) == 0 else {
        return -1 as Int32
      }
      return openFile(String(cString: path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    }
    return descriptor < 0 ? nil : descriptor
  }

  static var noInput: Int32 { EAGAIN }

  private static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      Musl.open(path, flags, mode)
    #else
      Darwin.open(path, flags, mode)
    #endif
  }

  static func length(of file: borrowing File) -> Int {
    max(0, Int(lseek(file.descriptor, 0, SEEK_END)))
  }

  /// Returns the bytes from `offset` on; fewer than requested at the end of the file or after an
  /// error.
  static func read(_ file: borrowing File, at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let target = buffer.baseAddress.map { $0 + initialized }
        let length = pread(
          file.descriptor, target, count - initialized, off_t(offset + initialized))
        if length > 0 {
          initialized += length
        } else if length == 0 || errno != EINTR {
          return
        }
      }
    }
  }
}
