import KuraChecking
import KuraModel
import KuraValues

extension ColumnAggregate {
  /// Adds what others have computed of the same aggregate.
  mutating func add(_ other: ColumnAggregate) {
    overflows = overflows || other.overflows
    for slot in nulls.indices { nulls[slot] += other.nulls[slot] }
    for slot in sums.indices {
      let (sum, overflow) = sums[slot].addingReportingOverflow(other.sums[slot])
      sums[slot] = sum
      overflows = overflows || overflow && slot != 0
    }
    let isLeast = function == .min
    for slot in bests.indices {
      bests[slot] =
        isLeast ? min(bests[slot], other.bests[slot]) : max(bests[slot], other.bests[slot])
    }
    for slot in doubles.indices { doubles[slot] = together(doubles[slot], other.doubles[slot]) }
  }

  private func together(_ a: Double, _ b: Double) -> Double {
    switch function {
    case .min: b < a ? b : a
    case .max: b > a ? b : a
    case .count, .sum, .average: a + b
    }
  }

  /// The value of each slot that has so many rows; nil where the reference must be asked.
  ///
  /// Of no value count and sum are 0, the others null.
  func values(_ sizes: [Int]) -> [Value]? {
    guard !overflows,
      doubles.dropFirst().allSatisfy({ $0.isFinite || function != .sum && function != .average })
    else { return nil }
    return sizes.indices.map { slot in value(slot, count: sizes[slot] - nulls[slot]) }
  }

  private func value(_ slot: Int, count: Int) -> Value {
    switch function {
    case .count: .integer(Int64(count))
    case .sum where count == 0: .integer(0)
    case _ where count == 0: .null
    case .sum: isOfDoubles ? .double(doubles[slot]) : .integer(sums[slot])
    case .average:
      .double((isOfDoubles ? doubles[slot] : Double(sums[slot])) / Double(count))
    case .min, .max:
      if isOfDoubles {
        .double(doubles[slot])
      } else {
        type == .date ? .date(Timestamp(microseconds: bests[slot])) : .integer(bests[slot])
      }
    }
  }
}
