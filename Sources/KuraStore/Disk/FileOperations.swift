import Foundation

/// The operations of the operating system with which Kura stores data, as one replaceable value.
///
/// Only six promises are trusted: open, write at an offset, truncate, sync, rename, and sync of a
/// folder. A test replaces them with a file system that loses power. Names are relative to a
/// folder's descriptor, so that a rename of the folder has no effect.
package struct FileOperations: Sendable {
  package var openFolder: @Sendable (_ path: String) throws(FileError) -> Int32
  /// Opens a file of a folder; `mode` is what a new one gets.
  package var open:
    @Sendable (_ folder: Int32, _ name: String, OpenKind, _ mode: UInt32) throws(FileError) -> Int32
  package var close: @Sendable (Int32) -> Void
  /// Reads at an offset; returns 0 at the end.
  package var read:
    @Sendable (Int32, UnsafeMutableRawBufferPointer, _ at: Int64) throws(FileError) -> Int
  /// Writes at an offset, possibly less than was given.
  package var write: @Sendable (Int32, UnsafeRawBufferPointer, _ at: Int64) throws(FileError) -> Int
  package var truncate: @Sendable (Int32, _ size: Int64) throws(FileError) -> Void
  /// Returns when the file's content and size outlast a loss of power.
  package var sync: @Sendable (Int32) throws(FileError) -> Void
  /// Syncs like `sync`, including owner and mode.
  package var syncWhole: @Sendable (Int32) throws(FileError) -> Void
  /// Returns when the names of the folder outlast a loss of power.
  package var syncFolder: @Sendable (Int32) throws(FileError) -> Void
  package var rename:
    @Sendable (_ folder: Int32, _ from: String, _ to: String) throws(FileError) -> Void
  /// Exchanges two files in one step; returns false if the system cannot.
  package var exchange: @Sendable (_ folder: Int32, String, String) throws(FileError) -> Bool
  package var remove: @Sendable (_ folder: Int32, _ name: String) throws(FileError) -> Void
  package var status: @Sendable (Int32) throws(FileError) -> FileStatus
  /// Returns nil if there is no file of that name.
  package var statusOfName:
    @Sendable (_ folder: Int32, _ name: String) throws(FileError) -> FileStatus?
  /// Throws unless a file of the folder, or the folder itself (`.`), may be written.
  package var checkWritable: @Sendable (_ folder: Int32, _ name: String) throws(FileError) -> Void
  /// Copies the owner, mode and extended attributes of a file to a new one, as far as possible.
  package var copyAttributes: @Sendable (_ from: Int32, _ to: Int32) -> CopiedRights
  /// Stores the name of a file's content with the file, if the file system supports that.
  package var setMark: @Sendable (Int32, String) -> Void
  /// Returns what was stored with the file, or nil.
  package var mark: @Sendable (Int32) -> String?
  /// Acquires the exclusive lock of a file; returns false while another process has it.
  package var lock: @Sendable (Int32) throws(FileError) -> Bool
  /// Throws if the file system does not support locks.
  package var checkLocks: @Sendable (Int32) throws(FileError) -> Void
  /// Waits for a short time.
  package var pause: @Sendable () -> Void
  /// Returns this process as the holder of a lock, for processes that wait for it.
  package var holder: @Sendable () -> LockHolder
}

/// The ways to open a file; none of them follows a symbolic link.
package enum OpenKind: Sendable {
  case reading
  /// Reading and writing an existing file
  case writing
  /// Reading and writing; creates the file if it does not exist
  case creating
  /// Reading and writing a new file; an existing file is an error
  case fresh
}

/// An operation that the system refused, and its error number.
package struct FileError: Error, Sendable, Equatable {
  package enum Operation: Sendable {
    case open, read, write, truncate, sync, syncFolder, rename, remove, status, lock
  }

  package var operation: Operation
  package var number: Int32

  package init(_ operation: Operation, _ number: Int32) {
    self.operation = operation
    self.number = number
  }
}

/// The properties of a file that are known without reading it.
package struct FileStatus: Sendable, Equatable {
  package var device: UInt64 = 0
  package var inode: UInt64
  package var size: Int64
  package var seconds: Int64 = 0
  package var nanoseconds: Int64 = 0
  /// When the content or a property of the file last changed, in nanoseconds since 1970. Only the system's clock sets it.
  var changed: Int64 = 0
  package var links: Int = 1
  package var mode: UInt32 = 0o644
  package var kind = FileKind.file
  /// The number of the file's owner.
  package var owner: UInt32 = 0
}

/// The kind of file that a name refers to.
package enum FileKind: Sendable, Equatable {
  case file, folder, pipe, socket, device, link
}

/// The rights that could be copied from another file to a new one.
package struct CopiedRights: Sendable, Equatable {
  package var keepsOwner = true
  package var keepsGroup = true
  /// Whether all users who may read and write the other file may do so here.
  package var keepsAccess = true
}

extension FileStatus {
  package var isRegular: Bool { kind == .file }

  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Returns whether there is no sign that the file was written since.
  package func isUntouched(since other: FileStatus) -> Bool {
    isSameFile(as: other) && size == other.size && modified == other.modified
  }

  /// Returns whether the file was certainly not written since: a program can set the time of a modification, but not of
  /// a change.
  func isSurelyUntouched(since other: FileStatus) -> Bool {
    isUntouched(since: other) && changed == other.changed && owner == other.owner
  }

  /// When the content was last modified, in nanoseconds since 1970.
  var modified: Int64 {
    get { seconds &* 1_000_000_000 &+ nanoseconds }
    set { (seconds, nanoseconds) = (0, newValue) }
  }
}

/// The process that holds a store's lock.
package struct LockHolder: Sendable, Equatable {
  package var process: Int32
  package var user: String
  package var host: String
}

extension FileOperations {
  /// The operations of the operating system.
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
    // Opening a pipe that was put there must not wait for its other end.
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
  /// The status of the file that a path leads to, through symbolic links.
  package init(path: String) throws(FileError) {
    var status = stat()
    _ = try checked(stat(path, &status), .status)
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    self.init(inode: UInt64(status.st_ino), size: Int64(status.st_size))
    device = UInt64(truncatingIfNeeded: status.st_dev)
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    (seconds, nanoseconds) = (Int64(modified.tv_sec), Int64(modified.tv_nsec))
    self.changed = changed.inNanoseconds
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

/// Repeats a call that a signal interrupted.
private func repeated(
  _ operation: FileError.Operation, _ call: () -> Int
) throws(FileError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw FileError(operation, errno) }
  }
}

/// Syncs a file completely: `fsync` of macOS leaves the bytes in the disk's cache; F_FULLFSYNC does not.
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

/// The machine's own name: asking the network for it may take long.
private var hostName: String {
  var bytes = [CChar](repeating: 0, count: 256)
  guard gethostname(&bytes, bytes.count - 1) == 0 else { return "?" }
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Syncs a folder. Some file systems do not support that and report EINVAL, which is ignored.
private func syncNames(_ folder: Int32) throws(FileError) {
  guard fsync(folder) != 0, errno != EINVAL else { return }
  throw FileError(.syncFolder, errno)
}

/// System calls that Swift's overlay of the C library does not expose on Linux. They are looked up
/// by name; if one is missing, callers do without it.
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

  func look<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let library = dlopen(nil, RTLD_NOW), let place = dlsym(library, name) else { return nil }
    return unsafeBitCast(place, to: type)
  }
#endif

extension timespec {
  /// The nanoseconds since 1970, if this is a time of the system's clock.
  var inNanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }

  /// The time of the system's clock, which also sets the times of files.
  static var now: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now
  }
}

/// Returns whether a file is on a local file system, where this machine's clock sets the times.
///
/// The times that a server, a drive of another system or a program reports are not trusted.
func isOnLocalFileSystem(_ file: Int32) -> Bool {
  #if canImport(Darwin)
    var status = statfs()
    return fstatfs(file, &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) != 0
  #else
    typealias Fstatfs = @convention(c) (Int32, UnsafeMutableRawPointer) -> Int32
    guard let fstatfs = look("fstatfs", as: Fstatfs.self) else { return false }
    // The first word is the type of the file system; no system writes more than this array.
    var status = [UInt](repeating: 0, count: 64)
    guard status.withUnsafeMutableBytes({ $0.baseAddress.map { fstatfs(file, $0) } }) == 0 else {
      return false
    }
    return ownFileSystems.contains(UInt32(truncatingIfNeeded: status[0]))
  #endif
}

/// ext2 to ext4, xfs, btrfs, f2fs, bcachefs, zfs, tmpfs, overlayfs
private let ownFileSystems: Set<UInt32> = [
  0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0xCA45_1A4E, 0x2FC1_2FC1, 0x0102_1994,
  0x794C_7630,
]

/// The reason why a history or a recovery file was not read or written, as a clause.
package struct SidecarProblem: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension SidecarProblem {
  /// Calls `body`, and converts its errors; `path` is the store's.
  static func convertingErrors<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(SidecarProblem) -> Result {
    do { return try body() } catch {
      if let problem = error as? SidecarProblem { throw problem }
      let failure = error as? KeepingFailure
      throw SidecarProblem(failure?.reason(path) ?? "\(error)")
    }
  }
}
