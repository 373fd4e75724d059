import KuraBytes
import KuraDiagnostics
import KuraGraph

// All rows, or most of them
extension WordSort {
  /// All rows of the bitmaps in their order: sorted by their first words, and those of one word by the
  /// others, on all cores.
  func allRows(_ chunks: [Bitmap], _ count: Int) throws(Diagnostic) -> [UInt32] {
    let parts = Workers.map(count: chunks.count, inParallel: count > 50_000) { number in
      ties(chunks[number], number)
    }
    try environment.checkStopped()
    var all: [FirstTies.Tie] = []
    all.reserveCapacity(count)
    for part in parts { all += part }
    all.sortByWord()
    return try finished(all)
  }

  private func ties(_ rows: Bitmap, _ number: Int) -> [FirstTies.Tie] {
    var ties: [FirstTies.Tie] = []
    if environment.cancel.isRequested { return ties }
    ties.reserveCapacity(rows.popcount)
    forEachWord(of: rows, number, Place()) { word, row in
      ties.append(FirstTies.Tie(word: word, row: UInt32(truncatingIfNeeded: row)))
    }
    return ties
  }

  /// The rows of ties that stand in the order of their words.
  func finished(_ ties: [FirstTies.Tie]) throws(Diagnostic) -> [UInt32] {
    let ends = ends(of: ties)
    let parts = Workers.map(count: ends.count - 1, inParallel: ties.count > 50_000) { number in
      Result { () throws(Diagnostic) -> [UInt32] in
        var rows: [UInt32] = []
        let part = ends[number]..<ends[number + 1]
        rows.reserveCapacity(part.count)
        try finish(Array(ties[part]), Place(), part.count, &rows)
        return rows
      }
    }
    var rows: [UInt32] = []
    rows.reserveCapacity(ties.count)
    for part in parts { rows += try part.get() }
    return rows
  }

  /// Where parts of the ties end, of which no two have a word in common.
  private func ends(of ties: [FirstTies.Tie]) -> [Int] {
    var ends = [0]
    let size = max(4096, ties.count / 64)
    while let start = ends.last, start < ties.count {
      var end = min(ties.count, start + size)
      while end < ties.count, ties[end].word == ties[end - 1].word { end += 1 }
      ends.append(end)
    }
    return ends
  }
}
