package import KuraModel
package import KuraValues

/// The objects of an entity and of all its subentities, as columns.
///
/// A copy is a snapshot: chunks are shared until one of the copies changes them. A deleted object
/// keeps its row and its values.
package struct Table: Sendable {
  package let layout: TableLayout
  package var columns: [Column]
  package var identifiers: IdentifierColumn
  /// The entity of each row; nil while all rows are of the entity `soleEntity`.
  package var entityCodes: [UInt16]?
  package var soleEntity: Int
  /// The number the next object gets; numbers are never given twice.
  package var nextNumber: Int64
  /// The rows whose objects are there; nil while none was deleted.
  package var live: Bitmap?
  /// What is made of the columns when it is wanted, shared by all copies of this state.
  package var derived = DerivedData()

  package init(
    layout: TableLayout, columns: [Column]? = nil,
    identifiers: IdentifierColumn = IdentifierColumn([]), entityCodes: [UInt16]? = nil,
    soleEntity: Int = 0, nextNumber: Int64 = 1, live: Bitmap? = nil
  ) {
    self.layout = layout
    self.columns = columns ?? layout.columns.map { Column($0.kind) }
    self.identifiers = identifiers
    self.entityCodes = entityCodes
    self.soleEntity = soleEntity
    self.nextNumber = nextNumber
    self.live = live
  }

  /// How many rows it has, those of deleted objects too.
  package var count: Int { identifiers.count }
  package var chunkCount: Int { (count + ColumnChunk.mask) >> ColumnChunk.shift }

  /// How many objects it has.
  package var liveCount: Int { live?.popcount ?? count }

  /// The rows of a chunk.
  package func rows(inChunk chunk: Int) -> Range<Int> {
    chunk << ColumnChunk.shift..<min(count, (chunk + 1) << ColumnChunk.shift)
  }
}

extension Table {
  /// Whether a row's object is there.
  package func isLive(_ row: Int) -> Bool { live?[row] ?? true }

  /// The row of an object that is there, or nil.
  package func row(of number: Int64) -> Int? {
    identifiers.row(of: number).flatMap { isLive($0) ? $0 : nil }
  }

  /// The rows of a chunk whose objects are there.
  package func liveRows(inChunk chunk: Int) -> Bitmap {
    let rows = rows(inChunk: chunk)
    guard let live else { return Bitmap(count: rows.count, filledWith: true) }
    let first = rows.lowerBound >> 6
    return Bitmap(
      words: Array(live.words[first..<first + (rows.count + 63) >> 6]), count: rows.count)
  }

  /// The code of a row's entity.
  package func entityCode(_ row: Int) -> Int { entityCodes.map { Int($0[row]) } ?? soleEntity }

  package func objectID(_ row: Int) -> ObjectID {
    ObjectID(
      entity: layout.entities[entityCode(row)], root: layout.root, number: identifiers[row])
  }
}

extension Table {
  /// The table's objects under another layout, after a change of the model.
  ///
  /// A key that is new has its default where it is mandatory, else null.
  package func rebuilt(_ layout: TableLayout, codes: [Int: Int], model: Model) -> Table {
    var table = Table(
      layout: layout, columns: [], identifiers: identifiers,
      entityCodes: entityCodes?.map { UInt16(truncatingIfNeeded: codes[Int($0)] ?? 0) },
      soleEntity: codes[soleEntity] ?? 0, nextNumber: nextNumber, live: live)
    table.columns = layout.columns.map { definition in
      kept(definition) ?? table.newColumn(definition, model)
    }
    return table
  }

  /// The column that holds the same key's values, in the same form; its destination's table may
  /// have another number now.
  private func kept(_ definition: ColumnDefinition) -> Column? {
    let old = layout.columns.firstIndex {
      $0.entity == definition.entity && $0.key == definition.key
        && $0.kind.holdsTheSame(as: definition.kind)
    }
    return old.map {
      Column(definition.kind, chunks: columns[$0].chunks, dictionary: columns[$0].dictionary)
    }
  }

  private func newColumn(_ definition: ColumnDefinition, _ model: Model) -> Column {
    let cell = newCell(definition, model)
    let owners = Set([definition.entity] + model.descendants(of: definition.entity))
    let hasKey = layout.entities.map { owners.contains($0) }
    var column = Column(definition.kind)
    for row in 0..<count { column.append(hasKey[entityCode(row)] ? cell : .null) }
    return column
  }

  /// What objects have that were there before the key was.
  private func newCell(_ definition: ColumnDefinition, _ model: Model) -> StoredCell {
    guard case .attribute(let type) = definition.kind,
      let attribute = model[definition.entity]?.attributes.first(where: {
        $0.name == definition.key
      }), !attribute.isOptional, let value = attribute.defaultValue
    else { return .null }
    return StoredCell(value, as: type)
  }
}

extension ColumnKind {
  /// Whether chunks of one kind are chunks of the other.
  fileprivate func holdsTheSame(as other: ColumnKind) -> Bool {
    switch (self, other) {
    case (.attribute(let a), .attribute(let b)): a == b
    case (.toOne, .toOne), (.toMany, .toMany): true
    case (.attribute, _), (.toOne, _), (.toMany, _): false
    }
  }
}
