package import KuraModel
package import KuraPredicates
package import KuraValues

/// An `insert` or `update` of attributes with literals, in which everything but the values was
/// looked up. The statements that repeat it only bind their own values.
///
///     let edit = PreparedEdit(.update, "MemoDate", ["notifiable"], in: context.graph)
///     context.update(of: 7, to: [.boolean(true)], edit!)     // the change, if MemoDate/7 exists
package struct PreparedEdit: Sendable {
  package enum Kind: Sendable {
    case insert, update
  }

  package let entity: String
  package let keys: [String]
  /// The types of the attributes in `keys`.
  package let types: [AttributeType]
  private let kind: Kind
  private let model: Model
  fileprivate let place: EntityPlace
  /// The attributes that it sets: of a new object all, otherwise those in `keys`, sorted by column.
  fileprivate let attributes: [PreparedAttribute]

  /// Returns nil if a key is not an attribute that can be set, if new objects have computed
  /// defaults, or if the entity cannot have objects.
  package init?(_ kind: Kind, _ entity: String, _ keys: [String], in graph: Graph) {
    guard graph.model[entity]?.isAbstract == false, let place = graph.place(of: entity) else {
      return nil
    }
    let slots = graph.tables[place.table].layout.slots[place.code]
    let all = graph.model.allAttributes(of: entity)
    let given = keys.compactMap { key in
      all.first { $0.name == key && $0.derivation == nil && slots[key]?.attributeColumn != nil }
    }
    guard given.count == keys.count, Set(keys).count == keys.count,
      Set(all.map(\.name)).count == all.count
    else { return nil }
    let attributes = all.compactMap { attribute in
      slots[attribute.name]?.attributeColumn.map {
        PreparedAttribute(attribute, $0, place: keys.firstIndex(of: attribute.name))
      }
    }
    switch kind {
    case .insert:
      let isComputed = all.contains { $0.defaultExpression != nil && !keys.contains($0.name) }
      if isComputed { return nil }
      self.attributes = attributes
    case .update:
      self.attributes = attributes.filter { $0.place != nil }.sorted { $0.column < $1.column }
    }
    (self.kind, self.entity, self.keys, types) = (kind, entity, keys, given.map(\.type))
    (model, self.place) = (graph.model, place)
  }

  /// Returns whether this is the edit of an entity's keys for a model, which must have the same
  /// entities.
  package func isOf(
    _ kind: Kind, _ entity: String, _ keys: some Sequence<String>, in model: Model
  ) -> Bool {
    self.kind == kind && self.entity == entity && isOf(model) && self.keys.elementsEqual(keys)
  }

  fileprivate func isOf(_ model: Model) -> Bool { self.model.sharesEntities(with: model) }
}

private struct PreparedAttribute: Sendable {
  let key: String
  let column: Int
  /// The index among the given values; nil if none is given.
  let place: Int?
  private let type: AttributeType
  /// The default, if no value is given.
  private let missing: StoredCell

  init(_ attribute: Attribute, _ column: Int, place: Int?) {
    (key, type, self.column, self.place) = (attribute.name, attribute.type, column, place)
    missing = attribute.defaultValue.map { StoredCell($0, as: attribute.type) } ?? .null
  }

  func cell(_ values: [Value]) -> StoredCell {
    place.map { StoredCell(values[$0], as: type) } ?? missing
  }
}

extension GraphContext {
  /// Returns the change of an object to values of a prepared edit's types, possibly empty. Nil if
  /// the edit is of another model, or if there is no such object of exactly its entity. Constant time.
  package func update(of number: Int64, to values: [Value], _ edit: PreparedEdit) -> ChangeSet? {
    let table = graph.tables[edit.place.table]
    guard edit.isOf(graph.model), let row = table.row(of: number),
      table.entityCode(row) == edit.place.code
    else { return nil }
    let columns = edit.attributes.compactMap { attribute -> ChangeColumn? in
      let (old, new) = (table.columns[attribute.column].cell(row), attribute.cell(values))
      if old == new { return nil }
      return ChangeColumn(key: attribute.key, old: ChangeValues(old), new: ChangeValues(new))
    }
    if columns.isEmpty { return ChangeSet() }
    return ChangeSet(
      updated: [ObjectBatch(entity: edit.entity, numbers: [number], columns: columns)])
  }
}

/// New objects of a prepared edit, with successive numbers; each is a separate undo group.
///
///     var insertions = context.insertions(edit)
///     insertions?.add([.string("父の誕生日"), .date(date)])     // true
///     try context.insert(insertions!, "insert MemoDate", in: evaluation)
package struct Insertions: Sendable {
  package let edit: PreparedEdit
  /// The number of the first object; the others are consecutive.
  package let first: Int64
  /// The maximum number of objects.
  private let most: Int
  package private(set) var count = 0
  /// The values of the edit's attributes, one per object.
  private var cells: [[StoredCell]]

  /// Returns nil if the next numbers are not available.
  fileprivate init?(_ edit: PreparedEdit, atMost most: Int, in graph: Graph) {
    let table = graph.tables[edit.place.table]
    guard edit.isOf(graph.model), table.nextNumber > 0,
      table.nextNumber <= ObjectID.greatestNumber - Int64(most - 1),
      table.identifiers.are(allBelow: table.nextNumber, orNoneIn: most)
    else { return nil }
    (self.edit, first, self.most) = (edit, table.nextNumber, most)
    cells = edit.attributes.map { _ in [] }
  }

  /// Adds an object with values of the edit's types; returns false, without a change, if there is no room.
  package mutating func add(_ values: [Value]) -> Bool {
    guard count < most else { return false }
    count += 1
    for i in cells.indices { cells[i].append(edit.attributes[i].cell(values)) }
    return true
  }

  fileprivate var batch: ObjectBatch {
    ObjectBatch(
      entity: edit.entity, numbers: (0..<Int64(count)).map { first + $0 },
      columns: zip(edit.attributes, cells).map { attribute, cells in
        ChangeColumn(key: attribute.key, new: ChangeValues(cells))
      })
  }
}

extension GraphContext {
  /// The maximum number of insertions at once. They all go to the same chunk.
  private static let most = 4096

  /// Returns insertions without objects, for the present state of the context; nil if the edit is of another model, or
  /// if there are derived attributes or observers, which require inserting the objects one by one.
  package func insertions(_ edit: PreparedEdit) -> Insertions? {
    guard !isObserved, edit.isOf(graph.model), graph.layout.derivations.isEmpty else { return nil }
    let room = ColumnChunk.capacity - graph.tables[edit.place.table].count & ColumnChunk.mask
    return Insertions(edit, atMost: min(Self.most, room), in: graph)
  }

  /// Returns the insertion of one object with values of a prepared edit's types; nil if the edit is of another model.
  package func insertion(of values: [Value], _ edit: PreparedEdit) -> Insertions? {
    guard var one = Insertions(edit, atMost: 1, in: graph), one.add(values) else { return nil }
    return one
  }

  /// Inserts objects, each as one undo group; if it throws, none is inserted.
  @discardableResult package mutating func insert(
    _ insertions: Insertions, _ name: String, in context: EvaluationContext,
    accept: ((Graph, ChangeSet) throws -> Void)? = nil
  ) throws -> Performed<[ObjectID]> {
    let batch = insertions.batch
    let done = try perform(
      name, ChangeSet(inserted: [batch]), in: context, isOneGroup: insertions.count == 1,
      accept: accept)
    return Performed(result: batch.objectIDs(in: graph.model), change: done.change)
  }
}
