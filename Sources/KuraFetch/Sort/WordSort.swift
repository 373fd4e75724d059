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
    for tree in request.sort {
      if tree.plainKey == "objectID" || tree.plainKey == objectNumberKey, tree.isAscending { break }
      guard let key = WordSort.key(tree, table, request, rows) else { return nil }
      keys.append(key)
    }
    self.keys = keys
  }

  private static func key(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Key? {
    if let field = SortPacking.field(tree, table, request, rows) {
      return .number(NumberWords(field: field))
    }
    if let folded = request.foldedColumn(tree, rows) {
      return TextWords(folded, tree).map { .text($0) }
    }
    guard let key = tree.plainKey else {
      guard !tree.isNatural, tree.options.isSubset(of: .normalized),
        request.typeOfColumn(tree.expression) == .string,
        let whole = request.wholeColumn(tree.expression, rows)
      else { return nil }
      return TextWords(whole.column, tree).map { .text($0) }
    }
    guard case .attribute(let place, .string)? = table.layout.slots[request.place.code][key] else {
      return nil
    }
    return TextWords(table.columns[place], tree).map { .text($0) }
  }
}

extension WordSort {
  /// The rows of the bitmaps in their order; at least the first `wanted`, where that is said.
  func sortedRows(_ chunks: [Bitmap], first wanted: Int?) throws(Diagnostic) -> [UInt32] {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    let place = Place()
    let parts = TwoCores.states(
      count: chunks.count, onBoth: count > 50_000,
      { FirstTies(wanted: wanted, of: count) },
      { first, number in
        if !environment.cancel.isRequested { add(chunks[number], number, place, &first) }
      })
    var first = FirstTies(wanted: wanted, of: count)
    for part in parts { first.add(part) }
    var rows: [UInt32] = []
    rows.reserveCapacity(min(count, wanted ?? count))
    try finish(first.sorted(), place, wanted ?? count, &rows)
    return rows
  }

  private func add(_ rows: Bitmap, _ number: Int, _ place: Place, _ first: inout FirstTies) {
    let base = number << ColumnChunk.shift
    switch keys.first {
    case .text(let texts): texts.addWords(of: rows, number, to: &first)
    case .number(let numbers): rows.eachRow { first.add(numbers.word(base + $0), base + $0) }
    case nil: rows.eachRow { first.add(0, base + $0) }
    }
  }

  /// Adds rows that stand in the order of a word; those of one word are sorted by the next.
  private func finish(
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
    if ties.count <= WordSort.few || place.step > WordSort.mostSteps {
      rows += ties.map(\.row).sorted { precedes($0, $1, from: place) }
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

  private static let few = 8
  private static let mostSteps = 64
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
