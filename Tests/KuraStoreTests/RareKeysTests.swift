import KuraGraph
import Testing

@testable import KuraStore

@Suite("Rare keys")
struct RareKeysTests {
  @Test("are refused before their entries take all memory")
  func manyRows() {
    let rare = RareKeys()
    defer { rare.free() }
    let last = 64 * ColumnChunk.capacity - 1
    for number in 0..<15_625 { #expect(rare.number(of: "k\(number)", row: last) == number) }
    #expect(rare.number(of: "k15625", row: last) == nil)
    #expect(rare.number(of: "k7", row: last) == 7)
  }
}
