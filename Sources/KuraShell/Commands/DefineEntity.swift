import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript

extension Session {
  /// `entity Item { title: string }`
  ///
  /// A relationship may lead to an entity that is defined later: only `save` wants it.
  mutating func define(_ declaration: EntityDeclaration) throws {
    var model = state.context.graph.model
    guard model[declaration.name.text] == nil else {
      throw Failure(ShellFacts.entityExists(declaration.name.text), at: declaration.name.span)
    }
    var definition = EntityDefinition(declaration, model: model, zone: state.zone)
    model.define(try definition.entity())
    let problems = ModelCheck(model).contradictions.map(definition.diagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    state.context.setModel(model)
    report(Report.defined(declaration.name.text))
  }
}
