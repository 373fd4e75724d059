import KuraGraph
import KuraModel
import KuraValues

/// The value of an aggregate for each group: words for numbers of one kind and for dates, otherwise values.
struct AggregateValues: Sendable {
  private let kind: Kind
  private let words: [UInt64]
  private let values: [Value]
  /// The groups without a value; nil if all have one.
  private let nulls: Bitmap?

  fileprivate enum Kind: Sendable, Equatable {
    case integers, doubles, dates, values
    /// The numbers of decimals on this scale
    case decimals(DecimalScale)
  }

  init(_ values: [Value]) {
    let kind = Kind(values.first { !$0.isNull })
    if kind != .values, let words = values.mapAll(kind.word) {
      self.init(kind, words, nulls: Bitmap(values) { $0.isNull }.nonEmpty)
    } else {
      self.init(.values, [], values)
    }
  }

  init(integers: [Int64]) {
    self.init(.integers, integers.map { UInt64(bitPattern: $0) })
  }

  /// Creates the values from the results of a loop for some slots; nil if the reference evaluator must compute them.
  ///
  /// Without values, count and sum are the integer 0, other aggregates null.
  init?(_ aggregate: ColumnAggregate, _ slots: [Int], sizes: [Int]) {
    guard aggregate.agreesWithEvaluator else { return nil }
    let counts = slots.map { sizes[$0] - aggregate.nulls[$0] }
    if aggregate.function == .average, let scale = aggregate.column.scale {
      guard let means = aggregate.means(slots, counts, places: scale.places) else { return nil }
      self.init(means)
      return
    }
    let kind = Kind(aggregate)
    let words = zip(slots, counts).map { slot, count -> UInt64 in
      if count == 0 { return 0 }
      if case .decimals(let scale) = kind, aggregate.function == .sum {
        return UInt64(bitPattern: scale.code(aggregate.sums[slot]))
      }
      return aggregate.word(slot, count: count)
    }
    let empty = Bitmap(counts) { $0 == 0 }
    let isZeroOfNothing = aggregate.function == .count || aggregate.function == .sum
    if isZeroOfNothing, kind != .integers, !empty.isEmpty {
      let known = AggregateValues(kind, words, nulls: empty)
      self.init(words.indices.map { empty.has($0) ? .integer(0) : known[$0] })
    } else {
      self.init(kind, words, nulls: empty.isEmpty || isZeroOfNothing ? nil : empty)
    }
  }

  /// Creates the values from the loops of an aggregate; nil if the reference evaluator must compute them.
  init?(_ loops: [ColumnAggregate], _ slots: [Int], sizes: [Int]) {
    if loops.count == 1 {
      self.init(loops[0], slots, sizes: sizes)
      return
    }
    guard loops.allSatisfy(\.agreesWithEvaluator),
      let values = slots.mapAll({ loops[0].value($0, sizes[$0], withOthers: loops[1]) })
    else { return nil }
    self.init(values)
  }

  private init(_ kind: Kind, _ words: [UInt64], _ values: [Value] = [], nulls: Bitmap? = nil) {
    (self.kind, self.words, self.values, self.nulls) = (kind, words, values, nulls)
  }
}

extension AggregateValues.Kind {
  fileprivate init(_ aggregate: ColumnAggregate) {
    switch aggregate.function {
    case .count: self = .integers
    case .average: self = .doubles
    case .sum, .min, .max:
      if let scale = aggregate.column.scale {
        self = .decimals(
          aggregate.function == .sum
            ? DecimalScale(places: scale.places, aggregate.sums) : scale)
      } else {
        self = aggregate.isOfDoubles ? .doubles : aggregate.type == .date ? .dates : .integers
      }
    }
  }

  fileprivate init(_ value: Value?) {
    switch value {
    case .integer?: self = .integers
    case .double?: self = .doubles
    case .date?: self = .dates
    default: self = .values
    }
  }

  /// Returns a value's word; nil for values of another kind.
  fileprivate func word(_ value: Value) -> UInt64? {
    switch (self, value) {
    case (_, .null): 0
    case (.integers, .integer(let x)): UInt64(bitPattern: x)
    case (.doubles, .double(let x)): x.bitPattern
    case (.dates, .date(let x)): UInt64(bitPattern: x.microseconds)
    default: nil
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
    case .decimals(let scale): scale.value(Int64(bitPattern: words[group]))
    case .values: values[group]
    }
  }

  /// Returns the values of some groups as words with the sort order; nil if that is not possible.
  func orderedWords(_ groups: [Int], isAscending: Bool, nullsFirst: Bool) -> [UInt64]? {
    let isOfDoubles = kind == .doubles
    guard kind != .values, !isOfDoubles || !words.contains(where: { Double(bitPattern: $0).isNaN })
    else { return nil }
    return groups.map { group in
      if nulls?.has(group) == true { return nullsFirst ? 0 : .max }
      let bits = words[group]
      let word = isOfDoubles ? Double(bitPattern: bits).orderedBits : bits ^ (1 << 63)
      return isAscending ? word : ~word
    }
  }

  var all: [Value] { kind == .values ? values : words.indices.map { self[$0] } }

  /// Returns the values as a column of a table, at rows in ascending order; nil unless all are numbers of one kind, or
  /// dates.
  func column(at rows: [UInt32], of table: Table) -> WholeColumn? {
    let type: AttributeType
    var scale: DecimalScale?
    switch kind {
    case .integers: type = .integer
    case .decimals(let known): (type, scale) = (.decimal, known)
    case .doubles: type = .double
    case .dates: type = .date
    case .values: return nil
    }
    // NaN has no order among numbers.
    guard kind != .doubles || !words.contains(where: { Double(bitPattern: $0).isNaN }) else {
      return nil
    }
    var chunks = ScatteredNumbers(table)
    for (group, row) in rows.enumerated() {
      let word = nulls?.has(group) == true ? nil : words[group]
      chunks.put(word, at: Int(row))
    }
    return WholeColumn(
      column: Column(
        .attribute(type), chunks: chunks.chunks(asDoubles: kind == .doubles), scale: scale),
      type: type)
  }
}

// Integers among numbers of another kind
extension ColumnAggregate {
  /// Returns the value of a slot with `size` rows from these integers and the `others`; nil if the reference evaluator
  /// must compute it.
  fileprivate func value(_ slot: Int, _ size: Int, withOthers others: ColumnAggregate) -> Value? {
    let isEmpty = size == nulls[slot]
    let hasOthers = size > others.nulls[slot]
    switch (function, isEmpty, hasOthers) {
    case (.sum, true, false): return .integer(0)
    case (_, true, false): return .null
    case (_, true, true): return others.number(slot)
    case (_, false, false): return integer(slot)
    case (.sum, false, true): return sum(slot, others)
    case (.min, false, true), (.max, false, true), (.count, _, _), (.average, _, _):
      guard let mine = number(slot), let other = others.number(slot),
        let order = try? Value.order(mine, other), order != .same
      else { return nil }
      return (order == .before) == (function == .min) ? integer(slot) : other
    }
  }

  private func sum(_ slot: Int, _ others: ColumnAggregate) -> Value? {
    guard let places = column.scale?.places else {
      return .double(doubles[slot] + others.doubles[slot])
    }
    if integer(slot) == nil { return nil }
    return ScaledDecimal(sums[slot] + others.sums[slot], places: places).value
  }

  /// Returns the slot's number as a double or a decimal.
  private func number(_ slot: Int) -> Value? {
    guard let scale = column.scale else { return .double(doubles[slot]) }
    if function == .sum { return ScaledDecimal(sums[slot], places: scale.places).value }
    return scale.value(bests[slot])
  }

  /// Returns the slot's number as an integer; nil if a double cannot distinguish it from the next integer.
  private func integer(_ slot: Int) -> Value? {
    switch number(slot) {
    case .double(let x)? where x.magnitude <= 0x1p53: .integer(Int64(x))
    case .decimal(let x)?:
      ScaledDecimal(x)?.integer(places: 0).flatMap { Int64(exactly: $0) }.map { .integer($0) }
    default: nil
    }
  }
}

extension ColumnAggregate {
  /// Whether the reference evaluator computes the same numbers.
  var agreesWithEvaluator: Bool {
    (column.scale != nil || sums.dropFirst().allSatisfy { Int64(exactly: $0) != nil })
      && doubles.dropFirst().allSatisfy { $0.isFinite || function != .sum && function != .average }
  }

  /// Returns the means of decimals, each divided once; nil if a division fails.
  fileprivate func means(_ slots: [Int], _ counts: [Int], places: Int) -> [Value]? {
    zip(slots, counts).map { slot, count -> Value? in
      if count == 0 { return .null }
      let sum = ScaledDecimal(sums[slot], places: places).value
      return try? Value.compute(.divide, sum, .integer(Int64(count)))
    }.unwrapped()
  }

  /// Returns the bits of the number of a slot that has `count` values.
  fileprivate func word(_ slot: Int, count: Int) -> UInt64 {
    switch function {
    case .count: UInt64(bitPattern: Int64(count))
    case .average:
      ((isOfDoubles ? doubles[slot] : Double(sums[slot])) / Double(count)).bitPattern
    case .sum: isOfDoubles ? doubles[slot].bitPattern : UInt64(truncatingIfNeeded: sums[slot])
    case .min, .max:
      isOfDoubles ? doubles[slot].bitPattern : UInt64(bitPattern: bests[slot])
    }
  }
}
