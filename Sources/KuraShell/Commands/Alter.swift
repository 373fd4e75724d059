import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript

extension Session {
  /// `alter entity Item add note: string?`
  ///
  /// The entity and what its objects hold, as one undo group; objects that do not fit are listed,
  /// and then nothing changes.
  mutating func alter(_ alter: AlterStatement, in source: SourceText) throws {
    guard state.context.graph.model[alter.entity.text] != nil else {
      throw unknownEntity(alter.entity)
    }
    var alteration = Alteration(alter.entity, state.context.graph, state.zone)
    try alteration.make(alter.change)
    let problems = alteration.problems
    guard problems.isEmpty else { throw Failure(problems) }
    // Before the objects are asked: what is warned of may be why they stand in the way.
    for warning in alteration.warnings {
      report(warning, in: source)
    }
    let graph = try migrated(alteration.migration, at: alter.place)
    try surroundings.cancel.check()
    state.context.changeModel(alter.name, to: graph)
    state.followRenames(from: alteration.graph.model)
    report(Report.altered(alter.entity.text, alteration.notes))
  }

  private func migrated(_ migration: Migration, at span: SourceSpan) throws -> Graph {
    do {
      return try migration.graph(in: evaluation)
    } catch let problems as MigrationProblems {
      throw Failure(
        [Diagnostic(AlterFacts.inTheWay(problems.problems.count), at: span)]
          + problems.problems.map { Diagnostic($0, severity: .note) })
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: span)
    }
  }
}

extension AlterStatement {
  /// What the step is called in the history.
  fileprivate var name: String {
    let part =
      switch change {
      case .add(let property): "add \(property.name.text)"
      case .drop(let key): "drop \(key.text)"
      case .rename(let key, let new): "rename \(key.text) to \(new.text)"
      case .renameEntity(let new): "rename to \(new.text)"
      case .change(let property): "change \(property.name.text)"
      }
    return "alter entity \(entity.text) \(part)"
  }

  /// The key that it is about, or the entity.
  fileprivate var place: SourceSpan {
    switch change {
    case .add(let property), .change(let property): property.name.span
    case .drop(let key), .rename(let key, _): key.span
    case .renameEntity: entity.span
    }
  }
}

extension SessionState {
  /// Objects in variables go by the name that their entity has now.
  mutating func followRenames(from model: Model) {
    let now = context.graph.model
    for (entity, name) in ModelRenaming(from: model, to: now).entities {
      rename(entity, to: name, in: now)
    }
  }

  /// Objects in variables go by the names that entities had before all their changes.
  mutating func followBack(_ changed: [ChangedEntity]) {
    for entity in changed {
      guard let old = entity.old?.name, let name = entity.new?.name, old != name else { continue }
      rename(name, to: old, in: context.graph.model)
    }
  }

  private mutating func rename(_ entity: String, to name: String, in model: Model) {
    variables = variables.mapValues { $0.renamed(entity, to: name, in: model) }
    for (variable, known) in variableEntities where known == entity {
      variableEntities[variable] = name
    }
    lastFetch = nil
  }
}
