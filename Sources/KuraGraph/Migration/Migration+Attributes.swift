import KuraBytes
import KuraJSON
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
    else { return newColumn(definition, table, settings, &problems) }
    let filler = filler(definition)
    if oldType == type, filler == nil {
      return Column(definition.kind, chunks: place.chunks, dictionary: place.dictionary)
    }
    let owners = settings.layout.codes(of: definition.entity, model)
    var column = Column(definition.kind)
    for row in 0..<table.count where !settings.context.cancel.isRequested {
      let value = table.isLive(row) ? place.value(row) : .null
      do throws(ValueMismatch) {
        let read = try type.reading(value, of: oldType, in: settings.context.zone)
        let isFilled = read.isNull && owners.contains(table.entityCode(row))
        let cell = isFilled ? newCell(filler, settings, &problems) : StoredCell(read, as: type)
        column.append(cell)
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
  private func filler(_ definition: ColumnDefinition) -> Attribute? {
    guard case .attribute(let old)? = oldProperty(definition.key, of: definition.entity),
      case .attribute(let new)? = model.property(named: definition.key, of: definition.entity),
      old.isOptional, !new.isOptional, new.hasDefault
    else { return nil }
    return new
  }

  /// The default of an attribute; where it is computed, for one object.
  private func newCell(
    _ attribute: Attribute?, _ settings: ColumnSettings, _ problems: inout [MigrationFacts]
  ) -> StoredCell {
    guard let attribute else { return .null }
    do throws(DefaultFailure) {
      let value = try attribute.newValue(in: settings.context)
      return value.map { StoredCell($0, as: attribute.type) } ?? .null
    } catch {
      // Each object would say the same.
      if problems.isEmpty {
        problems.append(.badDefault(key: attribute.name, reason: error.sentence))
      }
      return .null
    }
  }

  private func oldColumn(_ definition: ColumnDefinition, _ table: Table) -> Column? {
    let entity = oldEntity(definition.entity)
    let key = oldKey(definition.key, of: definition.entity)
    return table.layout.columns.firstIndex { $0.entity == entity && $0.key == key }
      .map { table.columns[$0] }
  }

  /// Objects get the default where there is one, else null.
  private func newColumn(
    _ definition: ColumnDefinition, _ table: Table, _ settings: ColumnSettings,
    _ problems: inout [MigrationFacts]
  ) -> Column {
    let attribute = model[definition.entity]?.attributes.first { $0.name == definition.key }
    let same = attribute?.defaultExpression == nil ? newCell(attribute, settings, &problems) : nil
    let owners = settings.layout.codes(of: definition.entity, model)
    var column = Column(definition.kind)
    for row in 0..<table.count where !settings.context.cancel.isRequested {
      let isOwner = owners.contains(table.entityCode(row))
      column.append(isOwner ? same ?? newCell(attribute, settings, &problems) : .null)
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

extension AttributeType {
  /// A value of one type read as another, by what a person would type for it.
  ///
  ///     try AttributeType.date.reading(.string("1935/06/11"), of: .string, in: zone)
  ///     try AttributeType.integer.reading(.double(2), of: .double, in: zone)      // 2
  ///     try AttributeType.integer.reading(.double(2.5), of: .double, in: zone)    // fraction
  ///
  /// Throws if the value is not of the type or a number would lose digits.
  func reading(
    _ value: Value, of old: AttributeType, in zone: ZoneRules
  ) throws(ValueMismatch) -> Value {
    if value.isNull { return .null }
    if old == .json, self != .json { return try reading(json: value, in: zone) }
    switch self {
    case .json: return value.isJSON ? value : .string(old.plainText(value, in: zone))
    case .string: return .string(old.plainText(value, in: zone))
    case .integer, .integer16, .integer32, .double, .float, .decimal:
      guard old != .date, old != .binary else { break }
      let text = old.numberText(value, in: zone)
      let read = try self.value(ofText: text, in: zone)
      guard NumberText.areSame(text, numberText(read, in: zone)) else {
        throw .outOfRange(self, digits: text)
      }
      return read
    case .boolean:
      guard old != .date, old != .binary else { break }
      return try self.value(ofText: old.plainText(value, in: zone), in: zone)
    case .date, .uuid, .uri, .binary:
      guard old == .string || old == .uri else { break }
      return try self.value(
        ofText: old.plainText(value, in: zone), in: zone, from: .person(now: nil))
    }
    throw .typed(self, found: old)
  }

  /// A JSON value by the type that it would have as an attribute.
  private func reading(json value: Value, in zone: ZoneRules) throws(ValueMismatch) -> Value {
    switch value {
    case .string: return try reading(value, of: .string, in: zone)
    case .integer: return try reading(value, of: .integer, in: zone)
    case .double: return try reading(value, of: .double, in: zone)
    case .decimal: return try reading(value, of: .decimal, in: zone)
    case .boolean: return try reading(value, of: .boolean, in: zone)
    case .list, .dictionary, .set:
      if self == .string { return .string(AttributeType.json.plainText(value, in: zone)) }
      throw .kind(self, found: value.jsonKind)
    case .null, .date, .uuid, .uri, .binary, .object:
      throw .kind(self, found: value.jsonKind)
    }
  }

  /// The value as text, without quotes.
  private func plainText(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .string(let text), .uri(let text): text
    case .date(let date): date.documentText(in: zone)
    case .boolean, .integer, .double, .decimal: literal(value, in: zone)
    case .uuid, .binary, .list, .set, .dictionary, .null, .object:
      node(value, in: zone).plainText
    }
  }

  /// The value's digits: all of a double that is whole, 1 of `YES`.
  private func numberText(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .boolean(let truth): truth ? "1" : "0"
    case .double(let x) where self != .float || x.rounded() == x: NumberText.digits(of: x)
    default: plainText(value, in: zone)
    }
  }
}

extension JSONNode {
  /// A string without its quotes, anything else as JSON.
  fileprivate var plainText: String {
    if case .string(let text) = kind { text } else { text }
  }
}
