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

/// Steps one behind the other that inserted an object each.
struct InsertSteps {
  var name: String
  /// The first one's token.
  var token: Int
  var batch: ObjectBatch

  var count: Int { batch.numbers.count }

  fileprivate func hasTheKeys(of other: InsertSteps) -> Bool {
    name == other.name && batch.entity == other.batch.entity
      && batch.columns.elementsEqual(other.batch.columns) { $0.key == $1.key }
  }

  /// Nil of any other step.
  init?(_ name: String, _ token: Int, _ change: GraphChange) {
    guard case .objects(let change) = change, change.updated.isEmpty, change.deleted.isEmpty,
      change.inserted.count == 1, change.inserted[0].numbers.count == 1
    else { return nil }
    self.init(name, token, change.inserted[0])
  }

  fileprivate init(_ name: String, _ token: Int, _ batch: ObjectBatch) {
    (self.name, self.token, self.batch) = (name, token, batch)
  }
}

extension InsertedRun {
  /// Some of its steps, whose values are listed; nil where they are cells of the table.
  func steps(_ places: Range<Int>) -> InsertSteps? {
    guard batch.columns.allSatisfy({ $0.values.cells == nil }) else { return nil }
    return change(places).inserted.first.map {
      InsertSteps(name, firstToken + places.lowerBound, $0)
    }
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
  /// these rows' chunks are full: their places from the end, and the run that they are. `steps` gives
  /// those of a place from the end; nil where there are none.
  static func found(
    in graph: Graph, steps: (Int) -> InsertSteps?
  ) -> (fromEnd: Range<Int>, run: InsertedRun)? {
    guard let last = steps(0), let place = graph.place(of: last.batch.entity) else { return nil }
    let table = graph.tables[place.table]
    let full = (table.count >> ColumnChunk.shift) << ColumnChunk.shift
    guard let columns = table.columns(of: last.batch, place.code) else { return nil }
    var (end, next, first, taken) = (table.count, 0, last, 0..<0)
    var numbers: [[Int64]] = []
    while let some = steps(next), some.hasTheKeys(of: last),
      next == 0 || some.token + some.count == first.token,
      table.holds(some.batch, endingAt: end, place.code, columns)
    {
      next += 1
      if end <= full {
        taken = (taken.isEmpty ? next - 1 : taken.lowerBound)..<next
        numbers.append(some.batch.numbers)
      }
      (first, end) = (some, end - some.count)
    }
    let all = Array(numbers.reversed().joined())
    guard all.count >= fewest, let batch = table.batch(first.batch, all, from: end)
    else { return nil }
    return (taken, InsertedRun(first.name, first.token, batch))
  }
}

extension Table {
  /// The columns of a batch's keys; nil where one is no attribute's.
  fileprivate func columns(of batch: ObjectBatch, _ code: Int) -> [Int]? {
    let columns = batch.columns.compactMap { layout.slots[code][$0.key]?.attributeColumn }
    return columns.count == batch.columns.count ? columns : nil
  }

  /// Whether the rows before an end are those of a batch's objects, with their values in some columns.
  fileprivate func holds(
    _ batch: ObjectBatch, endingAt end: Int, _ code: Int, _ columns: [Int]
  ) -> Bool {
    let first = end - batch.numbers.count
    guard first >= 0 else { return false }
    return batch.numbers.enumerated().allSatisfy {
      row(of: $1) == first + $0 && entityCode(first + $0) == code
    }
      && columns.indices.allSatisfy { i in
        self.columns[columns[i]].holds(batch.columns[i].values, from: first)
      }
  }

  /// Objects in the rows from one on, with the keys that one of them has; nil where their cells cost too
  /// much.
  fileprivate func batch(
    _ one: ObjectBatch, _ numbers: [Int64], from row: Int
  ) -> ObjectBatch? {
    let rows = (row..<row + numbers.count).map { UInt32(truncatingIfNeeded: $0) }
    let slots = layout.slots[entityCode(row)]
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
  /// Whether an attribute has values in the rows from one on.
  fileprivate func holds(_ values: ChangeValues, from row: Int) -> Bool {
    values.indices.allSatisfy { holds(values[$0], row + $0) }
  }

  /// The same of one row; of a text no other is made to see that.
  fileprivate func holds(_ value: ChangeValue, _ row: Int) -> Bool {
    guard case .text(var text) = value else { return ChangeValue(cell(row)) == value }
    var isSame = false
    _ = withText(row) { bytes in
      isSame = text.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
    }
    return isSame
  }
}
