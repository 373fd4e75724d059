import Foundation
import KuraBytes

/// The location of a store: its folder, held open, and the names of its files there.
package struct StorePlace: Sendable {
  /// The path as the user gave it, for messages and for reading.
  package var path: String
  package var folder: Int32
  /// Keeps the folder open as long as a copy of this value exists.
  private var heldFolder: OpenFile?
  /// The document, D.
  package var document: String
  /// `STORE.journal`, J.
  package var journal: String { name(of: .journal) }
  /// `STORE.lock`, K.
  package var lock: String { name(of: .lock) }
  /// `STORE.new`, T: a new document before it is renamed.
  package var temporary: String { name(of: .temporary) }
  /// `STORE.history`: the recorded saves.
  package var history: String { name(of: .history) }
  /// A new journal before it is renamed.
  package var newJournal: String { name(of: .newJournal) }

  func name(of file: StoreFile) -> String { document + (file.suffix ?? "") }

  package init(path: String, folder: Int32, document: String) {
    self.path = path
    self.folder = folder
    self.document = document
  }
}

extension StorePlace {
  /// Finds the file that a path leads to through symbolic links.
  package init(path: String, _ files: FileOperations) throws(FileError) {
    let target = StorePlace.resolvingSymlinks(path)
    guard StorePlace.link(at: target) == nil else { throw FileError(.open, ELOOP) }
    let url = URL(fileURLWithPath: target)
    let folder = try files.openFolder(url.deletingLastPathComponent().path)
    self.init(path: path, folder: folder, document: url.lastPathComponent)
    heldFolder = OpenFile(folder, files)
  }

  /// Returns whether a path leads to the document of a store or to one of its sidecar files.
  ///
  /// That includes other names: a hard link leads to the same file.
  package static func isFile(_ path: String, ofStoreAt store: String) -> Bool {
    let place = StorePlace(path: store, folder: -1, document: absolute(store))
    let names = [place.document] + StoreFile.besideDocument.map(place.name)
    let name = absolute(path)
    if names.contains(name) || name.hasPrefix(place.document + ".unsaved") { return true }
    return names.contains { isSame(path, $0) }
  }

  /// Returns the document with a sidecar file of this name, such as `todo.json` for
  /// `todo.json.new`; nil if there is no such document.
  static func store(withFileAt path: String) -> String? {
    let recovery = path.range(of: ".unsaved", options: .backwards).map { path[..<$0.lowerBound] }
    let stores =
      StoreFile.besideDocument.compactMap(\.suffix).filter(path.hasSuffix)
      .map { path.dropLast($0.count) } + (recovery.map { [$0] } ?? [])
    return stores.map(String.init).first { identity(of: $0) != nil && !$0.hasSuffix("/") }
  }

  package static func isDocument(_ path: String, ofStoreAt store: String) -> Bool {
    absolute(path) == absolute(store) || isSame(path, store)
  }

  /// Returns whether two names lead to the same existing file.
  private static func isSame(_ path: String, _ other: String) -> Bool {
    identity(of: path).map { $0 == identity(of: other) } ?? false
  }

  /// Returns the device and inode of a file, which identify it under all names.
  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
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
}

extension StorePlace {
  /// Opens one of the store's files, if it is a plain file with one name and Kura wrote it as this file.
  ///
  /// For a pipe, a device, a link or a file of another program it throws, without waiting or writing.
  func open(
    _ name: String, as file: StoreFile, _ kind: OpenKind, mode: UInt32 = 0,
    _ files: FileOperations
  ) throws(KeepingFailure) -> OpenFile {
    _ = try status(name, as: file, files, for: kind)
    return try openPlain(name, as: file, kind, mode: mode, files)
  }

  private func openPlain(
    _ name: String, as file: StoreFile, _ kind: OpenKind, mode: UInt32 = 0, _ files: FileOperations
  ) throws(KeepingFailure) -> OpenFile {
    let opened = try on(file) { () throws(FileError) in
      OpenFile(try files.open(folder, name, kind, mode), files)
    }
    let status = try on(file) { () throws(FileError) in try files.status(opened.descriptor) }
    if let strange = status.strangeness(as: file, kind) { throw .invalidFile(file, strange) }
    let isOwn = try on(file) { () throws(FileError) in
      try file.isOwn(opened.descriptor, status, files, for: kind)
    }
    guard isOwn else { throw .invalidFile(file, .kind(.file)) }
    return opened
  }

  /// Returns whether a file has this name and may be removed or replaced. Throws if Kura did not
  /// write it as this kind of file.
  @discardableResult
  func check(
    _ name: String, as file: StoreFile, _ files: FileOperations, for kind: OpenKind = .writing
  ) throws(KeepingFailure) -> Bool {
    guard let found = try status(name, as: file, files, for: kind) else { return false }
    guard found.kind == .file else { return true }
    let opened = try on(file) { () throws(FileError) in
      OpenFile(try files.open(folder, name, .reading, 0), files)
    }
    let isOwn = try on(file) { () throws(FileError) in
      try file.isOwn(opened.descriptor, found, files, for: kind)
    }
    guard isOwn else { throw .invalidFile(file, .kind(.file)) }
    return true
  }

  private func status(
    _ name: String, as file: StoreFile, _ files: FileOperations, for kind: OpenKind
  ) throws(KeepingFailure) -> FileStatus? {
    let status = try on(file) { () throws(FileError) in try files.statusOfName(folder, name) }
    if let strange = status?.strangeness(as: file, kind) { throw .invalidFile(file, strange) }
    return status
  }
}

extension StoreFile {
  /// The sidecar files of a document.
  static let besideDocument: [StoreFile] = [
    .journal, .newJournal, .lock, .temporary, .history, .newHistory,
  ]

  /// The suffix that follows the document's name.
  var suffix: String? {
    switch self {
    case .document, .folder: nil
    case .journal: ".journal"
    case .newJournal: ".journal.new"
    case .lock: ".lock"
    case .temporary: ".new"
    case .history: ".history"
    case .newHistory: ".history.new"
    }
  }

  /// The mark of a new document that is not yet in place, and of an old one that is to be removed.
  static let temporaryMark = "temporary"

  /// The first bytes of a file of this kind; empty for files that Kura never removes or appends to.
  private var start: String {
    switch self {
    case .journal, .newJournal: JournalLine.starts[0]
    case .lock: #"{"process": "#
    case .history, .newHistory: #"{"history": "#
    case .temporary: "{\n  \"format\": \"kura/"
    case .document, .folder: ""
    }
  }

  /// Returns whether Kura wrote a file as one of this kind, completely or in part.
  ///
  /// A document of another store may have the name of a new document. Without the mark, a file that
  /// ends like a document counts as one.
  fileprivate func isOwn(
    _ file: Int32, _ status: FileStatus, _ files: FileOperations, for use: OpenKind
  ) throws(FileError) -> Bool {
    // A journal with a damaged start is read and reported.
    if use == .fresh || use == .reading && self != .history { return true }
    if case .temporary = self, files.mark(file) == Self.temporaryMark { return true }
    let found = try files.read(file, at: 0, upTo: start.utf8.count)
    let differing = zip(found, start.utf8).count { $0 != $1 }
    // A history is read and appended to despite damage, even of one byte here.
    let isDamaged = self == .history && differing == 1 && found.count == start.utf8.count
    let isStart = differing == 0 || isDamaged
    guard isStart || found.allSatisfy({ $0 == 0 }) else { return false }
    guard case .temporary = self, status.size > 0 else { return true }
    let end = try files.read(file, at: max(0, status.size - 64), upTo: 64)
    return end.last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } != UInt8(ascii: "}")
  }
}

extension FileStatus {
  /// Returns why a file is not one of the store's files; a folder is left to the system's error.
  fileprivate func strangeness(as file: StoreFile, _ use: OpenKind) -> InvalidFile? {
    switch kind {
    case .folder: nil
    case .pipe, .socket, .device, .link: .kind(kind)
    // A document may have several names when read; one that is open in a session may have lost its name.
    case .file: links > 1 && file != .document && use != .reading ? .links(links) : nil
    }
  }
}

extension StorePlace {
  /// Returns the current content of the journal from an offset on; nil if there is no journal.
  func readJournal(
    _ files: FileOperations, from start: Int64 = 0, _ cancel: CancelFlag
  ) throws(KeepingFailure) -> (bytes: [UInt8], status: FileStatus)? {
    guard let file = try openJournal(files) else { return nil }
    return try on(.journal) { () throws(FileError) in
      let bytes = try files.readAll(file.descriptor, from: start, .journal, cancel)
      var status = try files.status(file.descriptor)
      // Bytes that were appended since are another process's save, and must count as a change.
      status.size = start + Int64(bytes.count)
      return (bytes, status)
    }
  }

  private func openJournal(_ files: FileOperations) throws(KeepingFailure) -> OpenFile? {
    guard try check(journal, as: .journal, files, for: .reading) else { return nil }
    do {
      return try open(journal, as: .journal, .reading, files)
    } catch {
      // The file disappeared between the two calls.
      guard try check(journal, as: .journal, files, for: .reading) else { return nil }
      throw error
    }
  }

  /// Returns whether the journal has saves, or damage that may have been saves.
  func journalHasSaves(
    _ files: FileOperations, _ cancel: CancelFlag
  ) throws(KeepingFailure) -> Bool {
    guard let found = try readJournal(files, cancel) else { return false }
    guard let journal = try? Journal(reading: found.bytes) else { return true }
    switch journal.tail {
    case .clean, .torn: return !journal.records.isEmpty
    case .damaged: return true
    }
  }
}
