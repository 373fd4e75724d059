import Foundation
import KuraGraph
import KuraModel
import TestSupport
import Testing

@testable import KuraStore

/// Caches with correct checksums and contents that no document has.
@Suite(.enabled(if: CachedFile.isPossible)) struct ForgedCacheTests {
  private static let rounds = TestLength.count(60, long: 3_000)

  private static let document: String = {
    let attributes = AttributeType.allCases.map {
      "\"\($0.rawValue)\": {\"type\": \"\($0.rawValue)\", \"optional\": true}"
    }
    let relationships =
      #""one": {"destination": "Item"}, "many": {"destination": "Item", "toMany": true}"#
    let objects = (1...70).map { i in
      #"{"objectID": \#(i * 2), "integer": \#(i), "integer16": \#(i), "integer32": \#(i), "double": \#(i).5, "#
        + #""float": \#(i).5, "decimal": "\#(i).25", "string": "誕生 \#(i)", "boolean": \#(i % 2 == 0), "#
        + #""date": "2026-11-\#(10 + i % 19)", "uri": "x:\#(i)", "binary": "AAAA", "json": {"a": \#(i)}, "#
        + #""uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E\#(10 + i)", "one": \#(i * 2), "many": [2, \#(i * 2 == 2 ? 4 : i * 2)]}"#
    }
    let rare = #"{"objectID": 200, "string": "x"}"#
    return store(
      attributes.joined(separator: ", "), (objects + [rare]).joined(separator: ", "),
      relationships: relationships)
  }()

  @Test func areNotBelieved() throws {
    let file = try CachedFile(Array(Self.document.utf8))
    try file.keep()
    let wanted = try file.document.written
    let whole = try file.cacheBytes()
    let binding = try binding(file)
    for seed in 1...UInt64(Self.rounds) {
      var forgery = Forgery(try file.document, seed: seed)
      let what = forgery.forge()
      let folder = try #require(CacheFolder(file.settings, makes: true))
      let writing = CacheWriting(
        contents: forgery.contents, binding: binding, name: { nil }, settings: file.settings)
      _ = try writing.write(in: folder)
      let opened = try file.open()
      #expect(opened.store.written == wanted, "seed \(seed): \(what)")
      if file.cachePath != nil { try file.setCache(whole) } else { try file.keep() }
    }
  }

  private func binding(_ file: CachedFile) throws -> CacheBinding {
    let descriptor = Foundation.open(try #require(file.cachePath), O_RDONLY)
    let cache = OpenFile(descriptor, as: .cache, file.settings.files)
    return try #require(CacheInput(cache, size: cache.status.size).binding)
  }
}

/// A store with one part that no document can contain.
private struct Forgery {
  var contents: StoreContents
  private var numbers: SeededNumbers

  init(_ contents: StoreContents, seed: UInt64) {
    (self.contents, numbers) = (contents, SeededNumbers(seed: seed))
  }

  /// Forges one part, and returns a description of it.
  mutating func forge() -> String {
    if numbers.oneIn(6) { return forgeTable() }
    let column = numbers.below(contents.graph.tables[0].columns.count)
    let old = contents.graph.tables[0].columns[column]
    if let texts = old.dictionary?.texts, numbers.flip() {
      contents.graph.tables[0].columns[column].dictionary = TextDictionary(forged(texts))
      return "\(old.kind): the dictionary"
    }
    let (rows, packed) = old.chunks[0].stored
    let values = forged(packed.compactValues, old.kind)
    let chunk = ColumnChunk(values, nulls: packed.nulls)
    contents.graph.tables[0].columns[column].chunks[0] =
      rows.map { ColumnChunk(count: old.chunks[0].count, rows: forged($0), packed: chunk) } ?? chunk
    return "\(old.kind): \(values)"
  }

  private mutating func forgeTable() -> String {
    let count = contents.graph.tables[0].count
    switch numbers.below(6) {
    case 0: contents.graph.tables[0].nextNumber = numbers.pick([0, -1, .max, .min, 5])
    case 1: contents.graph.tables[0].soleEntity = 1 + numbers.below(99)
    case 2: contents.graph.tables[0].identifiers = .dense(first: .max - 3, count: count)
    case 3: contents.graph.tables[0].identifiers = .dense(first: -2, count: count)
    case 4:
      contents.graph.tables[0].identifiers = .ascending(
        Array(repeating: Int64(numbers.below(9)), count: count))
    default:
      contents.graph.tables[0].entityCodes = (0..<count).map { _ in UInt16(7) }
    }
    return "table"
  }

  /// Returns texts with a duplicate, with missing ones, or with bytes that are not UTF-8.
  private mutating func forged(_ texts: TextChunk) -> TextChunk {
    var strings = (0..<texts.count).map { Array(texts.string($0).utf8) }
    switch numbers.below(3) {
    case 0: strings[strings.count - 1] = strings[0]
    case 1: strings.removeLast(strings.count / 2)
    default: strings[0] = [0xFF]
    }
    var forged = TextChunk()
    for text in strings { forged.append(text, isOdd: false) }
    return forged
  }

  private mutating func forged(_ rows: [UInt16]) -> [UInt16] {
    var rows = rows
    rows[numbers.below(rows.count)] = numbers.pick([0, 200, .max])
    rows.reverse()
    return rows
  }

  private mutating func forged(
    _ values: ColumnChunk.Values, _ kind: ColumnKind
  ) -> ColumnChunk.Values {
    if numbers.oneIn(5) { return other(values) }
    switch values {
    case .integers(var numbers) where kind != .attribute(.integer):
      numbers[place(numbers.count)] = self.numbers.pick([.max, .min, 1 << 62])
      return .integers(numbers)
    case .integers(let numbers): return other(.integers(numbers))
    case .doubles(var numbers) where kind == .attribute(.float):
      numbers[place(numbers.count)] = 1e300
      return .doubles(numbers)
    case .doubles(let numbers): return other(.doubles(numbers))
    case .bytes(var bytes):
      bytes[place(bytes.count)] = 0xFF
      return .bytes(bytes)
    case .codes(var codes):
      codes[place(codes.count)] = .max
      return .codes(codes)
    case .text(let texts):
      var (bytes, ends) = (texts.bytes, texts.ends)
      switch numbers.below(4) {
      case 0: ends[place(ends.count)] = .max
      case 1: ends.reverse()
      case 2 where !bytes.isEmpty: bytes[place(bytes.count)] = 0xC3
      default: ends.removeLast()
      }
      return .text(TextChunk(bytes: bytes, ends: ends, oddRows: texts.oddRows))
    case .links(var links):
      links[place(links.count)] = numbers.pick([.max - 1, 71, 1 << 20])
      return .links(links)
    case .linkLists(var lists):
      if numbers.flip() {
        lists.rows[place(lists.rows.count)] = numbers.pick([.max, 71])
      } else {
        lists.ends[place(lists.ends.count)] = .max
      }
      return .linkLists(lists)
    }
  }

  /// Returns the same number of values in another form.
  private mutating func other(_ values: ColumnChunk.Values) -> ColumnChunk.Values {
    let count = ColumnChunk(values).count
    return switch values {
    case .integers: .doubles(Array(repeating: 1, count: count))
    case .doubles: .integers(Array(repeating: 1, count: count))
    case .links: .integers(Array(repeating: 1, count: count))
    case .bytes, .codes, .text, .linkLists: .links(Array(repeating: 0, count: count))
    }
  }

  private mutating func place(_ count: Int) -> Int { numbers.below(count) }
}
