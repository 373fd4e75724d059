import KuraBytes
import KuraGraph
import KuraModel
import KuraValues

// Decimals on one scale, and decimals combined with other numbers
extension Vector {
  /// The number of digits after the decimal point, 0 for integers; nil for other values.
  var places: Int? {
    switch values {
    case .integers: 0
    case .decimals(_, let places), .longDecimals(_, let places): places
    case .doubles, .texts: nil
    }
  }

  fileprivate var hasDecimals: Bool {
    switch values {
    case .decimals, .longDecimals: true
    case .integers, .doubles, .texts: false
    }
  }

  /// Whether it has decimals of 128 bits.
  var isLong: Bool { if case .longDecimals = values { true } else { false } }

  /// Its integers, or those of its decimals, with 128 bits.
  var longIntegers: Lane<Int128> {
    if case .longDecimals(let lane, _) = values { lane } else { integers.map { Int128($0) } }
  }

  /// Its integers or decimals as decimals of 128 bits.
  private var lengthened: Vector {
    guard let places, !isLong else { return self }
    return with(.longDecimals(longIntegers, places: places))
  }

  /// Brings two vectors, each with its number of rows, to one type: decimals on one scale, or doubles if one has
  /// doubles.
  ///
  /// `forOrder`: only the order matters, so that values which do not fit become the greatest or least integer.
  static func aligned(
    _ a: (vector: Vector, count: Int), _ b: (vector: Vector, count: Int), forOrder: Bool = false
  ) -> (Vector, Vector) {
    guard a.vector.hasDecimals || b.vector.hasDecimals else { return (a.vector, b.vector) }
    guard let first = a.vector.places, let second = b.vector.places else {
      return (a.vector.reals(a.count), b.vector.reals(b.count))
    }
    let places = max(first, second)
    let x = a.vector.decimals(places, a.count, forOrder: forOrder)
    let y = b.vector.decimals(places, b.count, forOrder: forOrder)
    return x.isLong == y.isLong ? (x, y) : (x.lengthened, y.lengthened)
  }

  /// Returns integers or decimals with at least this many places; rows that do not fit are left to the reference
  /// evaluator.
  fileprivate func decimals(_ wanted: Int, _ count: Int, forOrder: Bool = false) -> Vector {
    guard let places else { return self }
    let more = max(0, wanted - places)
    return multiplied(by: .power(more), places: places + more, count, forOrder: forOrder)
  }

  /// Returns integers or decimals multiplied by a factor, as decimals with this many places. They have 128 bits if some
  /// do not fit into 64 bits; rows that do not fit then are left to the reference evaluator.
  func multiplied(
    by factor: Int128, places wanted: Int, _ count: Int, forOrder: Bool = false
  ) -> Vector {
    if !isLong, wanted <= Int64.mostPlaces, let factor = Int64(exactly: factor) {
      let lane = integers
      if factor == 1 { return with(.decimals(lane, places: wanted)) }
      let odd = lane.rows(count) { $0.multipliedReportingOverflow(by: factor).overflow }
      if !hasValue(in: odd) {
        return with(.decimals(lane.map { $0 &* factor }, places: wanted))
      }
    }
    let lane = longIntegers
    if factor == 1 { return with(.longDecimals(lane, places: wanted)) }
    let products = lane.map { number in
      let (product, overflow) = number.multipliedReportingOverflow(by: factor)
      return overflow ? ((number < 0) == (factor < 0) ? .max : .min) : product
    }
    let result = with(.longDecimals(products, places: wanted))
    return forOrder ? result : result.leavingLong(count)
  }

  /// Returns whether one of some rows has a value.
  func hasValue(in rows: Bitmap) -> Bool {
    !rows.isEmpty && !rows.subtracting(nulls).subtracting(fallback).isEmpty
  }

  /// Returns the vector with decimals of more than 38 digits left to the reference evaluator, which rounds them, and
  /// integers of more than 64 bits, for which it fails.
  func leavingLong(_ count: Int) -> Vector {
    guard case .longDecimals(let lane, let places) = values else { return self }
    let limit = Int128.power(Int128.mostPlaces).magnitude
    var rows = lane.rows(count) { $0.magnitude >= limit }
    let (most, isAny) = Int128.power(places).multipliedReportingOverflow(by: Int128(Int64.max))
    if let integral, !isAny {
      rows.formUnion(lane.rows(count) { $0.magnitude > most.magnitude }.intersection(integral))
    }
    return leaving(rows)
  }

  /// Returns decimals as the nearest doubles; those with too many digits for a double are left to the reference
  /// evaluator.
  func reals(_ count: Int) -> Vector {
    switch values {
    case .decimals(let lane, let places):
      let unit = Double(Int64.power(places))
      return with(.doubles(lane.map { Double($0) / unit }))
        .leaving(lane.rows(count) { $0.magnitude >= Int128.leastLongReal })
    case .longDecimals(let lane, let places):
      let reals = lane.map { $0.real(places: places) ?? .nan }
      return with(.doubles(reals)).leaving(reals.rows(count) { $0.isNaN })
    case .integers, .doubles, .texts: return self
    }
  }
}

extension Int128 {
  /// The least integer with too many digits for a double.
  fileprivate static var leastLongReal: UInt64 { 1_000_000_000_000_000 }

  /// Returns the nearest double of a decimal; nil if it may have too many digits.
  fileprivate func real(places: Int) -> Double? {
    var (digits, places) = (self, places)
    while digits.magnitude >= Self.leastLongReal {
      let (quotient, rest) = digits.quotientAndRemainder(dividingBy: 10)
      guard places > 0, rest == 0 else { return nil }
      (digits, places) = (quotient, places - 1)
    }
    // Greater powers of ten are no doubles.
    return places > 22 ? nil : Double(Int64(digits)) / Double(Int128.power(places))
  }
}

extension ScaledDecimal {
  /// The integer if it fits into 64 bits, and the places into its number of digits; otherwise nil.
  var short: Int64? { places <= Int64.mostPlaces ? Int64(exactly: integer) : nil }
}

extension DecimalScale {
  /// Returns the decimals that the numbers of a column represent.
  func numbers(_ lane: Lane<Int64>) -> Vector.Numbers {
    isShort
      ? .decimals(lane, places: places)
      : .longDecimals(lane.map { integer($0) }, places: places)
  }
}

/// The vectors of a table's chunks with decimals as the numbers of one scale, as in a column.
struct AlignedVectors: Sendable {
  private(set) var vectors: [Vector]
  /// The scale of the decimals; nil without decimals.
  private(set) var scale: DecimalScale?

  /// Returns nil if a wanted row does not fit.
  init?(_ all: [Vector], _ rows: [Bitmap]) {
    vectors = all
    guard let places = all.lazy.filter(\.hasDecimals).compactMap(\.places).max() else { return }
    for place in vectors.indices {
      vectors[place] = vectors[place].decimals(places, rows[place].count)
      if vectors[place].isOpen(in: rows[place]) { return nil }
    }
    guard vectors.contains(where: \.isLong) else {
      scale = DecimalScale(places: places)
      return
    }
    let (aligned, lanes) = (vectors, vectors.map(\.longIntegers))
    let long = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      aligned[number].longRows(lanes[number], rows[number])
    }
    var numbers: [Int128] = []
    for (lane, rows) in zip(lanes, long) { rows?.eachRow { numbers.append(lane[$0]) } }
    let scale = DecimalScale(places: places, numbers)
    vectors = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      guard let long = long[number] else { return aligned[number] }
      let lane = lanes[number]
      var codes = lane.map { DecimalScale.isShort($0) ? Int64(truncatingIfNeeded: $0) : 0 }
        .spread(long.count)
      long.eachRow { codes[$0] = scale.code(lane[$0]) }
      return aligned[number].with(.decimals(.each(codes), places: places))
    }
    self.scale = scale
  }

  /// Returns the scale of a column of a type; nil unless it has decimals.
  func scale(_ type: AttributeType) -> DecimalScale? {
    type == .decimal ? scale ?? DecimalScale(places: 0) : nil
  }
}

extension Vector {
  /// Returns the wanted rows with integers that a column replaces; nil without decimals, or if no row is wanted.
  fileprivate func longRows(_ lane: Lane<Int128>, _ wanted: Bitmap) -> Bitmap? {
    guard places != nil, !wanted.isEmpty else { return nil }
    return lane.rows(wanted.count) { !DecimalScale.isShort($0) }
      .intersection(wanted).subtracting(nulls)
  }
}
