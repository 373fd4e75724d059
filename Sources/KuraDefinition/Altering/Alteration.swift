package import KuraDiagnostics
package import KuraGraph
import KuraModel
package import KuraScript
package import KuraValues

/// A statement `alter entity`, on its way to a new model and a migration of what is there.
package struct Alteration {
  let name: Name
  let graph: Graph
  let zone: ZoneRules
  /// The model as it is going to be.
  var model: Model
  var oldEntities: [String: String] = [:]
  var oldKeys: [EntityKey: String] = [:]
  var checked: [EntityKey] = []
  var places: [ModelPlace: SourceSpan] = [:]
  package var warnings: [Diagnostic] = []
  /// What was done, for the report.
  package var notes: [String] = []

  package init(_ name: Name, _ graph: Graph, _ zone: ZoneRules) {
    self.name = name
    self.graph = graph
    self.zone = zone
    model = graph.model
  }

  var entity: String { name.text }
}

extension Alteration {
  /// Changes the model; throws what makes no sense whatever the objects hold.
  package mutating func make(_ change: AlterStatement.Change) throws {
    switch change {
    case .add(let property): try add(property)
    case .addIndex(let index): try add(index)
    case .drop(let key): try drop(key)
    case .dropIndex(let index): try drop(index)
    case .rename(let key, let new): try rename(key, to: new)
    case .renameEntity(let new): try rename(to: new)
    case .change(let property): try self.change(property)
    }
  }

  /// What contradicts itself in the model that would come of it.
  package var problems: [Diagnostic] {
    ModelCheck(model).contradictions.map {
      Diagnostic($0.facts, at: places[$0.place] ?? name.span)
    }
  }

  package var migration: Migration {
    var migration = Migration(graph, to: model)
    migration.oldEntities = oldEntities
    migration.oldKeys = oldKeys
    migration.checked = checked
    return migration
  }
}

extension Alteration {
  /// A key that the entity declares itself.
  func ownProperty(_ key: Name) throws(Diagnostic) -> Property {
    guard let owned = graph.model.ownedProperty(named: key.text, of: entity) else {
      let known = graph.model.keys(of: entity)
      throw Diagnostic(ChangeFacts.unknownKey(key.text, entity: entity, known: known), at: key.span)
    }
    guard owned.owner == entity else {
      throw Diagnostic(
        AlterFacts.inherited(key.text, entity: entity, owner: owned.owner), at: key.span)
    }
    return owned.property
  }

  func checkNew(_ key: Name) throws(Diagnostic) {
    if model.property(named: key.text, of: entity) != nil {
      throw Diagnostic(AlterFacts.keyExists(key.text, entity: entity), at: key.span)
    }
  }

  /// The property that a declaration describes, and whether it is unique by itself.
  mutating func read(
    _ declaration: PropertyDeclaration
  ) throws(Diagnostic) -> (property: Property, isUnique: Bool) {
    var whole = EntityDeclaration(name: name)
    whole.properties = [declaration]
    var definition = EntityDefinition(whole, model: model, zone: zone)
    let entity = try definition.entity()
    places.merge(definition.places) { _, new in new }
    warnings += definition.warnings
    let attribute = entity.attributes.first.map(Property.attribute)
    let relationship = entity.relationships.first.map(Property.relationship)
    guard let property = attribute ?? relationship else {
      throw Diagnostic(AlterFacts.otherKind(declaration.name.text), at: declaration.name.span)
    }
    return (property, !entity.uniquenessConstraints.isEmpty)
  }
}
