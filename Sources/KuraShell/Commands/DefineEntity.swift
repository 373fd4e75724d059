import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript

extension Session {
  /// `entity Item { title: string }`
  ///
  /// A relationship may lead to an entity that is defined later: only `save` wants it.
  mutating func define(_ declaration: EntityDeclaration, in source: SourceText) throws {
    var model = state.context.graph.model
    let name = declaration.name
    guard model[name.text] == nil else {
      let isNew = state.context.isNew(entity: name.text)
      throw Failure(ShellFacts.entityExists(name.text, isUnsaved: isNew), at: name.span)
    }
    var definition = EntityDefinition(declaration, model: model, zone: state.zone)
    model.define(try definition.entity())
    let problems = ModelCheck(model).contradictions.map(definition.diagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    state.context.setModel(model, "entity \(name.text)")
    for warning in definition.warnings {
      report(warning, in: source)
    }
    report(Report.defined(name.text))
  }
}
