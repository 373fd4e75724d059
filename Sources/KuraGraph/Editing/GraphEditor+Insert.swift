package import KuraDiagnostics
import KuraModel
import KuraPredicates
package import KuraValues

extension GraphEditor {
  /// Inserts objects; those of one call may name each other.
  ///
  /// Numbers are given and defaults filled in. Throws where an entity, a key or a value does not
  /// fit.
  package mutating func insert(_ objects: [NewObject]) throws(Diagnostic) -> [ObjectID] {
    spill()
    var places: [GraphPlace] = []
    for object in objects {
      try checkCancel()
      places.append(try addRow(object))
    }
    for (object, place) in zip(objects, places) {
      try checkCancel()
      try fill(place, object)
    }
    return places.map(objectID)
  }

  private mutating func addRow(_ object: NewObject) throws(Diagnostic) -> GraphPlace {
    guard let entity = model[object.entity], let place = graph.place(of: object.entity) else {
      throw Diagnostic(ChangeFacts.unknownEntity(object.entity, known: model.entities.map(\.name)))
    }
    guard !entity.isAbstract else { throw Diagnostic(ChangeFacts.abstractEntity(object.entity)) }
    if let given = object.number, !(1...ObjectID.greatestGivenNumber).contains(given) {
      throw Diagnostic(ChangeFacts.badObjectID(given), at: object.numberSpan)
    }
    let number = object.number ?? nextNumbers[place.table]
    guard number <= ObjectID.greatestNumber else {
      throw Diagnostic(ChangeFacts.noNumberLeft(entity: object.entity))
    }
    let table = graph.tables[place.table]
    let id = ObjectID(entity: object.entity, root: table.layout.root, number: number)
    guard find(id) == nil else {
      throw Diagnostic(ChangeFacts.takenObjectID(id), at: object.numberSpan)
    }
    nextNumbers[place.table] = max(nextNumbers[place.table], number + 1)
    return add(id, place, backAt: newRows[id] ?? table.identifiers.row(of: number))
  }

  /// Gives a new object the row behind the last one, or the one it had before it was deleted.
  private mutating func add(_ id: ObjectID, _ place: EntityPlace, backAt: Int?) -> GraphPlace {
    let row = backAt ?? rowCounts[place.table]
    if backAt == nil { rowCounts[place.table] += 1 }
    let new = GraphPlace(table: place.table, row: row)
    if backAt != nil { clear(new) }
    newRows[id] = row
    newPlaces[new] = inserted.count
    let cells = [ChangeValue?](repeating: nil, count: graph.tables[place.table].columns.count)
    inserted.append(
      NewRow(entity: id.entity, number: id.number, place: new, code: place.code, cells: cells))
    return new
  }

  /// Nothing is left of the object that had the row: neither what it held nor what led to it.
  private mutating func clear(_ place: GraphPlace) {
    isDeleted.remove(place)
    for column in graph.tables[place.table].columns.indices {
      values[AttributeColumn(table: place.table, column: column)]?[place.row] = nil
      setTargets(LinkColumn(table: place.table, column: column), place.row, to: [])
    }
    forget(place, by: graph.linkColumns(to: place.table))
  }

  private mutating func fill(_ place: GraphPlace, _ object: NewObject) throws(Diagnostic) {
    var given: Set<String> = []
    for value in object.values {
      guard given.insert(value.key).inserted else {
        throw Diagnostic(ChangeFacts.keyTwice(value.key), at: value.span)
      }
      try set(value, place, entity: object.entity)
    }
    guard object.takesDefaults else { return }
    for attribute in model.allAttributes(of: object.entity) where !given.contains(attribute.name) {
      guard let value = try newValue(of: attribute) else { continue }
      store(ChangeValue(StoredCell(value, as: attribute.type)), attribute.name, place)
    }
  }

  private func newValue(of attribute: Attribute) throws(Diagnostic) -> Value? {
    if attribute.defaultExpression == nil { return attribute.defaultValue }
    do { return try attribute.newValue(in: context ?? EvaluationContext()) } catch {
      throw Diagnostic(ChangeFacts.badDefault(key: attribute.name, reason: error.sentence))
    }
  }
}

/// An object that a statement wants to insert.
package struct NewObject: Sendable {
  package var entity: String
  /// The number it is to have; nil: the next one.
  package var number: Int64?
  /// Where the statement says the number.
  package var numberSpan: SourceSpan?
  /// Attributes by values of their types, relationships by objects, lists of them, or null.
  package var values: [NewValue]
  /// Whether it gets what it was not given; one that comes back has what it had.
  var takesDefaults = true

  package init(entity: String, number: Int64? = nil, values: [NewValue] = []) {
    self.entity = entity
    self.number = number
    self.values = values
  }
}

/// A key, what it is to be, and where the statement says so.
package struct NewValue: Sendable {
  package var key: String
  package var value: Value
  package var span: SourceSpan?
  /// What becomes of a relationship's objects so far.
  package var operation: Operation

  package enum Operation: Sendable, Hashable {
    /// The value takes their place.
    case set
    /// The objects come to them.
    case add
    /// The objects go.
    case remove
  }

  package init(
    _ key: String, _ value: Value, span: SourceSpan? = nil, operation: Operation = .set
  ) {
    self.key = key
    self.value = value
    self.span = span
    self.operation = operation
  }
}
