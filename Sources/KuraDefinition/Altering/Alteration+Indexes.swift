import KuraDiagnostics
import KuraModel
import KuraScript

extension Alteration {
  /// `add index (category, date desc)`; what its keys are the check of the model says.
  mutating func add(_ declaration: IndexDeclaration) throws(Diagnostic) {
    guard var changed = model[entity] else { return }
    changed.indexes.append(FetchIndex(declaration))
    places[.entityRule(entity, .indexes)] = declaration.span
    model.define(changed)
    notes.append(AlterReport.added(FetchIndex(declaration).declaration))
  }

  /// `drop index date`
  mutating func drop(_ declaration: IndexDeclaration) throws(Diagnostic) {
    let index = FetchIndex(declaration)
    guard var changed = model[entity], changed.indexes.contains(index) else {
      let owner = model.allIndexes(of: entity).first { $0.index == index }?.owner
      let known = model[entity]?.indexDeclarations ?? []
      throw Diagnostic(
        AlterFacts.noIndex(index.declaration, entity: entity, owner: owner, known: known),
        at: declaration.span)
    }
    changed.indexes.removeAll { $0 == index }
    model.define(changed)
    notes.append(AlterReport.dropped(index.declaration))
  }
}
