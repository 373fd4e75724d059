import KuraChecking
import KuraDefinition
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// `entity Item { title: string }`
///
/// A relationship may lead to an entity that is defined later; only `save` requires it.
extension EntityDeclaration: Command {
  /// Returns the problems with its properties, regardless of other entities.
  func problems(in context: CheckContext) -> [Diagnostic] {
    var definition = EntityDefinition(self, model: context.model, zone: context.evaluation.zone)
    do throws(Diagnostic) {
      _ = try definition.entity()
      return definition.warnings
    } catch { return definition.warnings + [error] }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    var model = session.context.graph.model
    guard model[name.text] == nil else {
      let isNew = session.context.isNew(entity: name.text)
      throw Failure(DefinitionProblem.entityExists(name.text, isUnsaved: isNew), at: name.span)
    }
    var definition = EntityDefinition(self, model: model, zone: session.zone)
    model.define(try definition.entity())
    let problems = ModelCheck(model).contradictions.map(definition.diagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    session.context.setModel(model, "entity \(name.text)")
    for warning in definition.warnings {
      session.report(session.corrected(warning, in: source), in: source)
    }
    session.report(Report.defined(name.text))
  }
}

extension Report {
  static func defined(_ entity: String) -> String { localized("entity defined: \(entity)") }
}
