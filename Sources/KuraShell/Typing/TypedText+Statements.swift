import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

// What is wrong with a statement beside its fetches and expressions.
extension StatementTree {
  /// What the model alone says: types of a definition, keys in JSON, the name of a request.
  func ownProblems(in context: CheckContext) -> [Diagnostic] {
    switch self {
    case let declaration as EntityDeclaration: declaration.problems(in: context)
    case let insert as InsertStatement: insert.problems(in: context)
    case let run as RunStatement: run.problems(in: context)
    case let describe as DescribeStatement:
      FetchTree(of: FetchSource(.entity(describe.entity.text), span: describe.entity.span))
        .checked(in: context).problems
    default: []
    }
  }
}

extension EntityDeclaration {
  fileprivate func problems(in context: CheckContext) -> [Diagnostic] {
    var definition = EntityDefinition(
      self, model: context.model, zone: context.evaluation.zone)
    do throws(Diagnostic) {
      _ = try definition.entity()
      return definition.warnings
    } catch { return definition.warnings + [error] }
  }
}

extension InsertStatement {
  fileprivate func problems(in context: CheckContext) -> [Diagnostic] {
    guard case .json(let span) = values, let source = context.source,
      context.model[entity.text] != nil
    else { return [] }
    let insertion = JSONInsertion(
      entity.text, model: context.model, zone: context.evaluation.zone,
      now: context.evaluation.now, live: LiveGraph(), cancel: context.evaluation.cancel)
    do throws(Diagnostic) {
      _ = try insertion.objects(in: source, span)
      return []
    } catch { return [error] }
  }
}

extension RunStatement {
  fileprivate func problems(in context: CheckContext) -> [Diagnostic] {
    let known = context.model.requests.map(\.name)
    guard !known.contains(name.text) else { return [] }
    return [Diagnostic(RequestFacts.unknownRequest(name.text, known: known), at: name.span)]
  }
}

extension Assignment {
  /// A text, or a word, where a relationship wants an object: one of that name may be meant.
  func linkProblem(in entity: String, _ context: CheckContext) -> Diagnostic? {
    guard case .relationship(let relationship)? = context.model.property(named: key.text, of: entity),
      let text = textOfValue(of: entity, in: context.model)
    else { return nil }
    var problem = Diagnostic(
      ChangeFacts.notObjects(
        key: key.text, destination: relationship.destination, isToMany: relationship.isToMany),
      at: value.span)
    let name = context.model.allAttributes(of: relationship.destination).first { $0.type == .string }
    problem.fixIts =
      name.map {
        let fetch = "fetch \(relationship.destination.writtenName) where \($0.name.writtenName)"
        return [FixIt(value.span, "(\(fetch) == \(text.writtenText))")]
      } ?? []
    return problem
  }

  /// What a literal or a word that is no key of the entity says.
  private func textOfValue(of entity: String, in model: Model) -> String? {
    switch value.kind {
    case .constant(let constant):
      if case .string(let text) = constant.value { return text.contains("/") ? nil : text }
      return nil
    case .keyPath(let path):
      guard path.base == nil, path.components.count == 1, let word = path.components.first?.name,
        model.property(named: word, of: entity) == nil, word != "self", word != "objectID"
      else { return nil }
      return word
    default: return nil
    }
  }
}
