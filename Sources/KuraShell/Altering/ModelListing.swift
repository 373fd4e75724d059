import KuraDefinition
import KuraGraph
import KuraModel
import KuraSentences
import KuraValues

/// Describes what changed in the model, part by part, in the syntax of the language.
struct ModelListing {
  let zone: ZoneRules

  /// A row of `changes`: `entity altered`, `Item`, `due`, the old declaration and the new one.
  struct Line {
    var change: String
    var name: String
    var key: String?
    var old: String?
    var new: String?
  }

  func lines(_ context: ManagedObjectContext) -> [Line] {
    context.changedEntities.flatMap(lines) + context.changedRequests.map(line)
  }

  private func line(_ request: (old: SavedRequest?, new: SavedRequest?)) -> Line {
    Line(
      change: Report.became("request", isNew: request.old == nil, isGone: request.new == nil),
      name: (request.new ?? request.old)?.name ?? "", old: request.old?.statement,
      new: request.new?.statement)
  }
}

// Entities
extension ModelListing {
  private func lines(_ entity: ChangedEntity) -> [Line] {
    let head = Line(
      change: Report.became("entity", isNew: entity.old == nil, isGone: entity.new == nil),
      name: entity.name)
    guard let old = entity.old, let new = entity.new else { return [head] }
    let lines = texts(entity, old, new).filter { $0.old != $0.new }.map { text in
      Line(
        change: head.change, name: head.name, key: text.key, old: text.old, new: text.new)
    }
    return lines.isEmpty ? [head] : lines
  }

  /// Returns the declarations that changed: the entity's own, then key by key, then constraints.
  private func texts(
    _ entity: ChangedEntity, _ old: Entity, _ new: Entity
  ) -> [(key: String?, old: String?, new: String?)] {
    let keys = entity.keys.map { key in
      (
        key.new ?? key.old, key.old.flatMap { old.declaration(of: $0, in: zone) },
        key.new.flatMap { new.declaration(of: $0, in: zone) }
      )
    }
    let (before, now) = (old.constraintDeclarations, new.constraintDeclarations)
    return [(nil, old.head, new.head)] + keys
      + before.filter { !now.contains($0) }.map { (nil, $0, nil) }
      + now.filter { !before.contains($0) }.map { (nil, nil, $0) }
      + old.indexDeclarations.filter { !new.indexDeclarations.contains($0) }.map { (nil, $0, nil) }
      + new.indexDeclarations.filter { !old.indexDeclarations.contains($0) }.map { (nil, nil, $0) }
  }
}

// As one line
extension ModelListing {
  /// Returns a line for each part: `entity altered: Item: priority added, price dropped`.
  func notes(_ context: ManagedObjectContext) -> [String] {
    context.changedEntities.map(note)
      + context.changedRequests.map(note)
  }

  private func note(_ entity: ChangedEntity) -> String {
    guard let old = entity.old, let new = entity.new else {
      return entity.old == nil ? Report.defined(entity.name) : Report.dropped(entity.name, [])
    }
    return Report.altered(old.name, notes(entity, old, new))
  }

  private func note(_ request: (old: SavedRequest?, new: SavedRequest?)) -> String {
    switch request {
    case (let old, nil): Report.requestDropped(old?.name ?? "")
    case (nil, let new?): Report.requestDefined(new.name)
    case (.some, let new?): localized("request altered: \(new.name)")
    }
  }

  private func notes(_ entity: ChangedEntity, _ old: Entity, _ new: Entity) -> [String] {
    let keys = entity.keys.compactMap { key -> String? in
      switch key {
      case (nil, let new?): AlterReport.added(new)
      case (let old?, nil): AlterReport.dropped(old)
      case (let old?, let new?) where old != new: AlterReport.renamed(old, new)
      case (let key?, .some):
        old.declaration(of: key, in: zone) == new.declaration(of: key, in: zone)
          ? nil : AlterReport.changed(key)
      case (nil, nil): nil
      }
    }
    return (old.name == new.name ? [] : [AlterReport.renamed(to: new.name)]) + keys
      + (old.constraintDeclarations == new.constraintDeclarations ? [] : [AlterReport.constraints])
      + (old.indexes == new.indexes ? [] : [AlterReport.indexes])
  }
}

extension ChangedEntity {
  fileprivate var name: String { (new ?? old)?.name ?? "" }
}
