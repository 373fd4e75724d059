package import KuraModel
package import KuraPredicates
package import KuraValues

/// A form for new objects of one entity with the same given attributes. Facts that are common to
/// all of them are looked up once.
package struct InsertForm: Sendable {
  package let entity: String
  package let keys: [String]
  /// The types of the attributes in `keys`.
  package let types: [AttributeType]
  private let model: Model
  fileprivate let table: Int
  fileprivate let attributes: [FormAttribute]

  /// Returns nil if a key is not an attribute that can be set, or if a default is computed per object.
  package init?(_ entity: String, _ keys: [String], in graph: Graph) {
    guard graph.model[entity]?.isAbstract == false, let place = graph.place(of: entity),
      Set(keys).count == keys.count
    else { return nil }
    let slots = graph.tables[place.table].layout.slots[place.code]
    let all = graph.model.allAttributes(of: entity)
    let types = keys.compactMap { key in
      all.first { $0.name == key && $0.derivation == nil && slots[key]?.attributeColumn != nil }?
        .type
    }
    guard types.count == keys.count, Set(all.map(\.name)).count == all.count,
      !all.contains(where: { $0.defaultExpression != nil && !keys.contains($0.name) })
    else { return nil }
    attributes = all.filter { slots[$0.name]?.attributeColumn != nil }.map {
      FormAttribute($0, place: keys.firstIndex(of: $0.name))
    }
    (self.entity, self.keys, self.types) = (entity, keys, types)
    (model, table) = (graph.model, place.table)
  }

  /// Returns whether the form is valid for a model, which must have the same entities.
  package func isOf(_ model: Model) -> Bool { self.model.sharesEntities(with: model) }
}

private struct FormAttribute: Sendable {
  let key: String
  let type: AttributeType
  /// The index among the given values.
  let place: Int?
  /// The default, if no value is given.
  let missing: ChangeValues

  init(_ attribute: Attribute, place: Int?) {
    (key, type, self.place) = (attribute.name, attribute.type, place)
    let value = attribute.defaultValue
    missing = ChangeValues(value.map { StoredCell($0, as: attribute.type) } ?? .null)
  }
}

/// The insertion of a new object as a change.
package struct Insertion: Sendable {
  let change: ChangeSet
  let id: ObjectID
}

extension InsertForm {
  /// Returns the insertion of an object; nil if the next number is not available.
  fileprivate func insertion(of values: [Value], in graph: Graph) -> Insertion? {
    let number = graph.tables[table].nextNumber
    guard number > 0, number <= ObjectID.greatestNumber,
      graph.tables[table].identifiers.row(of: number) == nil
    else { return nil }
    let columns = attributes.map { attribute in
      ChangeColumn(
        key: attribute.key,
        new: attribute.place.map {
          ChangeValues(StoredCell(values[$0], as: attribute.type))
        } ?? attribute.missing)
    }
    let root = graph.tables[table].layout.root
    return Insertion(
      change: ChangeSet(
        inserted: [ObjectBatch(entity: entity, numbers: [number], columns: columns)]),
      id: ObjectID(entity: entity, root: root, number: number))
  }
}

/// Consecutive insertions of one form, each of which is a separate undo group.
///
///     var insertions = context.insertions(form)
///     insertions?.add([.string("父の誕生日"), .date(date)])     // true
///     try context.insert(insertions!, "insert MemoDate", in: evaluation)
package struct SuccessiveInsertions: Sendable {
  package let form: InsertForm
  /// The number of the first object; the others are consecutive.
  package let first: Int64
  package private(set) var count = 0
  /// The maximum number of objects.
  private let most: Int
  /// The given values of the form's attributes; empty for an attribute without one.
  private var given: [[StoredCell]]
}

extension SuccessiveInsertions {
  /// The maximum number of insertions at once. They all go to the same chunk.
  private static let most = 4096

  /// Returns nil if the next numbers are not available.
  fileprivate init?(_ form: InsertForm, in graph: Graph) {
    let table = graph.tables[form.table]
    let most = min(Self.most, ColumnChunk.capacity - table.count & ColumnChunk.mask)
    guard table.nextNumber > 0, table.nextNumber <= ObjectID.greatestNumber - Int64(most),
      table.identifiers.are(allBelow: table.nextNumber, orNoneIn: most)
    else { return nil }
    (self.form, first, self.most) = (form, table.nextNumber, most)
    given = Array(repeating: [], count: form.attributes.count)
  }

  /// Adds an object with values of the form's types; returns false, without a change, if there is no room.
  package mutating func add(_ values: [Value]) -> Bool {
    guard count < most else { return false }
    for i in given.indices {
      guard let place = form.attributes[i].place else { continue }
      given[i].append(StoredCell(values[place], as: form.attributes[i].type))
    }
    count += 1
    return true
  }

  fileprivate var batch: ObjectBatch {
    ObjectBatch(
      entity: form.entity, numbers: (0..<count).map { first + Int64($0) },
      columns: zip(form.attributes, given).map { attribute, values in
        ChangeColumn(
          key: attribute.key,
          new: attribute.place == nil
            ? ChangeValues(Array(repeating: attribute.missing[0], count: count))
            : ChangeValues(values))
      })
  }
}

extension ManagedObjectContext {
  /// Returns an empty batch of insertions of a form; nil if there are derived attributes or observers.
  package func insertions(_ form: InsertForm) -> SuccessiveInsertions? {
    guard !isObserved, form.isOf(graph.model), graph.layout.derivations.isEmpty else { return nil }
    return SuccessiveInsertions(form, in: graph)
  }

  /// Performs insertions that were created for the present state of the context.
  package mutating func insert(
    _ insertions: SuccessiveInsertions, _ name: String, in context: EvaluationContext
  ) throws {
    try context.checkCancel()
    let batch = insertions.batch
    try change(.performed, name) { graph throws in
      let change = ChangeSet(inserted: [batch])
      try graph.admit(change)
      return [.objects(change)]
    }
    record(name, batch)
  }

  /// Returns the insertion of an object with values of a form's types; nil if the form does not fit the graph.
  package func insertion(of values: [Value], _ form: InsertForm) -> Insertion? {
    form.isOf(graph.model) ? form.insertion(of: values, in: graph) : nil
  }

  /// Performs an insertion as one undo group, as `perform` does.
  package mutating func insert(
    _ insertion: Insertion, _ name: String, in context: EvaluationContext,
    accept: ((Graph, ChangeSet) throws -> Void)? = nil
  ) throws -> Performed<[ObjectID]> {
    Performed(
      result: [insertion.id],
      change: try perform(name, EditedGraph(insertion.change), in: context, accept))
  }
}
