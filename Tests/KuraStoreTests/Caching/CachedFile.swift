import Foundation
import KuraDiagnostics
import KuraGraph
import Testing

@testable import KuraStore

/// A document and its cache folder, in a temporary folder.
struct CachedFile {
  let folder: Folder
  let path: String
  var settings: CacheSettings

  /// The time between two changes of a test, longer than a tick of the system's clock.
  private static let rest: Int64 = 12_000_000

  init(_ bytes: [UInt8], named name: String = "s.json") throws {
    folder = try Folder()
    path = try folder.file(name, bytes)
    settings = CacheSettings(folder: folder.path + "/cache/kura", program: "test 1")
    (settings.leastTime, settings.rest, settings.reserve) = (.zero, Self.rest, 0)
    settings.leastSize = 0
    settings.lost = { path in
      FileHandle.standardError.write(Data("nothing is left to answer from: \(path)\n".utf8))
      exit(3)
    }
    Self.settle()
  }

  /// Waits until the last change is old enough.
  static func settle() { usleep(UInt32(rest / 1000 + 8000)) }

  /// Whether caches are possible in the folder of the tests.
  static var isPossible: Bool {
    let folder = Foundation.open(NSTemporaryDirectory(), O_RDONLY)
    defer { close(folder) }
    return isOnLocalFileSystem(folder)
  }
}

extension CachedFile {
  /// The result of opening it, and whether it came from the cache.
  struct Opened {
    var store: StoreContents
    var cache: StoreCache
    var keeper: StoreKeeper?
    var isCached: Bool
  }

  func open(with settings: CacheSettings? = nil) throws -> Opened {
    var options = KeepingOptions()
    options.cache = settings ?? self.settings
    let opened = try StoreKeeper.open(path: path, options)
    let cache = try #require(opened.cache)
    return Opened(
      store: opened.store, cache: cache, keeper: opened.keeper, isCached: cache.isUsed)
  }

  /// Opens and closes it like a script.
  @discardableResult func keep(with settings: CacheSettings? = nil) throws -> WrittenCache? {
    try open(with: settings).cache.keep()
  }

  /// Opens it without a cache.
  var document: StoreContents { get throws { try StoreKeeper.open(path: path).store } }

  /// The path of the cache; nil if there is none.
  var cachePath: String? { cacheNames.first.map { settings.folder + "/" + $0 } }

  var cacheNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: settings.folder)) ?? []
    return names.sorted()
  }

  func cacheBytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: try #require(cachePath))))
  }

  /// Replaces the bytes of the cache.
  func setCache(_ bytes: [UInt8]) throws {
    let file = Foundation.open(try #require(cachePath), O_WRONLY | O_TRUNC)
    defer { close(file) }
    #expect(write(file, bytes, bytes.count) == bytes.count)
  }

  /// Writes to the document like an editor that keeps the file.
  func setDocument(_ bytes: [UInt8]) throws {
    let file = Foundation.open(path, O_WRONLY | O_TRUNC)
    defer { close(file) }
    #expect(write(file, bytes, bytes.count) == bytes.count)
  }

  func documentBytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}

extension StoreContents {
  /// The complete content, as a document.
  var written: [UInt8] {
    var bytes: [UInt8] = []
    var output = FileOutput { (piece) throws(FileError) in bytes += piece }
    try? DocumentWriter(self).write(to: &output)
    try? output.flush()
    return bytes + (isStore ? [1] : [0])
  }
}

extension CachedFile {
  /// Checks that opening has the same result as the document: contents or an error.
  func check(_ what: String, with settings: CacheSettings? = nil) throws {
    let wanted = Result { try document }
    let found = Result { try open(with: settings) }
    switch (wanted, found) {
    case (.success(let wanted), .success(let found)):
      let texts = [wanted, found.store].map { String(decoding: $0.written, as: UTF8.self) }
      #expect(texts[0] == texts[1], "\(what)")
    case (.failure(let wanted as StoreProblems), .failure(let found as StoreProblems)):
      #expect(
        wanted.diagnostics.map(\.facts.sentence) == found.diagnostics.map(\.facts.sentence),
        "\(what)")
    default: Issue.record("\(what): \(wanted) but \(found)")
    }
  }
}
