#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// A file that is closed when it goes.
  struct File: ~Copyable {
    let descriptor: Int32
    deinit { close(descriptor) }
  }

  /// How a file is opened.
  enum Access {
    case reading
    /// Made if it is not there, readable by its owner alone; each write goes to the end.
    case appending
  }

  /// Nil for what is no file: a pipe there would be waited for, and a device takes what is written.
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

  /// The bytes from `offset` on, fewer than asked for at the end of the file or after an error.
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
