package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

/// A change of entities, and what becomes of the objects that are there.
///
///     var migration = Migration(graph, to: model)
///     migration.oldKeys[EntityKey("Item", "name")] = "title"
///     let altered = try migration.graph(in: context)     // the titles stand under name
///
/// Entities may have other names and other properties; none comes, goes or inherits otherwise.
/// Rows stay where they are, and columns in which nothing changes are shared with the old graph.
package struct Migration {
  package let old: Graph
  package let model: Model
  /// By an entity's new name the old one, where they differ.
  package var oldEntities: [String: String] = [:]
  /// By the new entity and key the old key, where they differ.
  package var oldKeys: [EntityKey: String] = [:]
  /// The keys whose rules may be others now: objects that break them are in the way.
  package var checked: [EntityKey] = []

  package init(_ old: Graph, to model: Model) {
    self.old = old
    self.model = model
  }
}

/// A key of the entity that declares it.
package struct EntityKey: Hashable, Sendable {
  package var entity: String
  package var key: String

  package init(_ entity: String, _ key: String) {
    self.entity = entity
    self.key = key
  }
}

/// The objects that stand in the way of a change of the model.
package struct MigrationProblems: Error, Sendable {
  package var problems: [MigrationFacts]
}

extension Migration {
  /// The graph under the new model.
  ///
  /// Derived attributes are computed anew. Throws all objects whose values cannot be read as the
  /// new type, whose links do not fit, or which break a rule that is new. Linear in what changes.
  package func graph(in context: EvaluationContext) throws -> Graph {
    let layout = ModelLayout(model)
    var problems: [MigrationFacts] = []
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
      throw MigrationProblems(problems: failures.map(MigrationFacts.invalid))
    }
  }
}

/// What all columns are made with.
struct ColumnSettings {
  var layout: ModelLayout
  var context: EvaluationContext
}

extension Table {
  /// The table's rows under another layout, without columns.
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

  /// What a property of the new model was before.
  func oldProperty(_ key: String, of entity: String) -> Property? {
    let owned = old.model.ownedProperty(named: oldKey(key, of: entity), of: oldEntity(entity))
    return owned?.owner == oldEntity(entity) ? owned?.property : nil
  }

  private func column(
    _ definition: ColumnDefinition, _ table: Int, _ settings: ColumnSettings,
    _ problems: inout [MigrationFacts]
  ) -> Column {
    switch definition.kind {
    case .attribute(let type):
      attributeColumn(definition, type, table, settings, &problems)
    case .toOne, .toMany:
      linkColumn(definition, table, settings, &problems)
    }
  }
}

/// An object that stands in the way of a change of the model.
package enum MigrationFacts: Sendable {
  /// Its value cannot be read as the new type.
  case unreadable(ObjectID, key: String, value: String, ValueMismatch)
  /// It would have several objects of a to-one.
  case several(ObjectID, key: String, [ObjectID])
  /// It leads to an object that is none of the new destination.
  case wrongDestination(ObjectID, key: String, ObjectID, destination: String)
  /// The default of a new attribute cannot be computed.
  case badDefault(key: String, reason: String)
  /// It breaks the new rule.
  case invalid(ValidationFailure)
}

extension MigrationFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .change }

  package var sentence: String {
    switch self {
    case .unreadable(let id, let key, let value, let mismatch):
      localized(
        "\(id): \"\(key)\"\(mismatch.namesValue ? "" : localized(" is \(value)")): \(mismatch.sentence)"
      )
    case .several(let id, let key, let targets):
      localized(
        "\(id): \"\(key)\" would be one object, and there are \(targets.count): \(targets.map(\.description).list)"
      )
    case .wrongDestination(let id, let key, let target, let destination):
      localized("\(id): \"\(key)\" is \(target), and that is no \(destination)")
    case .badDefault(let key, let reason):
      ChangeFacts.badDefault(key: key, reason: reason).sentence
    case .invalid(let failure): ChangeFacts.invalid(failure).sentence
    }
  }

  package var help: String? { nil }
}

extension ValueMismatch {
  /// Whether its sentence says the value.
  fileprivate var namesValue: Bool {
    switch self {
    case .kind, .typed: false
    case .outOfRange, .fraction, .date, .unreadable: true
    }
  }
}
