import KuraModel
import KuraValues
import Testing

@testable import KuraGraph

@Suite struct ColumnTests {
  private func column(_ type: AttributeType, _ cells: [StoredCell], coded: Bool = false) -> Column {
    var column = Column(.attribute(type), dictionary: coded ? TextDictionary() : nil)
    for cell in cells { column.append(cell) }
    return column
  }

  @Test func nullsHaveABitOnlyWhereThereAreSome() {
    let full = column(.integer, [.integer(1), .integer(2)])
    #expect(full.chunks[0].nulls == nil)
    let some = column(.integer, [.integer(1), .null, .integer(3)])
    #expect((0..<3).map { some.isNull($0) } == [false, true, false])
    #expect((0..<3).map { some.value($0) } == [1, .null, 3])
  }

  @Test func dictionariesDistinguishCanonicallyEquivalentTexts() {
    var dictionary = TextDictionary()
    let texts = ["\u{e9}", "e\u{301}", "\u{1F9B7}", "\u{212B}", "\u{c5}", "A\u{30A}"]
    #expect(dictionary.code(of: texts[1]) == nil)
    let codes = texts.map { dictionary.encode($0, isOdd: true) }
    #expect(codes == [0, 1, 2, 3, 4, 5])
    #expect(texts.map { dictionary.code(of: $0) } == codes)
    #expect(dictionary.code(of: "e") == nil)
  }

  @Test func chunksHave16384Rows() {
    let rows = 3 * 16_384 + 1
    let numbers = column(.integer, (0..<rows).map { .integer(Int64($0)) })
    #expect(numbers.chunks.map(\.count) == [16_384, 16_384, 16_384, 1])
    #expect(numbers.value(rows - 1) == .integer(Int64(rows - 1)))
  }

  @Test(arguments: [255, 256, 257, 65_535, 65_536, 70_000])
  func aDictionaryGrowsAndIsGivenUp(_ count: Int) {
    // Three rows have each text.
    let texts = column(
      .string, (0..<3 * count).map { .text("t\($0 / 3)") } + [.null, .text("t0")], coded: true)
    #expect((texts.dictionary == nil) == (count > 65_535))
    for text in [0, 253, 254, count - 1] { #expect(texts.value(3 * text) == .string("t\(text)")) }
    #expect(texts.value(3 * count).isNull)
    #expect(texts.value(3 * count + 1) == "t0")
  }

  @Test(arguments: [255, 256, 257, 4095, 4096, 9000])
  func aDictionaryIsGivenUpWhereEachRowHasATextOfItsOwn(_ count: Int) {
    let texts = column(
      .string, (0..<count).map { .text("t\($0)") } + [.null, .text("t0")], coded: true)
    #expect((texts.dictionary == nil) == (count >= 4096))
    for row in [0, 253, 254, count - 1] { #expect(texts.value(row) == .string("t\(row)")) }
    #expect(texts.value(count).isNull)
    #expect(texts.value(count + 1) == "t0")
  }

  @Test func aDictionaryOfTextsThatNoRowHasAnyMoreIsGivenUp() {
    var texts = column(.string, [.text("a"), .text("b")], coded: true)
    let long = String(repeating: "x", count: 10_000)
    for i in 0..<600 {
      texts.set([(0, .text(long + "\(i)"))])
      let bytes = texts.dictionary?.texts.bytes.count ?? 0
      #expect(bytes < 300_000)
    }
    #expect(texts.dictionary == nil)
    #expect(texts.value(0) == .string(long + "599"))
    #expect(texts.value(1) == "b")
  }

  @Test func aChunkWithFewValuesIsWhatItWouldBeWithAll() {
    let rows = [3, 64, 999]
    let packed = ColumnChunk(.integers([5, 6, 7]), nulls: Bitmap(words: [0b010], count: 3))
    var sparse = Column(
      .attribute(.integer),
      chunks: [ColumnChunk(count: 1_000, rows: rows.map { UInt16($0) }, packed: packed)])
    let plain = column(
      .integer,
      (0..<1_000).map { row in
        row == 3 ? .integer(5) : row == 999 ? .integer(7) : .null
      })
    for row in 0..<1_000 {
      #expect(sparse.isNull(row) == plain.isNull(row))
      #expect(sparse.value(row) == plain.value(row))
    }
    #expect(sparse.chunks[0].nulls == plain.chunks[0].nulls)
    sparse.append(.null)
    sparse.set([(1_000, .integer(9)), (0, .integer(1))].sorted { $0.0 < $1.0 })
    #expect([0, 1, 3, 999, 1_000].map(sparse.value) == [1, .null, 5, 7, 9])
  }

  @Test func textsThatAreEqualOnlyCanonicallyHaveTheirOwnCodes() {
    let texts = column(.string, [.text("が"), .text("か\u{3099}"), .text("が")], coded: true)
    #expect(texts.dictionary?.count == 2)
    #expect(texts.value(1) == .string("か\u{3099}") && texts.value(2) == .string("が"))
  }

  @Test func aReplacedTextIsReadAndPacked() {
    var chunk = TextChunk()
    for row in 0..<2000 { chunk.append("r\(row)".utf8, isOdd: row == 7) }
    for row in 0..<1500 { chunk.replace(row, with: Array("new\(row)".utf8), isOdd: row == 9) }
    #expect((0..<1500).allSatisfy { chunk.string($0) == "new\($0)" })
    #expect((1500..<2000).allSatisfy { chunk.string($0) == "r\($0)" })
    #expect(chunk.isOdd(9) && !chunk.isOdd(7))
    #expect(chunk.patch.count <= 512)
  }

  @Test func anAppendWithoutASnapshotCopiesNothing() throws {
    var numbers = column(.integer, (0..<10_000).map { .integer($0) })
    var moves = 0
    var last = address(numbers)
    for i in 0..<6000 {
      numbers.append(.integer(Int64(i)))
      let now = address(numbers)
      if now != last { moves += 1 }
      last = now
    }
    // A growing array moves when it doubles; one that is copied moves at each append.
    #expect(moves <= 2)
  }

  private func address(_ column: Column) -> UnsafeRawPointer? {
    guard case .integers(let values) = column.chunks[0].values else { return nil }
    return values.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
  }

  @Test func aSnapshotKeepsWhatItSaw() {
    var numbers = column(.integer, [.integer(1)])
    let snapshot = numbers
    numbers.append(.integer(2))
    #expect(snapshot.chunks[0].count == 1 && numbers.chunks[0].count == 2)
  }
}

@Suite struct IdentifierColumnTests {
  @Test func numbersInEveryOrderAreFound() {
    for numbers in [[], [5, 6, 7], [1, 5, 9], [9, 1, 5], [Int64.max - 1], [3, 2, 1]] as [[Int64]] {
      var grown = IdentifierColumn([])
      for number in numbers { grown.append(number) }
      for column in [IdentifierColumn(numbers), grown] {
        #expect(column.count == numbers.count)
        for (row, number) in numbers.enumerated() {
          #expect(column[row] == number && column.row(of: number) == row)
        }
        for missing in [Int64.min, -1, 0, 4, 8, .max] { #expect(column.row(of: missing) == nil) }
        #expect(column.isAscending == (numbers == numbers.sorted()))
      }
    }
  }
}
