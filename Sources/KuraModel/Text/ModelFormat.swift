package import KuraDiagnostics
package import KuraValues

/// The output formats of `model`, as in `model as mermaid`.
package enum ModelFormat: String, Sendable, Hashable, CaseIterable {
  /// Statements that rebuild the model.
  case text
  /// Boxes and lines for a terminal.
  case boxes
  /// A Mermaid class diagram.
  case mermaid
  /// A graph for Graphviz.
  case dot
  /// A picture for a browser.
  case svg
  /// Classes for Core Data.
  case swift
}

extension Model {
  /// Returns the model in a format, for a terminal of a width. It ends with a line break unless it is empty.
  package func text(
    as format: ModelFormat, in zone: ZoneRules, width: Int? = nil,
    measure: DisplayWidth = DisplayWidth()
  ) -> String {
    switch format {
    case .text: statements(in: zone)
    case .boxes: boxes(width: width, measure: measure)
    case .mermaid: mermaid
    case .dot: dot
    case .svg: svg
    case .swift: swiftClasses
    }
  }
}

/// A line of `describe ENTITY`.
package struct PropertyDescription: Sendable, Hashable {
  /// `title`
  package var key: String
  /// `string?`, `[Item]`, as in a statement
  package var type: String
  /// `= "x" min 1`, as in a statement; empty if there are none
  package var rules: String
  /// The ancestor that declares it; nil for the entity itself
  package var inheritedFrom: String?
}

extension Model {
  /// Returns the properties of an entity for `describe`: attributes, then relationships, each with
  /// inherited ones first. Empty for an unknown name.
  package func description(of entity: String, in zone: ZoneRules) -> [PropertyDescription] {
    keys(of: entity).compactMap { key in
      ownedProperty(named: key, of: entity).map { description($0, of: entity, in: zone) }
    }
  }

  private func description(
    _ owned: OwnedProperty, of entity: String, in zone: ZoneRules
  ) -> PropertyDescription {
    let (type, rules) = texts(owned, in: zone)
    return PropertyDescription(
      key: owned.property.name, type: type, rules: rules.joined(separator: " "),
      inheritedFrom: owned.owner == entity ? nil : owned.owner)
  }

  private func texts(_ owned: OwnedProperty, in zone: ZoneRules) -> (String, [String]) {
    switch owned.property {
    case .attribute(let attribute):
      let constraints = self[owned.owner]?.uniquenessConstraints ?? []
      let isUnique = constraints.contains([attribute.name])
      let type = attribute.type.rawValue + (attribute.isOptional ? "?" : "")
      return (type, attribute.rules(isUnique: isUnique, in: zone))
    case .relationship(let relationship):
      return (relationship.target, relationship.rules)
    }
  }
}
