import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension EntityDefinition {
  /// `items: [Item] ordered inverse parentCategory delete cascade`
  ///
  /// A to-one is optional if it says `?`, a to-many unless it says `min`.
  mutating func relationship(_ property: PropertyDeclaration) throws(Diagnostic) -> Relationship {
    let key = property.name.text
    var relationship = Relationship(
      name: key, destination: property.type.text, isToMany: property.isToMany,
      isOptional: property.isOptional || property.isToMany)
    places[.relationship(key, entity: name)] = property.name.span
    note(.destination, relationship, property.type.span)
    for clause in property.clauses { try read(clause, of: &relationship) }
    if relationship.isToMany, let least = relationship.minimumCount, least > 0 {
      relationship.isOptional = false
    }
    return relationship
  }

  private mutating func read(
    _ clause: PropertyDeclaration.Clause, of relationship: inout Relationship
  ) throws(Diagnostic) {
    switch clause {
    case .minimum(let tree):
      note(.minCount, relationship, tree.span)
      relationship.minimumCount = try count(tree)
    case .maximum(let tree):
      note(.maxCount, relationship, tree.span)
      relationship.maximumCount = try count(tree)
    case .ordered(let span):
      note(.ordered, relationship, span)
      relationship.isOrdered = true
    case .inverse(let inverse):
      note(.inverse, relationship, inverse.span)
      relationship.inverse = inverse.text
    case .delete(let rule): relationship.deleteRule = DeleteRule(rawValue: rule.text) ?? .nullify
    case .unique: break
    case .defaultValue(let tree): throw misplaced("=", relationship, tree.span)
    case .matches(let pattern): throw misplaced("matches", relationship, pattern.span)
    case .check(let predicate): throw misplaced("check", relationship, predicate.span)
    case .transient(let span): throw misplaced("transient", relationship, span)
    case .derived(let tree): throw misplaced("derived", relationship, tree.span)
    }
  }

  private mutating func note(
    _ aspect: ModelPlace.RelationshipAspect, _ relationship: Relationship, _ span: SourceSpan
  ) {
    places[.relationshipRule(relationship.name, entity: name, aspect)] = span
  }

  private func misplaced(
    _ word: String, _ relationship: Relationship, _ span: SourceSpan
  ) -> Diagnostic {
    Diagnostic(ShellFacts.clauseOfAttributes(word, key: relationship.name), at: span)
  }

  private func count(_ tree: ExpressionTree) throws(Diagnostic) -> Int {
    guard case .constant(let constant) = tree.kind, case .integer(let number) = constant.value,
      number >= 0, let count = Int(exactly: number)
    else { throw Diagnostic(ShellFacts.badCount, at: tree.span) }
    return count
  }
}
