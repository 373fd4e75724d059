import KuraModel
import KuraValues

extension Graph {
  /// What denies deletions, and what still leads to deleted objects.
  func deletionFailures(_ change: ChangeSet) -> [ValidationFailure] {
    guard mayDangle else { return [] }
    return change.deleted.flatMap { batch in
      model.allRelationships(of: batch.entity).flatMap { relationship in
        batch.numbers.flatMap { failures(relationship, of: batch.entity, $0) }
      }
    }
  }

  private func failures(
    _ relationship: Relationship, of entity: String, _ number: Int64
  ) -> [ValidationFailure] {
    guard relationship.deleteRule == .deny || relationship.deleteRule == .none,
      let place = place(of: entity), let row = tables[place.table].identifiers.row(of: number),
      let slot = tables[place.table].layout.slots[place.code][relationship.name],
      let destination = destination(slot)
    else { return [] }
    let others = linkedRows(slot, place.table, row).filter(tables[destination].isLive)
      .map(tables[destination].objectID)
    guard let first = others.first else { return [] }
    let id = ObjectID(entity: entity, root: model.root(of: entity), number: number)
    if relationship.deleteRule == .deny {
      return [denied(id, relationship, first, others.count)]
    }
    return dangling(id, relationship, others)
  }

  private func denied(
    _ id: ObjectID, _ relationship: Relationship, _ first: ObjectID, _ count: Int
  ) -> ValidationFailure {
    ValidationFailure(
      object: id, key: relationship.name, rule: .deniedDelete, value: .null,
      wanted: count == 1 ? first.description : "\(count) objects, \(first) among them")
  }

  /// Under `none` the other end still leads here, unless it keeps no link of its own.
  private func dangling(
    _ id: ObjectID, _ relationship: Relationship, _ others: [ObjectID]
  ) -> [ValidationFailure] {
    guard let inverse = model.inverse(of: relationship.name, in: id.entity),
      model.writtenSide(of: relationship.name, in: id.entity) != .here
    else { return [] }
    return others.map {
      ValidationFailure(
        object: $0, key: inverse.relationship.name, rule: .dangling, value: .null,
        wanted: id.description)
    }
  }
}
