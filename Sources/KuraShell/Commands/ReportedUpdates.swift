import KuraGraph
import KuraModel
import KuraSentences
import KuraValues

/// The relationships that a statement sets, and the existing objects in which it sets them.
struct AssignedLinks {
  private(set) var keys: Set<String> = []
  private(set) var objects: [ObjectID] = []
}

extension AssignedLinks {
  /// Takes from `keys` of an entity the relationships whose inverse may change other objects too.
  init(
    _ keys: some Sequence<String>, of entity: String, in model: Model, objects: () -> [ObjectID]
  ) {
    self.keys = Set(
      keys.filter { key in
        guard case .relationship(let relationship)? = model.property(named: key, of: entity)
        else { return false }
        return relationship.isToMany
          || model.inverse(of: key, in: entity)?.relationship.isToMany == false
      })
    if !self.keys.isEmpty { self.objects = objects() }
  }
}

/// The objects that a report calls updated: objects with a changed attribute or to-one
/// relationship, and objects in which the statement set a to-many relationship.
///
/// A to-many relationship at the other end of a link is not counted, because it is the same link.
/// For several statements together it is unknown which end was set: if both are to-many, both
/// count.
struct ReportedUpdates {
  private let graph: Graph
  private let change: ChangeSet
  /// The assigned relationships; nil for several statements together.
  private let assigned: AssignedLinks?
  private let assignedObjects: Set<ObjectID>
  /// Inserted and deleted objects, which are reported separately.
  private var others: Set<ObjectID> = []
  private var found: Set<ObjectID> = []
  private var order: [ObjectID] = []

  init(_ change: ChangeSet, _ graph: Graph, _ assigned: AssignedLinks?) {
    self.change = change
    self.graph = graph
    self.assigned = assigned
    assignedObjects = Set(assigned?.objects ?? [])
  }
}

extension ReportedUpdates {
  /// The names, `Item/1`, `Category/2`, those that the statement set first. Linear in the change.
  var names: NameList {
    hasOtherEnds ? NameList(objects) : NameList(change.updated.map { ($0.entity, $0.numbers) })
  }

  /// The objects, those that the statement set first. Linear in the change.
  var objects: [ObjectID] {
    var updates = self
    updates.findAll()
    let first = (assigned?.objects ?? []).filter(updates.found.contains)
    return first + updates.order.filter { !assignedObjects.contains($0) }
  }

  /// Whether the updated objects of the change may differ from those that the report names.
  private var hasOtherEnds: Bool {
    change.updated.contains { batch in
      batch.columns.contains { column in
        guard let end = end(column.key, batch.entity) else { return false }
        return end.here.isToMany || mayCount(end.there)
      }
    }
      || (change.inserted + change.deleted).contains { batch in
        batch.columns.contains { column in
          column.hasLinks
            && graph.model.inverse(of: column.key, in: batch.entity)?.relationship.isToMany == false
        }
      }
  }

  private func mayCount(_ inverse: Relationship?) -> Bool {
    inverse.map { !$0.isToMany || assigned?.keys.contains($0.name) == true } ?? false
  }

  /// Returns the two ends of a relationship; nil for an attribute.
  private func end(
    _ key: String, _ entity: String
  ) -> (here: Relationship, there: Relationship?)? {
    guard case .relationship(let here)? = graph.model.property(named: key, of: entity) else {
      return nil
    }
    return (here, graph.model.inverse(of: key, in: entity)?.relationship)
  }

  private mutating func findAll() {
    for batch in change.inserted + change.deleted {
      others.formUnion(batch.numbers.map { id(batch.entity, $0) })
    }
    for batch in change.updated {
      for (i, number) in batch.numbers.enumerated() { addObject(number, i, of: batch) }
    }
    for batch in change.inserted + change.deleted {
      for column in batch.columns {
        guard let end = end(column.key, batch.entity), end.there?.isToMany == false
        else { continue }
        for number in [column.old, column.new].joined().flatMap(\.numbers) {
          add(id(end.here.destination, number))
        }
      }
    }
  }

  private mutating func addObject(_ number: Int64, _ i: Int, of batch: ObjectBatch) {
    let object = id(batch.entity, number)
    for column in batch.columns {
      guard let end = end(column.key, batch.entity) else {
        add(object)
        continue
      }
      let (old, new) = (Set(column.old[i].numbers), Set(column.new[i].numbers))
      let ends = old.symmetricDifference(new).sorted().map { id(end.here.destination, $0) }
      if isCounted(end.here, end.there, of: object, ends) { add(object) }
      guard let there = end.there else { continue }
      for other in ends where isCounted(there, end.here, of: other, [object]) { add(other) }
    }
  }

  /// Returns whether an object counts as updated if links of a relationship have changed.
  private func isCounted(
    _ relationship: Relationship, _ inverse: Relationship?, of object: ObjectID, _ ends: [ObjectID]
  ) -> Bool {
    guard relationship.isToMany, let inverse else { return true }
    guard let assigned else { return inverse.isToMany && ends.contains { !others.contains($0) } }
    return assigned.keys.contains(relationship.name) && assignedObjects.contains(object)
  }

  private mutating func add(_ object: ObjectID) {
    let object = graph.ownIdentity(object)
    // The link may have led to an object that no longer exists.
    guard graph.find(object) != nil else { return }
    guard !others.contains(object), found.insert(object).inserted else { return }
    order.append(object)
  }

  private func id(_ entity: String, _ number: Int64) -> ObjectID { graph.id(entity, number) }
}

extension Graph {
  /// Returns the objectID with the object's own entity.
  func id(_ entity: String, _ number: Int64) -> ObjectID {
    ownIdentity(ObjectID(entity: entity, root: model.root(of: entity), number: number))
  }
}

extension ChangeColumn {
  fileprivate var hasLinks: Bool { old.hasLinks || new.hasLinks }
}

extension ChangeValues {
  /// Whether the values are links and not all null, determined without the model.
  fileprivate var hasLinks: Bool {
    switch first(where: { $0 != .null }) {
    case .object, .objects: true
    case .null, .integer, .double, .boolean, .text, nil: false
    }
  }
}

extension Report {
  /// Returns `3 inserted: Item/4, Item/5, Item/6` or `20000 inserted: Item/1 … Item/20000`; `1
  /// deleted: Category/1; 2 updated: Item/1, Item/2`
  ///
  /// `assigned` has the to-many relationships that the statement set; nil for several statements.
  static func changed(
    _ change: ChangeSet, in graph: Graph, assigned: AssignedLinks? = AssignedLinks()
  ) -> String {
    if let name = change.soleInsertion { return localized("\(1) inserted: \(name)") }
    if let name = change.soleUpdate { return localized("\(1) updated: \(name)") }
    let parts = [
      NameList(change.inserted.map { ($0.entity, $0.numbers) })
        .text { localized("\($0) inserted: \($1)") },
      NameList(change.deleted.map { ($0.entity, $0.numbers) })
        .text { localized("\($0) deleted: \($1)") },
      ReportedUpdates(change, graph, assigned).names
        .text { localized("\($0) updated: \($1)") },
    ].compactMap(\.self)
    return parts.isEmpty ? localized("nothing changed") : parts.clauses
  }

  /// Returns everything that changed since the last save, or in a scratch context.
  static func changed(_ context: GraphContext, in zone: ZoneRules) -> String {
    let parts = ModelListing(zone: zone).notes(context)
    let change = context.netChange
    if change.isEmpty, !parts.isEmpty { return parts.clauses }
    let objects = changed(change, in: context.graph, assigned: nil)
    return (parts + [objects]).clauses
  }

}

extension ChangeSet {
  /// The only inserted object, if nothing else changed.
  fileprivate var soleInsertion: String? {
    guard updated.isEmpty, deleted.isEmpty, inserted.count == 1, inserted[0].numbers.count == 1,
      !inserted[0].columns.contains(where: { $0.hasLinks })
    else { return nil }
    return NameList.name(inserted[0].entity, inserted[0].numbers[0])
  }

  /// The only object whose attributes changed, if nothing else did.
  fileprivate var soleUpdate: String? {
    guard inserted.isEmpty, deleted.isEmpty, updated.count == 1, updated[0].numbers.count == 1,
      !updated[0].columns.contains(where: { $0.hasLinks })
    else { return nil }
    return NameList.name(updated[0].entity, updated[0].numbers[0])
  }
}

/// The objects of a report: up to ten names, otherwise the first and the last. Only the shown names
/// are created.
struct NameList {
  private let count: Int
  private let shown: String
  private static let most = 10

  init(_ batches: [(entity: String, numbers: [Int64])]) {
    count = batches.reduce(0) { $0 + $1.numbers.count }
    if count <= Self.most {
      shown = batches.flatMap { Self.names($0.entity, $0.numbers) }.joined(separator: ", ")
    } else {
      let ends = [
        batches.first { !$0.numbers.isEmpty }.map { Self.names($0.entity, $0.numbers.prefix(1)) },
        batches.last { !$0.numbers.isEmpty }.map { Self.names($0.entity, $0.numbers.suffix(1)) },
      ]
      shown = ends.compactMap { $0?.first }.joined(separator: " … ")
    }
  }

  private static func names(_ entity: String, _ numbers: some Sequence<Int64>) -> [String] {
    numbers.map { name(entity, $0) }
  }

  fileprivate static func name(_ entity: String, _ number: Int64) -> String {
    entity + "/" + String(number)
  }

  init(_ objects: [ObjectID]) {
    count = objects.count
    shown =
      count <= Self.most
      ? objects.map(\.description).joined(separator: ", ")
      : "\(objects[0]) … \(objects[count - 1])"
  }

  /// Returns `3 inserted: Item/4, Item/5, Item/6`; nil for no object.
  func text(_ sentence: (Int, String) -> String) -> String? {
    count == 0 ? nil : sentence(count, shown)
  }
}
