import KuraBytes
import KuraChecking
import KuraDefinition
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `model as mermaid`: writes the model as text, in every format of results.
extension ModelStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    let format = format.flatMap { ModelFormat(rawValue: $0.text) } ?? .text
    let width = DisplayWidth(ambiguousIsWide: session.services.style.ambiguousIsWide)
    try session.write(
      session.context.graph.model.text(
        as: format, in: session.zone, width: session.resultWidth, measure: width))
  }
}

/// `describe Item`: lists its keys with types and rules, the inherited ones first.
extension DescribeStatement: Command {
  var effect: Effect { .reads }

  func problems(in context: CheckContext) -> [Diagnostic] {
    FetchTree(of: FetchSource(.entity(entity.text), span: entity.span))
      .checked(in: context).problems
  }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkEntity(entity)
    let model = session.context.graph.model
    let rows = model.description(of: entity.text, in: session.zone).map { property -> [Value] in
      [
        .string(property.key), .string(property.type), .string(property.rules),
        property.inheritedFrom.map { .string($0) } ?? .null,
      ]
    }
    try session.write(Grid(columns: .description, rows: rows))
  }
}

extension [GridColumn] {
  fileprivate static var description: [GridColumn] {
    [localized("key"), localized("type"), localized("rules"), localized("inheritedFrom")].map {
      GridColumn($0, isOwnText: true)
    }
  }
}

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
    session.report(localized("entity defined: \(name.text)"))
  }
}

/// `drop entity Item all`, `drop request Overdue`
extension DropStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    switch self {
    case .entity(let name, let all): try session.dropEntity(name, all: all)
    case .request(let name): try session.dropRequest(name)
    }
  }
}

extension Session {
  /// Drops an entity, with all its objects and the links to them.
  ///
  /// Throws if other entities lead to it or inherit from it.
  fileprivate func dropEntity(_ name: Name, all: Bool) throws {
    try checkEntity(name)
    let count = context.graph.objectCount(of: name.text)
    guard count == 0 || all else {
      throw Failure(DropProblem.dropsObjects(name.text, count: count), at: name.span)
    }
    try context.graph.model.checkUnused(name)
    var counts: [EntityCount] = []
    try ifConfirmed {
      try context.drop(entity: name.text, "drop entity \(name.text)", in: evaluation) {
        counts = $0
        if count > 0 { try confirm(localized("drops \(name.text) and deletes"), $0) }
      }
      report(Report.dropped(name.text, counts))
    }
  }
}

extension Model {
  fileprivate func checkUnused(_ name: Name) throws(Failure) {
    let heirs = descendants(of: name.text)
    guard heirs.isEmpty else {
      throw Failure(DropProblem.dropsParent(name.text, heirs: heirs), at: name.span)
    }
    let keys = entities.filter { $0.name != name.text }.flatMap { entity in
      entity.relationships.filter { $0.destination == name.text }
        .map { "\(entity.name).\($0.name)" }
    }
    guard keys.isEmpty else {
      throw Failure(DropProblem.dropsDestination(name.text, keys: keys), at: name.span)
    }
  }
}

/// The reasons why an entity is not dropped.
enum DropProblem: DiagnosticFacts {
  /// `drop entity Item` if it has objects
  case dropsObjects(String, count: Int)
  /// `drop entity Item` if Task inherits from it
  case dropsParent(String, heirs: [String])
  /// `drop entity Item` if `Category.items` leads to it
  case dropsDestination(String, keys: [String])

  var sentence: String {
    switch self {
    case .dropsObjects(let entity, let count):
      localized("\(entity) has \(counted(count, "object", "objects"))")
    case .dropsParent(let entity, let heirs):
      heirs.count == 1
        ? localized("\(heirs.list) inherits from \(entity)")
        : localized("\(heirs.list) inherit from \(entity)")
    case .dropsDestination(let entity, let keys):
      keys.count == 1
        ? localized("\(keys.list) refers to \(entity)")
        : localized("\(keys.list) refer to \(entity)")
    }
  }

  var help: String? {
    switch self {
    case .dropsObjects(let entity, _): localized("to drop them too: drop entity \(entity) all")
    case .dropsParent(_, let heirs):
      localized("drop the subentity first: drop entity \(heirs.last ?? "")")
    case .dropsDestination(_, let keys):
      keys.first.map { localized("drop the relationship first: \(AlterReport.dropping($0))") }
    }
  }
}

extension Report {
  /// Returns `entity dropped: Item, with 3 objects`; if delete rules deleted others, `, with 3 Item
  /// objects and 1 Tag object`.
  static func dropped(_ entity: String, _ counts: [EntityCount]) -> String {
    let objects = counts.reduce(0) { $0 + $1.count }
    if objects == 0 { return localized("entity dropped: \(entity)") }
    let isAlone = counts.map(\.entity) == [entity]
    let others = isAlone ? counted(objects, "object", "objects") : counts.phrase
    return localized("entity dropped: \(entity), with \(others)")
  }

  /// Returns `entity altered: Item: parentCategory dropped, along with Category.items`.
  static func altered(_ entity: String, _ notes: [String]) -> String {
    notes.isEmpty
      ? localized("entity altered: \(entity)")
      : localized("entity altered: \(entity): \(notes.list)")
  }
}

/// Describes what changed in the model, part by part, in the syntax of the language.
struct ModelListing {
  let zone: ZoneRules

  /// A row of `changes`: `entity altered`, `Item`, `due`, the old declaration and the new one.
  struct Line {
    var kind: Kind
    var change: Change
    var name: String
    var key: String?
    var old: String?
    var new: String?

    enum Kind { case entity, request }

    enum Change { case defined, altered, dropped }
  }

  func lines(_ context: GraphContext) -> [Line] {
    context.changedEntities.flatMap(lines) + context.changedRequests.map(line)
  }

  private func line(_ request: (old: SavedRequest?, new: SavedRequest?)) -> Line {
    Line(
      kind: .request, change: Line.Change(isNew: request.old == nil, isGone: request.new == nil),
      name: (request.new ?? request.old)?.name ?? "", old: request.old?.statement,
      new: request.new?.statement)
  }
}

extension ModelListing.Line.Change {
  init(isNew: Bool, isGone: Bool) { self = isNew ? .defined : isGone ? .dropped : .altered }

  /// Returns `entity defined`, `request dropped`.
  func words(_ kind: ModelListing.Line.Kind) -> String {
    switch (kind, self) {
    case (.entity, .defined): localized("entity defined")
    case (.entity, .altered): localized("entity altered")
    case (.entity, .dropped): localized("entity dropped")
    case (.request, .defined): localized("request defined")
    case (.request, .altered): localized("request altered")
    case (.request, .dropped): localized("request dropped")
    }
  }
}

// Entities
extension ModelListing {
  private func lines(_ entity: ChangedEntity) -> [Line] {
    let head = Line(
      kind: .entity, change: Line.Change(isNew: entity.old == nil, isGone: entity.new == nil),
      name: entity.name)
    guard let old = entity.old, let new = entity.new else { return [head] }
    let lines = texts(entity, old, new).filter { $0.old != $0.new }.map { text in
      Line(
        kind: .entity, change: head.change, name: head.name, key: text.key, old: text.old,
        new: text.new)
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
  func notes(_ context: GraphContext) -> [String] {
    context.changedEntities.map(note)
      + context.changedRequests.map(note)
  }

  private func note(_ entity: ChangedEntity) -> String {
    guard let old = entity.old, let new = entity.new else {
      return entity.old == nil
        ? localized("entity defined: \(entity.name)") : Report.dropped(entity.name, [])
    }
    return Report.altered(old.name, notes(entity, old, new))
  }

  private func note(_ request: (old: SavedRequest?, new: SavedRequest?)) -> String {
    switch request {
    case (let old, nil): Report.requestDropped(old?.name ?? "")
    case (nil, let new?): localized("request defined: \(new.name)")
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
