package import KuraDiagnostics
import KuraModel
import KuraPredicates
package import KuraValues

extension GraphEditor {
  /// Inserts objects; those of one call can refer to each other.
  ///
  /// Assigns numbers and defaults. Throws if an entity, a key or a value does not fit.
  package mutating func insert(_ objects: [NewObject]) throws(Diagnostic) -> [ObjectID] {
    let added = try objects.map { object throws(Diagnostic) in try add(object) }
    for (object, added) in zip(objects, added) { try fill(object, added) }
    return added.map { objectID($0.place) }
  }

  /// The place of a new object, and those of the new objects in its values.
  private struct AddedObject {
    var place: GraphPlace
    var created: [[AddedObject]] = []
  }

  private mutating func add(_ object: NewObject) throws(Diagnostic) -> AddedObject {
    try checkCancel()
    var added = AddedObject(place: try addRow(object))
    guard object.values.contains(where: { !$0.created.isEmpty }) else { return added }
    for value in object.values {
      try checkOwners(value, of: object.entity)
      added.created.append(
        try value.created.map { created throws(Diagnostic) in
          try Self.located(at: created.object.span) { () throws(Diagnostic) in
            try add(created.object)
          }
        })
    }
    return added
  }

  /// Throws if a new object in a relationship names another object for the inverse.
  private func checkOwners(_ value: NewValue, of entity: String) throws(Diagnostic) {
    guard !value.created.isEmpty,
      let inverse = graph.model.inverse(of: value.key, in: entity)?.relationship, !inverse.isToMany
    else { return }
    for new in value.created {
      if let other = new.object.values.first(where: {
        $0.key == inverse.name && !($0.value.isNull && $0.created.isEmpty)
      }) {
        throw Diagnostic(
          ChangeProblem.otherOwner(key: inverse.name), at: other.span ?? new.object.span)
      }
    }
  }

  /// Sets values of an object, and inserts the new objects in them.
  package mutating func set(_ values: [NewValue], of id: ObjectID) throws(Diagnostic) {
    for value in values {
      try checkOwners(value, of: id.entity)
      var value = value
      for new in value.created { value.value.put(try insert([new.object])[0], at: new.place) }
      try set(value, of: id)
    }
  }

  /// Sets the values of a new object, after those of the new objects in them.
  private mutating func fill(_ object: NewObject, _ added: AddedObject) throws(Diagnostic) {
    try checkCancel()
    var object = object
    for (i, created) in added.created.enumerated() {
      for (new, place) in zip(object.values[i].created, created) {
        try Self.located(at: new.object.span) { () throws(Diagnostic) in try fill(new.object, place)
        }
        object.values[i].value.put(objectID(place.place), at: new.place)
      }
    }
    try fill(added.place, object)
  }

  /// Adds a place to a problem without one.
  private static func located<Result>(
    at span: SourceSpan?, _ body: () throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    do { return try body() } catch {
      var problem = error
      problem.span = problem.span ?? span
      throw problem
    }
  }

  private mutating func addRow(_ object: NewObject) throws(Diagnostic) -> GraphPlace {
    guard let entity = model[object.entity], let place = graph.place(of: object.entity) else {
      throw Diagnostic(
        ChangeProblem.unknownEntity(object.entity, known: model.entities.map(\.name)))
    }
    guard !entity.isAbstract else { throw Diagnostic(ChangeProblem.abstractEntity(object.entity)) }
    if let given = object.number, !(1...ObjectID.greatestGivenNumber).contains(given) {
      throw Diagnostic(ChangeProblem.badObjectID(given), at: object.numberSpan)
    }
    let number = object.number ?? nextNumbers[place.table]
    guard number <= ObjectID.greatestNumber else {
      throw Diagnostic(ChangeProblem.noNumberLeft(entity: object.entity))
    }
    let table = graph.tables[place.table]
    let id = ObjectID(entity: object.entity, root: table.layout.root, number: number)
    guard find(id) == nil else {
      throw Diagnostic(ChangeProblem.takenObjectID(id), at: object.numberSpan)
    }
    nextNumbers[place.table] = max(nextNumbers[place.table], number + 1)
    return add(id, place, backAt: newRows[id] ?? table.identifiers.row(of: number))
  }

  /// Adds a new object in the next row, or in the row it had before it was deleted.
  private mutating func add(_ id: ObjectID, _ place: EntityPlace, backAt: Int?) -> GraphPlace {
    let row = backAt ?? rowCounts[place.table]
    if backAt == nil { rowCounts[place.table] += 1 }
    let new = GraphPlace(table: place.table, row: row)
    if backAt != nil { clear(new) }
    newRows[id] = row
    newPlaces[new] = inserted.count
    let cells = [StoredCell?](repeating: nil, count: graph.tables[place.table].columns.count)
    inserted.append(
      NewRow(entity: id.entity, number: id.number, place: new, code: place.code, cells: cells))
    return new
  }

  /// Removes the values and links that are left of the row's former object.
  private mutating func clear(_ place: GraphPlace) {
    isDeleted.remove(place)
    for column in graph.tables[place.table].columns.indices {
      values[ColumnPlace(table: place.table, column: column)]?.set(place.row, to: nil)
      setTargets(ColumnPlace(table: place.table, column: column), place.row, to: [])
    }
    forget(place, by: graph.linkColumns(to: place.table))
  }

  private mutating func fill(_ place: GraphPlace, _ object: NewObject) throws(Diagnostic) {
    var given: Set<String> = []
    for value in object.values {
      guard given.insert(value.key).inserted else {
        throw Diagnostic(ChangeProblem.keyTwice(value.key), at: value.span)
      }
      try set(value, place, entity: object.entity)
    }
    guard object.takesDefaults else { return }
    for attribute in model.allAttributes(of: object.entity) where !given.contains(attribute.name) {
      guard let value = try newValue(of: attribute) else { continue }
      store(StoredCell(value, as: attribute.type), attribute.name, place)
    }
  }

  private func newValue(of attribute: Attribute) throws(Diagnostic) -> Value? {
    if attribute.defaultExpression == nil { return attribute.defaultValue }
    do { return try attribute.newValue(in: context ?? EvaluationContext()) } catch {
      throw Diagnostic(ChangeProblem.badDefault(key: attribute.name, reason: error.sentence))
    }
  }
}

/// An object to insert.
package struct NewObject: Sendable {
  package var entity: String
  /// The number of the object; nil for the next one.
  package var number: Int64?
  /// The place of the number in the statement.
  package var numberSpan: SourceSpan?
  /// The place of an object that is created for a relationship.
  package var span: SourceSpan?
  /// The values: of attributes by type, of relationships as objects, lists or null.
  package var values: [NewValue]
  /// Whether missing keys get their defaults; false for a restored object.
  var takesDefaults = true

  package init(entity: String, number: Int64? = nil, values: [NewValue] = []) {
    self.entity = entity
    self.number = number
    self.values = values
  }
}

/// A key and its new value, with the place in the statement.
package struct NewValue: Sendable {
  package var key: String
  package var value: Value
  package var span: SourceSpan?
  /// The effect on the present objects of a relationship.
  package var operation: Operation
  /// The new objects of a relationship, with their indexes in a list of objects.
  package var created: [(place: Int, object: NewObject)] = []

  package enum Operation: Sendable, Hashable {
    /// Replaces them by the value.
    case set
    case add
    case remove
    /// Sets a part of a JSON attribute.
    case part([JSONStep])
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

extension Value {
  /// Puts an object at an index of a list, or in the place of null.
  fileprivate mutating func put(_ id: ObjectID, at place: Int) {
    let object = Value.object(ObjectReference(NamedObject(objectID: id)))
    guard case .list(var objects) = self else {
      self = object
      return
    }
    objects[place] = object
    self = .list(objects)
  }
}

extension GraphEditor {
  /// Returns the present rows of a relationship.
  func related(_ slot: KeySlot, _ place: GraphPlace) -> [UInt32] {
    switch slot {
    case .attribute, .unresolved: []
    case .toOne(let column, _), .toMany(let column, _, _):
      targets(ColumnPlace(table: place.table, column: column), place.row)
    case .inverse(let source, let column, _):
      sources(ColumnPlace(table: source, column: column), of: place.row)
    }
  }

  /// Sets the objects of a relationship, and updates the inverse.
  mutating func relate(_ slot: KeySlot, _ place: GraphPlace, to rows: [UInt32]) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, _), .toMany(let column, _, _):
      relate(ColumnPlace(table: place.table, column: column), place.row, to: rows)
    case .inverse(let source, let column, _):
      relate(reversed: ColumnPlace(table: source, column: column), place.row, to: rows)
    }
  }

  /// Sets links on the stored side; the inverse follows.
  private mutating func relate(_ column: ColumnPlace, _ row: Int, to rows: [UInt32]) {
    let old = targets(column, row)
    let end = graph.otherEnd(of: column)
    let (gone, new) = old.difference(to: rows)
    for target in gone { release(column, row, Int(target), end) }
    for target in new { take(column, row, Int(target), end) }
    setTargets(column, row, to: rows)
    if case .itself(isToOne: true) = end, let partner = rows.first {
      setTargets(column, Int(partner), to: [UInt32(truncatingIfNeeded: row)])
    }
  }

  /// Updates the inverse after a link was removed.
  private mutating func release(_ column: ColumnPlace, _ row: Int, _ target: Int, _ end: OtherEnd) {
    switch end {
    case .none, .read: return
    case .itself: removeTarget(column, target, row)
    case .stored(let other): removeTarget(other, target, row)
    }
  }

  /// Updates the inverse after a link was added; if it is a to-one relationship, removes its previous owner.
  private mutating func take(_ column: ColumnPlace, _ row: Int, _ target: Int, _ end: OtherEnd) {
    switch end {
    case .none, .read(isToOne: false): return
    case .read(isToOne: true):
      for owner in sources(column, of: target) where Int(owner) != row {
        removeTarget(column, Int(owner), target)
      }
    case .itself(isToOne: true):
      for partner in targets(column, target) { setTargets(column, Int(partner), to: []) }
    case .itself(isToOne: false):
      if target != row { addTarget(column, target, row) }
    case .stored(let other): addTarget(other, target, row)
    }
  }

  /// Sets links on the derived side, by changing the links of the stored side.
  private mutating func relate(reversed column: ColumnPlace, _ target: Int, to rows: [UInt32]) {
    let old = sources(column, of: target)
    let wanted = Set(rows)
    for source in old where !wanted.contains(source) { removeTarget(column, Int(source), target) }
    let previous = Set(old)
    for source in rows where !previous.contains(source) { addTarget(column, Int(source), target) }
  }

  /// Returns the present destinations of a row in a link column.
  func targets(_ column: ColumnPlace, _ row: Int) -> [UInt32] {
    if let changed = links[column]?[row] { return changed }
    let table = graph.tables[column.table]
    guard row < table.count, table.isLive(row) else { return [] }
    return table.columns[column.column].targets(row)
  }

  /// Returns the rows of a link column that lead to a row, ascending.
  func sources(_ column: ColumnPlace, of target: Int) -> [UInt32] {
    let stored = graph.inverse(source: column.table, column: column.column)[target]
    guard let change = incoming[column]?[UInt32(truncatingIfNeeded: target)] else {
      return Array(stored)
    }
    return
      (stored.filter { !change.removed.contains($0) && !change.added.contains($0) }
      + change.added).sorted()
  }

  /// Sets the links of a row, without updating the inverse.
  mutating func setTargets(_ column: ColumnPlace, _ row: Int, to targets: [UInt32]) {
    let old = self.targets(column, row)
    let targets = graph.inOrder(targets, of: column) { objectID($0).number }
    guard old != targets else { return }
    let (gone, new) = old.difference(to: targets)
    store(targets, of: column, row, gone: gone, new: new)
  }

  /// Stores the links of a row, in their order, with what they gain and lose.
  private mutating func store(
    _ targets: [UInt32], of column: ColumnPlace, _ row: Int, gone: [UInt32], new: [UInt32]
  ) {
    if notesTouches { touches.append(GraphTouch(column: column, row: row)) }
    links[column, default: [:]][row] = targets
    let source = UInt32(truncatingIfNeeded: row)
    for target in gone {
      incoming[column, default: [:]][target, default: IncomingLinks()].remove(source)
    }
    for target in new {
      incoming[column, default: [:]][target, default: IncomingLinks()].add(source)
    }
  }

  mutating func removeTarget(_ column: ColumnPlace, _ row: Int, _ target: Int) {
    let target = UInt32(truncatingIfNeeded: target)
    var targets = targets(column, row)
    guard let place = targets.firstIndex(of: target) else { return }
    // The rest keeps its order.
    targets.remove(at: place)
    store(targets, of: column, row, gone: [target], new: [])
  }

  mutating func addTarget(_ column: ColumnPlace, _ row: Int, _ target: Int) {
    let old = targets(column, row)
    let target = UInt32(truncatingIfNeeded: target)
    if isToOne(column) { return setTargets(column, row, to: [target]) }
    if !old.contains(target) { setTargets(column, row, to: old + [target]) }
  }
}

extension [UInt32] {
  /// Returns the elements that only this list or only the other one has.
  ///
  /// Linear; common prefixes and suffixes are only compared.
  func difference(to other: [UInt32]) -> (gone: [UInt32], new: [UInt32]) {
    let shorter = Swift.min(count, other.count)
    var start = 0
    while start < shorter, self[start] == other[start] { start += 1 }
    var end = 0
    while end < shorter - start, self[count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    let here = self[start..<count - end]
    let there = other[start..<other.count - end]
    if here.isEmpty || there.isEmpty { return (Array(here), Array(there)) }
    let (had, has) = (Set(here), Set(there))
    return (here.filter { !has.contains($0) }, there.filter { !had.contains($0) })
  }
}

extension IncomingLinks {
  fileprivate mutating func add(_ source: UInt32) {
    added.insert(source)
    removed.remove(source)
  }

  fileprivate mutating func remove(_ source: UInt32) {
    added.remove(source)
    removed.insert(source)
  }
}

extension GraphEditor {
  func isToOne(_ column: ColumnPlace) -> Bool {
    if case .toOne = graph.definition(column).kind { true } else { false }
  }

  /// Sets a key of an object: to a value of its type, or to objects.
  ///
  /// Throws if the value does not fit the key.
  package mutating func set(_ value: NewValue, of id: ObjectID) throws(Diagnostic) {
    let place = try place(of: id)
    try set(value, place, entity: objectID(place).entity)
  }

  /// Sets a key of an object given by its row.
  package mutating func set(_ value: NewValue, table: Int, row: Int) throws(Diagnostic) {
    let place = GraphPlace(table: table, row: row)
    try set(value, place, entity: objectID(place).entity)
  }

  /// Returns the place of an object; throws if it does not exist.
  func place(of id: ObjectID) throws(Diagnostic) -> GraphPlace {
    guard let place = find(id) else { throw Diagnostic(ChangeProblem.noObject(id)) }
    return place
  }

  mutating func set(_ value: NewValue, _ place: GraphPlace, entity: String) throws(Diagnostic) {
    switch model.property(named: value.key, of: entity) {
    case .attribute(let attribute)?:
      guard attribute.derivation == nil else {
        throw Diagnostic(ChangeProblem.derived(value.key, entity: entity), at: value.span)
      }
      let new =
        if case .part(let steps) = value.operation {
          try cell(of: attribute, place, setting: steps, to: value)
        } else {
          StoredCell(value.value, as: attribute.type)
        }
      store(new, value.key, place)
    case .relationship(let relationship)?:
      let rows = try rows(value, relationship, entity)
      guard let slot = slot(value.key, place) else { return }
      if case .unresolved = slot, !rows.isEmpty {
        throw Diagnostic(
          ChangeProblem.unresolvedDestination(
            entity: entity, key: value.key, destination: relationship.destination), at: value.span)
      }
      relate(slot, place, to: combined(value.operation, rows, slot, place))
    case nil:
      let known = model.keys(of: entity)
      throw Diagnostic(
        ChangeProblem.unknownKey(value.key, entity: entity, known: known), at: value.span)
    }
  }

  /// Returns the resulting rows of a relationship.
  private func combined(
    _ operation: NewValue.Operation, _ rows: [UInt32], _ slot: KeySlot, _ place: GraphPlace
  ) -> [UInt32] {
    if operation == .set { return rows }
    let present = related(slot, place)
    let given = Set(rows)
    if operation == .remove { return present.filter { !given.contains($0) } }
    let known = Set(present)
    return present + rows.filter { !known.contains($0) }
  }

  mutating func store(_ value: StoredCell, _ key: String, _ place: GraphPlace) {
    guard let column = slot(key, place)?.attributeColumn else { return }
    if let new = newPlaces[place] {
      inserted[new].cells[column] = value
      return
    }
    values[ColumnPlace(table: place.table, column: column), default: .cells([:])]
      .set(place.row, to: value)
  }

  func value(_ column: ColumnPlace, _ row: Int) -> StoredCell {
    if let new = newPlaces[GraphPlace(table: column.table, row: row)] {
      if let given = inserted[new].cells[column.column] { return given }
    } else if let changed = values[column]?[row] {
      return changed
    }
    let table = graph.tables[column.table]
    return row < table.count ? table.columns[column.column].cell(row) : .null
  }

  /// Returns the distinct rows of the objects in a new value of a relationship.
  private func rows(
    _ value: NewValue, _ relationship: Relationship, _ entity: String
  ) throws(Diagnostic) -> [UInt32] {
    let objects = value.value.relatedObjects
    let fits = objects?.allSatisfy { $0 != nil } ?? false
    if fits, let objects, !relationship.isToMany, !value.value.isNull, objects.count != 1 {
      throw Diagnostic(
        ChangeProblem.notOneObject(key: relationship.name, count: objects.count), at: value.span)
    }
    guard fits, let objects else {
      throw Diagnostic(
        ChangeProblem.notObjects(
          key: relationship.name, destination: relationship.destination,
          isToMany: relationship.isToMany), at: value.span)
    }
    var rows: [UInt32] = []
    var seen: Set<UInt32> = []
    for case let id? in objects {
      let row = try row(of: id, relationship, at: value.span)
      if seen.insert(row).inserted { rows.append(row) }
    }
    return rows
  }

  private func row(
    of id: ObjectID, _ relationship: Relationship, at span: SourceSpan?
  ) throws(Diagnostic) -> UInt32 {
    guard let place = find(id) else { throw Diagnostic(ChangeProblem.noObject(id), at: span) }
    let id = objectID(place)
    guard model.entity(id.entity, isKindOf: relationship.destination) else {
      throw Diagnostic(
        ChangeProblem.wrongDestination(
          id, key: relationship.name, destination: relationship.destination), at: span)
    }
    return UInt32(truncatingIfNeeded: place.row)
  }
}

extension Value {
  /// The objects in the value of a relationship; nil elements are not objects.
  package var relatedObjects: [ObjectID?]? {
    switch self {
    case .null: []
    case .object(let reference): [reference.id]
    case .list, .set: arrayValue?.map(\.objectID)
    default: nil
    }
  }
}
