import Foundation

/// How the columns of stores are cached, and where.
package struct CacheSettings: Sendable {
  /// `~/.cache/kura`, the folder of one person alone.
  package var folder: String
  /// Whether caches are made; what is there is read in any case.
  package var writes = true
  /// How much all of them may take; the least recently used goes first.
  package var limit: Int64 = 1_000_000_000
  /// How much of the disk is left to others.
  package var reserve: Int64 = 1_000_000_000
  /// What is smaller is not cached, however slow the machine is at the moment.
  package var leastSize: UInt64 = 1 << 20
  /// What was read faster is not cached.
  package var leastTime: Duration = .milliseconds(50)
  /// How long a document must not have been changed before it is read, in nanoseconds: two changes in
  /// one tick of a clock have one time.
  package var rest: Int64 = 2_000_000_000
  /// Which program this is.
  package var program: String
  /// Ends the process, where a damaged cache and a changed document leave nothing to answer from.
  package var lost: @Sendable (_ path: String) -> Never = { _ in exit(3) }
  var files = FileOperations.live

  package init(folder: String, program: String) {
    self.folder = folder
    self.program = program
  }
}

extension CacheSettings {
  /// The version of a program, and which file it was started from: a build that reads documents in
  /// another way is another one.
  package static func program(version: String) -> String {
    var status = stat()
    let path = "/proc/self/exe"
    guard stat(path, &status) == 0 || stat(CommandLine.arguments[0], &status) == 0 else {
      return version
    }
    #if canImport(Darwin)
      let modified = status.st_mtimespec.inNanoseconds
    #else
      let modified = status.st_mtim.inNanoseconds
    #endif
    return "\(version) \(status.st_dev) \(status.st_ino) \(status.st_size) \(modified)"
  }
}
