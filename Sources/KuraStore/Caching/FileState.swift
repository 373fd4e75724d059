import Foundation

/// A state of a file: what the system says of it, and changes whenever somebody writes it.
///
/// Anybody can give a file another modification time, and nobody the time of its last change, which
/// the system's clock alone sets.
struct FileState: Sendable, Equatable {
  var device: UInt64
  var inode: UInt64
  var size: UInt64
  /// In nanoseconds since 1970.
  var modified: Int64
  var changed: Int64
  var owner: UInt32
}

extension FileState {
  /// Nil for what is no regular file.
  init?(_ file: Int32) {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(status.st_size), modified: modified.inNanoseconds,
      changed: changed.inNanoseconds, owner: status.st_uid)
  }
}

extension timespec {
  /// Since 1970, if it is a time of the system's clock.
  var inNanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }

  /// The system's clock, by which files are changed.
  static var now: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now
  }
}

/// Whether a file lies on a file system of this machine whose times are set by its clock.
///
/// What a server, a drive of another system or a program says of its files is not relied upon.
func isKeptByThisMachine(_ file: Int32) -> Bool {
  #if canImport(Darwin)
    var status = statfs()
    return fstatfs(file, &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) != 0
  #else
    typealias Fstatfs = @convention(c) (Int32, UnsafeMutableRawPointer) -> Int32
    guard let fstatfs = look("fstatfs", as: Fstatfs.self) else { return false }
    // The first word says which it is; no system writes more than this.
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
