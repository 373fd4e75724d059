/// A chunk of which few rows have a value: those alone are kept.
///
/// Whoever asks for all values gets them made anew; whoever asks for a row that has none, does not.
final class SparseChunk: Sendable {
  /// How many rows it stands for.
  let count: Int
  /// The rows that have a value, ascending.
  let rows: [UInt16]
  /// Their values, one behind the other.
  let packed: ColumnChunk

  init(count: Int, rows: [UInt16], packed: ColumnChunk) {
    (self.count, self.rows, self.packed) = (count, rows, packed)
  }

  /// The same with another row that has no value.
  var longer: SparseChunk { SparseChunk(count: count + 1, rows: rows, packed: packed) }

  func isNull(_ row: Int) -> Bool {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(rows[middle]) < row { low = middle + 1 } else { high = middle }
    }
    return low == rows.count || Int(rows[low]) != row || packed.isNull(low)
  }
}

extension SparseChunk {
  /// The values of all rows.
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
