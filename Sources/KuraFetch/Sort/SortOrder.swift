import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The order of rows by keys, then by objectID. A class, so that sorting copies nothing.
final class SortOrder {
  let keys: [SortKey]
  /// The rows at the places to be ordered.
  let rows: [UInt32]
  let locale: Locale
  /// The rows' objectIDs; nil if the rows are ordered by objectID.
  let numbers: [Int64]?

  init(keys: [SortKey], rows: [UInt32], locale: Locale, numbers: [Int64]?) {
    (self.keys, self.rows, self.locale, self.numbers) = (keys, rows, locale, numbers)
  }

  /// Returns whether the row at place `a` precedes the row at `b`.
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
      case .collated(let places, let texts):
        places[a] == places[b] ? .same : texts.order(Int(places[a]), Int(places[b]))
      case .values(let values):
        key.tree.ascendingOrder(values[a], values[b], locale: locale)
      }
    return key.tree.isAscending ? order : order.reversed
  }
}

/// Consecutive rows of an order, and the number of rows before them.
struct OrderedRows {
  var rows: [UInt32]
  /// The number of preceding rows, which are not needed.
  var skipped = 0
}

/// The places in a sorted sample between which the ranks of a page are; -1 means before the first, the count of the
/// sample after the last.
///
/// The sample places a rank within about four standard deviations. Callers count rows, and thus notice bounds that are
/// too narrow.
struct SamplePlaces {
  let low: Int
  let high: Int

  /// Returns nil if the sample is too small, or if the bounds leave a large part of all rows.
  init?(_ ranks: Range<Int>, of count: Int, sampled: Int) {
    guard sampled >= 256 else { return nil }
    let first = Self.place(of: ranks.lowerBound, count, sampled, sign: -1)
    low = min(max(first, -1), sampled - 1)
    high = min(Self.place(of: ranks.upperBound, count, sampled, sign: 1), sampled)
    if low < 0, high >= sampled / 4 { return nil }
  }

  /// Returns the place of a rank in the sample, with the tolerance in one direction.
  private static func place(of rank: Int, _ count: Int, _ sampled: Int, sign: Double) -> Int {
    let part = Double(rank) / Double(count)
    let deviation = (Double(sampled) * part * max(0, 1 - part)).squareRoot()
    return Int((part * Double(sampled) + sign * (4 * deviation + 8)).rounded(.down))
  }
}

extension Bitmap {
  /// Returns a sample of a chunk's rows, 4,000 to 8,000 of a table: one of each 64 rows or more, in small tables four.
  /// Places vary, so that the sample does not follow a period in the data.
  func sample(ofChunk number: Int, _ count: Int) -> Bitmap {
    let step = UInt64(max(1, count >> 18))
    let few: UInt64 = count < 1 << 17 ? 0x0001_0001_0001_0001 : 1
    var rows = self
    for i in rows.words.indices {
      let place = UInt64(number << (ColumnChunk.shift - 6) + i)
      let bit = (place &* 0x9E37_79B9_7F4A_7C15) >> 58
      rows.words[i] &= place % step == 0 ? few << bit | few >> (64 - bit) : 0
    }
    return rows
  }
}
