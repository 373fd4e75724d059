import KuraBytes
import KuraGraph
import KuraPredicates
import KuraValues

/// The numbers of the objects of each row, for aggregates that need all of them at once: `median(items.price)`.
struct GatheredNumbers: Sendable {
  private let operation: SummaryNode.Operation
  private let kind: VectorKind
  /// The row of each number, in the order of each row's objects.
  private var owners: [UInt32] = []
  private var integers: [Int64] = []
  private var doubles: [Double] = []
  /// The number of digits of decimals after the decimal point.
  private var places = 0
  /// Whether decimals do not fit into 64 bits.
  private var isTooLong = false

  /// Returns nil for an aggregate that does not need all numbers.
  init?(_ operation: SummaryNode.Operation, _ kind: VectorKind?) {
    guard operation.isGathered, let kind else { return nil }
    (self.operation, self.kind) = (operation, kind)
  }
}

extension GatheredNumbers {
  /// Adds the numbers of some objects.
  mutating func add(_ values: Vector, of objects: Bitmap, _ linked: LinkedRows) {
    switch values.values {
    case .integers(let lane), .decimals(let lane, _):
      let places = values.places ?? 0
      let factor = Int64.power(max(0, self.places - places))
      if places > self.places { lengthen(to: places) }
      linked.forEach(of: objects) { object, row in
        let (product, overflow) = lane[object].multipliedReportingOverflow(by: factor)
        if overflow { isTooLong = true }
        owners.append(UInt32(truncatingIfNeeded: row))
        integers.append(product)
      }
    case .doubles(let lane):
      linked.forEach(of: objects) { object, row in
        owners.append(UInt32(truncatingIfNeeded: row))
        doubles.append(lane[object])
      }
    case .longDecimals, .texts: isTooLong = true
    }
  }

  private mutating func lengthen(to places: Int) {
    let factor = Int64.power(places - self.places)
    for place in integers.indices {
      let (product, overflow) = integers[place].multipliedReportingOverflow(by: factor)
      if overflow { isTooLong = true }
      integers[place] = product
    }
    self.places = places
  }

  /// Returns the aggregates of all rows.
  func vector(count: Int, _ cancel: CancelFlag) -> Vector {
    if isTooLong { return .unknown(kind, count) }
    let starts = starts(count)
    let (integers, doubles) = (sorted(integers, starts), sorted(doubles, starts))
    let length = ColumnChunk.capacity
    let pieces = Workers.map(
      count: (count + length - 1) / length, inParallel: owners.count > 50_000
    ) { piece in
      let rows = piece * length..<min(count, (piece + 1) * length)
      return results(GatheredRows(rows: rows, starts: starts, cancel: cancel), integers, doubles)
    }
    var result = Vector.none(SummaryNode.kind(operation, kind) ?? kind)
    for (piece, vector) in pieces.enumerated() {
      result.append(vector, min(length, count - piece * length))
    }
    return result
  }

  /// Returns the place at which the numbers of each row begin, and the end of all.
  private func starts(_ count: Int) -> [Int] {
    var starts = [Int](repeating: 0, count: count + 1)
    for owner in owners { starts[Int(owner) + 1] += 1 }
    for row in 0..<count { starts[row + 1] += starts[row] }
    return starts
  }

  /// Returns the numbers in the order of their rows.
  private func sorted<Number>(_ numbers: [Number], _ starts: [Int]) -> [Number] {
    var (sorted, next) = (numbers, starts)
    for (number, owner) in zip(numbers, owners) {
      sorted[next[Int(owner)]] = number
      next[Int(owner)] += 1
    }
    return sorted
  }

  private func results(
    _ rows: GatheredRows, _ integers: [Int64], _ doubles: [Double]
  ) -> Vector {
    if operation == .deviation {
      let numbers = kind == .double ? doubles : integers.map { Double($0) }
      return rows.vector(numbers, Vector.Numbers.doubles) { numbers, _ in numbers.deviation }
    }
    let (percentage, isMedian) = (operation.percentage, operation == .median)
    switch kind {
    case .double:
      return rows.vector(doubles, Vector.Numbers.doubles) { numbers, _ in
        guard let (a, b, share) = numbers.quantile(percentage) else { return nil }
        let result = isMedian && share > 0 ? (a + b) / 2 : a + (b - a) * share
        return result.isFinite ? result : nil
      }
    case .integer:
      var whole = Bitmap(count: rows.rows.count)
      var result = rows.vector(integers, Vector.Numbers.doubles) { numbers, row in
        guard let (a, b, share) = numbers.quantile(percentage) else { return nil }
        if share == 0 {
          whole.insert(row)
          return a.magnitude <= 1 << 53 ? Double(a) : nil
        }
        if !isMedian { return Double(a) + (Double(b) - Double(a)) * share }
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? nil : Double(sum) / 2
      }
      result.integral = whole
      return result
    default:
      // The mean of two decimals has at most one digit more, a share of their distance nine.
      let digits = isMedian ? 1 : 9
      guard places + digits <= Int64.mostPlaces else { return .unknown(.decimal, rows.rows.count) }
      let (unit, places) = (Int64.power(digits), places + digits)
      return rows.vector(integers, { Vector.Numbers.decimals($0, places: places) }) { numbers, _ in
        guard let (a, b, share) = numbers.quantile(percentage) else { return nil }
        let part = Int128((share * Double(unit)).rounded())
        return Int64(exactly: Int128(a) * Int128(unit) + (Int128(b) - Int128(a)) * part)
      }
    }
  }
}

/// Some rows, and the places at which the numbers of each begin.
private struct GatheredRows {
  let rows: Range<Int>
  let starts: [Int]
  let cancel: CancelFlag

  /// Returns the result of each row's numbers. A row without numbers has nil; a nil result is left to the reference
  /// evaluator.
  func vector<Number, Result: AdditiveArithmetic>(
    _ all: [Number], _ make: (Lane<Result>) -> Vector.Numbers,
    _ result: (_ numbers: UnsafeMutableBufferPointer<Number>, _ row: Int) -> Result?
  ) -> Vector {
    var (nulls, open) = (Bitmap(count: rows.count), Bitmap(count: rows.count))
    let first = starts[rows.lowerBound]
    var numbers = Array(all[first..<starts[rows.upperBound]])
    let results = numbers.withUnsafeMutableBufferPointer { numbers in
      rows.map { row -> Result in
        let place = row - rows.lowerBound
        let part = starts[row] - first..<starts[row + 1] - first
        if part.isEmpty {
          nulls.insert(place)
        } else if !cancel.isRequested,
          let result = result(UnsafeMutableBufferPointer(rebasing: numbers[part]), place)
        {
          return result
        } else {
          open.insert(place)
        }
        return .zero
      }
    }
    return Vector(make(.each(results)), nulls: nulls.nonEmpty, fallback: open.nonEmpty)
  }
}

extension UnsafeMutableBufferPointer<Double> {
  /// The standard deviation, computed as by the reference evaluator; nil if it is not finite.
  fileprivate var deviation: Double? {
    let mean = reduce(0, +) / Double(count)
    var (sum, squares) = (0.0, 0.0)
    for number in self {
      let distance = number - mean
      sum += distance
      squares += distance * distance
    }
    let deviation = Statistics.deviation(count: Double(count), sum: sum, squares: squares)
    return deviation.isFinite ? deviation : nil
  }
}

extension SummaryNode.Operation {
  /// Whether it needs all numbers at once.
  var isGathered: Bool {
    switch self {
    case .count, .sum, .avg, .min, .max: false
    case .median, .percentile, .deviation: true
    }
  }

  /// Whether its result for doubles depends on the order of the objects.
  var addsInOrder: Bool { self == .sum || self == .avg || self == .deviation }

  fileprivate var percentage: Double { if case .percentile(let share) = self { share } else { 50 } }
}
