import KuraBytes

/// For each row of a destination the rows that point to it, in the order of their rows.
///
/// What was counted once is kept as it is; rows whose lists have changed since stand in a patch.
package struct InverseIndex: Sendable {
  /// Where each row's list ends in `rows`.
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
  /// Whether so much has changed that counting anew is better.
  var isWorn: Bool { patch.count > 1024 + ends.count / 16 }

  /// A row leads to a target now.
  mutating func add(_ source: UInt32, to target: UInt32) {
    change(target) { list in
      let place = list.firstPlace(notBelow: source)
      if place == list.count || list[place] != source { list.insert(source, at: place) }
    }
  }

  /// A row leads to a target no more.
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
  /// The first place of an element, which ascend, that is not below a number.
  fileprivate func firstPlace(notBelow number: UInt32) -> Int {
    var low = 0
    var high = count
    // Most are added at the end.
    if let last, last < number { return count }
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension InverseIndex {
  /// Counts the links to each row, then puts each where its list begins: two passes. Many links are halved
  /// between two cores, each with counts of its own.
  ///
  /// Links of deleted rows count for nothing.
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
  /// Makes of how many links each part has to each row where the part begins in the row's list, and says
  /// how many there are.
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

/// Words that two cores write, each other ones.
private struct SharedWords: @unchecked Sendable {
  let words: UnsafeMutableBufferPointer<UInt32>
}

/// Links of some chunks of a column.
private struct LinkRange: Sendable {
  let column: Column
  let live: Bitmap?
  let chunks: Range<Int>

  static func halves(of column: Column, _ live: Bitmap?) -> [LinkRange] {
    let count = column.chunks.count
    let halves = count < 8 ? [0..<count] : [0..<count / 2, count / 2..<count]
    return halves.map { LinkRange(column: column, live: live, chunks: $0) }
  }

  /// How many links lead to each row.
  func counts(_ destinationCount: Int) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: destinationCount)
    counts.withUnsafeMutableBufferPointer { counts in
      forEach(below: UInt32(destinationCount)) { counts[Int($1)] += 1 }
    }
    return counts
  }

  /// Puts each link where the list of its row begins, and says where the lists go on.
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

  /// Of rows that are there: `noRow` is none.
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
