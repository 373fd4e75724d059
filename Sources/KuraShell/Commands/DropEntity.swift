import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript

extension Session {
  /// `drop entity Item all`: the entity goes, and with it all its objects and the links to them.
  ///
  /// Others may not lead to it or inherit from it.
  mutating func dropEntity(_ name: Name, all: Bool) throws {
    let model = state.context.graph.model
    guard model[name.text] != nil else { throw unknownEntity(name) }
    try checkUnused(name, model)
    let count = state.context.graph.objectCount(of: name.text)
    guard count == 0 || all else {
      throw Failure(ShellFacts.dropsObjects(name.text, count: count), at: name.span)
    }
    guard count == 0 || isMeant(Question.all("Drop", count, of: name.text)) else {
      return report(Report.nothingChanged)
    }
    try state.context.drop(entity: name.text, "drop entity \(name.text)", in: evaluation)
    report(Report.dropped(name.text, objects: count))
  }

  private func checkUnused(_ name: Name, _ model: Model) throws(Failure) {
    let heirs = model.descendants(of: name.text)
    guard heirs.isEmpty else {
      throw Failure(ShellFacts.dropsParent(name.text, heirs: heirs), at: name.span)
    }
    let keys = model.entities.filter { $0.name != name.text }.flatMap { entity in
      entity.relationships.filter { $0.destination == name.text }
        .map { "\(entity.name).\($0.name)" }
    }
    guard keys.isEmpty else {
      throw Failure(ShellFacts.dropsDestination(name.text, keys: keys), at: name.span)
    }
  }
}
