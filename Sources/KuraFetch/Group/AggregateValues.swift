import KuraGraph
import KuraModel
import KuraValues

/// What an aggregate is worth for each group: numbers of one kind or dates as words, anything else as
/// values.
struct AggregateValues: Sendable {
  private let kind: Kind
  private let words: [UInt64]
  private let values: [Value]
  /// The groups without a value, where there are some.
  private let nulls: Bitmap?

  fileprivate enum Kind: Sendable {
    case integers, doubles, dates, values
  }

  init(_ values: [Value]) {
    (kind, words, self.values, nulls) = (.values, [], values, nil)
  }

  init(integers: [Int64]) {
    (kind, words, values, nulls) = (.integers, integers.map { UInt64(bitPattern: $0) }, [], nil)
  }

  /// What loops have made, of some slots; nil where those are of several kinds, or the reference
  /// must be asked.
  init?(_ aggregate: ColumnAggregate, _ slots: [Int], sizes: [Int]) {
    guard aggregate.isWell else { return nil }
    var nulls = Bitmap(count: slots.count)
    var words: [UInt64] = []
    words.reserveCapacity(slots.count)
    for (place, slot) in slots.enumerated() {
      let count = sizes[slot] - aggregate.nulls[slot]
      if count == 0, aggregate.function != .count { nulls.insert(place) }
      words.append(count == 0 ? 0 : aggregate.word(slot, count: count))
    }
    // The sum of nothing is the integer 0.
    if aggregate.function == .sum, !nulls.isEmpty { return nil }
    (kind, self.words, values) = (Kind(aggregate), words, [])
    self.nulls = nulls.isEmpty ? nil : nulls
  }
}

extension AggregateValues.Kind {
  fileprivate init(_ aggregate: ColumnAggregate) {
    switch aggregate.function {
    case .count: self = .integers
    case .average: self = .doubles
    case .sum: self = aggregate.isOfDoubles ? .doubles : .integers
    case .min, .max:
      self = aggregate.isOfDoubles ? .doubles : aggregate.type == .date ? .dates : .integers
    }
  }
}

extension AggregateValues {
  subscript(group: Int) -> Value {
    if kind == .values { return values[group] }
    if nulls?.has(group) == true { return .null }
    return switch kind {
    case .integers: .integer(Int64(bitPattern: words[group]))
    case .doubles: .double(Double(bitPattern: words[group]))
    case .dates: .date(Timestamp(microseconds: Int64(bitPattern: words[group])))
    case .values: values[group]
    }
  }

  /// The values of all groups.
  var all: [Value] { kind == .values ? values : words.indices.map { self[$0] } }

  /// The values in rows of a table, which ascend, and nothing elsewhere; nil where they are not all
  /// numbers of one kind, or dates.
  func column(at rows: [UInt32], of table: Table) -> WholeColumn? {
    let type: AttributeType
    switch kind {
    case .integers: type = .integer
    case .doubles: type = .double
    case .dates: type = .date
    case .values: return WholeColumn(values, at: rows, of: table)
    }
    // What is no number has no place among numbers.
    guard kind != .doubles || !words.contains(where: { Double(bitPattern: $0).isNaN }) else {
      return nil
    }
    var chunks = SpreadNumbers(table)
    for (group, row) in rows.enumerated() {
      let word = nulls?.has(group) == true ? nil : words[group]
      chunks.put(word, at: Int(row))
    }
    return WholeColumn(
      column: Column(.attribute(type), chunks: chunks.chunks(asDoubles: kind == .doubles)),
      type: type)
  }
}

extension ColumnAggregate {
  /// Whether the numbers are what the reference has.
  var isWell: Bool {
    !overflows
      && doubles.dropFirst().allSatisfy { $0.isFinite || function != .sum && function != .average }
  }

  /// The bits of a slot's number, which has so many values.
  fileprivate func word(_ slot: Int, count: Int) -> UInt64 {
    switch function {
    case .count: UInt64(bitPattern: Int64(count))
    case .average:
      ((isOfDoubles ? doubles[slot] : Double(sums[slot])) / Double(count)).bitPattern
    case .sum: isOfDoubles ? doubles[slot].bitPattern : UInt64(bitPattern: sums[slot])
    case .min, .max:
      isOfDoubles ? doubles[slot].bitPattern : UInt64(bitPattern: bests[slot])
    }
  }
}
