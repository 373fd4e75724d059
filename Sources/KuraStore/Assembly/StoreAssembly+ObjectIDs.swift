import KuraGraph
import KuraModel

extension StoreAssembly {
  /// The objectIDs of all parts' rows; left out ones are given above the highest.
  mutating func objectIDs(_ parts: [Int], next: Int64) -> [Int64] {
    var numbers: [Int64] = []
    var missing: [Int] = []
    for part in parts {
      for chunk in builders[part].columns[0].sealed {
        guard case .integers(let values) = chunk.values else { continue }
        if let nulls = chunk.nulls { nulls.forEachSet { missing.append(numbers.count + $0) } }
        numbers += values
      }
    }
    checkDistinct(numbers, parts, missing)
    var free = max(next, (numbers.max() ?? 0) &+ 1)
    for row in missing {
      numbers[row] = free
      free &+= 1
    }
    return numbers
  }

  private mutating func checkDistinct(_ numbers: [Int64], _ parts: [Int], _ missing: [Int]) {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return }
    let skipped = Set(missing)
    var seen: Set<Int64> = []
    for (row, number) in numbers.enumerated() where !skipped.contains(row) {
      guard !seen.insert(number).inserted else { continue }
      let place = place(of: row, in: parts)
      note(
        RowProblem(
          kind: .duplicateObjectID(number), entity: builders[place.part].name, row: place.row,
          objectID: number))
    }
  }

  /// The part and the row in it of a row of the tree.
  func place(of row: Int, in parts: [Int]) -> (part: Int, row: Int) {
    var row = row
    for part in parts {
      if row < builders[part].rowCount { return (part, row) }
      row -= builders[part].rowCount
    }
    return (parts.last ?? 0, row)
  }

  /// Notes the objects that have no value for a mandatory attribute.
  mutating func checkMandatory(_ parts: [Int]) {
    for part in parts {
      for attribute in model.allAttributes(of: builders[part].name)
      where !attribute.isOptional && attribute.derivation == nil && !attribute.isTransient {
        guard let column = builders[part].column(attribute.name) else { continue }
        checkMandatory(part, column, attribute.name)
      }
    }
  }

  private mutating func checkMandatory(_ part: Int, _ column: Int, _ key: String) {
    // A value of another type has been noted already, and left a null.
    guard builders[part].problemCount == 0 else { return }
    for (number, chunk) in builders[part].columns[column].sealed.enumerated() {
      guard let nulls = chunk.nulls else { continue }
      nulls.forEachSet { row in
        let row = number << ColumnChunk.shift + row
        note(
          RowProblem(
            kind: .missing, entity: builders[part].name, row: row, objectID: objectID(part, row),
            key: key))
      }
    }
  }

  /// The objectID that the document gives a row, or nil.
  func objectID(_ part: Int, _ row: Int) -> Int64? {
    let chunks = builders[part].columns[0].sealed
    let chunk = row >> ColumnChunk.shift
    guard chunk < chunks.count, case .integers(let values) = chunks[chunk].keptOnly,
      let place = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return nil }
    return values[place]
  }
}
