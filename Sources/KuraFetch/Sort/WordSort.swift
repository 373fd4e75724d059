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
  /// The column of the first key, where its texts are as they are kept.
  let leading: Column?
  let environment: FetchEnvironment

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
    leading = request.sort.first.flatMap { WordSort.keptTexts($0, table, request) }
  }
}

extension WordSort {
  /// The rows of the bitmaps in their order; at least the first `wanted`, where that is said.
  func sortedRows(_ chunks: [Bitmap], first wanted: Int?) throws(Diagnostic) -> [UInt32] {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    if wanted.map({ $0 >= count / 4 }) ?? true { return try allRows(chunks, count) }
    let place = Place()
    let parts = Workers.states(
      count: chunks.count, inParallel: count > 50_000,
      { FirstTies(wanted: wanted, of: count) },
      { first, number in
        if !environment.cancel.isRequested {
          forEachWord(of: chunks[number], number, place) { first.add($0, $1) }
        }
      })
    var first = FirstTies(wanted: wanted, of: count)
    for part in parts { first.add(part) }
    var rows: [UInt32] = []
    rows.reserveCapacity(min(count, wanted ?? count))
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

extension WordSort {
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
  func word(_ row: Int, _ place: Place) -> UInt64 {
    switch keys[place.key] {
    case .text(let texts): texts.word(row, from: place.byte)
    case .number(let numbers): numbers.word(row)
    }
  }

  func place(after word: UInt64, _ place: Place) -> Place {
    if place.key < keys.count, case .text(let texts) = keys[place.key], texts.goesOn(after: word) {
      return Place(
        key: place.key, byte: place.byte + TextWords.bytesInWord, step: place.step + 1)
    }
    return Place(key: place.key + 1, byte: 0, step: place.step + 1)
  }

  /// Whether a row comes before another, by the words from one on, then by its place.
  func precedes(_ a: UInt32, _ b: UInt32, from start: Place) -> Bool {
    var (key, byte) = (start.key, start.byte)
    while key < keys.count {
      let (x, y) = words(Int(a), Int(b), key, from: byte)
      if x != y { return x < y }
      (key, byte) = (key + 1, 0)
    }
    return a < b
  }

  /// The first words of a key in which two rows differ; the last where they do not.
  @inline(__always)
  private func words(_ a: Int, _ b: Int, _ key: Int, from byte: Int) -> (UInt64, UInt64) {
    switch keys[key] {
    case .text(let texts): texts.words(a, b, from: byte)
    case .number(let numbers): (numbers.word(a), numbers.word(b))
    }
  }
}
