import KuraModel
import KuraPredicates
import KuraValues

extension Migration {
  /// The column of an attribute: as it was, read as another type, or new.
  func attributeColumn(
    _ definition: ColumnDefinition, _ type: AttributeType, _ number: Int,
    _ settings: ColumnSettings, _ problems: inout [MigrationFacts]
  ) -> Column {
    let table = old.tables[number]
    guard let place = oldColumn(definition, table), case .attribute(let oldType) = place.kind
    else { return newColumn(definition, type, table, settings) }
    let filler = filler(definition)
    if oldType == type, filler == .null {
      return Column(definition.kind, chunks: place.chunks, dictionary: place.dictionary)
    }
    let owners = settings.layout.codes(of: definition.entity, model)
    var column = Column(definition.kind)
    for row in 0..<table.count {
      let value = table.isLive(row) ? place.value(row) : .null
      do throws(ValueMismatch) {
        let read = try type.reading(value, of: oldType, in: settings.context.zone)
        let isFilled = read.isNull && owners.contains(table.entityCode(row))
        column.append(isFilled ? filler : StoredCell(read, as: type))
      } catch {
        column.append(.null)
        problems.append(
          .unreadable(
            table.objectID(row), key: definition.key,
            value: oldType.literal(value, in: settings.context.zone), error))
      }
    }
    return column
  }

  /// What stands for null where an attribute with a default is optional no more.
  private func filler(_ definition: ColumnDefinition) -> StoredCell {
    guard case .attribute(let old)? = oldProperty(definition.key, of: definition.entity),
      case .attribute(let new)? = model.property(named: definition.key, of: definition.entity),
      old.isOptional, !new.isOptional
    else { return .null }
    return new.defaultValue.map { StoredCell($0, as: new.type) } ?? .null
  }

  private func oldColumn(_ definition: ColumnDefinition, _ table: Table) -> Column? {
    let entity = oldEntity(definition.entity)
    let key = oldKey(definition.key, of: definition.entity)
    return table.layout.columns.firstIndex { $0.entity == entity && $0.key == key }
      .map { table.columns[$0] }
  }

  /// Objects get the default where there is one, else null.
  private func newColumn(
    _ definition: ColumnDefinition, _ type: AttributeType, _ table: Table,
    _ settings: ColumnSettings
  ) -> Column {
    let attribute = model[definition.entity]?.attributes.first { $0.name == definition.key }
    let cell = attribute?.defaultValue.map { StoredCell($0, as: type) } ?? .null
    let owners = settings.layout.codes(of: definition.entity, model)
    var column = Column(definition.kind)
    for row in 0..<table.count {
      column.append(owners.contains(table.entityCode(row)) ? cell : .null)
    }
    return column
  }
}

extension ModelLayout {
  /// The codes of an entity and its descendants in their table.
  func codes(of entity: String, _ model: Model) -> Set<Int> {
    Set(([entity] + model.descendants(of: entity)).compactMap { places[$0]?.code })
  }
}
