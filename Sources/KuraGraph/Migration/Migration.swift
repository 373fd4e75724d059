import KuraBytes
package import KuraDiagnostics
import KuraJSON
package import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

/// A change of entities, with the migration of the existing objects.
///
///     var migration = Migration(graph, to: model)
///     migration.oldKeys[EntityKey("Item", "name")] = "title"
///     let altered = try migration.graph(in: context)     // the titles are now in name
///
/// Entities can have other names and properties; they cannot be added or removed, and inheritance
/// cannot change. Rows keep their place, and unchanged columns are shared with the old graph.
package struct Migration {
  package let old: Graph
  package let model: Model
  /// The old names of renamed entities, by new name.
  package var oldEntities: [String: String] = [:]
  /// The old names of renamed keys, by new entity and key.
  package var oldKeys: [EntityKey: String] = [:]
  /// The keys with rules that can differ. Objects that break the rules prevent the migration.
  package var checked: [EntityKey] = []

  package init(_ old: Graph, to model: Model) {
    self.old = old
    self.model = model
  }
}

/// A key and the entity that declares it.
package struct EntityKey: Hashable, Sendable {
  package var entity: String
  package var key: String

  package init(_ entity: String, _ key: String) {
    self.entity = entity
    self.key = key
  }
}

/// The objects that prevent a change of the model.
package struct MigrationProblems: Error, Sendable {
  package var problems: [MigrationProblem]
}

extension Migration {
  /// Returns the graph with the new model.
  ///
  /// Derived attributes are recomputed. Throws all objects with values that cannot be converted to
  /// the new type, with links that do not fit, or that break a new rule. Linear in the changes.
  package func graph(in context: EvaluationContext) throws -> Graph {
    let layout = ModelLayout(model)
    var problems: [MigrationProblem] = []
    let tables = zip(old.tables, layout.tables).enumerated().map { number, pair in
      var table = pair.0.empty(as: pair.1)
      table.columns = pair.1.columns.map {
        column($0, number, ColumnSettings(layout: layout, context: context), &problems)
      }
      return table
    }
    try context.checkCancel()
    guard problems.isEmpty else { throw MigrationProblems(problems: problems) }
    var graph = Graph(model: model, layout: layout, tables: tables)
    graph.mayDangle = old.mayDangle
    try graph.admit(try graph.derivationOfAll(in: context), context.cancel)
    try context.checkCancel()
    try check(graph, in: context)
    try context.checkCancel()
    return graph
  }

  private func check(_ graph: Graph, in context: EvaluationContext) throws(MigrationProblems) {
    let failures = checked.flatMap {
      graph.failures(ofKey: $0.key, entity: $0.entity, in: context)
    }
    guard failures.isEmpty else {
      throw MigrationProblems(problems: failures.map(MigrationProblem.invalid))
    }
  }
}

/// The common input for building columns.
struct ColumnSettings {
  var layout: ModelLayout
  var context: EvaluationContext
}

extension Table {
  /// Returns the table's rows with another layout, without columns.
  fileprivate func empty(as layout: TableLayout) -> Table {
    Table(
      layout: layout, columns: [], identifiers: identifiers, entityCodes: entityCodes,
      soleEntity: soleEntity, nextNumber: nextNumber, live: live)
  }
}

extension Migration {
  func oldEntity(_ name: String) -> String { oldEntities[name] ?? name }

  func oldKey(_ key: String, of entity: String) -> String {
    oldKeys[EntityKey(entity, key)] ?? key
  }

  /// Returns the old property of a property in the new model.
  func oldProperty(_ key: String, of entity: String) -> Property? {
    let owned = old.model.ownedProperty(named: oldKey(key, of: entity), of: oldEntity(entity))
    return owned?.owner == oldEntity(entity) ? owned?.property : nil
  }

  private func column(
    _ definition: ColumnDefinition, _ table: Int, _ settings: ColumnSettings,
    _ problems: inout [MigrationProblem]
  ) -> Column {
    switch definition.kind {
    case .attribute(let type):
      attributeColumn(definition, type, table, settings, &problems)
    case .toOne, .toMany:
      linkColumn(definition, table, settings, &problems)
    }
  }
}

/// An object that prevents a change of the model.
package enum MigrationProblem: Sendable {
  /// Its value cannot be converted to the new type.
  case unreadable(ObjectID, key: String, value: String, ValueMismatch)
  /// A to-one relationship would have several objects.
  case several(ObjectID, key: String, [ObjectID])
  /// It leads to an object that is not of the new destination.
  case wrongDestination(ObjectID, key: String, ObjectID, destination: String)
  /// The default of a new attribute cannot be computed.
  case badDefault(key: String, reason: String)
  /// It breaks the new rule.
  case invalid(ValidationFailure)
}

extension MigrationProblem: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .change }

  package var sentence: String {
    switch self {
    case .unreadable(let id, let key, let value, let mismatch):
      mismatch.namesValue
        ? localized("\(id): \"\(key)\": \(mismatch.sentence)")
        : localized("\(id): \"\(key)\" is \(value): \(mismatch.sentence)")
    case .several(let id, let key, let targets):
      localized(
        "\(id): \"\(key)\" has \(targets.count) objects and cannot become to-one: \(targets.map(\.description).list)"
      )
    case .wrongDestination(let id, let key, let target, let destination):
      localized("\(id): \"\(key)\" is \(target), which is not an object of \(destination)")
    case .badDefault(let key, let reason):
      ChangeProblem.badDefault(key: key, reason: reason).sentence
    case .invalid(let failure): ChangeProblem.invalid(failure).sentence
    }
  }

  package var help: String? { nil }
}

extension ValueMismatch {
  /// Whether its sentence contains the value.
  fileprivate var namesValue: Bool {
    switch self {
    case .kind, .typed: false
    case .outOfRange, .fraction, .date, .unreadable: true
    }
  }
}

extension Migration {
  /// Returns the column of an attribute: unchanged, converted, or new.
  func attributeColumn(
    _ definition: ColumnDefinition, _ type: AttributeType, _ number: Int,
    _ settings: ColumnSettings, _ problems: inout [MigrationProblem]
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

  /// Returns an attribute that is no longer optional, to replace nulls by its default.
  private func filler(_ definition: ColumnDefinition) -> Attribute? {
    guard let old = oldProperty(definition.key, of: definition.entity)?.attribute,
      let new = model.attribute(named: definition.key, of: definition.entity),
      old.isOptional, !new.isOptional, new.hasDefault
    else { return nil }
    return new
  }

  /// Returns the default of an attribute; a computed one is evaluated for one object.
  private func newCell(
    _ attribute: Attribute?, _ settings: ColumnSettings, _ problems: inout [MigrationProblem]
  ) -> StoredCell {
    guard let attribute else { return .null }
    do throws(DefaultFailure) {
      let value = try attribute.newValue(in: settings.context)
      return value.map { StoredCell($0, as: attribute.type) } ?? .null
    } catch {
      // The problem would be the same for each object.
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

  /// Returns a column with the default, or null if there is none.
  private func newColumn(
    _ definition: ColumnDefinition, _ table: Table, _ settings: ColumnSettings,
    _ problems: inout [MigrationProblem]
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

extension AttributeType {
  /// Converts a value to another type, as if its text had been typed.
  ///
  ///     try AttributeType.date.reading(.string("1935/06/11"), of: .string, in: zone)
  ///     try AttributeType.integer.reading(.double(2), of: .double, in: zone)      // 2
  ///     try AttributeType.integer.reading(.double(2.5), of: .double, in: zone)    // fraction
  ///
  /// Throws if the value does not fit the type, or a number would lose digits.
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

  /// Converts a JSON value as a value of the corresponding attribute type.
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

  /// Returns the value as text, without quotes.
  private func plainText(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .string(let text), .uri(let text): text
    case .date(let date): date.documentText(in: zone)
    case .boolean, .integer, .double, .decimal: literal(value, in: zone)
    case .uuid, .binary, .list, .set, .dictionary, .null, .object:
      node(value, in: zone).plainText
    }
  }

  /// Returns the digits of a value: all digits of a whole double, 1 for `YES`.
  private func numberText(_ value: Value, in zone: ZoneRules) -> String {
    switch value {
    case .boolean(let truth): truth ? "1" : "0"
    case .double(let x) where self != .float || x.rounded() == x: NumberText.digits(of: x)
    default: plainText(value, in: zone)
    }
  }
}

extension JSONNode {
  /// A string without quotes; any other value as JSON.
  fileprivate var plainText: String {
    if case .string(let text) = kind { text } else { text }
  }
}

extension Migration {
  /// Returns the column of a relationship's stored side: unchanged, or built from the links of both ends.
  func linkColumn(
    _ definition: ColumnDefinition, _ number: Int, _ settings: ColumnSettings,
    _ problems: inout [MigrationProblem]
  ) -> Column {
    guard let here = end(definition.key, of: definition.entity) else {
      return Column(definition.kind)
    }
    let there = model.inverse(of: definition.key, in: definition.entity)
      .flatMap { end($0.relationship.name, of: $0.owner) }
    if let column = unchangedColumn(definition, here, there, number) { return column }
    guard var links = MigratedLinks(self, number, settings, here, there) else {
      return Column(definition.kind)
    }
    links.addAll()
    links.check(&problems)
    return links.column(definition.kind)
  }

  /// Returns an end of a relationship in the new model.
  func end(_ key: String, of owner: String) -> MigratedEnd? {
    model.relationship(named: key, of: owner).map {
      MigratedEnd(owner: owner, now: $0, before: oldProperty(key, of: owner)?.relationship)
    }
  }

  /// Returns the old column, if both ends differ at most in their names.
  private func unchangedColumn(
    _ definition: ColumnDefinition, _ here: MigratedEnd, _ there: MigratedEnd?, _ number: Int
  ) -> Column? {
    guard isAsBefore(here), there.map(isAsBefore) ?? true,
      let column = oldColumn(definition, old.tables[number]), column.kind == definition.kind
    else { return nil }
    return Column(definition.kind, chunks: column.chunks)
  }

  private func isAsBefore(_ end: MigratedEnd) -> Bool {
    guard let before = end.before else { return false }
    let inverse = end.now.inverse.map { oldKey($0, of: inverseOwner(end) ?? "") }
    return before.isToMany == end.now.isToMany && before.inverse == inverse
      && before.destination == oldEntity(end.now.destination)
  }

  private func inverseOwner(_ end: MigratedEnd) -> String? {
    end.now.inverse.flatMap { model.ownedProperty(named: $0, of: end.now.destination)?.owner }
  }
}

/// An end of a relationship in the new model, and in the old one if it existed.
struct MigratedEnd: Equatable {
  var owner: String
  var now: Relationship
  var before: Relationship?

  static func == (a: MigratedEnd, b: MigratedEnd) -> Bool {
    a.owner == b.owner && a.now.name == b.now.name
  }
}

extension Graph {
  /// Returns the links of a relationship, by row.
  func links(_ key: String, of owner: String) -> (table: Int, rows: [(row: Int, targets: [Int])])? {
    guard let place = place(of: owner), let (table, rows) = rows(of: owner),
      let slot = tables[table].layout.slots[place.code][key]
    else { return nil }
    return (table, rows.map { ($0, self.rows(slot, table, $0)) })
  }
}

/// The names that changed between two models, if a single statement derived one from the other.
///
/// A renamed entity or key keeps its position. No addition, removal or change results in both
/// another name and the same position.
package struct ModelRenaming {
  private let old: Model
  private let new: Model
  /// The new names of entities, by old name.
  package private(set) var entities: [String: String] = [:]

  package init(from old: Model, to new: Model) {
    self.old = old
    self.new = new
    guard old.entities.count == new.entities.count else { return }
    for (before, after) in zip(old.entities, new.entities) where before.name != after.name {
      entities[before.name] = after.name
    }
  }
}

extension ModelRenaming {
  /// Returns the present name of an entity; nil if it was removed.
  func entity(_ name: String) -> String? {
    let name = entities[name] ?? name
    return new[name] == nil ? nil : name
  }

  /// Returns the present name of an entity's key; nil if it was removed.
  func key(_ key: String, of entity: String) -> String? {
    guard let now = self.entity(entity), let owned = old.ownedProperty(named: key, of: entity),
      let owner = self.entity(owned.owner), let before = old[owned.owner], let after = new[owner]
    else { return nil }
    let name =
      renamed(key, before.attributes.map(\.name), after.attributes.map(\.name))
      ?? renamed(key, before.relationships.map(\.name), after.relationships.map(\.name)) ?? key
    return new.property(named: name, of: now) == nil ? nil : name
  }

  private func renamed(_ key: String, _ before: [String], _ after: [String]) -> String? {
    guard before.count == after.count, let place = before.firstIndex(of: key) else { return nil }
    return after[place]
  }
}

extension ChangeSet {
  /// Returns a change that preceded a change of the model, with the names of the new model and
  /// without its removed parts.
  func carried(from old: Model, to new: Model) -> ChangeSet {
    if old.entities == new.entities { return self }
    let names = ModelRenaming(from: old, to: new)
    return compactMap { $0.carried(names) }
  }
}

extension ObjectBatch {
  fileprivate func carried(_ names: ModelRenaming) -> ObjectBatch? {
    guard let name = names.entity(entity) else { return nil }
    let columns = columns.compactMap { column in
      names.key(column.key, of: entity).map {
        ChangeColumn(key: $0, old: column.old, new: column.new)
      }
    }
    return ObjectBatch(entity: name, numbers: numbers, columns: columns)
  }
}
