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

/// Rows that stand one after the other in an order, and how many stand before them.
struct OrderedRows {
  var rows: [UInt32]
  /// How many rows before these nobody asked for.
  var skipped = 0
}

/// Between which words the rows of a page lie, as a sample of all words says.
///
/// A rank is found in the sample within some four standard deviations; whoever uses the bounds counts,
/// and so sees where they were too narrow.
struct PageBounds<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  private(set) var low = Word.min
  private(set) var high = Word.max

  /// Nil where the sample says too little.
  init?(_ ranks: Range<Int>, of count: Int, sample: [Word]) {
    guard let places = SamplePlaces(ranks, of: count, sampled: sample.count) else { return nil }
    if places.low < 0 {
      var first = FirstWords<Word>(wanted: places.high + 1)
      first.add(sample)
      high = first.last()
      return
    }
    let sorted = sample.sortedByDigits(bits: Word.bitWidth)
    low = sorted[places.low]
    if places.high < sorted.count { high = sorted[places.high] }
  }
}

/// Between which places of a sorted sample the ranks of a page lie; before its first at -1, behind its last
/// at the count of the sample.
struct SamplePlaces {
  let low: Int
  let high: Int

  /// Nil where the sample is too small to say anything, or what it says leaves a good part of all.
  init?(_ ranks: Range<Int>, of count: Int, sampled: Int) {
    guard sampled >= 256 else { return nil }
    let first = Self.place(of: ranks.lowerBound, count, sampled, sign: -1)
    low = min(max(first, -1), sampled - 1)
    high = min(Self.place(of: ranks.upperBound, count, sampled, sign: 1), sampled)
    if low < 0, high >= sampled / 4 { return nil }
  }

  /// Where a rank lies in the sample, with what it may be off in one direction.
  private static func place(of rank: Int, _ count: Int, _ sampled: Int, sign: Double) -> Int {
    let part = Double(rank) / Double(count)
    let deviation = (Double(sampled) * part * max(0, 1 - part)).squareRoot()
    return Int((part * Double(sampled) + sign * (4 * deviation + 8)).rounded(.down))
  }
}

extension PageBounds {
  /// The bounds as keys of the leading bits.
  func keys(bits: Int, of all: Int) -> (low: UInt64, high: UInt64) {
    let shift = Word(truncatingIfNeeded: all - bits)
    return (UInt64(truncatingIfNeeded: low >> shift), UInt64(truncatingIfNeeded: high >> shift))
  }
}

extension Bitmap {
  /// Some of the rows of a chunk, four to eight thousand of all that pass: of each 64 rows or more one, of
  /// fewer rows four, which are others each time, that what recurs with the rows does not recur with them.
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
