import KuraGraph
import KuraModel
import KuraValues

/// The order of a table's rows by some of its columns, as in a sort; then by row number.
struct RowOrder: Sendable {
  private let parts: [(values: OrderedColumn, isAscending: Bool)]

  init(_ table: Table, _ keys: [SortedIndex.Key]) {
    parts = keys.map { (OrderedColumn(column: table.columns[$0.column]), $0.isAscending) }
  }
}

extension RowOrder {
  /// Returns whether a row precedes another.
  func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    switch order(a, b) {
    case .before: true
    case .after: false
    case .same: a < b
    }
  }

  /// Returns the order of the values of two rows.
  func order(_ a: UInt32, _ b: UInt32) -> ValueOrder {
    for part in parts {
      let order = part.values.order(Int(a), Int(b))
      if order != .same { return part.isAscending ? order : order.reversed }
    }
    return .same
  }
}

/// A column's values, with nil before all others.
struct OrderedColumn: Sendable {
  let column: Column

  func order(_ a: Int, _ b: Int) -> ValueOrder {
    switch (column.isNull(a), column.isNull(b)) {
    case (true, true): .same
    case (true, false): .before
    case (false, true): .after
    case (false, false):
      column.kind == .attribute(.string)
        ? withText(a) { x in withText(b) { Bytes.compare(x, $0) } } : ValueOrder(word(a), word(b))
    }
  }
}

extension OrderedColumn {
  /// Returns whether a row's value is before, in or after a range; nil is before all.
  func place(_ row: Int, in range: KeyRange) -> ValueOrder {
    if column.isNull(row) { return .before }
    switch range {
    case .numbers(let words):
      let word = word(row)
      return word < words.lowerBound ? .before : word > words.upperBound ? .after : .same
    case .texts(let texts): return withText(row) { texts.place(of: $0) }
    }
  }

  /// Returns a number as a word with its order.
  private func word(_ row: Int) -> UInt64 {
    column.chunks[row >> ColumnChunk.shift].orderedWord(row & ColumnChunk.mask) ?? 0
  }

  private func withText<Result>(
    _ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var result: Result?
    _ = column.withText(row) { result = body($0.assumingMemoryBound(to: UInt8.self)) }
    return result ?? body(UnsafeBufferPointer(start: nil, count: 0))
  }
}
