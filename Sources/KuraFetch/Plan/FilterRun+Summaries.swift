import KuraBytes
import KuraGraph
import KuraModel

extension FilterRun {
  /// The rows at the other end of `links` for which a summary of this table's rows is as wanted.
  ///
  /// Nil where a sum is beyond what its type holds: then the reference evaluator reports it.
  func summarized(_ summary: Summary, _ links: Int, owners: Int) -> Bitmap? {
    let table = rows
    switch summary.operation {
    case .sum, .average:
      if isInteger(table.columns[summary.column]) {
        return sums(summary, links, Summed<Int64>(owners), table)
      }
      return sums(summary, links, Summed<Double>(owners), table)
    case .least, .greatest:
      if isInteger(table.columns[summary.column]) {
        return extremes(summary, links, owners, table, { $0.integers }, 0, summary.passes)
      }
      return extremes(summary, links, owners, table, { $0.doubles }, 0, summary.passes)
    }
  }

  private func isInteger(_ column: Column) -> Bool {
    switch column.kind {
    case .attribute(.double), .attribute(.float): false
    case .attribute, .toOne, .toMany: true
    }
  }

  private func extremes<Number: Comparable & BitwiseCopyable & Sendable>(
    _ summary: Summary, _ links: Int, _ owners: Int, _ table: Table,
    _ numbers: @escaping @Sendable (ColumnChunk) -> [Number]?, _ zero: Number,
    _ passes: (Number) -> Bool
  ) -> Bitmap? {
    let chunks = table.columns[summary.column].chunks
    let (start, isLeast) = (Extremes(owners, zero), summary.operation == .least)
    let parts = TwoCores.states(
      count: table.chunkCount, onBoth: table.count > 200_000, { start }
    ) { best, number in
      guard let values = numbers(chunks[number]), let links = table.liveLinks(links, number) else {
        best.isWell = false
        return
      }
      if isLeast {
        best.add(values, chunks[number].nulls, links) { $0 < $1 }
      } else {
        best.add(values, chunks[number].nulls, links) { $0 > $1 }
      }
    }
    var best = parts.first ?? start
    for part in parts.dropFirst() { best.add(part) { isLeast ? $0 < $1 : $0 > $1 } }
    guard best.isWell else { return nil }
    return Bitmap(Array(0..<owners)) { owner in
      guard best.isThere[owner] else { return summary.nullPasses }
      return passes(best.numbers[owner]) != summary.isNegated
    }
  }

  private func sums<Number: Summable>(
    _ summary: Summary, _ links: Int, _ start: Summed<Number>, _ table: Table
  ) -> Bitmap? {
    let counts = summary.operation == .average
    // Doubles are added in the order of the rows, as the reference adds them.
    let values = table.columns[summary.column].chunks
    let onBoth =
      table.count > 200_000 && Number.anyOrder && values.allSatisfy { $0.hasSmallIntegers }
    let parts = TwoCores.states(count: table.chunkCount, onBoth: onBoth, { start }) { sum, chunk in
      guard let numbers = Number.values(values[chunk]),
        let links = table.liveLinks(links, chunk)
      else {
        sum.isWell = false
        return
      }
      sum.add(numbers, values[chunk].nulls, links, counts: counts)
    }
    var summed = parts.first ?? start
    for part in parts.dropFirst() { summed.add(part) }
    guard summed.isWell else { return nil }
    return Bitmap((0..<summed.sums.count).map { $0 }) { owner in
      let sum = summed.sums[owner]
      guard counts else { return sum.passes(summary) != summary.isNegated }
      let mean = summed.counts[owner] == 0 ? 0 : sum.asDouble / Double(summed.counts[owner])
      return summary.passes(mean) != summary.isNegated
    }
  }
}

/// The sums of the owners' rows, and how many those are.
private struct Summed<Number: Summable>: Sendable {
  var sums: [Number]
  var counts: [UInt32]
  /// Whether every sum is a number of its type.
  var isWell = true

  init(_ owners: Int) {
    sums = Array(repeating: .zero, count: owners)
    counts = Array(repeating: 0, count: owners)
  }

  /// Adds a chunk's values to the sums of those they belong to.
  mutating func add(
    _ values: [Number], _ nulls: Bitmap?, _ links: [UInt32], counts counting: Bool
  ) {
    var isWell = isWell
    let none = noRow
    sums.withUnsafeMutableBufferPointer { sums in
      counts.withUnsafeMutableBufferPointer { counts in
        for (row, link) in links.enumerated() where link != none {
          let owner = Int(link)
          if counting { counts[owner] &+= 1 }
          if let nulls, nulls.has(row) { continue }
          isWell = sums[owner].add(values[row]) && isWell
        }
      }
    }
    self.isWell = isWell
  }

  /// Adds what another core has summed.
  mutating func add(_ other: Summed<Number>) {
    isWell = isWell && other.isWell
    for owner in sums.indices {
      isWell = sums[owner].add(other.sums[owner]) && isWell
      counts[owner] &+= other.counts[owner]
    }
  }
}

/// A number that sums are made of.
private protocol Summable: Sendable {
  static var zero: Self { get }
  /// Whether the sum is the same in any order.
  static var anyOrder: Bool { get }
  static func values(_ chunk: ColumnChunk) -> [Self]?
  /// False where the sum is none.
  mutating func add(_ other: Self) -> Bool
  func passes(_ summary: Summary) -> Bool
  var asDouble: Double { get }
}

extension Int64: Summable {
  static var anyOrder: Bool { true }
  static func values(_ chunk: ColumnChunk) -> [Int64]? { chunk.integers }

  mutating func add(_ other: Int64) -> Bool {
    let (sum, overflow) = addingReportingOverflow(other)
    self = sum
    return !overflow
  }

  func passes(_ summary: Summary) -> Bool { summary.passes(self) }
  var asDouble: Double { Double(self) }
}

extension Double: Summable {
  static var anyOrder: Bool { false }
  static func values(_ chunk: ColumnChunk) -> [Double]? { chunk.doubles }

  mutating func add(_ other: Double) -> Bool {
    self += other
    return isFinite
  }

  func passes(_ summary: Summary) -> Bool { summary.passes(self) }
  var asDouble: Double { self }
}

extension Summary {
  func passes(_ number: Int64) -> Bool {
    switch test {
    case .integers(let ranges): ranges.contains { $0 ~= number }
    case .doubles(let ranges): ranges.contains { $0 ~= Double(number) }
    }
  }

  func passes(_ number: Double) -> Bool {
    switch test {
    case .integers: false
    case .doubles(let ranges): ranges.contains { $0 ~= number }
    }
  }
}

extension ColumnChunk {
  /// Whether sums of them stay within 64 bits in any order, of as many rows as a table may have.
  fileprivate var hasSmallIntegers: Bool {
    integerBounds.map {
      (-1 << 30...1 << 30).contains($0.lowerBound)
        && (-1 << 30...1 << 30).contains($0.upperBound)
    } ?? true
  }

  var integers: [Int64]? { if case .integers(let values) = values { values } else { nil } }
  var doubles: [Double]? { if case .doubles(let values) = values { values } else { nil } }
}

extension Table {
  /// A chunk's links; those of deleted objects lead nowhere.
  fileprivate func liveLinks(_ column: Int, _ chunk: Int) -> [UInt32]? {
    guard case .links(var links) = columns[column].chunks[chunk].values else { return nil }
    guard live != nil else { return links }
    var deleted = liveRows(inChunk: chunk)
    deleted.invert()
    deleted.forEachSet { links[$0] = noRow }
    return links
  }
}
