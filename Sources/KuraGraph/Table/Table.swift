package import KuraValues

/// The objects of an entity and of all its subentities, as columns.
///
/// A copy is a snapshot: chunks are shared until one of the copies changes them.
package struct Table: Sendable {
  package let layout: TableLayout
  package var columns: [Column]
  package var identifiers: IdentifierColumn
  /// The entity of each row; nil while all rows are of the entity `soleEntity`.
  package private(set) var entityCodes: [UInt16]?
  package private(set) var soleEntity: Int
  /// The number the next object gets; numbers are never given twice.
  package var nextNumber: Int64
  /// What is made of the columns when it is wanted, shared by all copies of this state.
  package private(set) var derived = DerivedData()

  package init(
    layout: TableLayout, columns: [Column]? = nil,
    identifiers: IdentifierColumn = IdentifierColumn([]), entityCodes: [UInt16]? = nil,
    soleEntity: Int = 0, nextNumber: Int64 = 1
  ) {
    self.layout = layout
    self.columns = columns ?? layout.columns.map { Column($0.kind) }
    self.identifiers = identifiers
    self.entityCodes = entityCodes
    self.soleEntity = soleEntity
    self.nextNumber = nextNumber
  }

  /// How many rows it has.
  package var count: Int { identifiers.count }
  package var chunkCount: Int { (count + ColumnChunk.mask) >> ColumnChunk.shift }

  /// The rows of a chunk.
  package func rows(inChunk chunk: Int) -> Range<Int> {
    chunk << ColumnChunk.shift..<min(count, (chunk + 1) << ColumnChunk.shift)
  }
}

extension Table {
  /// The code of a row's entity.
  package func entityCode(_ row: Int) -> Int { entityCodes.map { Int($0[row]) } ?? soleEntity }

  package func objectID(_ row: Int) -> ObjectID {
    ObjectID(
      entity: layout.entities[entityCode(row)], root: layout.root, number: identifiers[row])
  }

  /// Adds an object behind the last row; `cells` has a cell for each column.
  package mutating func append(number: Int64, entity code: Int, cells: [StoredCell]) {
    derived = DerivedData()
    appendEntity(code)
    identifiers.append(number)
    nextNumber = max(nextNumber, number &+ 1)
    for i in columns.indices { columns[i].append(cells[i]) }
  }

  /// What was made of the columns no longer holds.
  mutating func forgetDerived() { derived = DerivedData() }

  private mutating func appendEntity(_ code: Int) {
    if count == 0 { soleEntity = code }
    if entityCodes == nil, code != soleEntity {
      entityCodes = Array(repeating: UInt16(truncatingIfNeeded: soleEntity), count: count)
    }
    entityCodes?.append(UInt16(truncatingIfNeeded: code))
  }
}
