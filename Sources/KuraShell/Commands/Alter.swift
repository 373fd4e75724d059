import KuraBytes
import KuraDefinition
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript

/// `alter entity Item add note: string?`
///
/// Changes the entity and the values of its objects as one undo group. If objects do not fit, it
/// lists them and changes nothing.
extension AlterStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkEntity(entity)
    let before = session.context.graph
    var alteration = Alteration(entity, before, session.zone)
    try alteration.make(change)
    let problems = alteration.problems
    guard problems.isEmpty else { throw Failure(problems) }
    // The warnings come before the objects are checked, because they may explain why objects do not
    // fit.
    for warning in alteration.warnings { session.report(warning, in: source) }
    let graph = try migrated(alteration.migration, in: session.evaluation)
    try session.services.cancel.check()
    session.context.changeModel(name, to: graph)
    session.variables.follow(from: before.model, to: graph.model)
    session.report(Report.altered(entity.text, alteration.notes))
  }

  private func migrated(_ migration: Migration, in context: EvaluationContext) throws -> Graph {
    do {
      return try migration.graph(in: context)
    } catch let problems as MigrationProblems {
      throw Failure(
        [Diagnostic(AlterProblem.misfits(problems.problems.count), at: place)]
          + problems.problems.map { Diagnostic($0, severity: .note) })
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: place)
    }
  }

  /// The name of the step in the history.
  private var name: String {
    let part =
      switch change {
      case .add(let property): "add \(property.name.text)"
      case .addIndex(let index): "add \(FetchIndex(index).declaration)"
      case .drop(let key): "drop \(key.text)"
      case .dropIndex(let index): "drop \(FetchIndex(index).declaration)"
      case .rename(let key, let new): "rename \(key.text) to \(new.text)"
      case .renameEntity(let new): "rename to \(new.text)"
      case .change(let property): "change \(property.name.text)"
      }
    return "alter entity \(entity.text) \(part)"
  }

  /// The span of the affected key, or of the entity.
  private var place: SourceSpan {
    switch change {
    case .add(let property), .change(let property): property.name.span
    case .addIndex(let index), .dropIndex(let index): index.span
    case .drop(let key), .rename(let key, _): key.span
    case .renameEntity: entity.span
    }
  }
}
