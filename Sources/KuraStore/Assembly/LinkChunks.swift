import KuraBytes
import KuraGraph

/// The objectIDs that a document lists for a relationship of one entity, in the chunks in which
/// they were read and in the order of the table.
struct LinkChunks: Sendable {
  let isToMany: Bool
  /// The numbers of a to-one relationship, 0 for none; for a to-many relationship only whether a row has a value.
  let chunks: [ColumnChunk]
  /// The numbers of a to-many relationship, for each chunk.
  let lists: [PendingLists]

  init(_ column: ColumnBuilder, isToMany: Bool) {
    self.isToMany = isToMany
    (chunks, lists) = (column.sealed, isToMany ? column.pendingLists : [])
  }

  var isSpecified: Bool {
    chunks.indices.contains { place in
      let chunk = chunks[place]
      return chunk.keepsAllRows || (0..<rowCount(place)).contains { !chunk.isNull($0) }
    }
  }

  /// Returns the number of rows of a chunk; a to-many chunk counts its lists.
  func rowCount(_ chunk: Int) -> Int {
    isToMany ? lists[chunk].ends.count : chunks[chunk].count
  }
}

/// Finds the row of an objectID that a document names in a relationship.
struct LinkTarget {
  let identifiers: IdentifierColumn
  /// Whether a row is of an allowed entity; nil if every row is.
  let isAllowed: (@Sendable (Int) -> Bool)?

  /// Returns the row of an object that is allowed in the relationship, or nil.
  func row(of number: Int64) -> UInt32? {
    guard let row = identifiers.row(of: number), isAllowed?(row) ?? true else { return nil }
    return UInt32(truncatingIfNeeded: row)
  }
}

extension LinkChunks {
  /// Returns the relationship's column, or nil if an object is missing or occurs twice in a list;
  /// `resolve` then reports the problem.
  func column(_ kind: ColumnKind, to target: LinkTarget) -> Column? {
    let resolved = Workers.map(count: chunks.count, inParallel: chunks.count > 4) { chunk in
      (isToMany ? listChunk(chunk, target) : singleChunk(chunk, target)).map { ColumnChunk($0) }
    }
    let whole = resolved.compactMap(\.self)
    return whole.count == resolved.count ? Column(kind, chunks: whole) : nil
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
    var result = LinkLists()
    result.rows.reserveCapacity(said.numbers.count)
    var start = 0
    for end in said.ends.lazy.map({ Int($0) }) {
      for place in start..<end {
        let isAscending = place == start || said.numbers[place - 1] < said.numbers[place]
        guard isAscending, let row = target.row(of: said.numbers[place]) else { return nil }
        result.rows.append(row)
      }
      start = end
    }
    result.ends = said.ends
    return .linkLists(result)
  }
}

/// The objectIDs that a document lists for a relationship, for all rows of a table.
enum DocumentLinks {
  /// In the chunks in which it was read
  case chunks(LinkChunks)
  /// Joined from the rows of several entities, or reordered
  case rows(RawLinks)

  var isSpecified: Bool {
    switch self {
    case .chunks(let chunks): chunks.isSpecified
    case .rows(let raw): raw.isSpecified
    }
  }

  /// All numbers, row by row.
  var raw: RawLinks {
    switch self {
    case .chunks(let chunks): RawLinks(chunks)
    case .rows(let raw): raw
    }
  }
}
