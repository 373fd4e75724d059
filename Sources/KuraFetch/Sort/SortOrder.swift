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
      case .collated(let places, let texts):
        places[a] == places[b] ? .same : texts.order(Int(places[a]), Int(places[b]))
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
