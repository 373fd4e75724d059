import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension FilterCompiler {
  /// Returns a kernel of the rows that an index of the model finds for a key; nil if there are many.
  func declaredIndexKernel(
    _ question: LeafComparison, _ compared: ComparedColumn, _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    guard graph.model.hasIndexes, !isOfCodes,
      let ranges = question.ranges(of: compared.type, compared.table.columns[compared.column])
    else { return nil }
    for index in graph.indexes(of: scope.entity, scope.place, environment)
    where index.keys[0].column == compared.column {
      guard let sorted = index.fewChanged, let rows = rows(ranges, compared, index, sorted) else {
        continue
      }
      return RowsKernel(
        ranges: SortedRanges(rows: rows), isNegated: false,
        method: localized("index of \(index.index.order)"))
    }
    return nil
  }

  /// Returns the rows of the ranges; nil if there are so many that a scan is as fast.
  private func rows(
    _ ranges: [KeyRange], _ compared: ComparedColumn, _ index: DeclaredIndex, _ sorted: SortedIndex
  ) -> [Int]? {
    let most = max(64, compared.table.count / 512)
    let values = OrderedColumn(column: compared.table.columns[compared.column])
    let isAscending = index.keys[0].isAscending
    var found: [Int] = []
    for range in ranges {
      let places = sorted.places(of: range, values, isAscending)
      guard found.count + places.count <= most else { return nil }
      found += sorted.rows[places].lazy.filter { !sorted.changed.contains($0) }.map { Int($0) }
      found += sorted.changed.lazy.map { Int($0) }.filter { values.place($0, in: range) == .same }
    }
    return found
  }
}

extension SortedIndex {
  /// Returns the places of the rows with a first value in a range.
  fileprivate func places(
    of range: KeyRange, _ values: OrderedColumn, _ isAscending: Bool
  ) -> Range<Int> {
    func place(_ row: Int) -> ValueOrder {
      let place = values.place(row, in: range)
      return isAscending ? place : place.reversed
    }
    let start = firstPlace { place($0) != .before }
    return start..<max(start, firstPlace { place($0) == .after })
  }
}
