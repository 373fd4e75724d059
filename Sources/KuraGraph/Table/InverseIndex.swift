import KuraBytes

/// The rows that lead to each row of a destination, in ascending order.
///
/// The base is immutable; lists that have changed are in a patch.
package struct InverseIndex: Sendable {
  /// The end of each row's list in `rows`.
  private let ends: [UInt32]
  private let rows: [UInt32]
  private var patch: [UInt32: [UInt32]] = [:]

  init(ends: [UInt32], rows: [UInt32]) { (self.ends, self.rows) = (ends, rows) }

  package subscript(row: Int) -> ArraySlice<UInt32> {
    if !patch.isEmpty, let list = patch[UInt32(truncatingIfNeeded: row)] { return list[...] }
    return packed(row)
  }

  private func packed(_ row: Int) -> ArraySlice<UInt32> {
    guard row < ends.count else { return [] }
    return rows[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
  }
}

extension InverseIndex {
  /// Returns the lists of the first rows.
  package func lists(count: Int) -> LinkLists {
    var lists = LinkLists()
    if patch.isEmpty, ends.count == count {
      (lists.ends, lists.rows) = (ends, rows)
    } else {
      for row in 0..<count { lists.append(self[row]) }
    }
    return lists
  }

  /// Whether to rebuild: more than 1,024 lists and a sixteenth of all lists changed.
  var needsRebuild: Bool { patch.count > 1024 + ends.count / 16 }

  mutating func add(_ source: UInt32, to target: UInt32) {
    change(target) { list in
      let place = list.firstPlace(notBelow: source)
      if place == list.count || list[place] != source { list.insert(source, at: place) }
    }
  }

  mutating func remove(_ source: UInt32, from target: UInt32) {
    change(target) { list in
      let place = list.firstPlace(notBelow: source)
      if place < list.count, list[place] == source { list.remove(at: place) }
    }
  }

  private mutating func change(_ target: UInt32, _ body: (inout [UInt32]) -> Void) {
    if patch[target] == nil { patch[target] = Array(packed(Int(target))) }
    body(&patch[target, default: []])
  }
}

extension [UInt32] {
  /// Returns the index of the first element that is not below a number; the elements ascend.
  fileprivate func firstPlace(notBelow number: UInt32) -> Int {
    // Most numbers are appended.
    if let last, last < number { return count }
    return indices.partitioningIndex { self[$0] >= number }
  }
}

extension InverseIndex {
  /// Builds the index in two passes: counts the links to each row, then writes each to its list.
  /// For many links, two halves are processed in parallel, each with its own counts.
  ///
  /// Links of deleted rows are ignored.
  init(_ column: Column, live: Bitmap?, destinationCount: Int) {
    let halves = LinkRange.halves(of: column, live)
    var counts = Workers.map(count: halves.count, inParallel: halves.count > 1) {
      halves[$0].counts(destinationCount)
    }
    let total = counts.becomeStarts(of: destinationCount)
    let starts = counts
    var ends: [UInt32] = []
    let rows = [UInt32](unsafeUninitializedCapacity: total) { rows, count in
      let shared = SharedWords(words: rows)
      ends =
        Workers.map(count: halves.count, inParallel: halves.count > 1) {
          halves[$0].put(into: shared, from: starts[$0])
        }.last ?? []
      count = total
    }
    self.init(ends: ends, rows: rows)
  }
}

extension [[UInt32]] {
  /// Replaces the number of links from each part to each row by the start of the part in the row's
  /// list, and returns the total.
  fileprivate mutating func becomeStarts(of destinationCount: Int) -> Int {
    var total: UInt32 = 0
    for row in 0..<destinationCount {
      for part in indices {
        let links = self[part][row]
        self[part][row] = total
        total += links
      }
    }
    return Int(total)
  }
}

/// Words that two cores write, each at its own places.
private struct SharedWords: @unchecked Sendable {
  let words: UnsafeMutableBufferPointer<UInt32>
}

/// The links in some chunks of a column.
private struct LinkRange: Sendable {
  let column: Column
  let live: Bitmap?
  let chunks: Range<Int>

  static func halves(of column: Column, _ live: Bitmap?) -> [LinkRange] {
    let count = column.chunks.count
    let halves = count < 8 ? [0..<count] : [0..<count / 2, count / 2..<count]
    return halves.map { LinkRange(column: column, live: live, chunks: $0) }
  }

  /// Returns the number of links to each row.
  func counts(_ destinationCount: Int) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: destinationCount)
    counts.withUnsafeMutableBufferPointer { counts in
      forEach(below: UInt32(destinationCount)) { counts[Int($1)] += 1 }
    }
    return counts
  }

  /// Writes each link to the list of its row, and returns the ends of the written lists.
  func put(into shared: SharedWords, from starts: [UInt32]) -> [UInt32] {
    var places = starts
    places.withUnsafeMutableBufferPointer { places in
      forEach(below: UInt32(starts.count)) { from, to in
        shared.words[Int(places[Int(to)])] = from
        places[Int(to)] += 1
      }
    }
    return places
  }

  @inline(__always)
  private func forEach(below limit: UInt32, _ body: (UInt32, UInt32) -> Void) {
    guard let live else { return forEachLink(below: limit, body) }
    forEachLink(below: limit) { from, to in if live[Int(from)] { body(from, to) } }
  }

  /// Calls the body with each link of existing rows; `noRow` is not a link.
  @inline(__always)
  private func forEachLink(below limit: UInt32, _ body: (UInt32, UInt32) -> Void) {
    for number in chunks {
      let first = UInt32(number << ColumnChunk.shift)
      switch column.chunks[number].values {
      case .links(let links):
        links.withUnsafeBufferPointer { links in
          for i in links.indices where links[i] < limit { body(first + UInt32(i), links[i]) }
        }
      case .linkLists(let lists):
        for i in lists.ends.indices {
          for to in lists.rows[lists.range(i)] where to < limit { body(first + UInt32(i), to) }
        }
      case .integers, .doubles, .bytes, .codes, .text: break
      }
    }
  }
}
