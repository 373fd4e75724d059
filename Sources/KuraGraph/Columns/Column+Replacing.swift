import KuraBytes

/// A column with other values in some rows.
struct ReplacedColumn {
  var column: Column
  /// The rows, of those that were to have other values, in which they are others than before.
  var changed: [UInt32]
}

extension Column {
  /// The column with the values that another of the same kind has in some rows, which ascend and are in
  /// some chunks; nil where they must be put one by one.
  ///
  /// A chunk is made anew in one pass; all cores share many chunks.
  func replacing(_ rows: [UInt32], in chunks: [Int], with new: Column) -> ReplacedColumn? {
    guard new.kind == kind, let last = chunks.last, last < new.chunks.count else { return nil }
    let parts = ChunkRowRanges(rows, in: chunks)
    if dictionary != nil { return recoded(parts, with: new) }
    let texts = new.dictionary?.texts.packed
    let made = Workers.map(count: chunks.count, inParallel: rows.count > 1 << 15) { i in
      self.chunks[chunks[i]].replacing(parts[i], with: new.chunks[chunks[i]], texts)
    }
    return replaced(made, parts)
  }

  /// The same with codes in the place of texts.
  private func recoded(_ parts: ChunkRowRanges, with new: Column) -> ReplacedColumn? {
    var encoder = CodeEncoder(self, new)
    let made = parts.chunks.indices.map { i in
      chunks[parts.chunks[i]].recoding(parts[i], with: new.chunks[parts.chunks[i]], &encoder)
    }
    guard var result = replaced(made, parts), !encoder.isFull else { return nil }
    result.column.dictionary = encoder.dictionary
    return result.column.dictionaryIsWorn ? nil : result
  }

  private func replaced(_ made: [ReplacedChunk?], _ parts: ChunkRowRanges) -> ReplacedColumn? {
    var result = ReplacedColumn(column: self, changed: [])
    for (chunk, made) in zip(parts.chunks, made) {
      guard let made else { return nil }
      result.column.chunks[chunk] = made.chunk
      result.changed += made.changed
    }
    return result
  }
}

/// A chunk with other values in some rows, and the rows of the table in which they are others.
struct ReplacedChunk: Sendable {
  var chunk: ColumnChunk
  var changed: [UInt32]
}

/// Rows by the chunks in which they are.
struct ChunkRowRanges: Sendable {
  let chunks: [Int]
  private let rows: [UInt32]
  private var starts: [Int] = []

  init(_ rows: [UInt32], in chunks: [Int]) {
    (self.rows, self.chunks) = (rows, chunks)
    var chunk = -1
    for (place, row) in rows.enumerated() where Int(row) >> ColumnChunk.shift != chunk {
      chunk = Int(row) >> ColumnChunk.shift
      starts.append(place)
    }
    starts.append(rows.count)
  }

  /// The rows of the chunk at a place among the chunks.
  subscript(place: Int) -> ArraySlice<UInt32> { rows[starts[place]..<starts[place + 1]] }
}

extension ColumnChunk {
  /// The chunk with the values that another has in some rows; codes of the other mean texts.
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
}

extension ColumnChunk {
  /// Its texts, which are those of its codes where it has codes; nil of numbers.
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

/// Puts numbers in the place of others.
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

  /// The numbers with others in the rows; `nothing` stands where there is none.
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
      if was != isNull { setNull(i, isNull, values.count) }
    }
    return values
  }

  private mutating func setNull(_ row: Int, _ isNull: Bool, _ count: Int) {
    if nulls == nil { nulls = Bitmap(count: count) }
    nulls?[row] = isNull
  }
}
