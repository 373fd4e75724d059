import KuraBytes
import KuraModel
package import KuraValues

extension Column {
  /// The cells of some rows, in their order; nil of a type that has no piece of its own.
  ///
  /// Rows that go from chunk to chunk are taken chunk by chunk: to open one is more than to read a cell.
  package func piece(_ rows: ArraySlice<UInt32>) -> CellPiece? {
    guard rows.areScattered else { return pieceInOrder(rows) }
    let order = rows.placesByChunk
    return pieceInOrder(order.map { rows[rows.startIndex + $0] }[...])?.spread(to: order)
  }

  /// The values of some rows, in their order; many are read on all cores.
  package func values(_ rows: [UInt32]) -> [Value] {
    let size = ColumnChunk.capacity
    let count = (rows.count + size - 1) / size
    if count < 2 { return values(rows[...]) }
    let pieces = Workers.map(count: count, inParallel: true) { number in
      values(rows[number * size..<min((number + 1) * size, rows.count)])
    }
    return Array(pieces.joined())
  }

  private func values(_ rows: ArraySlice<UInt32>) -> [Value] {
    piece(rows)?.values ?? rows.map { value(Int($0)) }
  }

  private func pieceInOrder(_ rows: ArraySlice<UInt32>) -> CellPiece? {
    guard case .attribute(let type) = kind else { return nil }
    var gathered = GatheredCells(rows.count)
    switch type {
    case .integer, .integer16, .integer32:
      eachChunk(of: rows) { gathered.addIntegers($0, $1) }
      return CellPiece(.integers(gathered.integers), nulls: gathered.nulls)
    case .date:
      eachChunk(of: rows) { gathered.addIntegers($0, $1) }
      return CellPiece(.dates(gathered.integers), nulls: gathered.nulls)
    case .double, .float:
      eachChunk(of: rows) { gathered.addDoubles($0, $1) }
      return CellPiece(.doubles(gathered.doubles), nulls: gathered.nulls)
    case .boolean:
      eachChunk(of: rows) { gathered.addIntegers($0, $1) }
      return CellPiece(.booleans(gathered.integers.map { $0 == 1 }), nulls: gathered.nulls)
    case .string:
      eachChunk(of: rows) { gathered.addTexts($0, $1, dictionary) }
      return CellPiece(.texts(gathered.bytes, ends: gathered.ends), nulls: gathered.nulls)
    case .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  /// What is read of some rows, chunk by chunk, in their order.
  func cells<Cell>(
    _ rows: ArraySlice<UInt32>, empty: Cell,
    _ read: (ColumnChunk, ArraySlice<UInt32>) -> [Cell]
  ) -> [Cell] {
    var result: [Cell] = []
    guard rows.areScattered else {
      eachChunk(of: rows) { result += read($0, $1) }
      return result
    }
    result = Array(repeating: empty, count: rows.count)
    var places = rows.placesByChunk[...]
    eachChunk(of: places.map { rows[rows.startIndex + $0] }[...]) {
      for (cell, place) in zip(read($0, $1), places) { result[place] = cell }
      places = places.dropFirst($1.count)
    }
    return result
  }

  /// Calls the body with each chunk and those of the rows, one behind the other, that are in it.
  func eachChunk(
    of rows: ArraySlice<UInt32>, _ body: (ColumnChunk, ArraySlice<UInt32>) -> Void
  ) {
    var first = rows.startIndex
    while first < rows.endIndex {
      let number = Int(rows[first]) >> ColumnChunk.shift
      var end = first + 1
      while end < rows.endIndex, Int(rows[end]) >> ColumnChunk.shift == number { end += 1 }
      body(chunks[number], rows[first..<end])
      first = end
    }
  }
}

extension ArraySlice<UInt32> {
  /// Whether a row and the next are mostly in chunks that are not the same.
  fileprivate var areScattered: Bool {
    guard count > 16 else { return false }
    let steps = zip(self, dropFirst()).count {
      $0 >> UInt32(ColumnChunk.shift) != $1 >> UInt32(ColumnChunk.shift)
    }
    return steps > count / 8
  }

  /// The places of the rows, from 0, those of one chunk one behind the other.
  fileprivate var placesByChunk: [Int] {
    let numbers = map { Int($0) >> ColumnChunk.shift }
    var starts = [Int](repeating: 0, count: (numbers.max() ?? 0) + 2)
    for number in numbers { starts[number + 1] += 1 }
    for number in starts.indices.dropFirst() { starts[number] += starts[number - 1] }
    var places = [Int](repeating: 0, count: count)
    for (place, number) in numbers.enumerated() {
      places[starts[number]] = place
      starts[number] += 1
    }
    return places
  }
}
