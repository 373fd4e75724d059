import KuraGraph

/// The objectIDs of a table's rows.
struct TableNumbers {
  var identifiers: IdentifierColumn
  /// The order of rows by ascending objectID; nil if they ascend already.
  var order: [Int]?
  /// The number of the next object.
  var next: Int64
}

extension StoreAssembly {
  mutating func tableNumbers(_ parts: [Int], next: Int64) -> TableNumbers {
    if let run = consecutiveNumbers(parts) {
      letGoOfNumbers(parts)
      return TableNumbers(
        identifiers: .dense(first: run.first, count: run.count), order: nil,
        next: max(next, run.first &+ Int64(run.count)))
    }
    let numbers = objectIDs(parts, next: next)
    let order = ascendingOrder(numbers)
    return TableNumbers(
      identifiers: IdentifierColumn(order.map { $0.map { numbers[$0] } } ?? numbers), order: order,
      next: max(next, (numbers.max() ?? 0) &+ 1))
  }

  /// Returns the numbers of all parts if they are consecutive; otherwise nil.
  private func consecutiveNumbers(_ parts: [Int]) -> (first: Int64, count: Int)? {
    var run = (first: Int64(1), count: 0)
    for chunk in parts.lazy.flatMap({ builders[$0].columns[0].sealed }) {
      guard chunk.keepsAllRows, case .integers(let numbers) = chunk.values else { return nil }
      if run.count == 0 { run.first = numbers.first ?? 1 }
      guard run.first < Int64.max - Int64(run.count + numbers.count),
        areConsecutive(numbers, from: run.first + Int64(run.count))
      else { return nil }
      run.count += numbers.count
    }
    return run
  }

  /// Releases the numbers, unless a message needs them to name an object.
  private mutating func letGoOfNumbers(_ parts: [Int]) {
    guard problems.count == 0 else { return }
    for part in parts { builders[part].columns[0].releaseMemory() }
  }

  private func ascendingOrder(_ numbers: [Int64]) -> [Int]? {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return nil }
    return numbers.indices.sorted { numbers[$0] < numbers[$1] }
  }
}

private func areConsecutive(_ numbers: [Int64], from first: Int64) -> Bool {
  var isRun = true
  for i in numbers.indices where numbers[i] != first + Int64(i) { isRun = false }
  return isRun
}

extension StoreAssembly {
  /// Returns the objectIDs of all parts' rows; rows without one get numbers above the highest.
  private mutating func objectIDs(_ parts: [Int], next: Int64) -> [Int64] {
    var numbers: [Int64] = []
    numbers.reserveCapacity(parts.reduce(0) { $0 + builders[$1].rowCount })
    var missing: [Int] = []
    for part in parts {
      for chunk in builders[part].columns[0].sealed {
        guard case .integers(let values) = chunk.values else { continue }
        if let nulls = chunk.nulls { nulls.forEachSet { missing.append(numbers.count + $0) } }
        numbers += values
      }
    }
    letGoOfNumbers(parts)
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
      problems.note(
        RowProblem(
          kind: .duplicateObjectID, entity: builders[place.part].name, row: place.row,
          objectID: number))
    }
  }
}
