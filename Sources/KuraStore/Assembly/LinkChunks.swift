import KuraBytes
import KuraGraph
import KuraModel

/// What a document says of a relationship, chunk by chunk as it was read: rows of one entity, in the
/// order of the table.
struct LinkChunks: Sendable {
  let isToMany: Bool
  /// The number of a to-one, 0 for none; of a to-many only whether the document is silent.
  let chunks: [ColumnChunk]
  /// The numbers of a to-many, for each chunk.
  let lists: [PendingLists]

  init(_ column: ColumnBuilder, isToMany: Bool) {
    self.isToMany = isToMany
    (chunks, lists) = (column.sealed, isToMany ? column.pendingLists : [])
  }

  var saysAnything: Bool {
    chunks.indices.contains { place in
      let chunk = chunks[place]
      return chunk.keepsAllRows || (0..<rowCount(place)).contains { !chunk.isNull($0) }
    }
  }

  /// How many rows a chunk has; that of a to-many counts its lists alone.
  func rowCount(_ chunk: Int) -> Int {
    isToMany ? lists[chunk].ends.count : chunks[chunk].count
  }
}

/// How a document names the objects of a relationship, as rows of their table.
struct LinkTarget {
  let identifiers: IdentifierColumn
  /// Whether a row is of the right entity; nil: each is.
  let isAllowed: (@Sendable (Int) -> Bool)?

  /// The row of an object that may stand in the relationship, or nil.
  func row(of number: Int64) -> UInt32? {
    guard let row = identifiers.row(of: number), isAllowed?(row) ?? true else { return nil }
    return UInt32(truncatingIfNeeded: row)
  }
}

extension LinkChunks {
  /// The relationship's column where every object is there and no list has one twice; nil else, for
  /// `resolve`, which says what is wrong.
  func column(_ kind: ColumnKind, to target: LinkTarget) -> Column? {
    let made = Workers.map(count: chunks.count, inParallel: chunks.count > 4) { chunk in
      (isToMany ? listChunk(chunk, target) : singleChunk(chunk, target)).map { ColumnChunk($0) }
    }
    let whole = made.compactMap(\.self)
    return whole.count == made.count ? Column(kind, chunks: whole) : nil
  }

  private func singleChunk(_ chunk: Int, _ target: LinkTarget) -> ColumnChunk.Values? {
    guard case .integers(let numbers) = chunks[chunk].values else { return nil }
    var isWhole = true
    let rows = numbers.map { number -> UInt32 in
      guard number > 0 else { return noRow }
      if let row = target.row(of: number) { return row }
      isWhole = false
      return noRow
    }
    return isWhole ? .links(rows) : nil
  }

  private func listChunk(_ chunk: Int, _ target: LinkTarget) -> ColumnChunk.Values? {
    let said = lists[chunk]
    var made = LinkLists()
    made.rows.reserveCapacity(said.numbers.count)
    var start = 0
    for end in said.ends.lazy.map({ Int($0) }) {
      for place in start..<end {
        let isAscending = place == start || said.numbers[place - 1] < said.numbers[place]
        guard isAscending, let row = target.row(of: said.numbers[place]) else { return nil }
        made.rows.append(row)
      }
      start = end
    }
    made.ends = said.ends
    return .linkLists(made)
  }
}

/// What a document says of a relationship of a table's rows.
enum SaidLinks {
  /// As it was read
  case chunks(LinkChunks)
  /// Put together from the rows of several entities, or put into their order
  case rows(RawLinks)

  var saysAnything: Bool {
    switch self {
    case .chunks(let chunks): chunks.saysAnything
    case .rows(let raw): raw.saysAnything
    }
  }

  /// All of it, row by row.
  var raw: RawLinks {
    switch self {
    case .chunks(let chunks): RawLinks(chunks)
    case .rows(let raw): raw
    }
  }
}
