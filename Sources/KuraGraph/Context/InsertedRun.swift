import KuraModel

/// Objects of one entity that were inserted one behind the other, each by a step of its own: their values
/// are cells of the table's columns, which have them anyway.
final class InsertedRun: Sendable {
  /// What the history calls each of the steps.
  let name: String
  /// The first step's; those of the others follow one by one.
  let firstToken: Int
  private let batch: ObjectBatch

  init(_ name: String, _ firstToken: Int, _ batch: ObjectBatch) {
    (self.name, self.firstToken, self.batch) = (name, firstToken, batch)
  }

  var count: Int { batch.numbers.count }

  /// One of the steps.
  func group(_ place: Int) -> UndoGroup {
    UndoGroup(
      name: name, changes: [.objects(change(place..<place + 1))], token: firstToken + place)
  }

  /// What some of the steps come to.
  func change(_ places: Range<Int>) -> ChangeSet {
    if places == 0..<count { return ChangeSet(inserted: [batch]) }
    var part = ObjectBatch(entity: batch.entity, numbers: Array(batch.numbers[places]))
    part.columns = batch.columns.map { column in
      ChangeColumn(key: column.key, values: ChangeValues(places.map { column.values[$0] }))
    }
    return ChangeSet(inserted: [part])
  }
}

/// A step that inserted one object.
struct InsertStep {
  var name: String
  var token: Int
  var batch: ObjectBatch

  fileprivate func hasTheKeys(of other: InsertStep) -> Bool {
    batch.entity == other.batch.entity
      && batch.columns.elementsEqual(other.batch.columns) { $0.key == $1.key }
  }

  /// Nil of any other step.
  init?(_ name: String, _ token: Int, _ change: GraphChange) {
    guard case .objects(let change) = change, change.updated.isEmpty, change.deleted.isEmpty,
      change.inserted.count == 1, change.inserted[0].numbers.count == 1
    else { return nil }
    (self.name, self.token, batch) = (name, token, change.inserted[0])
  }
}

extension InsertedRun {
  /// So many steps are looked through at once.
  static let most = ColumnChunk.capacity
  /// Fewer objects of a chunk are not worth it.
  private static let fewest = 1024
  /// A dictionary that grows further is copied for each run.
  fileprivate static let mostTexts = 4096

  /// The last of some steps that inserted objects into rows of one table, one behind the other, as far as
  /// these rows' chunks are full: so many from the first of them on, and the run that they are. `step`
  /// gives one by its place from the end; nil where it is none.
  static func found(
    in graph: Graph, step: (Int) -> InsertStep?
  ) -> (fromEnd: Int, run: InsertedRun)? {
    guard let last = step(0), let place = graph.place(of: last.batch.entity) else { return nil }
    let table = graph.tables[place.table]
    let full = (table.count >> ColumnChunk.shift) << ColumnChunk.shift
    guard let columns = table.columns(of: last.batch, place.code) else { return nil }
    var (numbers, rows, next, first) = ([Int64](), [UInt32](), 0, last)
    while let step = step(next), step.name == last.name, step.hasTheKeys(of: last),
      let row = table.row(of: step.batch.numbers[0]), row == table.count - 1 - next,
      table.entityCode(row) == place.code, table.holds(step.batch, row, columns),
      next == 0 || step.token == first.token - 1
    {
      first = step
      next += 1
      guard row < full else { continue }
      numbers.append(step.batch.numbers[0])
      rows.append(UInt32(truncatingIfNeeded: row))
    }
    guard rows.count >= fewest,
      let batch = table.batch(first.batch, numbers.reversed(), rows.reversed())
    else { return nil }
    return (next, InsertedRun(first.name, first.token, batch))
  }
}

extension Table {
  /// The columns of a batch's keys; nil where one is no attribute's.
  fileprivate func columns(of batch: ObjectBatch, _ code: Int) -> [Int]? {
    let columns = batch.columns.compactMap { layout.slots[code][$0.key]?.attributeColumn }
    return columns.count == batch.columns.count ? columns : nil
  }

  /// Whether a row has the values of a batch's only object in some columns.
  fileprivate func holds(_ batch: ObjectBatch, _ row: Int, _ columns: [Int]) -> Bool {
    columns.indices.allSatisfy { i in
      self.columns[columns[i]].holds(batch.columns[i].values[0], row)
    }
  }

  /// Objects in some rows, with the keys that one of them has; nil where their cells cost too much.
  fileprivate func batch(
    _ one: ObjectBatch, _ numbers: [Int64], _ rows: [UInt32]
  ) -> ObjectBatch? {
    guard let row = rows.first else { return nil }
    let slots = layout.slots[entityCode(Int(row))]
    var batch = ObjectBatch(entity: one.entity, numbers: numbers)
    for values in one.columns {
      guard let column = slots[values.key]?.attributeColumn,
        columns[column].dictionary.map({ $0.count <= InsertedRun.mostTexts }) ?? true
      else { return nil }
      batch.columns.append(
        ChangeColumn(key: values.key, values: ChangeValues(columns[column], rows)))
    }
    return batch
  }
}

extension Column {
  /// Whether an attribute has a value in a row; of a text no other is made to see that.
  fileprivate func holds(_ value: ChangeValue, _ row: Int) -> Bool {
    guard case .text(var text) = value else { return ChangeValue(cell(row)) == value }
    var isSame = false
    _ = withText(row) { bytes in
      isSame = text.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
    }
    return isSame
  }
}
