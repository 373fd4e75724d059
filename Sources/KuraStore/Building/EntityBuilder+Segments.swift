extension EntityBuilder {
  /// Builders of more columns are not made anew for each part of a file.
  var canBeShared: Bool { columnCount > 0 && columnCount <= 256 && rare == nil }

  /// An empty builder for rows further on: of the same columns, which have the same shapes.
  func sibling() -> EntityBuilder {
    var sibling = EntityBuilder(name: name, isInferred: isInferred, dates: dates)
    for i in 0..<columnCount {
      let column = sibling.addColumn(keys[i].name, columns[i].expectation)
      sibling.columns[column].shape = columns[i].shape
      sibling.columns[column].missing = columns[i].missing
    }
    return sibling
  }

  /// Forgets all rows and what was wrong with them.
  mutating func clear() {
    for i in 0..<columnCount { columns[i].clear() }
    rowsInChunk = 0
    rare?.free()
    rare = nil
    problems = []
    problemCount = 0
  }

  /// Fills the rows' missing values up to the last row.
  func catchUp() {
    for i in 0..<columnCount { columns[i].catchUp(to: rowsInChunk) }
  }

  /// Takes in the rows of another builder behind its own.
  ///
  /// False, with nothing changed, unless that gives what reading them here would have given.
  mutating func take(_ other: EntityBuilder) -> Bool {
    guard other.columnCount == columnCount, other.rowsSealed == 0, other.problemCount == 0,
      rare == nil, other.rare == nil,
      (0..<columnCount).allSatisfy({ columns[$0].canTake(other.columns[$0]) })
    else { return false }
    catchUp()
    var codes = (0..<columnCount).map { other.columns[$0].unknownCodes }
    var row = 0
    while row < other.rowsInChunk {
      let count = min(other.rowsInChunk - row, ColumnBuilder.capacity - rowsInChunk)
      makeRoom(for: min(rowsInChunk + count + 1, ColumnBuilder.capacity))
      for i in 0..<columnCount {
        columns[i].take(row..<row + count, of: other.columns[i], &codes[i])
      }
      row += count
      rowsInChunk += count
      if rowsInChunk == ColumnBuilder.capacity { seal() }
    }
    return true
  }
}
