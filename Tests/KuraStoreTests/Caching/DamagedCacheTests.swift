import Foundation
import KuraGraph
import TestSupport
import Testing

@testable import KuraStore

/// Damage to caches and documents never leads to another result than the document's.
@Suite(.enabled(if: CachedFile.isPossible)) struct DamagedCacheTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["KURA_CACHE_ROUNDS"].flatMap(Int.init)
    ?? TestLength.count(24, long: 2_000)
  private static let seed =
    ProcessInfo.processInfo.environment["KURA_SEED"].flatMap(UInt64.init) ?? 1

  @Test func whateverHappensTheDocumentAnswers() throws {
    var happened: [CacheEvent: Int] = [:]
    for round in 0..<Self.rounds {
      var mishaps = CacheEvents(seed: Self.seed &+ UInt64(round))
      let mishap = CacheEvent.allCases[round % CacheEvent.allCases.count]
      try mishaps.happen(mishap)
      happened[mishap, default: 0] += 1
    }
    if TestLength.isLong {
      print(happened.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))
    }
  }

  @Test func aBitOfTheTableOfContentsIsEnough() throws {
    let file = try CachedFile(Array(#"[{"a": "x", "b": 1}, {"a": "y", "c": [1]}]"#.utf8))
    try file.keep()
    let whole = try file.cacheBytes()
    let head = try CacheHead(Array(whole[..<CacheHead.size]), fileSize: UInt64(whole.count))
    let places = Array(0..<CacheHead.size) + Array(Int(head.contentsOffset)..<whole.count)
    let wanted = try file.document.written
    for (i, place) in places.enumerated() where TestLength.isLong || i % 23 == 0 {
      var damaged = whole
      damaged[place] ^= 1 << UInt8(i % 8)
      if file.cachePath == nil { try file.keep() }
      try file.setCache(damaged)
      let opened = try file.open()
      #expect(!opened.isCached && opened.store.written == wanted, "byte \(place)")
    }
  }

  @Test func aBitOfAnyChunkIsEnough() throws {
    let file = try CachedFile(Array(#"[{"a": "x", "b": 1, "c": 2.5}, {"a": "y", "d": true}]"#.utf8))
    try file.keep()
    let whole = try file.cacheBytes()
    let head = try CacheHead(Array(whole[..<CacheHead.size]), fileSize: UInt64(whole.count))
    let wanted = try file.document.written
    for place in CacheHead.size..<Int(head.contentsOffset) {
      var damaged = whole
      damaged[place] ^= 1 << UInt8(place % 8)
      if file.cachePath == nil { try file.keep() }
      try file.setCache(damaged)
      let opened = try file.open()
      #expect(opened.isCached && opened.store.written == wanted, "byte \(place)")
      // The process that detected it has removed it.
      #expect(file.cachePath == nil)
    }
  }

  @Test func anotherMachinesOrVersionsCacheIsNotUsed() throws {
    let file = try CachedFile(Array(#"[{"a": "x"}]"#.utf8))
    try file.keep()
    let whole = try file.cacheBytes()
    for place in [0, 8, 12, 16, 20] {
      var other = whole
      other[place] ^= 3
      // Its own checksum is right.
      let sum = UInt64(checksumOf: other[..<56])
      withUnsafeBytes(of: sum) { other.replaceSubrange(56..<64, with: $0) }
      if file.cachePath == nil { try file.keep() }
      try file.setCache(other)
      #expect(try !file.open().isCached)
    }
    var settings = file.settings
    settings.program = "test 2"
    try file.keep()
    #expect(try file.open().isCached)
    #expect(try !file.open(with: settings).isCached)
  }

  @Test func withoutCacheAndDocumentTheProcessEnds() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let file = try CachedFile(Array(#"[{"a": "x"}]"#.utf8))
      try file.keep()
      let opened = try file.open()
      try file.setCache([])
      try file.setDocument(Array(#"[{"a": "y"}]"#.utf8))
      _ = opened.store.written
    }
  }
}
