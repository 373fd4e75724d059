package import KuraDiagnostics
import KuraModel
package import KuraPredicates
package import KuraValues

// Objects as the source of a fetch: `fetch Item/3`, `fetch $home.items`
extension CheckContext {
  /// Returns the nearest common entity of all objects in a value; for an empty value, the known entity.
  package func entity(
    of value: Value, _ type: CheckedType, _ written: ExpressionTree, _ fetch: FetchTree
  ) throws(Diagnostic) -> String {
    guard let objects = value.identities else { throw noObjects(written, fetch) }
    guard
      let entity = commonEntity(of: Set(objects.map(\.entity))) ?? type.entity
        ?? knownEntity(of: written)
    else { throw Diagnostic(.emptySource(written.expressionFormat), at: fetch.source.span) }
    return entity
  }

  /// Returns the entity that `let` has recorded for a variable.
  private func knownEntity(of tree: ExpressionTree) -> String? {
    if case .variable(let name) = tree.kind { entities[name] } else { nil }
  }

  /// Returns the nearest entity from which all entities are derived; nil if there are no entities.
  package func commonEntity(of entities: Set<String>) -> String? {
    guard let first = entities.first else { return nil }
    return ([first] + model.ancestors(of: first)).first { candidate in
      entities.allSatisfy { $0 == candidate || model.ancestors(of: $0).contains(candidate) }
    }
  }

  /// Returns the problem of a source that is not objects. The fix reads the rows of a path: `fetch Order.lines where
  /// owner == Order/1` for `fetch Order/1.lines`.
  func noObjects(_ source: ExpressionTree, _ fetch: FetchTree) -> Diagnostic {
    guard case .keyPath(let path) = source.kind, let base = path.base else {
      return Diagnostic(.noObjects(source.expressionFormat, isPath: false), at: fetch.source.span)
    }
    var problem = Diagnostic(
      .noObjects(source.expressionFormat, isPath: true), at: fetch.source.span)
    guard let text = self.source, let entity = entityOfOwner(base) else { return problem }
    let elements = ElementPath(entity: entity, keys: path.components)
    guard let owner = self.elements?(elements)?[elements.elementEntity]?.relationships.last?.name
    else { return problem }
    let rows = entity.writtenName + text.text(SourceSpan(base.span.end, source.span.end))
    let condition = "\(owner) \(isCollection(base) ? "IN" : "==") \(text.text(base.span))"
    if let predicate = fetch.predicate {
      let start = SourceSpan(predicate.span.start, predicate.span.start)
      problem.fixIts = [
        FixIt(
          edits: [TextEdit(fetch.source.span, rows), TextEdit(start, "\(condition) AND ")]
            + predicate.inBrackets)
      ]
    } else {
      problem.fixIts = [FixIt(fetch.source.span, "\(rows) where \(condition)")]
    }
    return problem
  }

  /// Returns the entity of an object or variable before a path.
  private func entityOfOwner(_ base: ExpressionTree) -> String? {
    switch base.kind {
    case .objectOrQuotient(let entity, _): return entity
    case .variable(let name):
      let objects = evaluation.variables[name]?.identities ?? []
      return commonEntity(of: Set(objects.map(\.entity))) ?? entities[name]
    default: return nil
    }
  }

  private func isCollection(_ base: ExpressionTree) -> Bool {
    guard case .variable(let name) = base.kind, let value = evaluation.variables[name] else {
      return false
    }
    return value.elements != nil
  }
}
