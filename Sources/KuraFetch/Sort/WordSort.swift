import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates

/// A sort of rows by successive words of 64 bits.
///
/// A text yields seven bytes at a time. Successive keys of other types share a word if they fit. Words are compared as
/// numbers; only rows with equal words are sorted again, by the next word.
struct WordSort {
  let keys: [Key]
  /// The texts from which the words are made, kept alive here.
  private let texts: [PinnedTexts]
  /// The column of the first key, if its texts are used as stored.
  let leading: Column?
  let environment: FetchEnvironment

  enum Key: Sendable {
    case text(TextWords)
    case number(NumberWords)
  }

  /// A position in the words of a row.
  struct Place {
    var key = 0
    /// The byte offset in the text.
    var byte = 0
    /// The number of preceding words.
    var step = 0
  }

  /// Returns nil if a key has no words.
  init?(_ request: BoundRequest, _ rows: [Bitmap]) {
    let table = request.table
    environment = request.environment
    var (keys, texts): ([Key], [PinnedTexts]) = ([], [])
    for tree in request.sort + [.byObjectID] {
      guard !environment.cancel.isRequested else { return nil }
      guard let field = SortField.of(tree, table, request, rows) else {
        if let columns = request.orderOfQuotients(tree.expression, rows),
          let fields = columns.mapAll({ SortField.numbers(tree, $0) })
        {
          for field in fields { keys.add(field) }
          continue
        }
        guard let key = WordSort.key(tree, request, rows, &texts) else { return nil }
        keys.append(key)
        continue
      }
      // Rows with equal words keep their order.
      if !field.isRow || !field.isAscending { keys.add(field) }
      // No two objects have the same objectID.
      if field.isRow { break }
    }
    (self.keys, self.texts) = (keys, texts)
    if let tree = request.sort.first, tree.plainKey != nil,
      let (column, type) = request.attribute(tree.expression), Self.orderedAsTexts.contains(type)
    {
      leading = table.columns[column]
    } else {
      leading = nil
    }
  }

  /// Whether no key is a text.
  var isOfNumbers: Bool {
    keys.allSatisfy { if case .number = $0 { true } else { false } }
  }
}

extension SortTree {
  fileprivate static let byObjectID = SortTree(
    ExpressionTree(.keyPath(KeyPathTree([KeyComponent(objectNumberKey)]))))
}

extension [WordSort.Key] {
  /// Adds a numeric key, to the last word if it fits.
  fileprivate mutating func add(_ field: SortField) {
    if case .number(let last)? = last, last.bits + field.bits <= 64 {
      self[count - 1] = .number(NumberWords(last.fields + [field]))
    } else {
      append(.number(NumberWords([field])))
    }
  }
}

extension WordSort {
  /// Returns the rows of the bitmaps, sorted; at least the first `wanted` if given.
  func sortedRows(_ chunks: [Bitmap], first wanted: Int?) throws(Diagnostic) -> [UInt32] {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    if wanted.map({ $0 >= count / 4 }) ?? true { return try allRows(chunks, count) }
    let place = Place()
    let parts = Workers.states(
      count: chunks.count, inParallel: count > 50_000,
      { TopNWithTies(wanted: wanted, of: count) },
      { first, number in
        if !environment.cancel.isRequested {
          forEachWord(of: chunks[number], number, place) { first.add($0, $1) }
        }
      })
    var first = TopNWithTies(wanted: wanted, of: count)
    for part in parts { first.add(part) }
    var rows: [UInt32] = []
    rows.reserveCapacity(min(count, wanted ?? count))
    try finish(first.sorted(), place, wanted ?? count, &rows)
    return rows
  }

  /// Appends rows that are sorted by a word; rows with equal words are sorted by the next.
  func finish(
    _ ties: [TopNWithTies.Tie], _ place: Place, _ wanted: Int, _ rows: inout [UInt32]
  ) throws(Diagnostic) {
    try environment.checkStopped()
    if isLast(place) { return rows += ties.lazy.map(\.row) }
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

  /// Returns whether no word follows.
  private func isLast(_ place: Place) -> Bool {
    if place.key < keys.count, case .text = keys[place.key] { return false }
    return place.key + 1 >= keys.count
  }

  private func refine(
    _ ties: ArraySlice<TopNWithTies.Tie>, _ place: Place, _ wanted: Int, _ rows: inout [UInt32]
  ) throws(Diagnostic) {
    // For few rows, and for texts with a long common prefix, collecting words takes longer than
    // comparing rows.
    if ties.count <= WordSort.few { return insert(ties, place, &rows) }
    if place.step > WordSort.mostSteps {
      rows += try environment.sorted(ties.map(\.row)) { precedes($0, $1, from: place) }
      return
    }
    var first = TopNWithTies(wanted: wanted - rows.count, of: ties.count)
    switch keys[place.key] {
    case .text(let texts):
      for tie in ties { first.add(texts.word(Int(tie.row), from: place.byte), Int(tie.row)) }
    case .number(let numbers):
      for tie in ties { first.add(numbers.word(Int(tie.row)), Int(tie.row)) }
    }
    try finish(first.sorted(), place, wanted, &rows)
  }

  /// Appends a small number of rows by insertion, without a closure: there are many such runs, and each closure would
  /// copy its captures.
  private func insert(_ ties: ArraySlice<TopNWithTies.Tie>, _ place: Place, _ rows: inout [UInt32])
  {
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
  /// Calls the body with the word of each row of a chunk, and the row.
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
    if place.key < keys.count, case .text(let texts) = keys[place.key], texts.continues(after: word)
    {
      return Place(
        key: place.key, byte: place.byte + TextWords.bytesInWord, step: place.step + 1)
    }
    return Place(key: place.key + 1, byte: 0, step: place.step + 1)
  }

  /// Returns whether a row precedes another according to the words from a position on, then by row number.
  func precedes(_ a: UInt32, _ b: UInt32, from start: Place) -> Bool {
    var (key, byte) = (start.key, start.byte)
    while key < keys.count {
      let (x, y) = words(Int(a), Int(b), key, from: byte)
      if x != y { return x < y }
      (key, byte) = (key + 1, 0)
    }
    return a < b
  }

  /// Returns the first words of a key in which two rows differ; the last words if they don't differ.
  @inline(__always)
  private func words(_ a: Int, _ b: Int, _ key: Int, from byte: Int) -> (UInt64, UInt64) {
    switch keys[key] {
    case .text(let texts): texts.words(a, b, from: byte)
    case .number(let numbers): (numbers.word(a), numbers.word(b))
    }
  }
}

// All rows, or most rows
extension WordSort {
  /// Returns all rows of the bitmaps, sorted by their first words, and those with equal words by the next, on all
  /// cores.
  func allRows(_ chunks: [Bitmap], _ count: Int) throws(Diagnostic) -> [UInt32] {
    let parts = Workers.map(count: chunks.count, inParallel: count > 50_000) { number in
      ties(chunks[number], number)
    }
    try environment.checkStopped()
    var all: [TopNWithTies.Tie] = []
    all.reserveCapacity(count)
    for part in parts { all += part }
    all.sortByWord()
    return try finished(all)
  }

  private func ties(_ rows: Bitmap, _ number: Int) -> [TopNWithTies.Tie] {
    var ties: [TopNWithTies.Tie] = []
    if environment.cancel.isRequested { return ties }
    ties.reserveCapacity(rows.popcount)
    forEachWord(of: rows, number, Place()) { word, row in
      ties.append(TopNWithTies.Tie(word: word, row: UInt32(truncatingIfNeeded: row)))
    }
    return ties
  }

  /// Returns the rows of ties that are sorted by their words.
  func finished(_ ties: [TopNWithTies.Tie]) throws(Diagnostic) -> [UInt32] {
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

  /// Returns the ends of parts of the ties; ties with the same word are in one part.
  private func ends(of ties: [TopNWithTies.Tie]) -> [Int] {
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

extension WordSort {
  /// Returns the words of a key with texts; nil if it has none. Adds the texts that they are made of to `kept`.
  private static func key(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [Bitmap], _ kept: inout [PinnedTexts]
  ) -> Key? {
    guard let column = texts(tree, request, rows) else { return nil }
    if let field = SortField.ranks(column, tree) { return .number(NumberWords([field])) }
    guard let texts = PinnedTexts(column) else { return nil }
    kept.append(texts)
    return .text(TextWords(texts, tree))
  }

  /// Returns a key's values as texts with their order; nil if they have no such texts.
  private static func texts(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Column? {
    if let folded = request.foldedColumn(tree, rows) { return folded }
    guard !tree.isNatural, tree.options.isSubset(of: .normalized),
      let type = request.typeOfColumn(tree.expression),
      type == .binary || orderedAsTexts.contains(type),
      let column = request.wholeColumn(tree.expression, rows)?.column
    else { return nil }
    return type == .binary ? column.orderedBase64(rows) : column
  }

  /// The types with values in the order of their stored texts.
  private static let orderedAsTexts: [AttributeType] = [.string, .uuid, .uri]
}

// A page of the order
extension WordSort {
  /// Returns the rows of the bitmaps, sorted; if ranks are given, at least those.
  func sortedRows(_ chunks: [Bitmap], _ ranks: Range<Int>?) throws(Diagnostic) -> OrderedRows {
    if let ranks, let page = try page(chunks, ranks) { return page }
    return OrderedRows(rows: try sortedRows(chunks, first: ranks?.upperBound))
  }

  /// Returns the rows of some ranks and their neighbors, in one pass: two rows of a sample are the bounds. Nil if they
  /// exclude too few rows, or if that does not save work.
  func page(
    _ chunks: [Bitmap], _ ranks: Range<Int>
  ) throws(Diagnostic) -> OrderedRows? {
    let count = chunks.reduce(0) { $0 + $1.popcount }
    let ranks = ranks.clamped(to: 0..<count)
    guard count > ColumnChunk.capacity, ranks.count < count / 8,
      let limits = try limits(of: ranks, chunks, count)
    else { return nil }
    let parts = Workers.states(
      count: chunks.count, inParallel: count > 50_000, { PageRows() }
    ) { page, number in
      if !environment.cancel.isRequested { add(chunks[number], number, within: limits, to: &page) }
    }
    try environment.checkStopped()
    let before = parts.reduce(0) { $0 + $1.before }
    var found = parts.flatMap(\.found)
    guard before <= ranks.lowerBound, before + found.count >= ranks.upperBound else { return nil }
    found.sortByWord()
    return OrderedRows(rows: try finished(found), skipped: before)
  }

  /// Returns the rows that probably bound some ranks; nil if a sample cannot tell.
  private func limits(
    of ranks: Range<Int>, _ chunks: [Bitmap], _ count: Int
  ) throws(Diagnostic) -> (low: Limit, high: Limit)? {
    let sample = Workers.map(count: chunks.count, inParallel: count > 1_000_000) {
      chunks[$0].sample(ofChunk: $0, count)
    }
    let sampled = sample.reduce(0) { $0 + $1.popcount }
    guard let places = SamplePlaces(ranks, of: count, sampled: sampled) else { return nil }
    let rows = try sortedRows(sample, first: places.high + 1)
    let low = places.low < 0 ? nil : rows[places.low]
    let high = places.high < rows.count ? rows[places.high] : nil
    return (limit(low, orWord: .min, rows), limit(high, orWord: .max, rows))
  }

  /// A row that bounds the page; nil for no bound: rows are compared with the least or the greatest word.
  private struct Limit {
    let row: UInt32?
    let word: UInt64
    /// The position of the word after the first.
    let next: Place
    /// Its first numeric keys; each decides about many rows whose earlier keys are equal.
    let keys: [(field: SortField, key: UInt64)]
  }

  private func limit(_ row: UInt32?, orWord end: UInt64, _ sample: [UInt32]) -> Limit {
    let word = row.map { self.word(Int($0), Place()) } ?? end
    return Limit(
      row: row, word: word, next: place(after: word, Place()),
      keys: row.map { decidingKeys(of: Int($0), sample) } ?? [])
  }

  private func decidingKeys(of row: Int, _ sample: [UInt32]) -> [(field: SortField, key: UInt64)] {
    var (found, ties): ([(field: SortField, key: UInt64)], [UInt32]) = ([], sample)
    for key in keys {
      guard case .number(let numbers) = key else { break }
      for field in numbers.fields {
        guard ties.count * 16 > sample.count else { return found }
        let own = field.key(ofRow: row)
        found.append((field, own))
        ties.removeAll { field.key(ofRow: Int($0)) != own }
      }
    }
    return found
  }

  /// Returns the rows of a chunk that the first key, or the cached first bytes of its texts, do not exclude.
  private func leaving(
    _ rows: Bitmap, _ number: Int, within limits: (low: Limit, high: Limit), _ page: inout PageRows
  ) -> Bitmap {
    // The tests read all rows of a chunk. For few candidates, reading their words takes less time.
    guard rows.popcount * 4 > rows.count else { return rows }
    var rows = rows
    if limits.high.row != nil, let after = self.rows(number, isAfter: true, limits.high) {
      rows.subtract(after)
    }
    guard limits.low.row != nil, let before = self.rows(number, isAfter: false, limits.low) else {
      return rows
    }
    page.before += before.intersection(rows).popcount
    return rows.subtracting(before)
  }

  /// Returns the rows of a chunk that the first keys put on one side of a limit; nil if that requires their words.
  private func rows(_ number: Int, isAfter: Bool, _ limit: Limit) -> Bitmap? {
    guard case .text(let texts)? = keys.first else {
      return rowsByNumbers(number, isAfter: isAfter, limit)
    }
    guard let chunk = leading?.chunks[number], let heads = chunk.textHeads else { return nil }
    // The greatest, or the least, eight bytes with which a text with the word may begin.
    let word = isAfter ? limit.word | 0xFF : limit.word & ~0xFF
    let bound = texts.isDescending ? ~word : word
    let found =
      isAfter == texts.isDescending ? heads.rows(below: bound) : heads.rows(above: bound)
    return found.settingNulls(
      chunk.nulls, to: isAfter ? texts.null > limit.word : texts.null < limit.word)
  }

  private func rowsByNumbers(_ number: Int, isAfter: Bool, _ limit: Limit) -> Bitmap? {
    var (found, ties): (Bitmap?, Bitmap?)
    for (place, (field, key)) in limit.keys.enumerated() {
      guard
        let beyond = isAfter ? field.rows(number, above: key) : field.rows(number, below: key)
      else { break }
      found = found.union(beyond.intersection(ties))
      guard place + 1 < limit.keys.count, let equal = field.rows(number, equalTo: key) else {
        break
      }
      ties = equal.intersection(ties)
    }
    return found
  }

  /// Adds the rows of a chunk that are between two rows, inclusive.
  private func add(
    _ rows: Bitmap, _ number: Int, within limits: (low: Limit, high: Limit), to page: inout PageRows
  ) {
    let (low, high) = limits
    let rows = leaving(rows, number, within: limits, &page)
    forEachWord(of: rows, number, Place()) { word, row in
      if word > high.word { return }
      let row = UInt32(truncatingIfNeeded: row)
      if word == high.word, let end = high.row, precedes(end, row, from: high.next) { return }
      if word <= low.word, let start = low.row,
        word < low.word || precedes(row, start, from: low.next)
      {
        page.before += 1
      } else {
        page.found.append(TopNWithTies.Tie(word: word, row: row))
      }
    }
  }
}

/// The rows of a page, and the number of rows before them.
private struct PageRows: Sendable {
  var before = 0
  var found: [TopNWithTies.Tie] = []
}
