package import KuraModel

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
