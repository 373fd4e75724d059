import Foundation
import KuraBytes

/// The folder of a store, held open, and the store's files in it.
///
/// A file is opened, replaced or removed only if Kura wrote it as that kind of file.
package struct StorePlace: Sendable {
  /// The path as the user gave it, for messages and for reading.
  package let path: String
  package let document: String
  let files: FileOperations
  private let folder: Int32
  /// Keeps the folder open as long as a copy of this value exists.
  private var heldFolder: OpenFile?

  package init(path: String, folder: Int32, document: String, _ files: FileOperations) {
    self.path = path
    self.folder = folder
    self.document = document
    self.files = files
  }
}

extension StorePlace {
  /// Finds the file that a path leads to through symbolic links.
  package init(path: String, _ files: FileOperations) throws(KeepingFailure) {
    let target = StorePlace.resolvingSymlinks(path)
    guard StorePlace.link(at: target) == nil else {
      throw .file(FileError(.open, ELOOP), .document)
    }
    let url = URL(fileURLWithPath: target)
    let folder = try on(.document, try files.openFolder(url.deletingLastPathComponent().path))
    self.init(path: path, folder: folder, document: url.lastPathComponent, files)
    heldFolder = OpenFile(folder, as: .folder, files)
  }

  /// Returns whether a path leads to the document of a store or to one of its sidecar files.
  ///
  /// That includes other names: a hard link leads to the same file.
  package static func isFile(_ path: String, ofStoreAt store: String) -> Bool {
    let document = absolute(store)
    let names = [document] + StoreFile.sidecarSuffixes.map { document + $0 }
    let name = absolute(path)
    if names.contains(name) || name.hasPrefix(document + ".unsaved") { return true }
    return names.contains { isSame(path, $0) }
  }

  /// Returns whether a file begins as a store does.
  package static func isStore(_ path: String) -> Bool {
    // A pipe would wait for its writer.
    guard (try? FileStatus(path: path).isRegular) == true,
      let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 64)
    else { return false }
    return head.filter { $0 > 0x20 }.starts(with: #"{"format":"kura/"#.utf8)
  }

  /// Returns the document with a sidecar file of this name, such as `todo.json` for
  /// `todo.json.new`; nil if there is no such document.
  static func store(withFileAt path: String) -> String? {
    let recovery = path.range(of: ".unsaved", options: .backwards).map { path[..<$0.lowerBound] }
    let stores =
      StoreFile.sidecarSuffixes.filter(path.hasSuffix).map { path.dropLast($0.count) }
      + (recovery.map { [$0] } ?? [])
    return stores.map(String.init).first {
      !$0.hasSuffix("/") && (try? FileStatus(path: $0)) != nil
    }
  }

  package static func isDocument(_ path: String, ofStoreAt store: String) -> Bool {
    absolute(path) == absolute(store) || isSame(path, store)
  }

  /// Returns whether two names lead to the same existing file.
  private static func isSame(_ path: String, _ other: String) -> Bool {
    guard let status = try? FileStatus(path: path), let other = try? FileStatus(path: other) else {
      return false
    }
    return status.isSameFile(as: other)
  }

  private static func absolute(_ path: String) -> String {
    let url = URL(fileURLWithPath: resolvingSymlinks(path))
    return resolvingSymlinks(url.deletingLastPathComponent().path) + "/" + url.lastPathComponent
  }

  /// Returns the path with symbolic links resolved. The file need not exist; a cycle of links resolves to itself.
  package static func resolvingSymlinks(_ path: String) -> String {
    var target = path
    for _ in 0..<40 {
      if let real = realpath(target, nil) {
        defer { free(real) }
        return String(cString: real)
      }
      guard let next = link(at: target) else { return target }
      target = next
    }
    return path
  }

  /// Returns the target of a symbolic link, relative to the current folder; nil if the path is not a link.
  private static func link(at path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let target = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    if target.hasPrefix("/") { return target }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return folder + target
  }

  /// Opens one of the store's files, if it is a plain file with one name and Kura wrote it as this file.
  ///
  /// For a pipe, a device, a link or a file of another program it throws, without waiting or writing.
  func open(
    _ file: StoreFile, _ use: OpenKind, mode: UInt32 = 0
  ) throws(KeepingFailure) -> OpenFile {
    try status(of: file)?.check(as: file, use)
    let opened = try openUnchecked(file, use, mode: mode)
    let status = try opened.status
    try status.check(as: file, use)
    guard try opened.isOwn(status, for: use) else { throw .invalidFile(file, .kind(.file)) }
    return opened
  }

  /// Returns whether a file exists and may be removed or replaced. Throws if Kura did not write it as this kind of file.
  @discardableResult
  func has(_ file: StoreFile, for use: OpenKind = .writing) throws(KeepingFailure) -> Bool {
    guard let found = try status(of: file) else { return false }
    try found.check(as: file, use)
    guard found.isRegular else { return true }
    guard try openUnchecked(file, .reading).isOwn(found, for: use) else {
      throw .invalidFile(file, .kind(.file))
    }
    return true
  }

  private func openUnchecked(
    _ file: StoreFile, _ use: OpenKind, mode: UInt32 = 0
  ) throws(KeepingFailure) -> OpenFile {
    OpenFile(try on(file, try files.open(folder, name(of: file), use, mode)), as: file, files)
  }

  /// Creates a new file with the access rights of another file.
  ///
  /// It never reuses a file, because after a loss of power that file may still be the document.
  func create(
    _ file: StoreFile, like other: OpenFile
  ) throws(KeepingFailure) -> (file: OpenFile, rights: CopiedRights) {
    try removeIfThere(file)
    // No other user may read the file before its rights are set.
    let created = try open(file, .fresh, mode: 0o600)
    return (created, created.copyAttributes(of: other))
  }

  /// Opens a file and waits until no other process has its lock; `waiting` is called meanwhile and may throw.
  ///
  /// If the previous holder removed or replaced the file, its lock protects nothing, and the new file is locked instead.
  func locked(
    _ open: () throws(KeepingFailure) -> OpenFile, waiting: (OpenFile) throws -> Void = { _ in }
  ) throws -> OpenFile {
    while true {
      let file = try open()
      while try !file.lock() {
        try waiting(file)
        files.pause()
      }
      if try status(of: file.kind)?.isSameFile(as: file.status) ?? false { return file }
    }
  }
}

// The names in the folder
extension StorePlace {
  private func name(of file: StoreFile) -> String {
    file == .folder ? "." : document + (file.suffix ?? "")
  }

  /// Returns the status of a file; nil if there is none.
  func status(of file: StoreFile) throws(KeepingFailure) -> FileStatus? {
    try on(file, try files.statusOfName(folder, name(of: file)))
  }

  /// Throws unless a file, or the folder itself, may be written.
  func checkWritable(_ file: StoreFile) throws(KeepingFailure) {
    try on(file, try files.checkWritable(folder, name(of: file)))
  }

  func remove(_ file: StoreFile) throws(KeepingFailure) {
    try on(file, try files.remove(folder, name(of: file)))
  }

  /// Removes a file if it exists; throws if Kura did not write it. Returns whether it existed.
  @discardableResult
  func removeIfThere(_ file: StoreFile) throws(KeepingFailure) -> Bool {
    guard try has(file) else { return false }
    try remove(file)
    return true
  }

  /// Gives a file the name of another, which it replaces.
  func rename(_ file: StoreFile, to other: StoreFile) throws(KeepingFailure) {
    try on(other, try files.rename(folder, name(of: file), name(of: other)))
  }

  /// Exchanges two files in one step; returns false if the system cannot.
  func exchange(_ file: StoreFile, with other: StoreFile) throws(KeepingFailure) -> Bool {
    try on(other, try files.exchange(folder, name(of: file), name(of: other)))
  }

  /// Returns when the names of the folder outlast a loss of power.
  func syncNames() throws(KeepingFailure) { try on(.folder, try files.syncFolder(folder)) }
}

/// A kind of file that Kura writes.
package enum StoreFile: Sendable {
  /// The document, D.
  case document
  /// `STORE.journal`, J.
  case journal
  /// `STORE.journal.new`: a new journal before it is renamed.
  case newJournal
  /// `STORE.lock`, K.
  case lock
  /// `STORE.new`, T: a new document before it is renamed.
  case temporary
  /// `STORE.history`: the recorded saves.
  case history
  /// `STORE.history.new`
  case newHistory
  /// The folder of the store.
  case folder
  /// `STORE.unsaved`, which has names of its own.
  case recovery
  /// A cache of columns, which is in another folder.
  case cache
}

extension StoreFile {
  /// The suffixes of the sidecar files of a document.
  static let sidecarSuffixes = [
    StoreFile.journal, .newJournal, .lock, .temporary, .history, .newHistory,
  ].compactMap(\.suffix)

  /// The suffix that follows the document's name.
  var suffix: String? {
    switch self {
    case .document, .folder, .recovery, .cache: nil
    case .journal: ".journal"
    case .newJournal: ".journal.new"
    case .lock: ".lock"
    case .temporary: ".new"
    case .history: ".history"
    case .newHistory: ".history.new"
    }
  }

  /// The greatest size of a file of this kind that is read into memory as a whole.
  var limit: FileLimit {
    switch self {
    case .history, .newHistory: .history
    case .recovery: .recovery
    case .cache: .cacheContents
    case .document, .journal, .newJournal, .lock, .temporary, .folder: .journal
    }
  }

  /// The mark of a new document that is not yet in place, and of an old one that is to be removed.
  static let temporaryMark = "temporary"

  /// The first bytes of a file of this kind; empty for files that Kura never removes or appends to.
  fileprivate var start: String {
    switch self {
    case .journal, .newJournal: JournalLine.starts[0]
    case .lock: #"{"process": "#
    case .history, .newHistory: #"{"history": "#
    case .temporary: "{\n  \"format\": \"kura/"
    case .document, .folder, .recovery, .cache: ""
    }
  }
}

extension OpenFile {
  /// Returns whether Kura wrote the file as one of its kind, completely or in part.
  ///
  /// A document of another store may have the name of a new document. Without the mark, a file that
  /// ends like a document counts as one.
  fileprivate func isOwn(_ status: FileStatus, for use: OpenKind) throws(KeepingFailure) -> Bool {
    // A journal with a damaged start is read and reported.
    if use == .fresh || use == .reading && kind != .history { return true }
    if kind == .temporary, mark == StoreFile.temporaryMark { return true }
    let start = kind.start.utf8
    let found = try read(at: 0, upTo: start.count)
    let differing = zip(found, start).count { $0 != $1 }
    // A history is read and appended to despite damage, even of one byte here.
    let isDamaged = kind == .history && differing == 1 && found.count == start.count
    let isStart = differing == 0 || isDamaged
    guard isStart || found.allSatisfy({ $0 == 0 }) else { return false }
    guard kind == .temporary, status.size > 0 else { return true }
    let end = try read(at: max(0, status.size - 64), upTo: 64)
    return end.last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } != UInt8(ascii: "}")
  }
}

extension FileStatus {
  /// Throws if a file is not one of the store's files; a folder is left to the system's error.
  fileprivate func check(as file: StoreFile, _ use: OpenKind) throws(KeepingFailure) {
    switch kind {
    case .folder: return
    case .pipe, .socket, .device, .link: throw .invalidFile(file, .kind(kind))
    case .file:
      // A document may have several names when read; one that is open in a session may have lost its name.
      guard links <= 1 || file == .document || use == .reading else {
        throw .invalidFile(file, .links(links))
      }
    }
  }
}

extension StorePlace {
  /// Returns the current content of the journal from an offset on; nil if there is no journal.
  func readJournal(
    from start: Int64 = 0, _ cancel: CancelFlag
  ) throws(KeepingFailure) -> (bytes: [UInt8], status: FileStatus)? {
    guard let file = try openJournal() else { return nil }
    let bytes = try file.readAll(from: start, cancel)
    var status = try file.status
    // Bytes that were appended since are another process's save, and must count as a change.
    status.size = start + Int64(bytes.count)
    return (bytes, status)
  }

  private func openJournal() throws(KeepingFailure) -> OpenFile? {
    guard try has(.journal, for: .reading) else { return nil }
    do {
      return try open(.journal, .reading)
    } catch {
      // The file disappeared between the two calls.
      guard try has(.journal, for: .reading) else { return nil }
      throw error
    }
  }

  /// Returns whether the journal has saves, or damage that may have been saves.
  func journalHasSaves(_ cancel: CancelFlag) throws(KeepingFailure) -> Bool {
    guard let found = try readJournal(cancel) else { return false }
    guard let journal = try? Journal(reading: found.bytes) else { return true }
    switch journal.tail {
    case .clean, .torn: return !journal.records.isEmpty
    case .damaged: return true
    }
  }
}
