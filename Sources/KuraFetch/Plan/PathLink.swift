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
  /// Returns where the values of a checked key are stored; nil if it is not a property.
  ///
  /// No other code of the engine finds the column of a key in a tree.
  func slot(_ key: KeyComponent, of place: EntityPlace) -> KeySlot? {
    key.property.flatMap { tables[place.table].layout.slots[place.code][$0.name] }
  }

  /// Returns a relationship of an entity; nil for any other key.
  func link(_ key: KeyComponent, from scope: FilterScope) -> PathLink? {
    guard let slot = slot(key, of: scope.place), let relationship = key.property?.relationship,
      let place = place(of: relationship.destination)
    else { return nil }
    let destination = FilterScope(entity: relationship.destination, place: place)
    return PathLink(slot: slot, table: scope.place.table, destination: destination)
  }

  /// Returns the key that leads back from the objects of a relationship; nil if it has no inverse.
  func inverse(of key: KeyComponent) -> KeyComponent? {
    guard let here = key.resolved, let relationship = here.property.relationship else { return nil }
    return model.inverse(of: relationship.name, in: here.entity).map {
      KeyComponent(
        ResolvedKey(entity: relationship.destination, property: .relationship($0.relationship)))
    }
  }

  /// Returns the relationships with which a path begins, in order.
  func links(_ keys: some Sequence<KeyComponent>, from scope: FilterScope) -> [PathLink] {
    var (links, here): ([PathLink], FilterScope) = ([], scope)
    for key in keys {
      guard let link = link(key, from: here) else { break }
      links.append(link)
      here = link.destination
    }
    return links
  }
}
