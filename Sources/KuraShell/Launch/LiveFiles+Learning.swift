import Foundation
import KuraDiagnostics
import KuraSentences

extension LiveFiles {
  /// The first of the variables that say a language decides.
  static var language: Language {
    Language { name in getenv(name).map { String(cString: $0) } }
  }

  /// Where a learner's progress is kept.
  static var progressFile: ProgressFile {
    let path = stateFolder + "/lessons.json"
    return ProgressFile(
      path: path, read: { access(path, F_OK) == 0 ? try read(path) : nil },
      write: { try replace(path, with: $0) }, putAside: { rename(path, path + ".damaged") })
  }

  /// Writes a file under another name first: one of the right name is whole.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let folder = NSString(string: path).deletingLastPathComponent
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let temporary = "\(path).\(getpid())"
    let file = Foundation.open(
      temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw Failure(FileFacts.cannotWrite(path: path, reason: reason(errno)))
    }
    defer { unlink(temporary) }
    do {
      defer { close(file) }
      // Who may read a file that was there may read the new one.
      var status = stat()
      if stat(path, &status) == 0 { fchmod(file, status.st_mode & 0o7777) }
      try bytes.withUnsafeBytes { try write($0, to: file, "\"\(path)\"") }
    } catch { throw Failure(error) }
    guard rename(temporary, path) == 0 else {
      throw Failure(FileFacts.cannotWrite(path: path, reason: reason(errno)))
    }
  }
}
