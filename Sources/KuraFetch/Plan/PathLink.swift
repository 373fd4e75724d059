import KuraGraph
import KuraModel
import KuraPredicates

/// A relationship on a path, as the graph stores it.
struct PathLink {
  let slot: KeySlot
  /// The table of the objects with the relationship.
  let table: Int
  let destination: FilterScope
}

extension Graph {
  /// Returns where the values of an entity's key are stored; nil if it has no such key.
  func slot(_ key: String, of place: EntityPlace) -> KeySlot? {
    tables[place.table].layout.slots[place.code][key]
  }

  /// Returns a relationship of an entity; nil for any other key.
  func link(_ key: String, from scope: FilterScope) -> PathLink? {
    guard let slot = slot(key, of: scope.place),
      case .relationship(let relationship)? = model.property(named: key, of: scope.entity),
      let place = place(of: relationship.destination)
    else { return nil }
    let destination = FilterScope(entity: relationship.destination, place: place)
    return PathLink(slot: slot, table: scope.place.table, destination: destination)
  }

  /// Returns the relationships with which a path begins, in order.
  func links(_ keys: some Sequence<KeyComponent>, from scope: FilterScope) -> [PathLink] {
    var (links, here): ([PathLink], FilterScope) = ([], scope)
    for key in keys {
      guard key.kind == .key, let link = link(key.name, from: here) else { break }
      links.append(link)
      here = link.destination
    }
    return links
  }
}
