import KuraModel
import TestSupport
import Testing

@testable import KuraGraph

@Suite("The keys of a chunk's JSON, read in one pass")
struct JSONPathsTests {
  /// Returns JSON of a few keys, with occasional other values.
  private static func json(_ random: inout SeededNumbers, _ depth: Int) -> String {
    switch random.below(depth > 2 ? 7 : 12) {
    case 0: "null"
    case 1: "\(random.below(100))"
    case 2: "\(random.below(100)).5"
    case 3: random.flip() ? "true" : "false"
    case 4: #""\#(random.pick(["a", "家", "q\\\"", "\\u00e9", ""]))""#
    case 5: "[ \((0..<random.below(3)).map { _ in json(&random, 3) }.joined(separator: " , ")) ]"
    case 6: "[]"
    case 7: "[\(json(&random, depth + 1)),\(json(&random, depth + 1))]"
    default: object(&random, depth)
    }
  }

  private static func object(_ random: inout SeededNumbers, _ depth: Int) -> String {
    let keys = ["a", "tags", "u", "é", "e\u{301}", "\\u0061"].filter { _ in random.below(3) > 0 }
    let members = keys.map { "\"\($0)\": \(json(&random, depth + 1))" }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func usual(_ random: inout SeededNumbers) -> String {
    #"{"a": \#(random.below(9)), "tags": ["x", "y\#(random.below(3))"], "u": {"a": 1.5, "tags": [1, 2]}}"#
  }

  private static let paths = ["a", "tags", "u", "u.a", "u.tags", "u.u", "é", "x"].map {
    $0.split(separator: ".").map(String.init)
  }

  @Test(
    "equal single reads, in any spelling", arguments: 1...12 as ClosedRange<UInt64>)
  func together(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    var text = TextChunk()
    var nulls = Bitmap(count: 300)
    for row in 0..<300 {
      let json = random.oneIn(3) ? Self.object(&random, 0) : Self.usual(&random)
      nulls[row] = random.oneIn(20)
      text.append(nulls[row] ? "".utf8 : json.utf8, isOdd: false)
    }
    var together = 0
    for path in Self.paths.map({ JSONKeys($0) }) {
      let all = KeyedJSON.all(text, nulls, path)
      together = max(together, all.count)
      #expect(all[path] != nil)
      for (path, found) in all { expect(found, KeyedJSON(text, nulls, path), "\(seed): \(path)") }
    }
    #expect(together > 1)
  }

  private func expect(_ a: KeyedJSON, _ b: KeyedJSON, _ place: Comment) {
    #expect(a.kind == b.kind, place)
    #expect(a.ends == b.ends, place)
    #expect(rows(a.unlisted, 300) == rows(b.unlisted, 300), place)
    #expect(rows(a.odd, a.chunk.count) == rows(b.odd, b.chunk.count), place)
    #expect(rows(a.unknown, a.chunk.count) == rows(b.unknown, b.chunk.count), place)
    #expect(a.chunk.count == b.chunk.count, place)
    let (x, y) = (column(a), column(b))
    for row in 0..<min(a.chunk.count, b.chunk.count) {
      #expect(x.value(row) == y.value(row), place)
    }
  }

  private func column(_ found: KeyedJSON) -> Column {
    switch found.kind {
    case .nothing, .texts: Column(.attribute(.string), chunks: [found.chunk])
    case .integers: Column(.attribute(.integer), chunks: [found.chunk])
    case .doubles, .numbers: Column(.attribute(.double), chunks: [found.chunk])
    case .booleans: Column(.attribute(.boolean), chunks: [found.chunk])
    }
  }

  private func rows(_ bitmap: Bitmap?, _ count: Int) -> [Int] {
    bitmap.map { bits in (0..<count).filter { bits[$0] } } ?? []
  }
}
