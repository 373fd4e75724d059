import KuraGraph

/// What a semi-join knows before it is asked about its first chunk.
enum PreparedJoin: Sendable {
  /// For each row of the other table 1 if it passes, else 0; behind them the answer for no row.
  case flags([UInt8])
  /// The rows of this table that pass.
  case rows(Bitmap)
}

extension PreparedJoin {
  /// The rows of a chunk that pass.
  func passing(_ join: SemiJoin, _ rows: ChunkRows) -> Bitmap {
    switch (self, join.link) {
    case (.rows(let bitmap), _): return bitmap.chunk(rows.number, count: rows.count)
    case (.flags(let flags), .toOne(let column)):
      guard case .links(let links) = rows.chunk(column).values else { break }
      return PreparedJoin.follow(links, flags)
    case (.flags(let flags), .lists(let column)):
      guard case .linkLists(let lists) = rows.chunk(column).values else { break }
      return PreparedJoin.follow(lists, flags, join.question)
    case (.flags, .inverse): break
    }
    return Bitmap(count: rows.count)
  }

  private static func follow(_ links: [UInt32], _ flags: [UInt8]) -> Bitmap {
    let none = UInt32(truncatingIfNeeded: flags.count - 1)
    return flags.withUnsafeBufferPointer { flags in
      Bitmap(links) { flags[Int(min($0, none))] != 0 }
    }
  }

  private static func follow(
    _ lists: LinkLists, _ flags: [UInt8], _ question: SemiJoin.Question
  ) -> Bitmap {
    if case .any = question { return reach(lists, flags) }
    var result = Bitmap(count: lists.ends.count)
    // Most lists are short: what is said of their counts is known.
    let known = (0..<64).map { question.accepts($0) }
    flags.withUnsafeBufferPointer { flags in
      lists.rows.withUnsafeBufferPointer { targets in
        known.withUnsafeBufferPointer { known in
          var from = 0
          for (row, end) in lists.ends.enumerated() {
            var count = 0
            for place in from..<Int(end) { count += Int(flags[Int(targets[place])]) }
            from = Int(end)
            if count < 64 ? known[count] : question.accepts(Int64(count)) { result.insert(row) }
          }
        }
      }
    }
    return result
  }
}

extension PreparedJoin {
  /// The rows whose lists have a row with a flag: those are looked for in all lists at once, and
  /// what is found is turned into its row.
  private static func reach(_ lists: LinkLists, _ flags: [UInt8]) -> Bitmap {
    var result = Bitmap(count: lists.ends.count)
    var row = 0
    flags.withUnsafeBufferPointer { flags in
      lists.ends.withUnsafeBufferPointer { ends in
        lists.rows.withUnsafeBufferPointer { targets in
          var place = 0
          while place < targets.count {
            // Eight at once, of which most often none has a flag.
            if place + 8 <= targets.count {
              var any: UInt8 = 0
              for i in place..<place + 8 { any |= flags[Int(targets[i])] }
              if any == 0 {
                place += 8
                continue
              }
            }
            for i in place..<min(place + 8, targets.count) where flags[Int(targets[i])] != 0 {
              if i >= Int(ends[row]) { row = owner(of: i, ends, from: row) }
              result.insert(row)
            }
            place += 8
          }
        }
      }
    }
    return result
  }

  /// The first list behind `row` that ends behind a place.
  private static func owner(
    of place: Int, _ ends: UnsafeBufferPointer<UInt32>, from row: Int
  ) -> Int {
    var step = 1
    var low = row
    while low + step < ends.count, Int(ends[low + step]) <= place {
      low += step
      step *= 2
    }
    var high = min(ends.count - 1, low + step)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(ends[middle]) <= place { low = middle } else { high = middle }
    }
    return high
  }
}

extension SemiJoin.Question {
  /// Whether a row passes of whose objects so many do.
  func accepts(_ count: Int64) -> Bool {
    switch self {
    case .one, .any, .summary: count > 0
    case .count(let ranges, let isNegated): ranges.contains { $0 ~= count } != isNegated
    }
  }
}
