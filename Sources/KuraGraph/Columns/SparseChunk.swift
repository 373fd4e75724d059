/// A chunk that stores only the few rows that have a value.
///
/// Access to all values expands them each time; access to a null row does not.
final class SparseChunk: Sendable {
  /// The number of rows.
  let count: Int
  /// The rows that have a value, ascending.
  let rows: [UInt16]
  /// Their values, consecutively.
  let packed: ColumnChunk

  init(count: Int, rows: [UInt16], packed: ColumnChunk) {
    (self.count, self.rows, self.packed) = (count, rows, packed)
  }

  /// The chunk with another null row.
  var longer: SparseChunk { SparseChunk(count: count + 1, rows: rows, packed: packed) }

  /// Returns the index of a row's value among the packed ones; nil if the row is null.
  func place(of row: Int) -> Int? {
    let next = rows.indices.partitioningIndex { Int(rows[$0]) >= row }
    guard next < rows.count, Int(rows[next]) == row, !packed.isNull(next) else { return nil }
    return next
  }
}

extension ColumnChunk {
  /// Returns the chunk in sparse form, if at most `limit` rows have a value. With `total`, it has
  /// that many rows; the additional ones are null.
  ///
  /// It does not apply to lists, in which a null row costs only a number.
  package func sparsified(ifAtMost limit: Int, among total: Int? = nil) -> ColumnChunk {
    let (nulls, total) = (nulls, total ?? count)
    let valueCount = count - (nulls?.popcount ?? 0)
    guard valueCount <= limit, valueCount < total else { return self }
    let rows = (0..<count).filter { nulls?[$0] != true }
    guard let packed = values.gathered(rows) else { return self }
    return ColumnChunk(
      count: total, rows: rows.map { UInt16(truncatingIfNeeded: $0) },
      packed: ColumnChunk(packed))
  }
}

extension ColumnChunk.Values {
  fileprivate func gathered(_ rows: [Int]) -> ColumnChunk.Values? {
    switch self {
    case .integers(let values): .integers(rows.map { values[$0] })
    case .doubles(let values): .doubles(rows.map { values[$0] })
    case .bytes(let values): .bytes(rows.map { values[$0] })
    case .codes(let values): .codes(rows.map { values[$0] })
    case .text(let text): .text(text.gathered(rows))
    case .links(let links): .links(rows.map { links[$0] })
    case .linkLists: nil
    }
  }
}

extension TextChunk {
  fileprivate func gathered(_ rows: [Int]) -> TextChunk {
    var gathered = TextChunk()
    for row in rows {
      gathered.append(patch[row]?[...] ?? bytes[packedRange(row)], isOdd: isOdd(row))
    }
    return gathered
  }
}

extension SparseChunk {
  var values: ColumnChunk.Values {
    switch packed.values {
    case .integers(let values): .integers(spread(values, 0))
    case .doubles(let values): .doubles(spread(values, 0))
    case .bytes(let values): .bytes(spread(values, 0))
    case .codes(let values): .codes(spread(values, 0))
    case .text(let text): .text(spread(text))
    case .links(let links): .links(spread(links, noRow))
    case .linkLists: packed.values
    }
  }

  var nulls: Bitmap {
    var nulls = Bitmap(count: count, filledWith: true)
    for (place, row) in rows.enumerated() where !packed.isNull(place) { nulls[Int(row)] = false }
    return nulls
  }

  private func spread<Element>(_ values: [Element], _ nothing: Element) -> [Element] {
    var spread = [Element](repeating: nothing, count: count)
    for (place, row) in rows.enumerated() { spread[Int(row)] = values[place] }
    return spread
  }

  private func spread(_ text: TextChunk) -> TextChunk {
    var spread = TextChunk()
    var place = 0
    for row in 0..<count {
      let hasText = place < rows.count && Int(rows[place]) == row
      spread.append(
        hasText ? text.bytes[text.packedRange(place)] : [], isOdd: hasText && text.isOdd(place))
      if hasText { place += 1 }
    }
    return spread
  }
}
