package import KuraGraph

// Rows of a complete table: a bitmap for each of its chunks.
extension [Bitmap] {
  package var popcount: Int { reduce(0) { $0 + $1.popcount } }

  package var isVoid: Bool { allSatisfy(\.isEmpty) }

  /// Returns the rows in both.
  package func intersection(_ other: [Bitmap]) -> [Bitmap] {
    combined(other) { $0.formIntersection($1) }
  }

  /// Returns the rows in either.
  package func union(_ other: [Bitmap]) -> [Bitmap] { combined(other) { $0.formUnion($1) } }

  /// Returns the rows that are not in the other.
  package func subtracting(_ other: [Bitmap]) -> [Bitmap] { combined(other) { $0.subtract($1) } }

  private func combined(_ other: [Bitmap], _ body: (inout Bitmap, Bitmap) -> Void) -> [Bitmap] {
    zip(self, other).map { mine, theirs in
      var result = mine
      body(&result, theirs)
      return result
    }
  }

  /// Whether it contains a row.
  package subscript(row row: Int) -> Bool {
    get { self[row >> ColumnChunk.shift][row & ColumnChunk.mask] }
    set { self[row >> ColumnChunk.shift][row & ColumnChunk.mask] = newValue }
  }

  /// Returns the numbers of the first rows, ascending.
  package func firstRows(_ count: Int = .max) -> [Int] {
    var rows: [Int] = []
    for (chunk, bits) in enumerated() where !bits.isEmpty {
      bits.forEachSet { if rows.count < count { rows.append(chunk << ColumnChunk.shift + $0) } }
      if rows.count >= count { break }
    }
    return rows
  }
}
