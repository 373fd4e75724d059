/// Consecutive steps that each inserted one object of the same entity.
///
/// The values of many steps are cells of the table's columns, which exist anyway.
struct InsertedRun: Sendable {
  /// The name of the steps in the history.
  var name: String
  /// The token of the first step; the others are consecutive.
  var firstToken: Int
  fileprivate var batch: ObjectBatch

  init(name: String, firstToken: Int, batch: ObjectBatch) {
    (self.name, self.firstToken, self.batch) = (name, firstToken, batch)
  }

  /// Creates a run of one step; returns nil if it did not insert exactly one object.
  init?(_ name: String, _ token: Int, _ change: GraphChange) {
    guard case .objects(let change) = change, change.updated.isEmpty, change.deleted.isEmpty,
      change.inserted.count == 1, change.inserted[0].numbers.count == 1
    else { return nil }
    self.init(name: name, firstToken: token, batch: change.inserted[0])
  }

  var count: Int { batch.numbers.count }
}

extension InsertedRun {
  /// Returns one of the steps.
  func group(_ place: Int) -> UndoGroup {
    UndoGroup(
      name: name, changes: [.objects(change(place..<place + 1))], token: firstToken + place)
  }

  /// Returns the combined change of some steps.
  func change(_ places: Range<Int>) -> ChangeSet { ChangeSet(inserted: [part(places)]) }

  /// Returns some of the steps, if their values are listed; nil if they are cells of the table.
  func listed(_ places: Range<Int>) -> InsertedRun? {
    guard batch.columns.allSatisfy({ $0.new.cells == nil }) else { return nil }
    return InsertedRun(
      name: name, firstToken: firstToken + places.lowerBound, batch: part(places))
  }

  private func part(_ places: Range<Int>) -> ObjectBatch {
    if places == 0..<count { return batch }
    return ObjectBatch(
      entity: batch.entity, numbers: Array(batch.numbers[places]),
      columns: batch.columns.map { column in
        ChangeColumn(key: column.key, new: ChangeValues(places.map { column.new[$0] }))
      })
  }

  /// The number of steps that are examined at once.
  static let most = ColumnChunk.capacity
  /// The minimum number of objects in a chunk for which a run is created.
  private static let fewest = 1024
  /// The size up to which a dictionary is shared; a larger one would be copied for each run.
  fileprivate static let mostTexts = 4096

  /// Returns the longest suffix of steps that inserted objects into consecutive rows of one table, as far as the chunks
  /// of these rows are full. The result is their places, from the end, and the run.
  ///
  /// `steps` returns the insertions at a place from the end; nil if there are none.
  static func found(
    in graph: Graph, steps: (Int) -> InsertedRun?
  ) -> (fromEnd: Range<Int>, run: InsertedRun)? {
    guard let last = steps(0), let place = graph.place(of: last.batch.entity) else { return nil }
    let table = graph.tables[place.table]
    let full = (table.count >> ColumnChunk.shift) << ColumnChunk.shift
    guard let columns = table.columns(of: last.batch, place.code) else { return nil }
    var (end, next, first, taken) = (table.count, 0, last, 0..<0)
    var numbers: [[Int64]] = []
    while let some = steps(next), some.name == last.name, some.batch.hasKeys(of: last.batch),
      next == 0 || some.firstToken + some.count == first.firstToken,
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
    return (taken, InsertedRun(name: first.name, firstToken: first.firstToken, batch: batch))
  }
}

extension Table {
  /// Returns the columns of a batch's keys; nil if a key is not an attribute.
  fileprivate func columns(of batch: ObjectBatch, _ code: Int) -> [Int]? {
    let columns = batch.columns.compactMap { layout.slots[code][$0.key]?.attributeColumn }
    return columns.count == batch.columns.count ? columns : nil
  }

  /// Returns whether the rows before an end belong to a batch's objects, with the same values in some columns.
  fileprivate func holds(
    _ batch: ObjectBatch, endingAt end: Int, _ code: Int, _ columns: [Int]
  ) -> Bool {
    let first = end - batch.numbers.count
    guard first >= 0 else { return false }
    return batch.numbers.enumerated().allSatisfy {
      row(of: $1) == first + $0 && entityCode(first + $0) == code
    }
      && columns.indices.allSatisfy { i in
        self.columns[columns[i]].holds(batch.columns[i].new, from: first)
      }
  }

  /// Returns objects in consecutive rows with the keys of `one`; nil if their cells would cost too much.
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
        ChangeColumn(key: values.key, new: ChangeValues(columns[column], rows)))
    }
    return batch
  }
}

extension Column {
  /// Returns whether an attribute has these values in consecutive rows.
  fileprivate func holds(_ values: ChangeValues, from row: Int) -> Bool {
    values.indices.allSatisfy { holds(values[$0], row + $0) }
  }

  /// Returns whether an attribute has this value in a row; compares texts without copying them.
  fileprivate func holds(_ value: StoredCell, _ row: Int) -> Bool {
    guard case .text(var text) = value else { return cell(row) == value }
    var isSame = false
    _ = withText(row) { bytes in
      isSame = text.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
    }
    return isSame
  }
}
