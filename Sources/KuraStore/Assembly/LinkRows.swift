import KuraGraph
import KuraModel

/// Lists of rows, filled in the order of their owners.
struct LinkRows {
  private(set) var ends: [UInt32] = []
  private(set) var rows: [UInt32] = []

  init() {}

  init(lists: [[UInt32]]) {
    for list in lists {
      rows += list
      ends.append(UInt32(truncatingIfNeeded: rows.count))
    }
  }

  var count: Int { ends.count }

  mutating func reserve(owners: Int, rows count: Int) {
    ends.reserveCapacity(owners)
    rows.reserveCapacity(count)
  }

  mutating func add(_ target: UInt32) { rows.append(target) }

  mutating func closeRow() { ends.append(UInt32(truncatingIfNeeded: rows.count)) }

  subscript(row: Int) -> ArraySlice<UInt32> {
    rows[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
  }

  var lists: [[UInt32]] { (0..<count).map { Array(self[$0]) } }
}

extension Column {
  /// A relationship's column from its lists.
  init(_ kind: ColumnKind, lists: LinkRows) {
    self.init(kind)
    for first in stride(from: 0, to: lists.count, by: ColumnChunk.capacity) {
      let rows = first..<min(lists.count, first + ColumnChunk.capacity)
      chunks.append(ColumnChunk(Column.values(kind, lists, rows)))
    }
  }

  private static func values(
    _ kind: ColumnKind, _ lists: LinkRows, _ rows: Range<Int>
  ) -> ColumnChunk.Values {
    if case .toOne = kind { return .links(lists.firsts(rows)) }
    return .linkLists(lists.chunk(rows))
  }
}

extension LinkRows {
  /// The first row of each list, or `noRow`.
  fileprivate func firsts(_ owners: Range<Int>) -> [UInt32] {
    var start = owners.lowerBound == 0 ? 0 : ends[owners.lowerBound - 1]
    return owners.map { owner in
      let end = ends[owner]
      defer { start = end }
      return start < end ? rows[Int(start)] : noRow
    }
  }

  /// The lists of some owners, copied as a whole: list by list it takes ten times as long.
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
  /// What the document says of each relationship that an entity of the tree declares.
  mutating func rawLinks(
    _ layout: TableLayout, _ parts: [Int], _ order: [Int]?
  ) -> [RelationshipKey: RawLinks] {
    var result: [RelationshipKey: RawLinks] = [:]
    for entity in layout.entities {
      for relationship in model[entity]?.relationships ?? [] {
        var links = RawLinks(isToMany: relationship.isToMany)
        for part in parts { append(part, entity, relationship, to: &links) }
        result[RelationshipKey(entity: entity, key: relationship.name)] = links.ordered(order)
      }
    }
    return result
  }

  private mutating func append(
    _ part: Int, _ entity: String, _ relationship: Relationship, to links: inout RawLinks
  ) {
    let inherits = model.entity(builders[part].name, isKindOf: entity)
    let column = inherits ? builders[part].column(relationship.name) : nil
    links.reserve(builders[part].rowCount, column.map { builders[part].columns[$0] })
    guard let column else { return links.appendNothing(builders[part].rowCount) }
    if relationship.isToMany {
      links.appendLists(builders[part].columns[column])
    } else {
      links.appendSingles(builders[part].columns[column])
    }
    builders[part].columns[column].letGo()
  }
}

extension RawLinks {
  fileprivate mutating func reserve(_ owners: Int, _ column: ColumnBuilder?) {
    ends.reserveCapacity(ends.count + owners)
    isSilent.reserveCapacity(ends.count + owners)
    guard let column else { return }
    let listed = column.pendingLists.reduce(0) { $0 + $1.numbers.count }
    numbers.reserveCapacity(numbers.count + (isToMany ? listed : owners))
  }

  fileprivate mutating func appendNothing(_ rows: Int) {
    for _ in 0..<rows { closeRow(isSilent: true) }
  }

  fileprivate mutating func appendSingles(_ column: ColumnBuilder) {
    for chunk in column.sealed {
      guard case .integers(let values) = chunk.values else { continue }
      for row in values.indices {
        if values[row] > 0 { numbers.append(values[row]) }
        closeRow(isSilent: chunk.isNull(row))
      }
    }
  }

  fileprivate mutating func appendLists(_ column: ColumnBuilder) {
    for (chunk, pending) in zip(column.sealed, column.pendingLists) {
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
