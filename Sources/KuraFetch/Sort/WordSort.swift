import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates

/// Sorts rows by words of 64 bits, of which each says more than the one before.
///
/// A text gives seven of its bytes at a time, any other key all it has. Words are compared as
/// numbers; only rows with the same word are sorted again, by the next one.
struct WordSort {
  let keys: [Key]
  /// What the words of texts are made of.
  private let texts: [PinnedTexts]
  let environment: FetchEnvironment
  /// More rows than these with the last word are not collected, but narrowed by the next word.
  var mostTies = 4096

  enum Key: Sendable {
    case text(TextWords)
    case number(NumberWords)
  }

  /// Which word of a row is asked for.
  struct Place {
    var key = 0
    /// Where in the text it begins.
    var byte = 0
    /// How many words came before it.
    var step = 0
  }

  /// Nil where a key has no words.
  init?(_ request: BoundRequest, _ rows: [Bitmap]) {
    let table = request.snapshot.graph.tables[request.place.table]
    environment = request.environment
    var keys: [Key] = []
    var texts: [PinnedTexts] = []
    for tree in request.sort {
      if tree.plainKey == "objectID" || tree.plainKey == objectNumberKey, tree.isAscending { break }
      guard !environment.cancel.isRequested,
        let key = WordSort.key(tree, table, request, rows, &texts)
      else { return nil }
      keys.append(key)
    }
    (self.keys, self.texts) = (keys, texts)
  }
}

extension WordSort {
  /// The rows of the bitmaps in their order; at least the first `wanted`, where that is said.
  func sortedRows(_ chunks: [Bitmap], first wanted: Int?) throws(Diagnostic) -> [UInt32] {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    if wanted.map({ $0 >= count / 4 }) ?? true { return try allRows(chunks, count) }
    let place = Place()
    let parts = TwoCores.states(
      count: chunks.count, onBoth: count > 50_000,
      { FirstTies(wanted: wanted, of: count, mostTies: mostTies) },
      { first, number in
        if !environment.cancel.isRequested, !first.isTied {
          forEachWord(of: chunks[number], number, place) { first.add($0, $1) }
        }
      })
    var first = FirstTies(wanted: wanted, of: count, mostTies: mostTies)
    for part in parts { first.add(part) }
    var rows: [UInt32] = []
    rows.reserveCapacity(min(count, wanted ?? count))
    if let wanted, first.isTied {
      try narrow(chunks, count, place, wanted, &rows)
      return rows
    }
    try finish(first.sorted(), place, wanted ?? count, &rows)
    return rows
  }

  /// Adds rows that stand in the order of a word; those of one word are sorted by the next.
  func finish(
    _ ties: [FirstTies.Tie], _ place: Place, _ wanted: Int, _ rows: inout [UInt32]
  ) throws(Diagnostic) {
    try environment.checkStopped()
    var start = 0
    while start < ties.count, rows.count < wanted {
      let word = ties[start].word
      var end = start + 1
      while end < ties.count, ties[end].word == word { end += 1 }
      let next = self.place(after: word, place)
      if end - start == 1 || next.key >= keys.count {
        for tie in ties[start..<end] { rows.append(tie.row) }
      } else {
        try refine(ties[start..<end], next, wanted, &rows)
      }
      start = end
    }
  }

  private func refine(
    _ ties: ArraySlice<FirstTies.Tie>, _ place: Place, _ wanted: Int, _ rows: inout [UInt32]
  ) throws(Diagnostic) {
    // Of few rows, and of texts that are long the same, words are not collected.
    if ties.count <= WordSort.few { return insert(ties, place, &rows) }
    if place.step > WordSort.mostSteps {
      rows += try environment.sorted(ties.map(\.row)) { precedes($0, $1, from: place) }
      return
    }
    var first = FirstTies(wanted: wanted - rows.count, of: ties.count)
    switch keys[place.key] {
    case .text(let texts):
      for tie in ties { first.add(texts.word(Int(tie.row), from: place.byte), Int(tie.row)) }
    case .number(let numbers):
      for tie in ties { first.add(numbers.word(Int(tie.row)), Int(tie.row)) }
    }
    try finish(first.sorted(), place, wanted, &rows)
  }

  /// Adds few rows in their order, without a closure: there are many such runs, and each would copy all
  /// that it takes along.
  private func insert(_ ties: ArraySlice<FirstTies.Tie>, _ place: Place, _ rows: inout [UInt32]) {
    let first = rows.count
    for tie in ties {
      var at = rows.count
      rows.append(tie.row)
      while at > first, precedes(tie.row, rows[at - 1], from: place) {
        rows[at] = rows[at - 1]
        at -= 1
      }
      rows[at] = tie.row
    }
  }

  private static let few = 8
  private static let mostSteps = 64
}

// Many rows with one word
extension WordSort {
  /// Adds the first few of some rows: those before the last word that is wanted, and behind them those
  /// with it, by the next word.
  private func narrow(
    _ chunks: [Bitmap], _ count: Int, _ place: Place, _ wanted: Int, _ rows: inout [UInt32]
  ) throws(Diagnostic) {
    try environment.checkStopped()
    let missing = wanted - rows.count
    if place.key >= keys.count { return append(missing, of: chunks, to: &rows) }
    if count <= mostTies || place.step > Self.mostSteps {
      var ties = FirstTies(wanted: missing, of: count)
      for number in chunks.indices {
        forEachWord(of: chunks[number], number, place) { ties.add($0, $1) }
      }
      return try finish(ties.sorted(), place, wanted, &rows)
    }
    let last = last(missing, of: chunks, count, place)
    let parts = TwoCores.map(count: chunks.count, onBoth: count > 50_000) { number in
      split(chunks[number], number, place, last)
    }
    let before = parts.flatMap(\.before).sorted { ($0.word, $0.row) < ($1.word, $1.row) }
    try finish(before, place, wanted, &rows)
    let ties = parts.map(\.ties)
    let tied = ties.reduce(0) { $0 + $1.popcount }
    try narrow(ties, tied, self.place(after: last, place), wanted, &rows)
  }

  private func append(_ count: Int, of chunks: [Bitmap], to rows: inout [UInt32]) {
    let end = rows.count + count
    for (number, passing) in chunks.enumerated() where rows.count < end {
      passing.appendRows(ofChunk: number, to: &rows)
    }
  }

  /// The word of the last row that is wanted.
  private func last(_ wanted: Int, of chunks: [Bitmap], _ count: Int, _ place: Place) -> UInt64 {
    let parts = TwoCores.states(
      count: chunks.count, onBoth: count > 50_000, { FirstWords<UInt64>(wanted: wanted) },
      { first, number in
        forEachWord(of: chunks[number], number, place) { word, _ in first.add(word) }
      })
    var first = FirstWords<UInt64>(wanted: wanted)
    for part in parts { first.add(part) }
    return first.last()
  }

  /// The rows before a word, and those with it.
  private func split(
    _ rows: Bitmap, _ number: Int, _ place: Place, _ last: UInt64
  ) -> (before: [FirstTies.Tie], ties: Bitmap) {
    var before: [FirstTies.Tie] = []
    var ties = Bitmap(count: rows.count)
    forEachWord(of: rows, number, place) { word, row in
      if word < last {
        before.append(FirstTies.Tie(word: word, row: UInt32(truncatingIfNeeded: row)))
      } else if word == last {
        ties.insert(row & ColumnChunk.mask)
      }
    }
    return (before, ties)
  }

  /// Calls the body with the word of each of some rows of a chunk, and the row.
  @inline(__always)
  func forEachWord(
    of rows: Bitmap, _ number: Int, _ place: Place, _ body: (UInt64, Int) -> Void
  ) {
    let base = number << ColumnChunk.shift
    guard place.key < keys.count else { return rows.eachRow { body(0, base + $0) } }
    switch keys[place.key] {
    case .text(let texts): texts.forEachWord(of: rows, number, from: place.byte, body)
    case .number(let numbers): numbers.forEachWord(of: rows, number, body)
    }
  }
}

extension WordSort {
  private func word(_ row: Int, _ place: Place) -> UInt64 {
    switch keys[place.key] {
    case .text(let texts): texts.word(row, from: place.byte)
    case .number(let numbers): numbers.word(row)
    }
  }

  private func place(after word: UInt64, _ place: Place) -> Place {
    if place.key < keys.count, case .text(let texts) = keys[place.key], texts.goesOn(after: word) {
      return Place(
        key: place.key, byte: place.byte + TextWords.bytesInWord, step: place.step + 1)
    }
    return Place(key: place.key + 1, byte: 0, step: place.step + 1)
  }

  /// Whether a row comes before another, by the words from one on, then by its place.
  private func precedes(_ a: UInt32, _ b: UInt32, from start: Place) -> Bool {
    var place = start
    while place.key < keys.count {
      let (x, y) = (word(Int(a), place), word(Int(b), place))
      if x != y { return x < y }
      place = self.place(after: x, place)
    }
    return a < b
  }
}
