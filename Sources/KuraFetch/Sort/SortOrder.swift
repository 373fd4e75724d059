import Foundation
import KuraGraph
import KuraPredicates
import KuraValues

/// The order of rows by some keys, then by objectID.
struct SortOrder {
  let keys: [SortKey]
  /// The rows at the places that are ordered.
  let rows: [UInt32]
  let locale: Locale
  /// The rows' objectIDs, where the rows do not stand in their order.
  let numbers: [Int64]?

  /// Whether the row at place `a` comes before the one at `b`.
  func precedes(_ a: Int, _ b: Int) -> Bool {
    for key in keys {
      switch order(key, a, b) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    if let numbers { return numbers[a] < numbers[b] }
    return a < b
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
      case .values(let values): valueOrder(key, values[a], values[b])
      }
    return key.tree.isAscending ? order : order.reversed
  }

  private func fullOrder(_ key: SortKey, _ texts: Column, _ a: Int, _ b: Int) -> ValueOrder {
    guard let x = texts.text(Int(rows[a])), let y = texts.text(Int(rows[b])) else { return .same }
    return Value.sortOrder(.string(x), .string(y))
  }

  private func valueOrder(_ key: SortKey, _ a: Value, _ b: Value) -> ValueOrder {
    guard case .string(let x) = a, case .string(let y) = b else { return Value.sortOrder(a, b) }
    let options = TextOptions(rawValue: key.tree.options.rawValue)
    if key.tree.isNatural { return NaturalOrder.compare(x, y, options, locale) }
    return TextNeedle(y, options, locale: locale).order(of: x)
  }
}
