import Foundation
import KuraGraph
import KuraModel
import TestSupport
import Testing

@testable import KuraStore

/// An event that concerns a cache, its document, or its writer.
enum CacheEvent: CaseIterable {
  case none, killed, diskFull, bits, truncated, lengthened, emptied
  case edited, replaced, touchedBack, otherSave
  case twoAtOnce, truncatedWhileOpen, bitsWhileOpen, removedWhileOpen
  case symlink, hardLink, openToOthers, folderForFile, folderIsLink, folderOfAll, fileForFolder
  case unwritable
}

struct CacheEvents {
  private var numbers: SeededNumbers
  private var generated: GeneratedDocument
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    generated = GeneratedDocument(seed: seed)
  }

  mutating func happen(_ mishap: CacheEvent) throws {
    let file = try document()
    let what = "\(mishap), seed \(seed): \(generated.summary)"
    switch mishap {
    case .killed, .diskFull:
      _ = try? file.keep(with: failing(file.settings, leavesAll: mishap == .killed))
      try file.check(what)
      try file.keep()
      #expect(file.cacheNames.allSatisfy { !$0.hasSuffix(".new") }, "\(what)")
    case .twoAtOnce: try keepTwice(file)
    case .truncatedWhileOpen, .bitsWhileOpen, .removedWhileOpen: try whileOpen(mishap, file, what)
    default:
      try file.keep()
      if file.cachePath != nil { try change(mishap, file) }
    }
    try file.check(what)
    CachedFile.settle()
    _ = try? file.keep()
    try file.check(what + ", again")
  }

  /// Returns a document that can be read.
  private mutating func document() throws -> CachedFile {
    while true {
      let bytes = generated.next()
      if (try? StoreReader(bytes).read()) != nil { return try CachedFile(bytes) }
    }
  }

  /// Returns settings with writes that fail from a random one on; a killed process removes no files.
  private mutating func failing(_ settings: CacheSettings, leavesAll: Bool) -> CacheSettings {
    var settings = settings
    let rest = Countdown(numbers.below(6))
    let live = FileOperations.live
    settings.files.write = { file, bytes, place throws(FileError) in
      guard rest.next() else {
        // A part of it may be written.
        if place % 2 == 0 {
          _ = try live.write(file, .init(rebasing: bytes[..<(bytes.count / 2)]), place)
        }
        throw FileError(.write, ENOSPC)
      }
      return try live.write(file, bytes, place)
    }
    settings.files.rename = { folder, from, to throws(FileError) in
      guard rest.next() else { throw FileError(.rename, EIO) }
      try live.rename(folder, from, to)
    }
    if leavesAll { settings.files.remove = { _, _ in } }
    return settings
  }

  private func keepTwice(_ file: CachedFile) throws {
    let opened = [try file.open(), try file.open()]
    nonisolated(unsafe) let caches = opened.map(\.cache)
    DispatchQueue.concurrentPerform(iterations: 2) { _ = caches[$0].keep() }
    #expect(file.cacheNames.count <= 1)
  }

  private mutating func whileOpen(_ mishap: CacheEvent, _ file: CachedFile, _ what: String) throws {
    try file.keep()
    let wanted = try file.document.written
    let opened = try file.open()
    if let path = file.cachePath {
      switch mishap {
      case .truncatedWhileOpen: truncate(path, off_t(numbers.below(try file.cacheBytes().count)))
      case .removedWhileOpen: unlink(path)
      default: try flip(file)
      }
    }
    #expect(opened.store.written == wanted, "\(what)")
  }

  private mutating func flip(_ file: CachedFile) throws {
    var bytes = try file.cacheBytes()
    for _ in 0...numbers.below(4) {
      bytes[numbers.below(bytes.count)] ^= 1 << UInt8(numbers.below(8))
    }
    try file.setCache(bytes)
  }
}

extension CacheEvents {
  private mutating func change(_ mishap: CacheEvent, _ file: CachedFile) throws {
    let path = try #require(file.cachePath)
    let folder = file.settings.folder
    switch mishap {
    case .bits: try flip(file)
    case .truncated: truncate(path, off_t(numbers.below(try file.cacheBytes().count)))
    case .lengthened: try file.setCache(try file.cacheBytes() + [0])
    case .emptied: try file.setCache([])
    case .edited: try file.setDocument(otherDocument(file))
    case .replaced: try replace(file)
    case .touchedBack: try touchBack(file)
    case .otherSave: try save(file)
    case .symlink:
      rename(path, path + ".moved")
      symlink(path + ".moved", path)
    case .hardLink: link(path, folder + "/other")
    case .openToOthers: chmod(path, 0o644)
    case .folderForFile:
      unlink(path)
      mkdir(path, 0o700)
    case .folderIsLink:
      rename(folder, folder + ".moved")
      symlink(folder + ".moved", folder)
    case .folderOfAll: chmod(folder, 0o777)
    case .fileForFolder:
      rename(folder, folder + ".moved")
      close(open(folder, O_CREAT | O_WRONLY, 0o600))
    case .unwritable: chmod(folder, 0o500)
    default: return
    }
  }

  /// Returns a document of the same length with other digits.
  private mutating func otherDocument(_ file: CachedFile) throws -> [UInt8] {
    let digits = UInt8(ascii: "1")...UInt8(ascii: "8")
    var bytes = try file.documentBytes()
    for (i, byte) in bytes.enumerated() where digits.contains(byte) && numbers.oneIn(3) {
      bytes[i] = byte + 1
    }
    return bytes
  }

  /// Replaces the file with another one, with the same times and the same length.
  private mutating func replace(_ file: CachedFile) throws {
    let times = try Times(file.path)
    let other = try file.folder.file("other", try otherDocument(file))
    times.set(other)
    rename(other, file.path)
  }

  private mutating func touchBack(_ file: CachedFile) throws {
    let times = try Times(file.path)
    try file.setDocument(otherDocument(file))
    times.set(file.path)
  }

  /// Saves to the journal like another process, if an object without values is possible.
  private func save(_ file: CachedFile) throws {
    guard let keeper = try StoreKeeper.open(path: file.path).keeper else { return }
    var contents = try file.document
    guard let table = contents.graph.tables.first(where: { mayBeEmpty($0, contents.graph.model) })
    else { return }
    let batch = ObjectBatch(
      entity: table.layout.root, numbers: [table.nextNumber], columns: [])
    let change = ChangeSet(inserted: [batch])
    try contents.graph.admit(change)
    _ = try keeper.save(StoreSaveRequest(contents, change)) { StoreSaveRequest($0, change) }
  }
}

/// Returns whether an object of the table's root needs no values.
private func mayBeEmpty(_ table: Table, _ model: Model) -> Bool {
  let root = table.layout.root
  return model[root]?.isAbstract == false
    && model.allAttributes(of: root).allSatisfy(\.isOptional)
    && model.allRelationships(of: root).allSatisfy(\.isOptional)
}

/// The times of a file that any program can set.
private struct Times {
  private let times: [timespec]

  init(_ path: String) throws {
    var status = stat()
    #expect(stat(path, &status) == 0)
    #if canImport(Darwin)
      times = [status.st_atimespec, status.st_mtimespec]
    #else
      times = [status.st_atim, status.st_mtim]
    #endif
  }

  func set(_ path: String) { utimensat(AT_FDCWD, path, times, 0) }
}

/// A counter that returns true a number of times, then false.
private final class Countdown: @unchecked Sendable {
  private var rest: Int

  init(_ rest: Int) { self.rest = rest }

  func next() -> Bool {
    rest -= 1
    return rest >= 0
  }
}
