import KuraBytes
import KuraGraph
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

@Suite("Numbers of texts") struct NumberedTextTests {
  @Test("distinguish texts with the same hash")
  func collisions() {
    // Eight bytes at a time, the hash of the first word decides which second word gives the same state.
    let (first, second) = (Array("abcdefgh".utf8), Array("ABCDEFGH".utf8))
    let tail = Array("12345678".utf8)
    let states = [first, second].map(Self.state)
    let other = (0..<8).map { place in
      tail[place] ^ UInt8(truncatingIfNeeded: (states[0] ^ states[1]) >> UInt64(place * 8))
    }
    let texts = [first + tail, second + other, first + tail, Array("other".utf8)]
    let hashes = texts.map { $0.withUnsafeBufferPointer(IndexHash.of) }
    #expect(hashes[0] == hashes[1] && texts[0] != texts[1])
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    for text in texts {
      bytes += text
      ends.append(UInt32(bytes.count))
    }
    let all = Bitmap(count: 4, filledWith: true)
    let numbers = NumberedTexts([TextViews(bytes: bytes, ends: ends)], [nil], [all])
    let codes = numbers.codes[0]
    #expect(numbers.count == 3 && Set(codes).count == 3 && codes[0] == codes[2])
  }

  /// The state of the hash of 16 bytes after the first eight.
  private static func state(_ bytes: [UInt8]) -> UInt64 {
    let word = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    var hash = (16 &* 0x9E37_79B9_7F4A_7C15 ^ word) &* 0x9FB2_1C65_1E98_DF25
    hash ^= hash >> 32
    return hash
  }

  @Test("follow each change, although they are cached", arguments: 1...3 as ClosedRange<UInt64>)
  func changes(seed: UInt64) throws {
    var pair = try IndexedPair(seed, objects: 600)
    for step in 0..<TestLength.count(30, long: 60) {
      if pair.contexts[0].graph.objectIDs(of: "Thing").isEmpty { try pair.insert(600) }
      try pair.change()
      let snapshot = pair.contexts[0].snapshot
      var expected: [Value: Int64] = [:]
      for id in snapshot.graph.objectIDs(of: "Thing") {
        let object = try #require(snapshot.graph.row(of: id.number, inTable: 0))
        expected[try snapshot.object(table: 0, row: object).value(forKey: "title"), default: 0] += 1
      }
      for use in 0..<2 {
        #expect(try Self.groups(snapshot) == expected, "seed \(seed), step \(step), use \(use)")
      }
    }
  }

  private static func groups(_ snapshot: GraphSnapshot) throws -> [Value: Int64] {
    var fetch = FetchTree(of: FetchSource(.entity("Thing")))
    fetch.selection = try ["title", "count(SELF)"].map {
      SelectedColumn(try ExpressionTree(parsing: $0), name: $0)
    }
    fetch.grouping = [try ExpressionTree(parsing: "title")]
    let environment = FetchEnvironment(now: Timestamp(microseconds: 0))
    guard case .values(let rows) = try fetch.bound(to: snapshot, environment).answer().rows else {
      return [:]
    }
    var result: [Value: Int64] = [:]
    for row in 0..<rows.count {
      if case .integer(let count) = rows.columns[1].value(row) {
        result[rows.columns[0].value(row), default: 0] += count
      }
    }
    return result
  }
}
