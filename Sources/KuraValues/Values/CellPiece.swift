/// Cells of a column for consecutive rows, ready to be written. Numbers and texts are not converted
/// to values.
package struct CellPiece: Sendable {
  package var cells: Cells
  /// For each row, whether it is null; empty if no row is.
  package var nulls: [Bool] = []

  package enum Cells: Sendable {
    case integers([Int64])
    case doubles([Double])
    case booleans([Bool])
    /// Microseconds since 1970.
    case dates([Int64])
    /// UTF-8, and the end offset of each row in it.
    case texts([UInt8], ends: [Int])
    case values([Value])
  }

  package init(_ cells: Cells, nulls: [Bool] = []) { (self.cells, self.nulls) = (cells, nulls) }
}

extension CellPiece {
  /// Returns the cells in another order: each at its given index.
  package func spread(to places: [Int]) -> CellPiece {
    let cells: Cells =
      switch cells {
      case .integers(let values): .integers(values.spread(to: places))
      case .doubles(let values): .doubles(values.spread(to: places))
      case .booleans(let values): .booleans(values.spread(to: places))
      case .dates(let values): .dates(values.spread(to: places))
      case .texts(let bytes, let ends): CellPiece.spread(bytes, ends, to: places)
      case .values(let values): .values(values.spread(to: places))
      }
    return CellPiece(cells, nulls: nulls.isEmpty ? [] : nulls.spread(to: places))
  }

  private static func spread(_ bytes: [UInt8], _ ends: [Int], to places: [Int]) -> Cells {
    var sources = [Int](repeating: 0, count: places.count)
    for (source, place) in places.enumerated() { sources[place] = source }
    var (result, newEnds): ([UInt8], [Int]) = ([], [])
    result.reserveCapacity(bytes.count)
    newEnds.reserveCapacity(ends.count)
    for source in sources {
      result += bytes[(source == 0 ? 0 : ends[source - 1])..<ends[source]]
      newEnds.append(result.count)
    }
    return .texts(result, ends: newEnds)
  }

  /// The cells as values.
  package var values: [Value] {
    var values: [Value] =
      switch cells {
      case .integers(let numbers): numbers.map { .integer($0) }
      case .doubles(let numbers): numbers.map { .double($0) }
      case .booleans(let flags): flags.map { .boolean($0) }
      case .dates(let dates): dates.map { .date(Timestamp(microseconds: $0)) }
      case .texts(let bytes, let ends): CellPiece.strings(bytes, ends)
      case .values(let values): values
      }
    for row in nulls.indices where nulls[row] { values[row] = .null }
    return values
  }

  private static func strings(_ bytes: [UInt8], _ ends: [Int]) -> [Value] {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      return ends.map { end in
        defer { start = end }
        return .string(
          String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self))
      }
    }
  }
}

extension Array {
  /// Returns the elements, each at its given index.
  fileprivate func spread(to places: [Int]) -> [Element] {
    var result = self
    for (source, place) in places.enumerated() { result[place] = self[source] }
    return result
  }
}
