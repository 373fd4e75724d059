import Foundation

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
