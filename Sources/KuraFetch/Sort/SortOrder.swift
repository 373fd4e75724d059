import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The order of rows by some keys, then by objectID: a class, which sorting takes along without copies.
final class SortOrder {
  let keys: [SortKey]
  /// The rows at the places that are ordered.
  let rows: [UInt32]
  let locale: Locale
  /// The rows' objectIDs, where the rows do not stand in their order.
  let numbers: [Int64]?
  private let packed: PackedKeys?

  init(keys: [SortKey], rows: [UInt32], locale: Locale, numbers: [Int64]?) {
    (self.keys, self.rows, self.locale, self.numbers) = (keys, rows, locale, numbers)
    packed = PackedKeys(keys, rows.count)
  }

  /// Whether the row at place `a` comes before the one at `b`.
  func precedes(_ a: Int, _ b: Int) -> Bool {
    if let packed {
      if let order = packed.precedes(a, b) { return order }
    } else if let order = precedesByKeys(a, b) {
      return order
    }
    if let numbers { return numbers[a] < numbers[b] }
    return a < b
  }

  /// The same by the keys alone; nil where they are all the same.
  private func precedesByKeys(_ a: Int, _ b: Int) -> Bool? {
    for key in keys {
      switch order(key, a, b) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return nil
  }

  private func order(_ key: SortKey, _ a: Int, _ b: Int) -> ValueOrder {
    if let nulls = key.nulls, nulls[a] || nulls[b] {
      if nulls[a] && nulls[b] { return .same }
      return nulls[a] == key.tree.putsNullsFirst ? .before : .after
    }
    let order =
      switch key.column {
      case .exact(let words): ValueOrder(words[a], words[b])
      case .prefixes(let words, let texts):
        words[a] == words[b] ? fullOrder(key, texts, a, b) : ValueOrder(words[a], words[b])
      case .values(let values):
        key.tree.ascendingOrder(values[a], values[b], locale: locale)
      }
    return key.tree.isAscending ? order : order.reversed
  }

  private func fullOrder(_ key: SortKey, _ texts: Column, _ a: Int, _ b: Int) -> ValueOrder {
    guard let x = texts.text(Int(rows[a])), let y = texts.text(Int(rows[b])) else { return .same }
    return Value.sortOrder(.string(x), .string(y))
  }
}

/// The keys of each place as numbers, where all have some: one place behind the other.
private final class PackedKeys {
  private let words: UnsafeMutablePointer<UInt64>
  private let stride: Int

  init?(_ keys: [SortKey], _ count: Int) {
    var columns: [[UInt64]] = []
    for key in keys {
      guard case .exact(let words) = key.column else { return nil }
      let turned = key.tree.isAscending ? words : words.map { ~$0 }
      guard let nulls = key.nulls else {
        columns.append(turned)
        continue
      }
      columns.append(nulls.map { $0 == key.tree.putsNullsFirst ? 0 : 1 })
      columns.append(zip(turned, nulls).map { $1 ? 0 : $0 })
    }
    (words, stride) = (.allocate(capacity: max(1, count * columns.count)), columns.count)
    for (number, column) in columns.enumerated() {
      for place in 0..<count { words[place * stride + number] = column[place] }
    }
  }

  deinit { words.deallocate() }

  /// Nil where they are the same.
  @inline(__always)
  func precedes(_ a: Int, _ b: Int) -> Bool? {
    let (a, b) = (words + a * stride, words + b * stride)
    for word in 0..<stride where a[word] != b[word] { return a[word] < b[word] }
    return nil
  }
}

/// The values of one sort key for the rows that are sorted.
enum SortKeyColumn {
  /// Numbers of 64 bits that order as the values do; equal ones are equal values.
  case exact([UInt64])
  /// The first eight bytes of texts; equal ones are compared in full.
  case prefixes([UInt64], Column)
  /// Values as the reference evaluates them.
  case values([Value])
}

/// A sort key with its values.
struct SortKey {
  let tree: SortTree
  let column: SortKeyColumn
  /// The places whose value is null; nil if there are none.
  let nulls: [Bool]?
}

extension SortKey {
  /// Takes the values of a column of the table, or evaluates the key for each row.
  init(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [UInt32]
  ) throws(Diagnostic) {
    self.tree = tree
    let table = request.snapshot.graph.tables[request.place.table]
    if let key = tree.plainKey, key == "objectID" || key == objectNumberKey {
      column = .exact(rows.map { UInt64(bitPattern: table.identifiers[Int($0)]) ^ (1 << 63) })
      nulls = nil
    } else if let key = tree.plainKey,
      case .attribute(let place, let type)? = table.layout.slots[request.place.code][key],
      let words = SortKeyColumn(table.columns[place], type, rows)
    {
      column = words
      nulls = table.columns[place].nullFlags(rows)
    } else {
      let values = try SortKey.evaluate(tree, request, rows)
      column = .values(values)
      nulls = values.contains { $0.isNull } ? values.map { $0.isNull } : nil
    }
  }

  private static func evaluate(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [UInt32]
  ) throws(Diagnostic) -> [Value] {
    let context = request.environment.evaluation
    var folding = ConstantFolding(request.environment)
    let expression = folding.folded(tree.expression)
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      if place & 255 == 0 { try request.environment.checkStopped() }
      let object = request.snapshot.object(table: request.place.table, row: Int(row))
      values.append(
        try expression.evaluate(on: .object(ObjectReference(object)), in: context))
    }
    return values
  }
}

extension SortTree {
  /// The key, where the sort goes by one key as it is.
  var plainKey: String? {
    guard !isNatural, options.isSubset(of: .normalized), case .keyPath(let path) = expression.kind
    else { return nil }
    return path.onlyKey
  }
}

extension SortKeyColumn {
  /// Words that order as a column's values do; nil where there are none.
  init?(_ column: Column, _ type: AttributeType, _ rows: [UInt32]) {
    switch type {
    case .integer, .integer16, .integer32, .date, .boolean, .double, .float:
      self = .exact(column.words(rows))
    case .string where column.dictionary != nil: self = .exact(column.ranks(rows))
    case .string: self = .prefixes(column.prefixes(rows), column)
    case .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }
}

extension Column {
  fileprivate func nullFlags(_ rows: [UInt32]) -> [Bool]? {
    chunks.contains { $0.nulls != nil } ? rows.map { isNull(Int($0)) } : nil
  }

  fileprivate func words(_ rows: [UInt32]) -> [UInt64] {
    rows.map { row in
      let chunk = Int(row) >> ColumnChunk.shift
      guard let i = chunks[chunk].place(of: Int(row) & ColumnChunk.mask) else { return 0 }
      return switch chunks[chunk].keptOnly {
      case .integers(let values): UInt64(bitPattern: values[i]) ^ (1 << 63)
      case .doubles(let values): values[i].orderedBits
      case .bytes(let values): UInt64(values[i])
      case .codes(let values): UInt64(values[i])
      case .text, .links, .linkLists: 0
      }
    }
  }

  /// The places of a dictionary's texts in their order.
  fileprivate func ranks(_ rows: [UInt32]) -> [UInt64] {
    guard let dictionary else { return [] }
    let order = (0..<dictionary.count).map { dictionary.string($0) }.enumerated()
      .sorted { $0.element.utf8.lexicographicallyPrecedes($1.element.utf8) }
    var rank = [UInt64](repeating: 0, count: dictionary.count)
    for (place, entry) in order.enumerated() { rank[entry.offset] = UInt64(place) }
    return words(rows).map { rank.isEmpty ? 0 : rank[Int($0)] }
  }

  fileprivate func prefixes(_ rows: [UInt32]) -> [UInt64] {
    rows.map { row in
      let chunk = Int(row) >> ColumnChunk.shift
      guard case .text(let text) = chunks[chunk].keptOnly,
        let i = chunks[chunk].place(of: Int(row) & ColumnChunk.mask)
      else { return 0 }
      return text.prefix(i)
    }
  }
}

extension TextChunk {
  /// The first eight bytes, the first of them the highest.
  fileprivate func prefix(_ row: Int) -> UInt64 {
    if let patched = patch[row] { return TextChunk.prefix(patched[...]) }
    return TextChunk.prefix(bytes[packedRange(row)])
  }

  private static func prefix(_ text: ArraySlice<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for byte in text.prefix(8) { word = word << 8 | UInt64(byte) }
    return word << UInt64((8 - min(8, text.count)) * 8)
  }
}

extension Double {
  /// Bits that order as the numbers do; -0 is 0.
  var orderedBits: UInt64 {
    let bits = (self == 0 ? 0.0 : self).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
