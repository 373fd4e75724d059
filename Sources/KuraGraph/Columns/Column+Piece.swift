import KuraBytes
import KuraModel
package import KuraValues

extension Column {
  /// Returns the cells of rows, in order; nil for a type without such a representation.
  ///
  /// Rows that alternate between chunks are read chunk by chunk, because accessing a chunk costs
  /// more than reading a cell.
  package func piece(_ rows: ArraySlice<UInt32>) -> CellPiece? {
    guard rows.areScattered else { return pieceInOrder(rows) }
    let order = rows.placesByChunk
    return pieceInOrder(order.map { rows[rows.startIndex + $0] }[...])?.spread(to: order)
  }

  /// Returns the values of rows, in order; many rows are read on all cores.
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

  /// Returns what a closure reads from rows, chunk by chunk, in order.
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

  /// Calls the body with each chunk and its run of consecutive rows.
  func eachChunk(
    of rows: ArraySlice<UInt32>, _ body: (ColumnChunk, ArraySlice<UInt32>) -> Void
  ) {
    rows.eachChunk(of: { Int($0) }) { body(chunks[$0], $1) }
  }
}

extension ArraySlice<UInt32> {
  /// Whether most successive rows are in different chunks.
  fileprivate var areScattered: Bool {
    guard count > 16 else { return false }
    let steps = zip(self, dropFirst()).count {
      $0 >> UInt32(ColumnChunk.shift) != $1 >> UInt32(ColumnChunk.shift)
    }
    return steps > count / 8
  }

  /// The indexes of the rows, grouped by chunk.
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

/// A column with changed values in some rows.
struct ReplacedColumn {
  var column: Column
  /// The rows with values that actually differ.
  var changed: [UInt32]
}

extension Column {
  /// Returns the column with the values of another column of the same kind in ascending rows of
  /// some chunks; nil if they must be set individually.
  ///
  /// Each chunk is rebuilt in one pass; all cores share many chunks.
  func replacing(_ rows: [UInt32], in chunks: [Int], with new: Column) -> ReplacedColumn? {
    guard new.kind == kind, let last = chunks.last, last < new.chunks.count else { return nil }
    let parts = ChunkRowRanges(rows, in: chunks)
    if dictionary != nil { return recoded(parts, with: new) }
    let texts = new.dictionary?.texts.packed
    let replacements = Workers.map(count: chunks.count, inParallel: rows.count > 1 << 15) { i in
      self.chunks[chunks[i]].replacing(parts[i], with: new.chunks[chunks[i]], texts)
    }
    return replaced(replacements, parts)
  }

  /// Replaces values of a column with dictionary codes.
  private func recoded(_ parts: ChunkRowRanges, with new: Column) -> ReplacedColumn? {
    var encoder = CodeEncoder(self, new)
    let replacements = parts.chunks.indices.map { i in
      chunks[parts.chunks[i]].recoding(parts[i], with: new.chunks[parts.chunks[i]], &encoder)
    }
    guard var result = replaced(replacements, parts), !encoder.isFull else { return nil }
    result.column.dictionary = encoder.dictionary
    return result.column.dictionaryNeedsRebuild ? nil : result
  }

  private func replaced(_ replacements: [ReplacedChunk?], _ parts: ChunkRowRanges)
    -> ReplacedColumn?
  {
    var result = ReplacedColumn(column: self, changed: [])
    for (chunk, replacement) in zip(parts.chunks, replacements) {
      guard let replacement else { return nil }
      result.column.chunks[chunk] = replacement.chunk
      result.changed += replacement.changed
    }
    return result
  }
}

/// A chunk with changed values, and the rows of the table with values that actually differ.
struct ReplacedChunk: Sendable {
  var chunk: ColumnChunk
  var changed: [UInt32]
}

/// Ascending rows, grouped by chunk.
struct ChunkRowRanges: Sendable {
  let chunks: [Int]
  private let rows: [UInt32]
  private var starts: [Int] = []

  init(_ rows: [UInt32], in chunks: [Int]) {
    (self.rows, self.chunks) = (rows, chunks)
    rows.eachChunk(of: { Int($0) }) { starts.append($1.startIndex) }
    starts.append(rows.count)
  }

  /// The rows of a chunk, by its index among the chunks.
  subscript(place: Int) -> ArraySlice<UInt32> { rows[starts[place]..<starts[place + 1]] }
}

extension ColumnChunk {
  /// Returns the chunk with the values of another chunk in some rows; codes of the other stand for texts.
  fileprivate func replacing(
    _ rows: ArraySlice<UInt32>, with new: ColumnChunk, _ texts: TextChunk?
  ) -> ReplacedChunk? {
    var changing = NumberReplacing(rows, nulls, new.nulls)
    switch (values, new.values) {
    case (.integers(let old), .integers(let new)):
      let values = changing.put(new, into: old, 0, ==)
      return changing.chunk(.integers(values))
    case (.doubles(let old), .doubles(let new)):
      let values = changing.put(new, into: old, 0) { $0.bitPattern == $1.bitPattern }
      return changing.chunk(.doubles(values))
    case (.bytes(let old), .bytes(let new)):
      let values = changing.put(new, into: old, 0, ==)
      return changing.chunk(.bytes(values))
    case (.text(let old), _):
      return new.texts(texts).map { old.replacing(rows, nulls, with: $0) }
    default: return nil
    }
  }

  /// Returns its texts, decoded if it has codes; nil for numbers.
  fileprivate func texts(_ dictionary: TextChunk?) -> NewTexts? {
    switch values {
    case .text(let texts): NewTexts(texts: texts.packed, codes: nil, nulls: nulls)
    case .bytes(let codes):
      dictionary.map { NewTexts(texts: $0, codes: codes.map { UInt16($0) }, nulls: nulls) }
    case .codes(let codes): dictionary.map { NewTexts(texts: $0, codes: codes, nulls: nulls) }
    case .integers, .doubles, .links, .linkLists: nil
    }
  }
}

/// Replaces numbers in some rows.
struct NumberReplacing {
  let rows: ArraySlice<UInt32>
  private(set) var nulls: Bitmap?
  let newNulls: Bitmap?
  private(set) var changed: [UInt32] = []

  init(_ rows: ArraySlice<UInt32>, _ nulls: Bitmap?, _ newNulls: Bitmap?) {
    (self.rows, self.nulls, self.newNulls) = (rows, nulls, newNulls)
  }

  func chunk(_ values: ColumnChunk.Values) -> ReplacedChunk {
    ReplacedChunk(chunk: ColumnChunk(values, nulls: nulls), changed: changed)
  }

  /// Returns the numbers with replaced ones in the rows; `nothing` is the placeholder for null.
  @inline(__always)
  mutating func put<Number: BitwiseCopyable>(
    _ new: [Number], into old: [Number], _ nothing: Number, _ isSame: (Number, Number) -> Bool
  ) -> [Number] {
    if nulls != nil || newNulls != nil { return putSlowly(new, into: old, nothing, isSame) }
    var values = old
    changed = [UInt32](unsafeUninitializedCapacity: rows.count) { changed, filled in
      new.withUnsafeBufferPointer { new in
        values.withUnsafeMutableBufferPointer { values in
          rows.withUnsafeBufferPointer { rows in
            for row in rows {
              let i = Int(row) & ColumnChunk.mask
              changed[filled] = row
              filled += isSame(values[i], new[i]) ? 0 : 1
              values[i] = new[i]
            }
          }
        }
      }
    }
    return values
  }

  private mutating func putSlowly<Number>(
    _ new: [Number], into old: [Number], _ nothing: Number, _ isSame: (Number, Number) -> Bool
  ) -> [Number] {
    var values = old
    for row in rows {
      let i = Int(row) & ColumnChunk.mask
      let (was, isNull) = (nulls?[i] ?? false, newNulls?[i] ?? false)
      if was == isNull, isNull || isSame(values[i], new[i]) { continue }
      changed.append(row)
      values[i] = isNull ? nothing : new[i]
      if isNull, nulls == nil { nulls = Bitmap(count: values.count) }
      nulls?[i] = isNull
    }
    return values
  }
}
