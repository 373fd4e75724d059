import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// Aggregates of plain columns, in loops over whole chunks.
extension Groups {
  /// The values of an aggregate over an attribute that is kept as numbers; nil for all others.
  ///
  /// The sum of integers is exact, and one that does not fit is left to the reference, which says
  /// so. Doubles are summed chunk by chunk.
  func columnValues(
    of aggregate: BoundAggregate, _ request: BoundRequest
  ) throws(Diagnostic) -> [Value]? {
    guard let (column, type) = Groups.column(of: aggregate, request) else { return nil }
    if aggregate.function == .count {
      return counts(column).dropFirst().map { .integer(Int64($0)) }
    }
    switch type {
    case .integer, .integer16, .integer32: return integers(aggregate.function, column)
    case .date: return extremes(aggregate.function, column).map { $0.map(Groups.date) }
    case .double, .float: return doubles(aggregate.function, column)
    case .string, .boolean, .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  /// Whether a loop over a column computes an aggregate, where nothing is beyond its numbers.
  static func hasLoop(for aggregate: BoundAggregate, _ request: BoundRequest) -> Bool {
    if case .evaluatedObject = aggregate.argument.kind { return true }
    guard let (_, type) = column(of: aggregate, request) else { return false }
    switch (aggregate.function, type) {
    case (.count, _): return true
    case (.sum, _), (.average, _): return type.isNumeric && type != .decimal
    case (.min, _), (.max, _): return type == .date || type.isNumeric && type != .decimal
    case (.median, _), (.mode, _), (.stddev, _): return false
    }
  }

  private static func column(
    of aggregate: BoundAggregate, _ request: BoundRequest
  ) -> (Column, AttributeType)? {
    guard case .keyPath(let path) = aggregate.argument.kind, let key = path.onlyKey else {
      return nil
    }
    let table = request.snapshot.graph.tables[request.place.table]
    guard case .attribute(let place, let type)? = table.layout.slots[request.place.code][key] else {
      return nil
    }
    return (table.columns[place], type)
  }

  private static func date(_ number: Int64?) -> Value {
    number.map { .date(Timestamp(microseconds: $0)) } ?? .null
  }

  private func integers(_ function: AggregateFunction, _ column: Column) -> [Value]? {
    switch function {
    case .min, .max:
      return extremes(function, column).map { $0.map { $0.map { .integer($0) } ?? .null } }
    case .sum: return sums(column).map { $0.dropFirst().map { .integer($0) } }
    case .average:
      guard let sums = sums(column) else { return nil }
      return zip(sums, counts(column)).dropFirst().map { sum, count in
        count == 0 ? .null : .double(Double(sum) / Double(count))
      }
    case .count, .median, .mode, .stddev: return nil
    }
  }

  private func doubles(_ function: AggregateFunction, _ column: Column) -> [Value]? {
    let counts = counts(column)
    switch function {
    case .sum, .average:
      let sums = doubleSums(column)
      // What is not finite is an error, which the reference says.
      guard sums.allSatisfy(\.isFinite) else { return nil }
      return zip(sums, counts).dropFirst().map { sum, count in
        if count == 0 { return function == .sum ? .integer(0) : .null }
        return .double(function == .sum ? sum : sum / Double(count))
      }
    case .min, .max:
      return zip(doubleExtremes(function, column), counts).dropFirst().map { extreme, count in
        count == 0 ? .null : .double(extreme)
      }
    case .count, .median, .mode, .stddev: return nil
    }
  }
}

extension Groups {
  /// The groups of a chunk's rows, 0 for those without a value.
  private func codes(_ chunk: Int, without nulls: Bitmap?) -> [UInt32] {
    guard let nulls else { return codes[chunk] }
    var codes = codes[chunk]
    nulls.forEachSet { codes[$0] = 0 }
    return codes
  }

  /// How many rows of each group have a value.
  private func counts(_ column: Column) -> [Int] {
    guard column.chunks.contains(where: { $0.nulls != nil }) else { return sizes }
    var counts = sizes
    for (number, chunk) in column.chunks.enumerated() where number < codes.count {
      chunk.nulls?.forEachSet { counts[Int(codes[number][$0])] -= 1 }
    }
    return counts
  }

  /// Calls `body` with each chunk's values and groups.
  private func forEachChunk<T>(
    _ column: Column, _ values: (ColumnChunk) -> [T]?, _ body: ([T], [UInt32]) -> Void
  ) {
    for (number, chunk) in column.chunks.enumerated() where number < codes.count {
      if let values = values(chunk) { body(values, codes(number, without: chunk.nulls)) }
    }
  }

  private func sums(_ column: Column) -> [Int64]? {
    var sums = [Int64](repeating: 0, count: slotCount)
    var overflows = false
    forEachChunk(column, \.integers) { values, codes in
      sums.withUnsafeMutableBufferPointer { sums in
        for i in values.indices {
          let group = Int(codes[i])
          let (sum, overflow) = sums[group].addingReportingOverflow(values[i])
          sums[group] = sum
          overflows = overflows || overflow && group != 0
        }
      }
    }
    return overflows ? nil : sums
  }

  private func extremes(_ function: AggregateFunction, _ column: Column) -> [Int64?]? {
    guard function == .min || function == .max else { return nil }
    let wantsLeast = function == .min
    var best = [Int64](repeating: wantsLeast ? .max : .min, count: slotCount)
    forEachChunk(column, \.integers) { values, codes in
      best.withUnsafeMutableBufferPointer { best in
        if wantsLeast {
          for i in values.indices { best[Int(codes[i])] = min(best[Int(codes[i])], values[i]) }
        } else {
          for i in values.indices { best[Int(codes[i])] = max(best[Int(codes[i])], values[i]) }
        }
      }
    }
    return zip(best, counts(column)).dropFirst().map { $1 == 0 ? nil : $0 }
  }

  private func doubleSums(_ column: Column) -> [Double] {
    var sums = [Double](repeating: 0, count: slotCount)
    forEachChunk(column, \.doubles) { values, codes in
      sums.withUnsafeMutableBufferPointer { sums in
        for i in values.indices { sums[Int(codes[i])] += values[i] }
      }
    }
    sums[0] = 0
    return sums
  }

  private func doubleExtremes(_ function: AggregateFunction, _ column: Column) -> [Double] {
    let wantsLeast = function == .min
    var best = [Double](repeating: wantsLeast ? .infinity : -.infinity, count: slotCount)
    forEachChunk(column, \.doubles) { values, codes in
      best.withUnsafeMutableBufferPointer { best in
        for i in values.indices {
          let group = Int(codes[i])
          if wantsLeast ? values[i] < best[group] : values[i] > best[group] {
            best[group] = values[i]
          }
        }
      }
    }
    return best
  }
}
