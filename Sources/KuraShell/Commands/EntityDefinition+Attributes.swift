import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension EntityDefinition {
  /// `title: string = "x" min 1`
  mutating func attribute(
    _ property: PropertyDeclaration, _ type: AttributeType
  ) throws(Diagnostic) -> Attribute {
    let key = property.name.text
    var attribute = Attribute(name: key, type: type, isOptional: property.isOptional)
    places[.attribute(key, entity: name)] = property.name.span
    places[.attributeRule(key, entity: name, .type)] = property.type.span
    for clause in property.clauses { try read(clause, of: &attribute) }
    return attribute
  }

  private mutating func read(
    _ clause: PropertyDeclaration.Clause, of attribute: inout Attribute
  ) throws(Diagnostic) {
    let type = attribute.type
    switch clause {
    case .defaultValue(let tree):
      note(.defaultValue, attribute, tree.span)
      // No value is no default.
      let value = try literal(tree, as: type)
      if !value.isNull { attribute.defaultValue = value }
    case .minimum(let tree):
      note(.min, attribute, tree.span)
      attribute.minimum = try literal(tree, as: type.boundType)
    case .maximum(let tree):
      note(.max, attribute, tree.span)
      attribute.maximum = try literal(tree, as: type.boundType)
    case .matches(let pattern):
      note(.matches, attribute, pattern.span)
      attribute.pattern = pattern.text
    case .check(let predicate):
      note(.check, attribute, predicate.span)
      attribute.check = predicate
    case .derived(let expression):
      note(.derived, attribute, expression.span)
      attribute.derivation = expression
    case .transient: attribute.isTransient = true
    case .unique: break
    case .ordered(let span): throw misplaced("ordered", attribute, span)
    case .inverse(let other): throw misplaced("inverse", attribute, other.span)
    case .delete(let rule): throw misplaced("delete", attribute, rule.span)
    }
  }

  private mutating func note(
    _ aspect: ModelPlace.AttributeAspect, _ attribute: Attribute, _ span: SourceSpan
  ) {
    places[.attributeRule(attribute.name, entity: name, aspect)] = span
  }

  private func misplaced(_ word: String, _ attribute: Attribute, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(ShellFacts.clauseOfRelationships(word, key: attribute.name), at: span)
  }

  /// A literal as a type, by the digits it was typed with.
  private func literal(
    _ tree: ExpressionTree, as type: AttributeType
  ) throws(Diagnostic) -> Value {
    let constant: Constant
    switch tree.kind {
    case .constant(let literal): constant = literal
    case .aggregate where type == .json: constant = Constant(try tree.evaluate([:]))
    default: throw Diagnostic(ShellFacts.notALiteral, at: tree.span)
    }
    do throws(ValueMismatch) {
      return try type.value(of: constant, in: zone)
    } catch {
      throw Diagnostic(error, at: tree.span)
    }
  }
}
