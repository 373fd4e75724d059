import KuraGraph
import KuraModel

extension LinkLists {
  init(lists: [[UInt32]]) {
    self.init()
    for list in lists { append(list) }
  }

  /// The number of owners.
  var count: Int { ends.count }

  mutating func reserve(owners: Int, rows count: Int) {
    ends.reserveCapacity(owners)
    rows.reserveCapacity(count)
  }

  mutating func closeRow() { ends.append(UInt32(truncatingIfNeeded: rows.count)) }

  subscript(row: Int) -> ArraySlice<UInt32> { rows[range(row)] }

  /// Sorts each list by row, and thus by objectID.
  mutating func sortLists() {
    var start = 0
    for end in ends.lazy.map({ Int($0) }) {
      if end - start > 1 { rows[start..<end].sort() }
      start = end
    }
  }

  var lists: [[UInt32]] { (0..<count).map { Array(self[$0]) } }
}

extension Column {
  init(_ kind: ColumnKind, lists: LinkLists) {
    self.init(kind)
    for first in stride(from: 0, to: lists.count, by: ColumnChunk.capacity) {
      let rows = first..<min(lists.count, first + ColumnChunk.capacity)
      chunks.append(ColumnChunk(Column.values(kind, lists, rows)))
    }
  }

  private static func values(
    _ kind: ColumnKind, _ lists: LinkLists, _ rows: Range<Int>
  ) -> ColumnChunk.Values {
    if case .toOne = kind { return .links(lists.firsts(rows)) }
    return .linkLists(lists.chunk(rows))
  }
}

extension LinkLists {
  /// Returns the first row of each list, or `noRow`.
  fileprivate func firsts(_ owners: Range<Int>) -> [UInt32] {
    var start = owners.lowerBound == 0 ? 0 : ends[owners.lowerBound - 1]
    return owners.map { owner in
      let end = ends[owner]
      defer { start = end }
      return start < end ? rows[Int(start)] : noRow
    }
  }

  /// Returns the lists of a range of owners. Copying them at once is ten times as fast as list by list.
  fileprivate func chunk(_ owners: Range<Int>) -> LinkLists {
    let start = owners.lowerBound == 0 ? 0 : ends[owners.lowerBound - 1]
    let end = owners.isEmpty ? start : ends[owners.upperBound - 1]
    var chunk = LinkLists()
    chunk.rows = Array(rows[Int(start)..<Int(end)])
    chunk.ends = ends[owners].map { $0 - start }
    return chunk
  }
}

extension StoreAssembly {
  /// Returns the objectIDs that the document lists for each relationship that an entity of the tree declares.
  mutating func documentLinks(
    _ layout: TableLayout, _ parts: [Int], _ order: [Int]?
  ) -> [EntityKey: DocumentLinks] {
    var result: [EntityKey: DocumentLinks] = [:]
    for entity in layout.entities {
      for relationship in model[entity]?.relationships ?? [] {
        let key = EntityKey(entity, relationship.name)
        result[key] = documentLinks(entity, relationship, parts, order)
      }
    }
    return result
  }

  private mutating func documentLinks(
    _ entity: String, _ relationship: Relationship, _ parts: [Int], _ order: [Int]?
  ) -> DocumentLinks {
    if parts.count == 1, order == nil, let said = takeLinks(parts[0], entity, relationship) {
      return .chunks(said)
    }
    var links = RawLinks(isToMany: relationship.isToMany)
    for part in parts {
      if let said = takeLinks(part, entity, relationship) {
        links.append(said)
      } else {
        links.appendNothing(builders[part].rowCount)
      }
    }
    return .rows(links.ordered(order))
  }

  /// Moves the links of a relationship out of a builder; nil if the builder's entity lacks the relationship.
  private mutating func takeLinks(
    _ part: Int, _ entity: String, _ relationship: Relationship
  ) -> LinkChunks? {
    guard model.entity(builders[part].name, isKindOf: entity),
      let column = builders[part].column(relationship.name)
    else { return nil }
    defer { builders[part].columns[column].releaseMemory() }
    return LinkChunks(builders[part].columns[column], isToMany: relationship.isToMany)
  }
}

extension RawLinks {
  init(_ chunks: LinkChunks) {
    self.init(isToMany: chunks.isToMany)
    append(chunks)
  }

  fileprivate mutating func append(_ said: LinkChunks) {
    reserve(said)
    if isToMany { appendLists(said) } else { appendSingles(said.chunks) }
  }

  private mutating func reserve(_ said: LinkChunks) {
    let owners = said.chunks.indices.reduce(0) { $0 + said.rowCount($1) }
    ends.reserveCapacity(ends.count + owners)
    isSilent.reserveCapacity(ends.count + owners)
    let listed = said.lists.reduce(0) { $0 + $1.numbers.count }
    numbers.reserveCapacity(numbers.count + (isToMany ? listed : owners))
  }

  fileprivate mutating func appendNothing(_ rows: Int) {
    for _ in 0..<rows { closeRow(isSilent: true) }
  }

  private mutating func appendSingles(_ chunks: [ColumnChunk]) {
    for chunk in chunks {
      guard case .integers(let values) = chunk.values else { continue }
      for row in values.indices {
        if values[row] > 0 { numbers.append(values[row]) }
        closeRow(isSilent: chunk.isNull(row))
      }
    }
  }

  private mutating func appendLists(_ said: LinkChunks) {
    for (chunk, pending) in zip(said.chunks, said.lists) {
      let start = UInt32(truncatingIfNeeded: numbers.count)
      numbers += pending.numbers
      ends += pending.ends.map { $0 + start }
      isSilent += pending.ends.indices.map { chunk.isNull($0) }
    }
  }

  fileprivate func ordered(_ order: [Int]?) -> RawLinks {
    guard let order else { return self }
    var result = RawLinks(isToMany: isToMany)
    for row in order {
      result.numbers += numbers[range(row)]
      result.closeRow(isSilent: isSilent[row])
    }
    return result
  }
}
