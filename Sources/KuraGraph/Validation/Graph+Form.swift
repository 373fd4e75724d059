package import KuraBytes
import KuraModel
package import KuraValues

/// What no document can have: a store with it would not be opened again.
package struct FormFault: Sendable, Equatable {
  package enum Kind: Sendable {
    /// A mandatory attribute has no value.
    case missing
    /// A link leads to no object, or to one of another entity.
    case dangling
    /// A to-many has an object twice.
    case twice
    /// The other end of a link says something else.
    case contradiction
    /// The object is deleted, and another leads to it.
    case leftBehind
  }

  package var object: ObjectID
  package var key: String
  package var kind: Kind
}

extension Graph {
  /// The first thing that a change which the graph has gone through left, and no document can have.
  ///
  /// Linear in the change and in the links of what it touches; the inverse of a relationship is
  /// counted once. Nil too where somebody asks to stop before it is found.
  package func formFault(
    after change: ChangeSet, _ cancel: CancelFlag = CancelFlag()
  ) -> FormFault? {
    for batch in change.inserted {
      let links = batch.columns.map { ($0.key, $0.values) }
      if let fault = fault(batch.entity, batch.numbers, links, nil, cancel) { return fault }
    }
    for batch in change.updated {
      let links = batch.columns.map { ($0.key, $0.new) }
      let keys = batch.columns.map(\.key)
      if let fault = fault(batch.entity, batch.numbers, links, keys, cancel) { return fault }
    }
    for batch in change.deleted {
      if let fault = faultBehind(batch) { return fault }
    }
    return nil
  }

  /// Of new objects all mandatory attributes are asked for, of others those among some keys.
  private func fault(
    _ entity: String, _ numbers: [Int64], _ columns: [(key: String, values: ChangeValues)],
    _ keys: [String]?, _ cancel: CancelFlag
  ) -> FormFault? {
    guard let place = place(of: entity) else { return nil }
    let table = tables[place.table]
    let mandatory = mandatoryColumns(place, entity, keys).filter {
      table.columns[$0.column].mayHaveNulls
    }
    let links = columns.compactMap { linkForm(place, $0.key, $0.values) }
    if mandatory.isEmpty, links.isEmpty { return nil }
    for (i, number) in numbers.enumerated() where !cancel.isRequested {
      guard let row = table.row(of: number) else { continue }
      let kind =
        mandatory.first { table.columns[$0.column].isNull(row) }.map { ($0.key, .missing) }
        ?? links.lazy.compactMap { link in fault(link, row, i).map { (link.key, $0) } }.first
        as (String, FormFault.Kind)?
      if let kind { return FormFault(object: table.objectID(row), key: kind.0, kind: kind.1) }
    }
    return nil
  }

  /// The attributes that must have a value, all or those among some keys.
  private func mandatoryColumns(
    _ place: EntityPlace, _ entity: String, _ keys: [String]?
  ) -> [(key: String, column: Int)] {
    let slots = tables[place.table].layout.slots[place.code]
    return model.allAttributes(of: entity).compactMap { attribute in
      guard !attribute.isOptional, attribute.derivation == nil, !attribute.isTransient,
        keys?.contains(attribute.name) ?? true, let column = slots[attribute.name]?.attributeColumn
      else { return nil }
      return (attribute.name, column)
    }
  }
}

/// A relationship that is kept on one side, and what its links are held to.
private struct LinkForm {
  var key: String
  var column: LinkColumn
  var destination: Int
  /// The codes of the entities that it may lead to.
  var codes: Set<Int>
  var otherEnd: OtherEnd
  /// How many objects each object was said to have.
  var counts: [Int]
}

extension Graph {
  private func linkForm(
    _ place: EntityPlace, _ key: String, _ values: ChangeValues
  ) -> LinkForm? {
    guard let link = tables[place.table].layout.slots[place.code][key]?.linkColumn else {
      return nil
    }
    let column = LinkColumn(table: place.table, column: link.column)
    let definition = definition(column)
    let to = model[definition.entity]?.relationships.first { $0.name == key }?.destination
    return LinkForm(
      key: key, column: column, destination: link.destination, codes: codes(of: to ?? ""),
      otherEnd: otherEnd(of: column), counts: values.map(\.numbers.count))
  }

  private func fault(_ link: LinkForm, _ row: Int, _ place: Int) -> FormFault.Kind? {
    let targets = tables[link.column.table].columns[link.column.column].targets(row)
    // Numbers of nothing have left no link.
    guard targets.count == link.counts[place], targets.allSatisfy({ fits(Int($0), link) }) else {
      return .dangling
    }
    if targets.count > 1, Set(targets).count < targets.count { return .twice }
    return agrees(link, row, targets) ? nil : .contradiction
  }

  private func fits(_ target: Int, _ link: LinkForm) -> Bool {
    let table = tables[link.destination]
    return table.isLive(target) && link.codes.contains(table.entityCode(target))
  }

  /// Whether the other end says the same.
  private func agrees(_ link: LinkForm, _ row: Int, _ targets: [UInt32]) -> Bool {
    switch link.otherEnd {
    case .none, .read(isToOne: false): return true
    case .read(isToOne: true):
      return targets.allSatisfy { sources(of: link.column, leadingTo: Int($0)).count == 1 }
    case .itself: return Set(sources(of: link.column, leadingTo: row)) == Set(targets)
    case .kept(let other): return Set(sources(of: other, leadingTo: row)) == Set(targets)
    }
  }

  /// The rows of objects that lead to a row.
  private func sources(of link: LinkColumn, leadingTo row: Int) -> [UInt32] {
    inverse(source: link.table, column: link.column)[row]
      .filter { tables[link.table].isLive(Int($0)) }
  }

  /// Whether somebody leads to what was deleted.
  private func faultBehind(_ batch: ObjectBatch) -> FormFault? {
    guard let place = place(of: batch.entity) else { return nil }
    let gone = batch.numbers.filter { tables[place.table].row(of: $0) == nil }
      .compactMap { number in
        tables[place.table].identifiers.row(of: number).map { (number, $0) }
      }
    guard !gone.isEmpty else { return nil }
    for link in links(to: place.table) {
      for (number, row) in gone where !sources(of: link, leadingTo: row).isEmpty {
        let id = ObjectID(entity: batch.entity, root: model.root(of: batch.entity), number: number)
        return FormFault(object: id, key: definition(link).key, kind: .leftBehind)
      }
    }
    return nil
  }

  /// The relationships of all tables that lead to one.
  private func links(to table: Int) -> [LinkColumn] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.indices.filter {
        tables[source].layout.columns[$0].kind.points(to: table)
      }.map { LinkColumn(table: source, column: $0) }
    }
  }
}
