import KuraBytes
import KuraDefinition
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript

/// `alter entity Item add note: string?`
///
/// The entity and what its objects hold, as one undo group; objects that do not fit are listed,
/// and then nothing changes.
extension AlterStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkEntity(entity)
    let before = session.context.graph
    var alteration = Alteration(entity, before, session.zone)
    try alteration.make(change)
    let problems = alteration.problems
    guard problems.isEmpty else { throw Failure(problems) }
    // Before the objects are asked: what is warned of may be why they stand in the way.
    for warning in alteration.warnings { session.report(warning, in: source) }
    let graph = try migrated(alteration.migration, in: session.evaluation)
    try session.surroundings.cancel.check()
    session.context.changeModel(name, to: graph)
    session.variables.follow(from: before.model, to: graph.model)
    session.report(Report.altered(entity.text, alteration.notes))
  }

  private func migrated(_ migration: Migration, in context: EvaluationContext) throws -> Graph {
    do {
      return try migration.graph(in: context)
    } catch let problems as MigrationProblems {
      throw Failure(
        [Diagnostic(AlterFacts.inTheWay(problems.problems.count), at: place)]
          + problems.problems.map { Diagnostic($0, severity: .note) })
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: place)
    }
  }

  /// What the step is called in the history.
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

  /// The key that it is about, or the entity.
  private var place: SourceSpan {
    switch change {
    case .add(let property), .change(let property): property.name.span
    case .addIndex(let index), .dropIndex(let index): index.span
    case .drop(let key), .rename(let key, _): key.span
    case .renameEntity: entity.span
    }
  }
}
