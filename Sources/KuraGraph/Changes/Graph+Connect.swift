import KuraModel

extension Graph {
  /// Connects two objects at both ends of a relationship.
  mutating func connect(
    _ slot: KeySlot, _ table: Int, _ row: Int, to target: Int, _ owners: inout SoleOwners
  ) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, let destination):
      let place = LinkColumn(table: table, column: column)
      releaseSoleOwner(of: target, place, &owners)
      if isOwnInverse(place) { releaseSoleOwner(of: row, place, &owners) }
      link(place, row, to: target, &owners)
      mirror(place, destination, row, target, &owners)
    case .toMany(let column, let destination, _):
      let place = LinkColumn(table: table, column: column)
      releaseSoleOwner(of: target, place, &owners)
      link(place, row, to: target, &owners)
      mirror(place, destination, row, target, &owners)
    case .inverse(let source, let column, _):
      let place = LinkColumn(table: source, column: column)
      releaseSoleOwner(of: row, place, &owners)
      link(place, target, to: row, &owners)
    }
  }

  /// The other end's column, where both ends have one: its own inverse, or both ordered.
  private mutating func mirror(
    _ place: LinkColumn, _ destination: Int, _ row: Int, _ target: Int,
    _ owners: inout SoleOwners
  ) {
    let here = definition(place)
    guard let inverse = model.inverse(of: here.key, in: here.entity),
      let other = tables[destination].layout.columns.firstIndex(where: {
        $0.entity == inverse.owner && $0.key == inverse.relationship.name
      })
    else { return }
    link(LinkColumn(table: destination, column: other), target, to: row, &owners)
  }

  /// Where the other side is a to-one, the object that had the target so far loses it.
  private mutating func releaseSoleOwner(
    of target: Int, _ place: LinkColumn, _ owners: inout SoleOwners
  ) {
    guard isToOneInverse(place), let owner = owners.owner(of: target, place, in: self) else {
      return
    }
    if isToOne(place) {
      tables[place.table].setLink(place.column, owner, to: nil)
    } else {
      tables[place.table].removeLink(place.column, owner, to: target)
    }
    owners.remove(owner, from: target, place)
  }

  /// Makes a to-one lead to a row, or adds it to a to-many.
  private mutating func link(
    _ place: LinkColumn, _ row: Int, to target: Int, _ owners: inout SoleOwners
  ) {
    if isToOne(place) {
      if let old = tables[place.table].columns[place.column].link(row) {
        owners.remove(row, from: old, place)
      }
      tables[place.table].setLink(place.column, row, to: target)
    } else {
      tables[place.table].addLink(place.column, row, to: target)
    }
    owners.add(row, to: target, place)
  }
}

extension Graph {
  private func definition(_ place: LinkColumn) -> ColumnDefinition {
    tables[place.table].layout.columns[place.column]
  }

  private func isToOne(_ place: LinkColumn) -> Bool {
    if case .toOne = definition(place).kind { true } else { false }
  }

  /// `spouse: Person? inverse spouse`
  private func isOwnInverse(_ place: LinkColumn) -> Bool {
    let here = definition(place)
    return model.writtenSide(of: here.key, in: here.entity) == .lowerObjectID
  }

  private func isToOneInverse(_ place: LinkColumn) -> Bool {
    let here = definition(place)
    return model.inverse(of: here.key, in: here.entity)?.relationship.isToMany == false
  }
}
