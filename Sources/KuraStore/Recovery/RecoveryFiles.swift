import Foundation
package import KuraBytes

/// The recovery files of stores: `todo.json.unsaved` next to the store. Without a store, or if its
/// folder is not writable, they are in a folder of the user.
///
/// A file is readable only by its owner and never overwritten: the next one is `todo.json.unsaved-2`.
package struct RecoveryFiles: Sendable {
  /// The user's folder, `~/.local/state/kura`
  package var folder: String

  package init(folder: String) { self.folder = folder }

  /// The greatest number of files in one place.
  private static let most = 99
}

/// A recovery file, locked as long as this object exists.
package final class RecoveryFile: Sendable {
  package let path: String
  private let file: OpenFile

  fileprivate init(path: String, _ file: OpenFile) { (self.path, self.file) = (path, file) }

  /// Reads the content. Throws `SidecarProblem`, also if cancelled.
  package func read(_ cancel: CancelFlag) throws(SidecarProblem) -> Recovery {
    try SidecarProblem.convertingErrors(path) {
      let isChange = try file.read(at: 0, upTo: Recovery.start.count) == Recovery.start
      guard isChange else { return try Recovery(document: path, file.descriptor, cancel) }
      return try Recovery(reading: file.readAll(cancel))
    }
  }

  package func remove() { unlink(path) }
}

extension RecoveryFiles {
  /// Returns the files for a store, the oldest first; a nil `store` means a session without one.
  package func find(for store: String?) -> [RecoveryFile] {
    places(for: store).flatMap(Self.files)
  }

  /// Returns the files with names that begin with `base`; up to three missing numbers are skipped.
  private static func files(_ base: String) -> [RecoveryFile] {
    var files: [RecoveryFile] = []
    var missing = 0
    for number in 1...most where missing < 4 {
      let path = name(base, number)
      missing = access(path, F_OK) == 0 ? 0 : missing + 1
      if missing == 0, let file = open(path) { files.append(file) }
    }
    return files
  }

  /// Returns the possible beginnings of names, starting with the one next to the store.
  private func places(for store: String?) -> [String] {
    guard let store else { return [folder + "/scratch.unsaved"] }
    let path = Self.resolvingSymlinks(store)
    let name = path.split(separator: "/").last.map(String.init) ?? "store"
    return [path + ".unsaved", "\(folder)/\(name)-\(Self.mark(path)).unsaved"]
  }

  /// Returns the path of a store with symbolic links resolved.
  package static func resolvingSymlinks(_ path: String) -> String {
    let target = StorePlace.resolvingSymlinks(path)
    return target.hasPrefix("/") ? target : FileManager.default.currentDirectoryPath + "/" + target
  }

  private static func name(_ base: String, _ number: Int) -> String {
    number == 1 ? base : "\(base)-\(number)"
  }

  /// Returns a hash of a path, which distinguishes stores of the same name in other folders.
  private static func mark(_ path: String) -> String {
    let hash = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }

  /// Opens a file that belongs to us and is not open in another session; nil for anything else.
  private static func open(_ path: String) -> RecoveryFile? {
    guard let file = try? OpenFile(path, .reading), let status = try? file.status,
      status.isRegular, status.owner == geteuid(), (try? file.lock()) == true
    else { return nil }
    return RecoveryFile(path: path, file)
  }
}

extension OpenFile {
  /// Opens a recovery file; only its owner can access it.
  fileprivate init(_ path: String, _ use: OpenKind) throws(FileError) {
    self.init(
      try FileOperations.live.open(AT_FDCWD, path, use, 0o600), as: .recovery, .live)
  }
}

extension RecoveryFiles {
  /// Writes a file, next to the store if `besideStore` is set and that is possible, and returns its path.
  ///
  /// Nil if it cannot be written in any place.
  package func keep(_ recovery: Recovery, besideStore: Bool) -> String? {
    guard let bytes = try? recovery.bytes else { return nil }
    let places = places(for: recovery.header.store)
    let wanted = besideStore ? places : Array(places.suffix(1))
    for place in wanted {
      if place.hasPrefix(folder + "/") {
        try? FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      if let path = Self.write(bytes, place) { return path }
    }
    return nil
  }

  /// Writes a file under a temporary name first, so that a file with the final name is complete.
  private static func write(_ bytes: [UInt8], _ base: String) -> String? {
    guard let (temporary, file) = newTemporary(base) else { return nil }
    defer { unlink(temporary) }
    guard (try? file.write(bytes, at: 0)) != nil, (try? file.syncWhole()) != nil else { return nil }
    for number in 1...most where link(temporary, name(base, number)) == 0 {
      return name(base, number)
    }
    return nil
  }

  /// Creates a new file; an existing file may belong to another user and stays unchanged.
  private static func newTemporary(_ base: String) -> (path: String, file: OpenFile)? {
    for number in 1...most {
      let path = name("\(base).\(getpid())", number)
      do throws(FileError) { return (path, try OpenFile(path, .fresh)) } catch {
        guard error.number == EEXIST else { return nil }
      }
    }
    return nil
  }
}

extension StoreKeeper {
  /// A text that identifies the state of the store's files that was last read or written.
  package var stateMark: String {
    let document = keeper.known.document
    let journal = keeper.known.journal
    return [
      document.size, document.seconds, document.nanoseconds, journal?.lastNumber ?? 0,
      Int64(bitPattern: journal?.lastCheck ?? 0),
    ].map { String($0, radix: 16) }.joined(separator: ".")
  }
}
