import KuraChecking
import KuraDiagnostics
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
