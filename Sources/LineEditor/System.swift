import CLibEdit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls of the system that this module makes, all of them here.
enum System {
  /// What a read gave.
  enum ReadResult: Equatable {
    case bytes([UInt8])
    case end
    /// A signal came first.
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

  /// Writes everything, or gives up when the other side is gone.
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

  static func message(for code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
