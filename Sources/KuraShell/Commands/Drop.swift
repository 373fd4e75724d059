import KuraDefinition
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences

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
    try context.graph.model.checkUnused(name)
    let count = context.graph.objectCount(of: name.text)
    guard count == 0 || all else {
      throw Failure(DropProblem.dropsObjects(name.text, count: count), at: name.span)
    }
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
}
