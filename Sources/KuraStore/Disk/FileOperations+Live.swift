import Foundation

extension FileOperations {
  /// Those of the operating system.
  package static var live: FileOperations {
    FileOperations(
      openFolder: { path throws(FileError) in
        try checked(Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .open)
      },
      open: { folder, name, kind, mode throws(FileError) in
        try checked(openat(folder, name, kind.flags, mode_t(truncatingIfNeeded: mode)), .open)
      },
      close: { _ = Foundation.close($0) },
      read: { file, bytes, place throws(FileError) in
        try repeated(.read) { pread(file, bytes.baseAddress, bytes.count, off_t(place)) }
      },
      write: { file, bytes, place throws(FileError) in
        try repeated(.write) { pwrite(file, bytes.baseAddress, bytes.count, off_t(place)) }
      },
      truncate: { file, size throws(FileError) in
        _ = try repeated(.truncate) { Int(ftruncate(file, off_t(size))) }
      },
      sync: { file throws(FileError) in try syncContent(file) },
      syncWhole: { file throws(FileError) in try syncAll(file) },
      syncFolder: { folder throws(FileError) in try syncNames(folder) },
      rename: { folder, from, to throws(FileError) in
        _ = try checked(renameat(folder, from, folder, to), .rename)
      },
      exchange: { folder, from, to throws(FileError) in
        try SystemCalls.exchange(folder, from, to)
      },
      remove: { folder, name throws(FileError) in
        _ = try checked(unlinkat(folder, name, 0), .remove)
      },
      status: { file throws(FileError) in
        var status = stat()
        _ = try checked(fstat(file, &status), .status)
        return FileStatus(status)
      },
      statusOfName: { folder, name throws(FileError) in
        var status = stat()
        if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status) }
        guard errno == ENOENT else { throw FileError(.status, errno) }
        return nil
      },
      checkWritable: { folder, name throws(FileError) in
        _ = try checked(faccessat(folder, name, W_OK, 0), .open)
      },
      copyAttributes: { from, to in SystemCalls.copyAttributes(from, to) },
      setMark: { file, mark in
        _ = ExtendedAttributes.set(file, ExtendedAttributes.mark, Array(mark.utf8))
      },
      mark: { file in
        ExtendedAttributes.get(file, ExtendedAttributes.mark)
          .map { String(decoding: $0, as: UTF8.self) }
      },
      lock: { file throws(FileError) in
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError(.lock, errno) }
        return false
      },
      checkLocks: { file throws(FileError) in
        if flock(file, LOCK_SH | LOCK_NB) == 0 {
          _ = flock(file, LOCK_UN)
        } else if errno != EWOULDBLOCK, errno != EINTR {
          throw FileError(.lock, errno)
        }
      },
      pause: { usleep(5000) },
      holder: {
        LockHolder(
          process: getpid(), user: NSUserName(), host: hostName)
      })
  }
}

extension OpenKind {
  fileprivate var flags: Int32 {
    // Nobody waits for the other end of a pipe that was put there.
    let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    return switch self {
    case .reading: O_RDONLY | common
    case .writing: O_RDWR | common
    case .creating: O_RDWR | O_CREAT | common
    case .fresh: O_RDWR | O_CREAT | O_EXCL | common
    }
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    self.init(inode: UInt64(status.st_ino), size: Int64(status.st_size))
    device = UInt64(truncatingIfNeeded: status.st_dev)
    #if canImport(Darwin)
      seconds = Int64(status.st_mtimespec.tv_sec)
      nanoseconds = Int64(status.st_mtimespec.tv_nsec)
    #else
      seconds = Int64(status.st_mtim.tv_sec)
      nanoseconds = Int64(status.st_mtim.tv_nsec)
    #endif
    links = Int(status.st_nlink)
    mode = UInt32(status.st_mode & 0o7777)
    owner = status.st_uid
    kind = FileKind(status.st_mode)
  }
}

extension FileKind {
  fileprivate init(_ mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFLNK: self = .link
    default: self = .device
    }
  }
}

private func checked(
  _ result: Int32, _ operation: FileError.Operation
) throws(FileError) -> Int32 {
  guard result >= 0 else { throw FileError(operation, errno) }
  return result
}

/// Does it again where a signal came between.
private func repeated(
  _ operation: FileError.Operation, _ call: () -> Int
) throws(FileError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw FileError(operation, errno) }
  }
}

/// `fsync` of macOS leaves the bytes in the disk's cache; F_FULLFSYNC does not.
private func syncContent(_ file: Int32) throws(FileError) {
  #if canImport(Darwin)
    if fcntl(file, F_FULLFSYNC) == 0 { return }
    guard errno == ENOTSUP || errno == EINVAL else { throw FileError(.sync, errno) }
    _ = try checked(fsync(file), .sync)
  #else
    _ = try checked(fdatasync(file), .sync)
  #endif
}

private func syncAll(_ file: Int32) throws(FileError) {
  #if canImport(Darwin)
    try syncContent(file)
  #else
    _ = try checked(fsync(file), .sync)
  #endif
}

/// The name that the machine gives itself: to ask the network for it may take long.
private var hostName: String {
  var bytes = [CChar](repeating: 0, count: 256)
  guard gethostname(&bytes, bytes.count - 1) == 0 else { return "?" }
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Some file systems know no sync of a folder and say so by EINVAL: their renames are as they are.
private func syncNames(_ folder: Int32) throws(FileError) {
  guard fsync(folder) != 0, errno != EINVAL else { return }
  throw FileError(.syncFolder, errno)
}

/// Calls of the system that Swift's overlay of the C library does not show on Linux: they are
/// looked up by name, and where they are missing there is a way without them.
enum SystemCalls {
  static func exchange(_ folder: Int32, _ from: String, _ to: String) throws(FileError) -> Bool {
    #if canImport(Darwin)
      let result = renameatx_np(folder, from, folder, to, UInt32(RENAME_SWAP))
    #else
      guard let renameat2 = look("renameat2", as: Renameat2.self) else { return false }
      let exchange: UInt32 = 2  // RENAME_EXCHANGE
      let result = renameat2(folder, from, folder, to, exchange)
    #endif
    if result == 0 { return true }
    switch errno {
    case EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP: return false
    default: throw FileError(.rename, errno)
    }
  }
}

#if !canImport(Darwin)
  private typealias Renameat2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  /// A function of the C library by its name.
  func look<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let library = dlopen(nil, RTLD_NOW), let place = dlsym(library, name) else { return nil }
    return unsafeBitCast(place, to: type)
  }
#endif
