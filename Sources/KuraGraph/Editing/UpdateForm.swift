import KuraBytes
package import KuraModel
package import KuraPredicates
package import KuraValues

/// A form for updates of the same attributes of single objects of one entity. Facts that are common
/// to all of them are looked up once.
///
///     let form = UpdateForm("MemoDate", ["notifiable"], in: context.graph)
///     context.update(of: 7, to: [.boolean(true)], form!)     // the change, if MemoDate/7 is there
package struct UpdateForm: Sendable {
  package let entity: String
  package let keys: [String]
  /// The types of the attributes in `keys`.
  package let types: [AttributeType]
  private let model: Model
  private let place: EntityPlace
  private let columns: [Int]
  /// The indexes of the keys, sorted by column.
  private let order: [Int]

  /// Returns nil if a key is not an attribute that can be set.
  package init?(_ entity: String, _ keys: [String], in graph: Graph) {
    guard let place = graph.place(of: entity), Set(keys).count == keys.count else { return nil }
    let slots = graph.tables[place.table].layout.slots[place.code]
    var (types, columns): ([AttributeType], [Int]) = ([], [])
    for key in keys {
      guard case .attribute(let attribute)? = graph.model.property(named: key, of: entity),
        attribute.derivation == nil, let column = slots[key]?.attributeColumn
      else { return nil }
      types.append(attribute.type)
      columns.append(column)
    }
    (self.entity, self.keys, self.types, self.columns) = (entity, keys, types, columns)
    (model, self.place) = (graph.model, place)
    order = columns.indices.sorted { columns[$0] < columns[$1] }
  }

  /// Returns whether the form is valid for a model, which must have the same entities.
  package func isOf(_ model: Model) -> Bool { self.model.sharesEntities(with: model) }
}

extension UpdateForm {
  /// Returns the change of an object, possibly empty; nil if there is no such object of exactly this entity.
  fileprivate func change(of number: Int64, to values: [Value], in graph: Graph) -> ChangeSet? {
    guard let row = graph.tables[place.table].row(of: number),
      graph.tables[place.table].entityCode(row) == place.code
    else { return nil }
    var updated: [ChangeColumn] = []
    for i in order {
      let old = graph.tables[place.table].columns[columns[i]].cell(row)
      let new = StoredCell(values[i], as: types[i])
      if old == new { continue }
      updated.append(
        ChangeColumn(key: keys[i], old: ChangeValues(old), new: ChangeValues(new)))
    }
    guard !updated.isEmpty else { return ChangeSet() }
    return ChangeSet(
      updated: [ObjectBatch(entity: entity, numbers: [number], columns: updated)])
  }
}

extension ManagedObjectContext {
  /// Returns the change of an object to values of a form's types; nil if the form does not fit the
  /// graph or the object. Constant time.
  package func update(of number: Int64, to values: [Value], _ form: UpdateForm) -> ChangeSet? {
    form.isOf(graph.model) ? form.change(of: number, to: values, in: graph) : nil
  }

  /// Performs a change from `update` as one undo group, as `perform` does.
  package mutating func update(
    _ change: ChangeSet, _ name: String, in context: EvaluationContext,
    accept: ((Graph, ChangeSet) throws -> Void)? = nil
  ) throws -> Performed<Void> {
    Performed(
      result: (), change: try perform(name, EditedGraph(change), in: context, accept))
  }
}

/// Old and new values of cells in any order, to be grouped into updates of a change set.
struct ValueEdits {
  private var values: [(old: StoredCell, new: StoredCell)] = []
  private var cells: [Cell] = []

  /// A cell, with the index of its values.
  private struct Cell {
    var table: Int32
    var row: UInt32
    var column: Int32
    var place: UInt32

    func precedes(_ other: Cell) -> Bool {
      if row != other.row, table == other.table { return row < other.row }
      return (table, column) < (other.table, other.column)
    }

    func isOfObject(_ other: Cell) -> Bool { row == other.row && table == other.table }
  }

  mutating func add(
    _ table: Int, _ row: Int, _ column: Int, _ old: StoredCell, _ new: StoredCell
  ) {
    cells.append(
      Cell(
        table: Int32(truncatingIfNeeded: table), row: UInt32(truncatingIfNeeded: row),
        column: Int32(truncatingIfNeeded: column), place: UInt32(truncatingIfNeeded: values.count)))
    values.append((old, new))
  }

  /// Returns updates sorted by table and row; successive rows with the same keys are one batch.
  func batches(of graph: Graph, _ cancel: CancelFlag) -> [ObjectBatch] {
    let cells = cells.sorted { $0.precedes($1) }
    var batches = BatchBuilder()
    var first = 0
    while first < cells.count, !cancel.isRequested {
      var end = first + 1
      while end < cells.count, cells[end].isOfObject(cells[first]) { end += 1 }
      let table = graph.tables[Int(cells[first].table)]
      let row = Int(cells[first].row)
      let changed = cells[first..<end].map { cell in
        let (old, new) = values[Int(cell.place)]
        return KeyChange(key: table.layout.columns[Int(cell.column)].key, old: old, new: new)
      }
      batches.add(
        table.layout.entities[table.entityCode(row)], table.identifiers[row], changed)
      first = end
    }
    return batches.batches
  }
}
