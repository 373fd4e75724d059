import Testing

@testable import KuraStore

@Suite("A growing byte buffer")
struct ByteArenaTests {
  /// Large arenas consist of pages, which are returned piece by piece.
  @Test("has all bytes, few or many", arguments: [3, 5_000, 700_000, 3_000_001])
  func all(length: Int) {
    var arena = ByteArena(capacity: 16)
    defer { arena.free() }
    for turn in 0..<2 {
      var expected: [UInt8] = []
      for piece in 0..<9 {
        let bytes = [UInt8](repeating: UInt8(65 + piece + turn * 10), count: length + piece)
        expected += bytes
        bytes.withUnsafeBufferPointer { arena.append($0.baseAddress!, $0.count) }
      }
      #expect(arena.count == expected.count)
      #expect(arena.takeArray() == expected)
      arena.truncate(to: 0)
    }
  }

  /// Short texts are copied with the bytes after them, which the next text overwrites.
  @Test("keeps short texts at any end of the memory", arguments: [1, 15, 16, 31, 32, 33])
  func short(length: Int) {
    let padded = (0..<length + InputWindow.padding).map { UInt8($0) }
    for capacity in length...length + 64 {
      var arena = ByteArena(capacity: capacity)
      defer { arena.free() }
      padded.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        for _ in 0..<5 { arena.appendPadded(start, length) }
      }
      let all = [[UInt8]](repeating: Array(padded.prefix(length)), count: 5).flatMap { $0 }
      #expect(arena.takeArray() == all)
    }
  }
}
